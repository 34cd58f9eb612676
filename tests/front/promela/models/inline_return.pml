/* spin: states=111 errors=assertion */
/* Inlines that return a value, nested and in selections. */
inline larger(a, b) { if :: a > b -> return a :: else -> return b fi }
inline twice(a) { a = a + 1; kept = larger(a, 3); return kept * 2 }
byte x, y[3], kept;
active proctype P() {
  x = 3;
  y[2] = twice(x);
  assert(y[2] >= 6);
  atomic { y[x % 3] = larger(x, y[0]); y[1] = x }
}
active proctype Q() { byte z; z = larger(x, 1); kept = z }
