/* spin: states=54 errors=none */
chan c[3] = [1] of { byte };
active [3] proctype P() {
  byte v;
  c[(_pid + 1) % 3]!_pid;
  c[_pid]?v;
  assert(v == (_pid + 2) % 3)
}
