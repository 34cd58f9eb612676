/* spin: states=79 errors=none */
/* A process that ends is the last one that moved, also when its number is not known beforehand. */
byte g0;
chan c0 = [2] of { byte, byte };
proctype Q() { skip }
active proctype P0() { byte y; run Q(); run Q() }
active proctype P1() { c0!0,_last }
