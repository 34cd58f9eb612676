/* spin: states=37 errors=none */
mtype = { msg, ack };
chan s = [1] of { mtype, bit }; chan r = [1] of { mtype, bit };
active proctype Sender() { bit n, a; do :: s!msg(n) -> if :: r?ack(a) -> if :: a == n -> n = 1 - n :: else fi :: timeout fi od }
active proctype Receiver() { bit n, e; do :: s?msg(n) -> if :: n == e -> e = 1 - e :: else fi; if :: r!ack(n) :: skip fi :: s?msg(_) od }
