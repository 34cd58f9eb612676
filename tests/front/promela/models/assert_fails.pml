/* spin: states=25 errors=assertion */
byte x;
active proctype A() { x = 1; assert(x == 1); x = 3; x = 4 }
active proctype B() { x = 2 }
