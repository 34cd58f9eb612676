/* spin: states=48 errors=deadlock */
byte x;
active proctype A() {
again: atomic { x < 3 -> x++ };
  if :: x < 3 -> goto again :: else fi;
blk: { x = 7; x = 8 };
  do :: x > 5 -> end0: x-- :: x == 5 -> goto blk2 od;
blk2: atomic { x = 1; x = 2 };
progress: skip
}
active proctype B() { x == 8; x = 6 }
