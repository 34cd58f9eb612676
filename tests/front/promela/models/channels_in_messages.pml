/* spin: states=99 errors=none */
mtype = { ask, give };
chan server = [1] of { mtype, chan, byte };
proctype Client(byte me) {
  chan back = [1] of { byte };
  byte got;
  server!ask(back, me);
  back?eval(me + 1);
  assert(got == 0)
}
active proctype Server() {
  chan who; byte n; byte k;
end: do
  :: server?ask(who, n) -> who!n + 1; k++
  od
}
init { atomic { run Client(3); run Client(5) } }
