/* spin: states=24 errors=none */
bit b; byte y; short s; unsigned u : 3; int i; mtype = { p, q }; mtype m;
active proctype A() {
  b = 2; y = 300; s = 40000; u = 13; i = 70000;
  assert(b == 0 && y == 44 && s == -25536 && u == 5);
  y = -1; assert(y == 255);
  i = i * i; assert(i == 605032704);
  m = 258; assert(m == 2);
  s = (-7) / 2; assert(s == -3); s = (-7) % 3; assert(s == -1);
  i = 1 << 4 | 3 & 2 ^ 1; assert(i == 19);
  i = ~5; assert(i == -6);
  i = -16 >> 2; assert(i == -4)
}
