/* spin: states=8 errors=none */
mtype = { a, b, c };
mtype : fruit = { apple, pear };
mtype = { d };
mtype x = d; mtype : fruit f;
active proctype A() { assert(a == 3 && c == 1 && d == 4 && apple == 2); f = pear; if :: f == apple :: f == pear -> x = a fi; printf("%e\n", x); printm(x) }
