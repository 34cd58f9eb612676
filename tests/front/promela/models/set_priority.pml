/* spin: states=48 errors=none */
byte x;
active proctype A() priority 2 {
  x = 1;
  set_priority(_pid, 1);
  x = 2;
  x = get_priority(1) + x
}
active proctype B() { do :: x < 6 -> x++ :: else -> break od }
