/* spin: states=6 errors=deadlock */
chan a = [0] of { bit }; chan b = [0] of { bit };
active proctype P() { bit x; if :: a!0 :: b!1 fi; b?x }
active proctype Q() { bit x; if :: b?x; a?x :: a?x; b!0 fi }
