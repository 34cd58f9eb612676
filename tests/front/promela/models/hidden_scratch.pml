/* spin: states=10 errors=none */
hidden byte scratch;
byte level;
active [2] proctype P() {
  do
  :: atomic { level < 3 -> scratch = level; do :: scratch > 1 -> scratch-- :: else -> break od; level = level + 1 }
  :: level >= 3 -> break
  od
}
