/* spin: states=32 errors=none */
typedef Port { chan in = [1] of { byte }; chan out[2] = [0] of { byte } };
Port a; Port b[2];
active proctype S() { a.in!1; b[1].in!2; a.out[1]!3; b[0].out[0]!4 }
active proctype R() { byte v; do :: a.in?v :: b[1].in?v :: a.out[1]?v :: b[0].out[0]?v -> break od; assert(v == 4) }
