/* spin: states=6 errors=none */
byte x = 1, y = 2; chan c = [0] of { byte, byte };
active proctype A() { c!x,y; c!y,x }
active proctype B() { c?y,x; assert(x == 2 && y == 1); c?_,_ }
