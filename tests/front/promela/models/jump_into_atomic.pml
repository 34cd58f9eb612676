/* spin: states=37 errors=deadlock */
byte x;
active proctype A() { if :: x == 0 -> goto in :: else -> skip fi; atomic { x = 5; in: x++; x++; x < 4; x = 9 } }
active proctype B() { x = 1; x = 2; x = 0 }
