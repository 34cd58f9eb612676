/* spin: states=8 errors=none */
chan c = [1] of { bit, byte, short };
active proctype A() { int a, b, d; c!3,257,65537; c?a,b,d; assert(a == 1 && b == 1 && d == 1); c!2,-1,-1; c?a,b,d; assert(a == 0 && b == 255 && d == -1) }
