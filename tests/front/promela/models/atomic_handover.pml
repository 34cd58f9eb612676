/* spin: states=139 errors=none */
chan a = [0] of { byte }; chan b = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; a!1; x = 2; x = 3 } }
active proctype Q() { byte v; atomic { a?v; x = x + 10; b!2; x = x + 10 } }
active proctype R() { byte v; b?v; x = 50; x = 51 }
active proctype S() { x = 99 }
