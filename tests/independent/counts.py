#!/usr/bin/env python3
"""State and transition counts by a second implementation: each example written again by hand in Python.

Nothing here knows Parley's language or code. A model is a list of objects; each object has a local state (a tuple), a
FIFO queue, and three functions: `complete(self)` (results of completion transitions, None if there are none),
`react(self, message)` (results of the message, None if nothing reacts: it is discarded) and `defers(self, message)`.
A result is (new local state, [(receiver, message), ...]). Completion goes before messages, a deferred message is
passed over, a message into a full queue cuts the step (policy cut) or fails it (policy error): no successor either way;
with policy lose it is gone. `tick` gives the states after a tick of the clock, which may come at any time.
"""
import json
import subprocess
import sys
from collections import deque

PARLEY, EXAMPLES = sys.argv[1], sys.argv[2]


def explore(objects, starts, capacity, environment=lambda state: [], tick=None, lose=False):
    """BFS; a state is (locals, queues, extra). Returns (states, transitions)."""
    seen, open_states, transitions = set(starts), deque(starts), 0
    while open_states:
        state = open_states.popleft()
        successors = []
        local, queues, extra = state

        def apply(who, result, queue=None):
            new_local, sends = result
            ls = list(local)
            ls[who] = new_local
            qs = list(queues)
            if queue is not None:
                qs[who] = queue
            for receiver, message in sends:
                if len(qs[receiver]) >= capacity:
                    if lose:
                        continue
                    return
                qs[receiver] = qs[receiver] + (message,)
            successors.append((tuple(ls), tuple(qs), extra))

        for who, o in enumerate(objects):
            done = o.complete(local[who])
            if done is not None:
                for result in done:
                    apply(who, result)
                continue
            for at, message in enumerate(queues[who]):
                if o.defers(local[who], message):
                    continue
                rest = queues[who][:at] + queues[who][at + 1:]
                results = o.react(local[who], message)
                for result in results if results is not None else [(local[who], [])]:
                    if result is not None:  # else the step fails (assertion): it happens, but leads nowhere
                        apply(who, result, rest)
                break
            if hasattr(o, "timeouts"):
                for result in o.timeouts(local[who]):
                    apply(who, result)
        for receiver, message in environment(state):
            if len(queues[receiver]) < capacity:
                qs = list(queues)
                qs[receiver] = qs[receiver] + (message,)
                successors.append((local, tuple(qs), extra))
        if tick is not None:
            successors += tick(state)
        transitions += len(successors)
        for s in successors:
            if s not in seen:
                seen.add(s)
                open_states.append(s)
    return len(seen), transitions


def start(local):
    return (tuple(local), tuple(() for _ in local), None)


class Object:
    def complete(self, s):
        return None

    def defers(self, s, m):
        return False


# --- philosophers: forks are objects 0..N-1, philosophers N..2N-1 -----------------------------------------------------
class Fork(Object):
    def defers(self, s, m):
        return s == "held" and m[0] == "take"

    def react(self, s, m):
        if s == "free" and m[0] == "take":
            return [("held", [(m[1], ("granted",))])]
        if s == "held" and m[0] == "put":
            return [("free", [])]
        return None


class Philosopher(Object):
    def __init__(self, me, left, right):
        self.me, self.left, self.right = me, left, right

    def complete(self, s):
        if s == "thinking":
            return [("hungry", [(self.left, ("take", self.me))])]
        if s == "eating":
            return [("thinking", [(self.left, ("put",)), (self.right, ("put",))])]
        return None

    def react(self, s, m):
        if s == "hungry" and m[0] == "granted":
            return [("holding_left", [(self.right, ("take", self.me))])]
        if s == "holding_left" and m[0] == "granted":
            return [("eating", [])]
        return None


def philosophers(n, fixed):
    objects = [Fork() for _ in range(n)]
    for i in range(n):
        left, right = i, (i + 1) % n
        if fixed and i == n - 1:
            left, right = right, left
        objects.append(Philosopher(n + i, left, right))
    return explore(objects, [start(["free"] * n + ["thinking"] * n)], 3)


# --- the cash machine: 0 bank, 1 atm (state, tries) -------------------------------------------------------------------
class Bank(Object):
    def react(self, s, m):
        return [(s, [(1, ("result", m[1] == 1))])] if m[0] == "verify" else None


class Atm(Object):
    def __init__(self, fixed):
        self.fixed = fixed

    def complete(self, s):
        if s[0] == "refused":
            return [(("idle" if s[1] < 3 else "blocked", s[1]), [])]
        return None

    def react(self, s, m):
        place, tries = s
        stay = [(s, [])]
        if place == "idle":
            return [(("checking", tries), [(0, ("verify", m[1]))])] if m[0] == "card" else stay if m[0] != "result" else None
        if place == "checking":
            if m[0] == "result":
                return [(("serving", 0), [])] if m[1] else [(("refused", tries + 1), [])]
            if m[0] == "cancel":
                return [(("cancelled" if self.fixed else "idle", tries), [])]
            return stay
        if place == "cancelled":
            return [(("idle", tries), [])] if m[0] == "result" else stay
        if place == "serving":
            if m[0] in ("taken", "cancel"):
                return [(("idle", tries), [])]
            return stay if m[0] == "card" else None
        return stay  # blocked


def atm(fixed):
    def environment(state):
        (_, (place, _)), (_, queue), _ = state
        sends = []
        if not queue:
            sends += [(1, ("card", pin)) for pin in range(3)]
            if place != "idle":
                sends.append((1, ("cancel",)))
            if place == "serving":
                sends.append((1, ("taken",)))
        return sends
    return explore([Bank(), Atm(fixed)], [start([None, ("idle", 0)])], 2, environment)


# --- two-phase commit: 0 coordinator (state, votes, refused), 1..N participants (state, ready) -------------------------
class Participant(Object):
    def complete(self, s):
        if s[0] == "voting":
            return [(("voted", yes), [(0, ("vote", yes))]) for yes in (False, True)]
        return None

    def react(self, s, m):
        if s[0] == "working" and m[0] == "prepare":
            return [(("voting", s[1]), [])]
        if s[0] == "voted" and m[0] == "commit":
            return [(("committed" if s[1] else "aborted", s[1]), [])]
        if s[0] == "voted" and m[0] == "abort":
            return [(("aborted", s[1]), [])]
        return None


class Coordinator(Object):
    def __init__(self, n, fixed):
        self.n, self.enough = n, n if fixed else n - 1

    def react(self, s, m):
        if s[0] != "collecting" or m[0] != "vote":
            return None
        votes, refused = s[1] + 1, s[2] or not m[1]
        reached = votes == self.n if self.enough == self.n else votes >= self.enough
        if reached:
            return [(("done", votes, refused), [(k + 1, ("abort" if refused else "commit",)) for k in range(self.n)])]
        return [(("collecting", votes, refused), [])]


def two_phase_commit(n, fixed):
    objects = [Coordinator(n, fixed)] + [Participant() for _ in range(n)]
    local = (("collecting", 0, False),) + (("working", False),) * n
    queues = ((),) + ((("prepare",),),) * n
    return explore(objects, [(local, queues, None)], n)


# --- alternating bit: 0 sender (state, next, bit, timer), 1 channel, 2 receiver (expected, bit), 3 return channel -------
class Sender(Object):
    def __init__(self, fixed):
        self.fixed = fixed

    def complete(self, s):
        if s[0] == "sending":
            return [(("waiting", s[1], s[2], 4), [(1, ("data", s[1], s[2]))])]
        return None

    def react(self, s, m):
        if m[0] == "ack" and (not self.fixed or m[1] == s[2]):
            return [(("sending", (s[1] + 1) % 4, not s[2], -1), [])]
        return [(s, [])]

    def timeouts(self, s):
        return [(("sending", s[1], s[2], -1), [])] if s[0] == "waiting" and s[3] == 0 else []


class Lossy(Object):
    def __init__(self, to):
        self.to = to

    def react(self, s, m):
        return [(s, [(self.to, m)]), (s, [])]


class Receiver(Object):
    def __init__(self, fixed):
        self.fixed = fixed

    def react(self, s, m):
        expected, bit = s
        if not self.fixed or m[2] == bit:
            if m[1] != expected:
                return [None]
            expected, bit = (expected + 1) % 4, not bit
        return [((expected, bit), [(3, ("ack", m[2]))])]


def abp(fixed):
    def tick(state):
        local, queues, extra = state
        timer = local[0][3]
        if timer <= 0:  # off, or run out
            return []
        return [((local[0][:3] + (timer - 1,),) + local[1:], queues, extra)]
    objects = [Sender(fixed), Lossy(2), Receiver(fixed), Lossy(0)]
    return explore(objects, [start([("sending", 0, False, -1), None, (0, False), None])], 2, tick=tick,
                   lose=True)


MODELS = [
    ("philosophers.ply", {"N": 3}, lambda: philosophers(3, False)),
    ("philosophers.ply", {"N": 4}, lambda: philosophers(4, False)),
    ("philosophers-fixed.ply", {"N": 3}, lambda: philosophers(3, True)),
    ("philosophers-fixed.ply", {"N": 4}, lambda: philosophers(4, True)),
    ("atm.ply", {}, lambda: atm(False)),
    ("atm-fixed.ply", {}, lambda: atm(True)),
    ("two-phase-commit.ply", {"N": 3}, lambda: two_phase_commit(3, False)),
    ("two-phase-commit-fixed.ply", {"N": 3}, lambda: two_phase_commit(3, True)),
    ("two-phase-commit-fixed.ply", {"N": 4}, lambda: two_phase_commit(4, True)),
    ("abp.ply", {}, lambda: abp(False)),
    ("abp-fixed.ply", {}, lambda: abp(True)),
]


def main():
    failed = 0
    for file, constants, model in MODELS:
        words = [PARLEY, "explore", f"{EXAMPLES}/{file}", "--format", "json"]
        for name, value in constants.items():
            words += ["--set", f"{name}={value}"]
        run = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
        result = json.loads(run.stdout)
        ours, theirs = (result["states"], result["transitions"]), model()
        ok = ours == theirs and result["complete"]
        failed += not ok
        print(f"{'ok' if ok else 'DIFFERENT'}: {file} {constants}: parley {ours}, independent {theirs}")
    print(f"{len(MODELS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
