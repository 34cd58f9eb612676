/* spin: states=135 errors=deadlock */
chan q = [0] of { byte };
chan r = [2] of { byte, bit };
byte x;
proctype B(byte k) { atomic { q?x; x++; r!x,1; x-- }; d_step { x = 0; x = 1; k = 5 } }
active proctype A() {
  byte y;
  do
  :: atomic { q!3; x++ }
  :: r?y,_ -> break
  :: x > 3 -> goto l
  od;
l: (y < 3);
  { skip; y++ } unless { x == 5; y = 3 }
}
init { atomic { run B(3); run B(4) } }
