/* spin: states=38 errors=deadlock */
byte n;
proctype Child(byte k) { n = k; n = n + _pid }
active proctype Parent() {
  byte p;
  p = run Child(1);
  run Child(p);
  (_nr_pr == 1);
  run Child(7)
}
active [2] proctype Idle() { n == 200 }
