/* spin: states=256 errors=none */
mtype = { red, green, blue };
chan q = [3] of { mtype, byte };
byte hits;
active proctype Send() { q!blue,2; q!!red,1; q!!green(3); q!red,1 }
active proctype Take() {
  mtype m; byte v = 1;
  do
  :: q??green,v -> hits++
  :: q?red,eval(v) -> hits = hits + 2
  :: q?<m,v> -> if :: m == blue -> q?blue,_ :: else fi
  :: q??[red,1] && hits < 2 -> hits++
  :: hits > 6 -> break
  :: timeout -> break
  od
}
