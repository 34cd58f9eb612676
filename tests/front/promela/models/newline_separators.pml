/* spin: states=13 errors=none */
byte x
byte y

active proctype A()
{
  x = 1
  y = 2
  if
  :: x == 1
     x = 3
  :: else
     skip
  fi
  do
  :: y > 0 -> y--
  :: else -> break
  od
  (x == 3
   && y == 0)
  printf("done\n")
}
