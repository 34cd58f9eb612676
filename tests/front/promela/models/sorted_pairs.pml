/* spin: states=24 errors=none */
chan q = [4] of { byte, byte };
active proctype A() { q!!2,1; q!!1,9; q!!2,0; q!!1,9 }
active proctype B() { byte a, b; q??2,b; q?a,b; q??[1,9]; q?a,eval(b) }
