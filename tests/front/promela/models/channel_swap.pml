/* spin: states=43 errors=none */
chan a = [1] of { byte };
chan b = [0] of { byte };
chan cur;
active proctype P() {
  byte i;
  cur = a;
  do
  :: i < 3 -> cur!i; i++; if :: cur == a -> cur = b :: else -> cur = a fi
  :: else -> break
  od
}
active proctype Q() { byte v; end: do :: a?v :: b?v od }
