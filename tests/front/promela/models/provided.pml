/* spin: states=19 errors=none */
byte turn;
active [2] proctype P() provided (turn == _pid || turn == 3) { byte n; do :: n < 2 -> n++; turn = 1 - turn :: else -> turn = 3; break od }
