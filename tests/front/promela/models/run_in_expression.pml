/* spin: states=45 errors=none */
byte n; pid who;
proctype P(byte v) { n = v }
active proctype A() { who = run P(3) + 1; n = who; if :: (run P(5)) -> n = 9 :: n == 4 fi }
