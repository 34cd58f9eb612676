/* spin: states=5 errors=deadlock */
byte x;
active proctype A() {
L1: atomic { x < 3; x++; goto L2 };
L2: atomic { x < 5; x++; if :: x == 4 -> goto L1 :: else -> skip fi };
L3: atomic { x > 2; x--; goto L4; x = 9 };
L4: x = 0
}
active proctype B() { do :: x == 2 -> x = 1 :: x > 4 -> break od }
