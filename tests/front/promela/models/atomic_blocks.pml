/* spin: states=14 errors=deadlock */
byte x; chan q = [1] of { byte };
active proctype A() { byte y; atomic { x = 1; q?y; x = 2; q!y + 1; x = 3 }; q?y }
active proctype B() { byte z; q!4; x == 1 || x == 2; q?z; atomic { z == 5 -> x = 7; goto done }; x = 8;
done: skip }
