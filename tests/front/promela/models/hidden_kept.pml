/* spin: states=6 errors=none */
hidden byte h; byte x;
active proctype A() { h = 1; x = 1; if :: h == 1 -> x = 2 :: else -> x = 3 fi }
