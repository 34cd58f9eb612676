/* spin: states=34 errors=none */
chan c = [0] of { bit };
byte x;
active proctype S() { do :: x < 3 -> if :: c!1 -> x++ :: else -> x = x + 2 fi :: else -> break od }
active proctype R() { bit b; do :: c?b :: x > 1 -> if :: c?b :: else -> break fi od }
