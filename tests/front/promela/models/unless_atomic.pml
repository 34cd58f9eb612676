/* spin: states=41 errors=none */
bit stop; byte n;
active proctype A() {
  atomic { n < 3; n++; n < 2; n++ } unless { stop; n = 7 };
  d_step { n > 0; n = n + 1 } unless { stop -> n = 9 }
}
active proctype B() { stop = 1; stop = 0; stop = 1 }
