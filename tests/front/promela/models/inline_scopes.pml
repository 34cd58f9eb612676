/* spin: states=23 errors=assertion */
byte g;
inline step(v, d) { byte t; t = v; if :: t > 2 -> v = 0; goto out :: else -> v = t + d fi; out: skip }
inline twice(v) { step(v, 1); step(v, 2) }
active proctype A() { byte x; twice(x); twice(g); assert(x == 0 && g == 0) }
