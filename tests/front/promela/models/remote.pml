/* spin: states=482 errors=assertion,deadlock */
byte turn;
active [2] proctype P() { byte own = 3; do :: turn == _pid -> own = 4; crit: turn = 1 - turn; own = 3 :: turn > 5 -> break od }
active proctype Watch() { byte n; do :: P[0]@crit -> assert(!P[1]@crit); n = P[1]:own :: n == 3 -> n = P:own; turn = 9 :: turn == 9 -> break od }
