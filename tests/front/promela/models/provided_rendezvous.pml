/* spin: states=35 errors=deadlock */
byte turn; chan c = [0] of { byte };
active proctype A() provided (turn != 2) { c!1; turn = 2; c!2 }
active proctype B() provided (turn != 1) { byte v; c?v; turn = 1; turn = 0; c?v }
active proctype C() { do :: turn == 1 -> turn = 0 :: turn == 2 -> turn = 0; break od }
