"""One step of the second implementation: leaving, effects, entering, history (rules 4, 12 to 15, 19 and 20 of
docs/semantics.md, written from that page alone).

A step is Python code that asks `run.choose(n)` wherever the semantics leaves something open; `outcomes` runs it once for
every sequence of answers. Which transitions are taken is selection.py's business, which steps there are interpreter.py's.
"""
from actions import Blocked, Evaluator, Failed, NotFollowed
from reader import Unsupported


class Local:
    """What one object remembers; the state of a model is one of these per object, the queues and the counters."""

    FIELDS = ("values", "active", "memory", "completions", "timers", "dead")

    def __init__(self, parts=None):
        for field, part in zip(self.FIELDS, parts or ()):
            setattr(self, field, part if field == "dead" else list(part))

    def frozen(self):
        return tuple(getattr(self, f) if f == "dead" else tuple(getattr(self, f)) for f in self.FIELDS)


class Run:
    """One step on a copy of a state, with the choices of `script` and then always the first."""

    def __init__(self, system, state, script=()):
        self.system, self.script, self.asked = system, list(script), []
        self.notes = set()  # "lost", "overflow", and elements that were reached
        self.locals = [Local(parts) for parts in state[0]]
        self.queues = [list(q) for q in state[1]]
        self.counts = list(state[2])

    def frozen(self):
        return (tuple(l.frozen() for l in self.locals), tuple(map(tuple, self.queues)), tuple(self.counts))

    def choose(self, n):
        choice = self.script[len(self.asked)] if len(self.asked) < len(self.script) else 0
        self.asked.append((choice, n))
        return choice

    def pick(self, items):
        return items[self.choose(len(items))] if len(items) > 1 else items[0]

    def evaluator(self, o, names=None):
        return Evaluator(self.system, self, o, dict(names or {}))

    def post(self, target, signal, arguments):
        queue = self.queues[target.queue]
        if len(queue) < self.system.capacity:
            queue.append((target.index, signal, tuple(arguments)))
            return
        policy = self.system.overflow
        if policy == "block":
            raise Blocked()
        self.notes.add("overflow")
        if policy == "error":
            raise Failed("overflow")
        if policy == "cut":
            raise NotFollowed()
        self.notes.add("lost")

    def in_any_order(self, parts):
        """13: what happens in different regions happens in any order, each region's part as a whole."""
        parts = list(parts)
        if self.system.switches["regions"] == "declared":
            for part in parts:
                part()
            return
        while parts:
            parts.pop(self.choose(len(parts)) if len(parts) > 1 else 0)()

    # --- leaving and entering (12, 15, 19, 20)
    def active(self, o, region):
        v = self.locals[o.index].active[region.index]
        return None if v is None else o.of_class.vertices[v]

    def leave(self, o, vertex):
        local = self.locals[o.index]
        self.in_any_order([lambda r=r: self.leave_region(o, r) for r in vertex.regions])
        if vertex.exit is not None:
            self.evaluator(o).execute(vertex.exit)
        for t in vertex.transitions:
            if t.timer is not None:
                local.timers[t.timer] = None
        me = vertex.number
        local.completions = [v for v in local.completions if v != me]
        local.active[vertex.region.index] = None

    def leave_region(self, o, region):
        vertex = self.active(o, region)
        if vertex is None:
            return
        if region.remembers:
            self.locals[o.index].memory[region.index] = None if vertex.kind == "final" else vertex.number
        self.leave(o, vertex)

    def enter(self, o, vertex, inside):
        """Enters a state; inside(region) says how each of its regions is entered."""
        local, me = self.locals[o.index], vertex.number
        local.active[vertex.region.index] = me
        self.notes.add((o.of_class.name, vertex.name))
        if vertex.kind == "final":
            if vertex.region.remembers:
                local.memory[vertex.region.index] = None
            self.finish_owner(o, vertex.region.owner)
            return
        if vertex.entry is not None:
            self.evaluator(o).execute(vertex.entry)
        for t in vertex.transitions:
            if t.timer is not None:
                local.timers[t.timer] = t.ticks
        if not vertex.regions:
            self.finish(o, vertex)
        self.in_any_order([lambda r=r: inside(r) for r in vertex.regions])

    def finished(self, o, vertex):
        return all(self.active(o, r) is not None and self.active(o, r).kind == "final" for r in vertex.regions)

    def finish(self, o, vertex):
        if vertex.completion and self.system.switches["completion"] == "first":
            self.locals[o.index].completions.append(vertex.number)

    def finish_owner(self, o, state):
        if state is not None and self.finished(o, state):
            self.finish(o, state)

    def by_default(self, o, region):
        if region.initial is None:
            raise Unsupported("a region without initial transition")
        t = region.initial.transitions[0]
        if t.effect is not None:
            self.evaluator(o).execute(t.effect)
        self.go_inside(o, region, t.target)

    def go_inside(self, o, region, target):
        """Enters `target`, which lies somewhere in the region, from the region inwards."""
        if target.region is region:
            self.arrive(o, target)
            return
        outer = next(v for v in target.around() if v.region is region)
        self.enter(o, outer, lambda r: self.towards(o, r, [target]))

    def towards(self, o, region, targets):
        mine = [t for t in targets if t.region is region or any(v.region is region for v in t.around())]
        if mine:
            self.go_inside(o, region, mine[0])
        else:
            self.by_default(o, region)

    def arrive(self, o, vertex, ways=None):
        """A vertex whose surroundings are active. `ways` are the junctions that were decided before the step."""
        if vertex.kind == "state":
            self.enter(o, vertex, lambda r: self.by_default(o, r))
        elif vertex.kind == "final":
            self.enter(o, vertex, None)
        elif vertex.kind == "terminate":
            local = self.locals[o.index]
            local.dead, local.completions = True, []
            local.timers = [None] * len(local.timers)
        elif vertex.kind in ("history", "deep history"):
            self.restore(o, vertex)
        elif vertex.kind == "fork":
            targets = [t.target for t in vertex.transitions]
            state = next(v for v in targets[0].around() if v.region is vertex.region)
            self.enter(o, state, lambda r: self.towards(o, r, targets))
        elif vertex.kind == "junction":
            way = ways.pop(0) if ways else self.pick_way(o, vertex)
            self.segment(o, vertex, way, ways)
        elif vertex.kind == "choice":
            way = self.pick_way(o, vertex)
            self.segment(o, vertex, way, self.pick(static_ways(self, o, way, {})))

    def restore(self, o, history):
        region, deep = history.region, history.kind == "deep history"
        remembered = self.locals[o.index].memory[region.index]
        if remembered is not None:
            self.enter(o, o.of_class.vertices[remembered], lambda r: self.again(o, r, deep))
        elif history.transitions:
            self.segment(o, history, history.transitions[0], [])
        else:
            self.by_default(o, region)

    def again(self, o, region, deep):
        remembered = self.locals[o.index].memory[region.index] if deep else None
        if remembered is None:
            self.by_default(o, region)
        else:
            self.enter(o, o.of_class.vertices[remembered], lambda r: self.again(o, r, deep))

    def pick_way(self, o, vertex):
        way = self.pick(self.open_ways(o, vertex.transitions, {}))
        if isinstance(way, Exception):
            raise way
        return way

    def open_ways(self, o, transitions, names):
        """Of a choice or junction: the transitions that may be taken, and what reading their guards ends with."""
        evaluator, ways, failing = self.evaluator(o, names), [], []
        for t in transitions:
            try:
                if t.guard is None or (t.guard != ("else",) and evaluator.value(t.guard)):
                    ways.append(t)
            except (Failed, NotFollowed) as ending:
                failing.append(ending)
        ways = ways + failing or [t for t in transitions if t.guard == ("else",)]
        if not ways:
            raise Failed("run-time error")
        return ways

    def segment(self, o, source, t, ways, names=None):
        """One segment (12): leave up to the innermost region with source and target, effect, enter."""
        if t.target is not None:
            around = [source.region] + [v.region for v in source.around()]
            scope = next(r for r in [t.target.region] + [v.region for v in t.target.around()] if r in around)
            left = self.active(o, scope)
            if left is not None and left.kind != "final":
                self.leave(o, left)
        if t.effect is not None:
            self.evaluator(o, names).execute(t.effect)
        if t.target is None:
            return
        if t.target.region is scope:
            self.arrive(o, t.target, ways)
        elif t.target.kind in ("choice", "junction", "fork", "history", "deep history", "terminate"):
            self.enter_around(o, scope, t.target, ways)
        else:
            self.go_inside(o, scope, t.target)

    def enter_around(self, o, scope, vertex, ways):
        """Enters the states around a pseudostate, then goes on from it."""
        states = [v for v in vertex.around()]
        states = states[:next(i for i, v in enumerate(states) if v.region is scope) + 1]

        def inside(region):
            if region is vertex.region:
                self.arrive(o, vertex, ways)
            elif any(v.region is region for v in states):
                self.enter(o, next(v for v in states if v.region is region), inside)
            else:
                self.by_default(o, region)
        self.enter(o, states[-1], inside)


def static_ways(run, o, transition, names):
    """The ways from a transition through the junctions behind it, each as the list of their transitions (12)."""
    junction = transition.target
    if junction is None or junction.kind != "junction":
        return [[]]
    ways = []
    for t in run.open_ways(o, junction.transitions, names):
        if isinstance(t, Exception):
            raise t
        ways += [[t] + way for way in static_ways(run, o, t, names)]
    return ways


def outcomes(system, state, step):
    """Every way a step can go: (state, None) or (None, exception), each with the notes of the way."""
    script = []
    while True:
        run = Run(system, state, script)
        try:
            step(run)
            yield run.frozen(), None, run.notes
        except (Failed, NotFollowed, Blocked) as ending:
            yield None, ending, run.notes
        asked = run.asked
        while asked and asked[-1][0] == asked[-1][1] - 1:
            asked.pop()
        if not asked:
            return
        script = [choice for choice, _ in asked[:-1]] + [asked[-1][0] + 1]
