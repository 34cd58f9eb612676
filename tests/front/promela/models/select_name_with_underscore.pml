/* spin: states=36 errors=none */
byte a_b; byte c;
active proctype A() { select(a_b : 1 .. 3); select(c : 1 .. 3); assert(a_b <= 3 && c <= 3) }
