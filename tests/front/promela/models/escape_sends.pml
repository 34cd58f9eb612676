/* spin: states=14 errors=none */
byte x; chan c = [0] of { byte };
active proctype A() { { x = 1; x = 2; x = 3 } unless { c!4 -> x = 5 } }
active proctype B() { byte v; x > 1; if :: c?v :: x == 3 fi }
