/* spin: states=7 errors=none */
mtype = { ok, no }; chan link = [0] of { chan }; chan c = [1] of { byte };
active proctype A() { link!ok; link!c; link!no }
active proctype B() { chan w; link?ok; link?w; w!3; link?no }
