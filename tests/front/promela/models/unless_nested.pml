/* spin: states=54 errors=deadlock */
byte x; chan c = [1] of { byte };
active proctype A() {
  {
    {
      do :: x < 4 -> x++ :: x > 0 -> x-- od
    } unless { x == 3 -> c!x }
  } unless { c?[2] -> c?_; x = 9 };
  x = 5
}
active proctype B() { c!2; x = 2 }
