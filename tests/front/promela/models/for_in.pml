/* spin: states=30 errors=none */
typedef Rec { byte a; bit b };
chan q = [3] of { Rec };
byte arr[3] = { 4, 5, 6 };
active proctype A() {
  Rec r; byte i; byte sum;
  r.a = 1; q!r; r.a = 2; q!r;
  for (i in arr) { sum = sum + arr[i] }
  for (r in q) { sum = sum + r.a }
  assert(sum == 18)
}
