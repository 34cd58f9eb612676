/* spin: states=30 errors=none */
proctype Worker() {
  chan mine = [2] of { byte, byte };
  if :: mine!1,2 :: mine!3,4; mine!5,6 :: skip fi
}
init { byte i; do :: i < 3 -> run Worker(); (_nr_pr == 1); i++ :: else -> break od }
