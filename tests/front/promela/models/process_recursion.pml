/* spin: states=43 errors=none */
chan answer = [1] of { byte };
proctype Fact(byte n; chan back) {
  chan mine = [1] of { byte };
  byte below;
  if
  :: n <= 1 -> back!1
  :: else -> run Fact(n - 1, mine); mine?below; back!(n * below)
  fi
}
init { byte result; run Fact(4, answer); answer?result; assert(result == 24) }
