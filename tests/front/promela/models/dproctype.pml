/* spin: states=22 errors=none */
byte x;
active D_proctype A() { if :: x == 0 -> x = 1 :: x == 5 -> x = 2 fi; x = 3 }
active proctype B() { x = 5 }
