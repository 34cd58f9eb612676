/* spin: states=204 errors=none */
byte x;
active [2] proctype P() { do :: x < 4 -> if :: _last == _pid -> x++ :: else -> x = x + 2 fi :: else -> break od }
