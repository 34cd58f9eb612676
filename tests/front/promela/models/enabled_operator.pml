/* spin: states=37 errors=deadlock */
byte x;
active proctype A() { x == 2; x = 3; x = 4 }
active proctype B() { do :: x < 3 -> if :: enabled(0) -> x = 5 :: else -> x++ fi :: x >= 4 -> break od }
