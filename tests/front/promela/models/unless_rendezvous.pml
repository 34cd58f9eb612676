/* spin: states=61 errors=deadlock */
byte x; chan c = [0] of { byte }; chan d = [0] of { byte };
active proctype A() { byte v; { do :: c?v -> x = v :: x < 2 -> x++ od } unless { d?v -> x = 10 + v }; x = 20 }
active proctype B() { c!5; d!6; c!7 }
active proctype C() { if :: d!1 :: c!2 fi }
