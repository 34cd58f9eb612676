#!/usr/bin/env python3
"""A second implementation of the text language: all states of a model and a verdict per check, by plain search.

Written from docs/language.md and docs/semantics.md alone (the numbers in comments are the rules there), to be small and
obvious rather than fast: reader.py reads, actions.py computes, machine.py enters and leaves, selection.py chooses
transitions, this file makes steps of them and searches. random_comparison.py compares it with the program; by hand:
`interpreter.py MODEL.ply [NAME=VALUE …]`.

Not covered, so that Unsupported is raised: split run-to-completion, `when` triggers, an open environment, joins,
connection points, do-activities, temporal properties.
"""
import itertools
import json
import sys
from collections import deque

from actions import Blocked, Failed, NotFollowed, System
from machine import Run, outcomes
from reader import Unsupported
from selection import Selection, take


class TooLarge(Exception):
    """More states than asked for."""


class Steps:
    """The steps of one state, each as (object or None, kind, function of a run)."""

    def __init__(self, system, state):
        self.system, self.state = system, state
        self.run = Run(system, state)  # only looked at

    def of_objects(self):
        steps = []
        for o in self.system.objects:
            if o.of_class.top and not self.run.locals[o.index].dead:
                steps += self.completions(o) + self.time_events(o)
        for queue in range(len(self.system.queues)):
            steps += self.dispatch(queue)
        return steps

    def active_states(self, o):
        vertices = [self.run.active(o, r) for r in o.of_class.regions]
        return [v for v in vertices if v is not None and v.kind != "final"]

    def completions(self, o):
        """15 and the switch `completion`: one step per event, or one per state that is finished."""
        if self.system.switches["completion"] == "first":
            waiting = self.run.locals[o.index].completions
            if not waiting:
                return []
            alternatives, endings = self.completion_of(o, o.of_class.vertices[waiting[0]])

            def step(run):
                run.locals[o.index].completions.pop(0)
                if alternatives or endings:
                    take(run, o, alternatives, endings)
            return [(o, "completion", step)]
        steps = []
        for vertex in self.active_states(o):
            if vertex.completion and self.run.finished(o, vertex):
                found = self.completion_of(o, vertex)
                if any(found):
                    steps.append((o, "completion", lambda run, found=found: take(run, o, *found)))
        return steps

    def completion_of(self, o, vertex):
        return Selection(self.run, o, lambda t: None if t.triggers else {}).of_state(vertex)

    def waits(self, o):
        return bool(self.run.locals[o.index].completions)

    def time_events(self, o):
        """20: a timer at 0 is taken by a step of its own; if no transition takes it, it is gone."""
        if any(self.waits(p) for p in self.system.objects if p.queue == o.queue):
            return []
        steps = []
        for timer, ticks in enumerate(self.run.locals[o.index].timers):
            if ticks != 0:
                continue
            found = self.time_event(o, timer)

            def step(run, timer=timer, found=found):
                run.locals[o.index].timers[timer] = None
                if any(found):
                    take(run, o, *found)
            steps.append((o, "time", step))
        return steps

    def time_event(self, o, timer):
        names = [n for n, (k, _) in o.of_class.timer_names.items() if k == timer]
        if names:
            return Selection(self.run, o, lambda t: {} if ("timeout", names[0]) in t.triggers else None).whole()
        return Selection(self.run, o, lambda t: {} if t.timer == timer else None).whole()

    def dispatch(self, queue):
        """7, 10 and 11: the first message that is not deferred fires something or is discarded."""
        sharing = [o for o in self.system.objects if o.queue == queue]
        if any(self.waits(o) for o in sharing):
            return []
        for at, (receiver, signal, values) in enumerate(self.run.queues[queue]):
            o = self.system.objects[receiver]
            selection = Selection(self.run, o, lambda t: matching(t, signal, values))
            alternatives, endings = [], []
            if not self.run.locals[receiver].dead:
                try:
                    if self.deferred(o, signal, selection):
                        continue
                    alternatives, endings = selection.whole()
                except (Failed, NotFollowed) as ending:
                    endings = [ending]
            if not alternatives and not endings:
                others = self.other_moves(o)
                if others is None:
                    return []
                endings = others

            def step(run):
                del run.queues[queue][at]
                if alternatives or endings:
                    take(run, o, alternatives, endings)
                else:
                    run.notes.add("lost")
            return [(o, "message", step)]
        return []

    def other_moves(self, o):
        """discard = no_transition: None if a transition without trigger or by a time event is enabled."""
        if self.system.switches["discard"] == "no_triggered" or self.run.locals[o.index].dead:
            return []
        endings = []
        states = self.active_states(o)
        found = [self.completion_of(o, v) for v in states if v.completion and self.run.finished(o, v)
                 and self.system.switches["completion"] == "free"]
        found += [self.time_event(o, k) for k, ticks in enumerate(self.run.locals[o.index].timers) if ticks == 0]
        for alternatives, es in found:
            if alternatives:
                return None
            endings += es
        return endings

    def deferred(self, o, signal, selection):
        deferring = [v for v in self.active_states(o) if signal in v.defers]
        if not deferring:
            return False
        if self.system.switches["deferral"] == "any_enabled":
            tops = [self.run.active(o, r) for r in o.of_class.top]
            return not any(selection.inside(v) for v in tops if v is not None and v.kind != "final")
        return not all(selection.inside(v) for v in deferring)

    def of_environment(self):
        """28: every declared message with any arguments, while its condition holds and its limit is not reached."""
        steps = []
        for k, (signal, arguments, target, when, most) in enumerate(self.system.model.environment):
            if most is not None and self.run.counts[k] >= self.system.constant(most):
                continue
            if when is not None and not self.run.evaluator(None).value(when):
                continue
            kinds = [kind for kind, _ in self.system.model.signals[signal]]
            for o in self.system.named(target):
                for values in itertools.product(*[self.values(a, kind) for a, kind in zip(arguments, kinds)]):
                    def step(run, k=k, o=o, signal=signal, values=values, limited=most is not None):
                        run.counts[k] += 1 if limited else 0
                        run.post(o, signal, values)
                    steps.append((None, "environment", step))
        return steps

    def values(self, argument, kind):
        system = self.system
        if argument[0] == "value":
            return [system.constant(argument[1])]
        if argument[0] == "range":
            return range(system.constant(argument[1]), system.constant(argument[2]) + 1)
        if kind[0] == "int":
            if len(kind) != 3:
                raise Unsupported("any 32-bit integer")
            return range(system.constant(kind[1]), system.constant(kind[2]) + 1)
        if kind[0] == "bool":
            return [False, True]
        if kind[0] in system.model.enums:
            return [(kind[0], k) for k in range(len(system.model.enums[kind[0]]))]
        return [None] + [o for o in system.objects if o.of_class.name == kind[0]]

    def tick(self, somebody_moves):
        """20 and the switch `time`: all running timers count down together."""
        running = any(t for local in self.run.locals for t in local.timers)
        if not running or (self.system.switches["time"] == "lazy" and somebody_moves):
            return []

        def step(run):
            for local in run.locals:
                local.timers = [t - 1 if t else t for t in local.timers]
        return [(None, "tick", step)]


def matching(t, signal, values):
    """The names a message gives values to in a transition, None if the transition does not react to it."""
    if ("message", signal) not in t.triggers and ("message", "any") not in t.triggers:
        return None
    return dict(zip(t.names or [], values))


class Search:
    """All states; what was seen on the way decides the checks."""

    def __init__(self, system, most_states=None):
        self.system, self.most = system, most_states
        self.seen, self.open = set(), deque()
        self.violated, self.notes, self.conditional = set(), set(), False
        self.transitions, self.cycles = 0, {}
        self.predicates = [(name, kind, e) for name, kind, e in system.model.checks if e is not None]

    def start(self, run):
        """4: the initial transitions of all objects, in the order of declaration."""
        for o in self.system.objects:
            run.in_any_order([lambda r=r: run.by_default(o, r) for r in o.of_class.top])

    def blank(self):
        locals_ = []
        for o in self.system.objects:
            c = o.of_class
            values = list(c.defaults)
            _, _, _, wiring = next(d for d in self.system.model.objects if d[0] == o.family)
            position = self.system.families[o.family].index(o)
            for attribute, index, e in wiring:
                first, size = c.places[attribute]
                at = range(size or 1) if index is None else [self.wired(index, position)]
                is_family = e[0] == "name" and size is not None and e[1] in self.system.families
                for k in at:
                    family = self.system.families[e[1]][k] if is_family else None
                    values[first + k] = family if is_family else self.wired(e, position)
            n = len(c.regions)
            locals_.append((tuple(values), (None,) * n, (None,) * n, (), (None,) * c.timer_count, False))
        return (tuple(locals_), ((),) * len(self.system.queues), (0,) * len(self.system.model.environment))

    def wired(self, e, position):
        return self.system.constant(e, {"i": position})

    def follow(self, state, step):
        """Whether the step exists (is not blocked), and the states after it."""
        exists, after = False, []
        for new, ending, notes in outcomes(self.system, state, step):
            if isinstance(ending, Blocked):
                continue
            exists = True
            self.note(new, ending, notes)
            if new is not None:
                self.transitions += 1
                after.append(new)
                self.add(new)
        return exists, after

    def note(self, new, ending, notes):
        if isinstance(ending, Failed):
            self.violated.add({"assertion": "no assertion failures", "overflow": "no overflow"}.get(
                str(ending), "no run-time errors"))
        if isinstance(ending, NotFollowed):
            self.conditional = True
        if "overflow" in notes:
            self.violated.add("no overflow")
        if "lost" in notes:
            self.violated.add("no lost messages")
        self.notes |= notes  # entered is entered, even if the step fails afterwards

    def add(self, state):
        if state in self.seen:
            return
        if self.most is not None and len(self.seen) >= self.most:
            raise TooLarge()
        self.seen.add(state)
        self.open.append(state)
        run = Run(self.system, state)
        for name, kind, e in self.predicates:
            if bool(run.evaluator(None).value(e)) == (kind != "always"):
                self.violated.add(name)

    def expand(self, state):
        steps = Steps(self.system, state)
        moves, offered = False, steps.of_objects()
        for o, kind, step in offered:
            exists, after = self.follow(state, step)
            moves = moves or exists
            if kind == "completion" and self.system.switches["completion"] == "first":  # 18
                self.cycles.setdefault(o.index, {}).setdefault(state, set()).update(after)
        others = False
        for _, _, step in steps.of_environment():
            others = self.follow(state, step)[0] or others
        for _, _, step in steps.tick(moves or (bool(offered) and others)):
            others = self.follow(state, step)[0] or others
        if not moves and not others and not all(self.may_rest(steps, o) for o in self.system.objects):
            self.violated.add("no deadlock")  # 5

    @staticmethod
    def may_rest(steps, o):
        if not o.of_class.top or steps.run.locals[o.index].dead:
            return True
        tops = [steps.run.active(o, r) for r in o.of_class.top]
        return all(v is not None and v.kind == "final" for v in tops) or any(v.waiting for v in steps.active_states(o))

    def endless(self):
        """18: a cycle of completion steps of one object, found by taking away states without one after them."""
        for edges in self.cycles.values():
            left = {s: set(after) for s, after in edges.items()}
            while True:
                gone = [s for s, after in left.items() if not any(n in left for n in after)]
                if not gone:
                    break
                for s in gone:
                    del left[s]
            if left:
                return True
        return False

    def comparable(self):
        """Whether the number of states means the same for everybody: what a history remembers and timers that no
        transition looks at are bookkeeping (1), which may be kept in other ways."""
        for c in {o.of_class for o in self.system.objects}:
            seen = {name for v in c.vertices for t in v.transitions for kind, name in t.triggers if kind == "timeout"}
            if any(r.remembers for r in c.regions) or not seen.issuperset(c.timer_names):
                return False
        return True

    def longest(self):
        """The most messages seen in the queue of each object that does not share it; nothing if some were lost."""
        if self.system.overflow == "lose" or self.system.model.threads:
            return {}
        return {o.name: max((len(s[1][o.queue]) for s in self.seen), default=0) for o in self.system.objects}

    def all(self):
        for new, ending, notes in outcomes(self.system, self.blank(), self.start):
            self.note(new, ending, notes)
            if new is not None:
                self.add(new)
        while self.open:
            self.expand(self.open.popleft())
        if self.endless():
            self.violated.add("no endless completion")
        for o in self.system.objects:
            for v in o.of_class.vertices:
                if v.kind in ("state", "final") and (o.of_class.name, v.name) not in self.notes:
                    self.violated.add("no unreachable states")
        return self


DECIDED = ("no deadlock", "no lost messages", "no assertion failures", "no run-time errors", "no overflow",
           "no unreachable states", "no endless completion")


def check(text, constants=None, most_states=None):
    """States, transitions, and per check whether it holds; `conditional` if something was not followed."""
    search = Search(System(text, constants), most_states).all()
    verdicts = {}
    for name, kind, e in search.system.model.checks:
        if e is not None or kind in DECIDED:
            violated = name in search.violated or kind in search.violated
            verdicts[name] = "holds" if violated == (kind == "reachable") else "violated"
    return {"states": len(search.seen), "transitions": search.transitions, "conditional": search.conditional,
            "comparable": search.comparable(), "longest": search.longest(), "verdicts": verdicts}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        given = {n: int(v) for n, v in (word.split("=") for word in sys.argv[2:])}
        print(json.dumps(check(file.read(), given), indent=2))
