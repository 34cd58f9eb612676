/* spin: states=413 errors=none */
typedef T { byte a; byte b[2] };
byte g;
inline inl(v) { v = 1; select(v: 0..2) }
active proctype A() {
  byte y = 3;
  g = 1;
  byte z;
  byte w = 4;
  T t;
  select(y: 1..3);
  select(y: 1..50);
  { byte q; q = 2; T u; u.a = 1 }
  select(y : 1 .. g);
  for (z : 1 .. 3) { g++ }
  inl(y);
  do
  :: g > 3 -> skip; skip; skip; printf("x"); skip; g = 2
  :: goto end1
  :: else -> break
  od;
  if
  :: g == 1
  :: atomic { g == 2 -> if :: g = 3 :: g = 4 fi }
  :: timeout -> skip
  fi;
end1: skip;
end2: goto end3;
  g = 5;
end3:
  if
  :: atomic { g == 1; g = 2; goto end1 }
  :: d_step { g == 2; g = 4 }
  fi
}
