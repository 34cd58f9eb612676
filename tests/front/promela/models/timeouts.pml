/* spin: states=42 errors=none */
chan c = [1] of { byte }; byte n;
active proctype A() { byte v; do :: c?v -> n++ :: timeout -> if :: n < 2 -> c!1 :: else -> break fi od }
active proctype B() { byte v; do :: n == 3 -> break :: timeout -> n++ od }
