/* spin: states=25 errors=assertion */
/* Arrays of bits are stored as bytes; one bit of a value is left in a message. */
typedef T { byte f; bit h[2] };
T s; bool b[2]; bit c;
chan d = [1] of { byte, T };
chan e = [1] of { bit, bool };
active proctype P() {
  bit l[2] = 3;
  if
  :: s.h[1] = 3; b[0] = 2
  :: s.h[1] = 1; b[0] = l[1]
  :: b[0] = 5; c = b[0]
  fi;
  d!1,s; e!b[0],s.h[1]; e?b[1],b[0]; d?_,s; assert(s.h[1] == 1 && b[0] == 1)
}
