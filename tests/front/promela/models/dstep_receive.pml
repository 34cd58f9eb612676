/* spin: states=14 errors=none */
chan q = [2] of { byte }; byte s;
active proctype A() { q!1; q!2 }
active proctype B() { byte v; d_step { q?v; s = s + v; if :: len(q) > 0 -> q?v; s = s * 2 :: else -> s = 7 fi; q!v }; q?v }
