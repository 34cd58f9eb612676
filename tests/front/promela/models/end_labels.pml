/* spin: states=9 errors=none */
chan c = [0] of { byte };
active proctype Server() { byte v; end: do :: c?v -> if :: v == 2 -> endless: (v == 5) :: else fi od }
active proctype Client() { if :: c!1 :: c!2 fi }
