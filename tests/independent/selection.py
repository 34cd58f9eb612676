"""Which transitions an event fires: rules 8, 9, 11 and 24 of docs/semantics.md, written from that page alone. The steps of
interpreter.py are made of these.
"""
import itertools

from actions import Failed, NotFollowed
from machine import static_ways


class Selection:
    """Which transitions of an object an event fires (8, 9): alternatives, each a list of firings, and what reading the
    guards ends with. A firing is (transition, its way through junctions, the values it may read)."""

    def __init__(self, run, o, match):
        self.run, self.o, self.match = run, o, match

    def whole(self):
        alternatives, endings = self.together(self.o.of_class.top)
        kept = []
        for firings in alternatives:
            for chosen in largest_without_conflict(firings):
                if chosen not in kept:
                    kept.append(chosen)
        return kept, endings

    def together(self, regions):
        """Every orthogonal region contributes; a region that cannot say what it contributes fails the step (24)."""
        parts = [self.of_region(r) for r in regions]
        endings = [e for _, es in parts for e in es]
        if any(not alternatives and es for alternatives, es in parts):
            return [], endings
        if not any(alternatives for alternatives, _ in parts):
            return [], endings
        return [sum(combination, []) for combination in itertools.product(*[a or [[]] for a, _ in parts])], endings

    def of_region(self, region):
        vertex = self.run.active(self.o, region)
        if vertex is None or vertex.kind == "final":
            return [], []
        alternatives, endings = self.together(vertex.regions)
        return (alternatives, endings) if alternatives or endings else self.of_state(vertex)

    def of_state(self, vertex):
        alternatives, endings = [], []
        for t in vertex.transitions:
            names = self.match(t)
            if names is None:
                continue
            try:
                if self.guard(t, vertex, names):
                    alternatives += [[(t, way, names)] for way in static_ways(self.run, self.o, t, names)]
            except (Failed, NotFollowed) as ending:
                endings.append(ending)
        return alternatives, endings

    def guard(self, t, vertex, names):
        if t.guard is None:
            return True
        if t.guard != ("else",):
            return self.run.evaluator(self.o, names).value(t.guard)
        others = [(u, self.match(u)) for u in vertex.transitions if u is not t]
        return not any(mine is not None and self.guard(u, vertex, mine) for u, mine in others)

    def inside(self, vertex):
        """Whether anything is enabled in a state or inside it, whatever goes first (11). If nothing is but a guard could
        not be read, that ends the step."""
        found, endings = self.of_state(vertex)
        for region in vertex.regions:
            inner = self.run.active(self.o, region)
            if inner is not None and inner.kind != "final":
                try:
                    found = found or self.inside(inner)
                except (Failed, NotFollowed) as ending:
                    endings.append(ending)
        if endings and not found:
            raise endings[0]
        return bool(found)


def outermost(t, source, way):
    """The outermost region in which the firing leaves something; a choice counts with all its branches (9)."""
    if t.target is None:
        return None
    around = [source.region] + [v.region for v in source.around()]
    regions = [next(r for r in [t.target.region] + [v.region for v in t.target.around()] if r in around)]
    onwards = way[:1] if t.target.kind == "junction" and way else t.target.transitions if t.target.kind in (
        "choice", "junction", "history", "deep history") else []
    for u in onwards:
        deeper = outermost(u, t.target, way[1:])
        if deeper is not None and deeper in around:
            regions.append(deeper)
    return max(regions, key=around.index)


def largest_without_conflict(firings):
    """The largest sets of firings none of which leaves a state in which another one starts."""
    def excludes(a, b):
        region = outermost(a[0], a[0].source, a[1])
        starts = [b[0].source.region] + [v.region for v in b[0].source.around()]
        return region is not None and region in starts

    free = []
    for size in range(len(firings), 0, -1):
        for chosen in itertools.combinations(firings, size):
            if any(excludes(a, b) or excludes(b, a) for a, b in itertools.combinations(chosen, 2)):
                continue
            if not any(all(f in larger for f in chosen) for larger in free):
                free.append(list(chosen))
    return free


def take(run, o, alternatives, endings):
    """Fires one of the alternatives, or ends as a guard did."""
    chosen = run.pick(alternatives + endings)
    if isinstance(chosen, Exception):
        raise chosen
    run.notes |= {(o.of_class.name, t) for t, _, _ in chosen}
    run.in_any_order([lambda f=f: run.segment(o, f[0].source, f[0], list(f[1]), f[2]) for f in chosen])
