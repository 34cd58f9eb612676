/* spin: states=5 errors=none */
byte a[4] = 5; byte b[4] = { 1, 2 }; short c[2] = { 6, 7 };
active proctype P() { byte d[3] = { 9, 8 }; assert(a[3] == 5 && b[0] == 1 && b[1] == 2 && c[0] == 6 && d[0] == 9); b[3] = d[2]; a[0] = b[2] }
