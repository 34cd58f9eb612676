/* spin: states=52 errors=none */
byte x;
active [2] proctype A() { do :: if :: x == 0 -> x = 1 :: else -> x = 2 fi :: x == 2 -> break :: atomic { x == 1 -> x = 3 } od }
