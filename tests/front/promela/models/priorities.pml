/* spin: states=12 errors=none */
byte x;
active proctype A() priority 3 { do :: x < 3 -> x++ od }
active proctype B() priority 2 { do :: x < 5 -> x++ :: x == 5 -> x = 0 od }
active proctype C() { int i; for (i : 1 .. 3) { x = x + _priority } }
