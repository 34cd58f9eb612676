/* spin: states=38 errors=none */
byte t[4]; byte sum;
active [2] proctype P() {
  byte i;
  d_step {
    do
    :: i < 4 -> if :: t[i] == 0 -> t[i] = _pid + 1; break :: else -> i++ fi
    :: else -> break
    od;
    sum = sum + i
  };
  i = 0;
  if
  :: d_step { sum > 1 -> sum-- }
  :: d_step { else -> sum++; i = 2 }
  fi
}
