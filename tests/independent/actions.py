"""Objects, expressions and statements of the second implementation: docs/language.md and rules 22 to 29 of
docs/semantics.md, written from these pages alone. machine.py adds entering and leaving, interpreter.py selection and
search.

`System` is a model made ready to run, `Evaluator` computes and executes in one object. What cannot go on is an exception:
Failed, NotFollowed or Blocked.
"""
from reader import Unsupported, read

LOW, HIGH = -(1 << 31), (1 << 31) - 1
DEFAULTS = {"run_to_completion": "atomic", "completion": "first", "discard": "no_triggered", "environment": "declared",
            "integers": "wrap", "overflow": "cut", "time": "free", "regions": "all", "deferral": "pssm"}


class Failed(Exception):
    """The step has no state after it (23): an error, a failed assertion, a message that does not fit."""


class NotFollowed(Exception):
    """The step is left out, and a `holds` becomes conditional: a full queue with `cut`, integers = no_overflow."""


class Blocked(Exception):
    """The step is not enabled: the queue it sends to is full and blocks."""


class Object:
    def __init__(self, index, name, family, of_class):
        self.index, self.name, self.family, self.of_class = index, name, family, of_class
        self.queue = None


class System:
    """The model made ready: objects, queues, targets of transitions, places of attributes and timers."""

    def __init__(self, text, constants=None):
        self.model = model = read(text)
        self.switches = {**DEFAULTS, **model.switches}
        if self.switches["run_to_completion"] != "atomic" or self.switches["environment"] != "declared":
            raise Unsupported("split run-to-completion or an open environment")
        self.literals = {l: (e, k) for e, ls in model.enums.items() for k, l in enumerate(ls)}
        self.constants = dict(self.literals)
        for name, value in (constants or {}).items():
            model.constants[name] = ("value", value)
        for name, e in model.constants.items():
            self.constants[name] = self.constant(e)
        self.objects, self.families = [], {}
        for name, size, of_class, _ in model.objects:
            of = model.classes[of_class]
            count = 1 if size is None else self.constant(size)
            members = [Object(len(self.objects) + k, name if size is None else f"{name}[{k}]", name, of) for k in range(count)]
            self.families[name] = members
            self.objects += members
        for c in model.classes.values():
            self.prepare(c)
        self.make_queues()

    def constant(self, e, extra=None):
        return Evaluator(self, None, None, {**self.constants, **(extra or {})}).value(e)

    def prepare(self, c):
        c.places, c.defaults, c.bounds, timers = {}, [], [], 0
        c.timer_names = {}
        for name, (kind, size, initial) in c.attributes.items():
            if kind[0] == "timer":
                c.timer_names[name] = (timers, self.constant(kind[1]))
                timers += 1
                continue
            bounds = (self.constant(kind[1]), self.constant(kind[2])) if kind[0] == "int" and len(kind) == 3 else None
            value = self.constant(initial) if initial is not None else self.first_value(kind, bounds)
            count = 1 if size is None else self.constant(size)
            c.places[name] = (len(c.defaults), None if size is None else count)
            c.defaults += [value] * count
            c.bounds += [bounds] * count
        for number, vertex in enumerate(c.vertices):
            vertex.number = number
            for t in vertex.transitions:
                if t.target is not None:
                    t.target = self.find(c, vertex, t.target)
                if t.triggers and t.triggers[0][0] == "after":
                    t.timer, t.ticks = timers, self.constant(t.triggers[0][1])
                    timers += 1
            vertex.completion = [t for t in vertex.transitions if not t.triggers]
        c.timer_count = timers
        for r in c.regions:
            r.remembers = any(v.kind in ("history", "deep history") for v in r.vertices) or any(
                v.kind == "deep history" for state in self.states_around(r) for v in state.region.vertices)

    @staticmethod
    def states_around(region):
        while region.owner is not None:
            yield region.owner
            region = region.owner.region

    def first_value(self, kind, bounds):
        if kind[0] == "int":
            return 0 if bounds is None else min(max(0, bounds[0]), bounds[1])
        if kind[0] == "bool":
            return False
        return (kind[0], 0) if kind[0] in self.model.enums else None

    @staticmethod
    def find(c, source, path):
        """Where targets are looked for: inside the source, among its siblings, and so on outwards, then anywhere."""
        if path in (["final"], ["terminate"]):
            raise Unsupported("unnamed final and terminate targets")
        name = path[-1]  # the random models give every vertex of a machine a name of its own
        found = [v for v in c.vertices if v.name == name]
        if len(found) != 1:
            raise Unsupported(f"the target {name} is not unique")
        return found[0]

    def make_queues(self):
        model, self.queues = self.model, []
        for thread in model.threads:
            for e in thread:
                for o in self.named(e):
                    o.queue = len(self.queues)
            self.queues.append(None)
        for o in self.objects:
            if o.queue is None:
                o.queue = len(self.queues)
                self.queues.append(None)
        if model.queue_options or "capacity" not in model.default_options:
            raise Unsupported("queues without one capacity for all")
        self.capacity = self.constant(model.default_options["capacity"])
        self.overflow = model.default_options.get("overflow", self.switches["overflow"])

    def named(self, e):
        if e[0] == "name":
            return self.families[e[1]]
        if e[0] == "index" and e[1][0] == "name":
            return [self.families[e[1][1]][self.constant(e[2])]]
        raise Unsupported("a target that is no object")


class Evaluator:
    """Values of expressions (22): 32 bits, Java's division and shifts, errors as exceptions."""

    def __init__(self, system, run, this, names):
        self.system, self.run, self.this, self.names = system, run, this, names

    def fit(self, value):
        if LOW <= value <= HIGH:
            return value
        mode = self.system.switches["integers"]
        if mode == "error":
            raise Failed("run-time error")
        if mode == "no_overflow":
            raise NotFollowed()
        return (value - LOW) % (1 << 32) + LOW

    def value(self, e):
        kind = e[0]
        if kind == "value":
            return e[1]
        if kind == "this":
            return self.this
        if kind == "name":
            return self.by_name(e[1])
        if kind in ("&&", "||"):
            left = self.value(e[1])
            return self.value(e[2]) if left == (kind == "&&") else left
        if kind == "?":
            return self.value(e[2] if self.value(e[1]) else e[3])
        if kind == "!":
            return not self.value(e[1])
        if kind == "negate":
            return self.fit(-self.value(e[1]))
        if kind == "~":
            return ~self.value(e[1])
        if kind in ("field", "index"):
            return self.read_place(*self.place(e)) if kind == "field" or e[1][0] != "name" or not self.is_family(e[1][1]) \
                else self.member(e)
        if kind == "call":
            return self.call(e)
        if kind == "any":
            return self.choose_value(e)
        if kind in ("in", "has", "len", "forall", "exists"):
            return self.about_state(e)
        left, right = self.value(e[1]), self.value(e[2])
        return self.operate(kind, left, right)

    def operate(self, operator, a, b):
        if operator in ("==", "!="):
            return (a == b) == (operator == "==")
        if operator in ("<", "<=", ">", ">="):
            return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]
        if operator in ("&", "|", "^"):
            return {"&": a & b, "|": a | b, "^": a ^ b}[operator]
        if operator in ("/", "%"):
            if b == 0:
                raise Failed("run-time error")
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return self.fit(quotient) if operator == "/" else a - quotient * b
        if operator == ">>":
            return a >> (b & 31)
        if operator == ">>>":
            return ((a & 0xFFFFFFFF) >> (b & 31)) if b & 31 else a
        if operator == "<<":
            bits = (a << (b & 31)) & 0xFFFFFFFF  # a shift never overflows: it moves bits
            return bits - (1 << 32) if bits > HIGH else bits
        return self.fit({"+": a + b, "-": a - b, "*": a * b}[operator])

    # --- names and places
    def is_family(self, name):
        return name not in self.names and name in self.system.families and (
            self.this is None or name not in self.this.of_class.places)

    def member(self, e):
        members, index = self.system.families[e[1][1]], self.value(e[2])
        if not 0 <= index < len(members):
            raise Failed("run-time error")
        return members[index]

    def by_name(self, name):
        if name in self.names:
            return self.names[name]
        if self.this is not None and name in self.this.of_class.places:
            return self.read_place(*self.place(("name", name)))
        if name in self.system.constants:
            return self.system.constants[name]
        if name in self.system.families:
            return self.system.families[name][0]
        raise Unsupported(f"the name {name}")

    def place(self, e):
        """The object and the position of an attribute or array element."""
        if e[0] == "index":
            owner, first, size = self.whole(e[1])
            index = self.value(e[2])
            if not 0 <= index < size:
                raise Failed("run-time error")
            return owner, first + index
        owner, first, _ = self.whole(e)
        return owner, first

    def whole(self, e):
        owner = self.this if e[0] == "name" else self.value(e[1])
        if owner is None:
            raise Failed("run-time error")
        first, size = owner.of_class.places[e[1] if e[0] == "name" else e[2]]
        return owner, first, size

    def read_place(self, owner, position):
        return self.run.locals[owner.index].values[position]

    def write_place(self, owner, position, value):
        bounds = owner.of_class.bounds[position]
        if bounds is not None and not bounds[0] <= value <= bounds[1]:
            raise Failed("run-time error")
        self.run.locals[owner.index].values[position] = value

    def call(self, e):
        owner = self.this if e[1] is None else self.value(e[1])
        if owner is None:
            raise Failed("run-time error")
        parameters, body = owner.of_class.operations[e[2]]
        arguments = [self.value(a) for a in e[3]]
        inner = Evaluator(self.system, self.run, owner, dict(zip(parameters, arguments)))
        returned = inner.execute(body)
        return returned[0] if returned else None

    def choose_value(self, e):
        if e[2] is not None:
            low, high = self.value(e[1]), self.value(e[2])
            return low + self.run.choose(high - low + 1)
        if e[1] == ("name", "bool"):
            return bool(self.run.choose(2))
        literals = self.system.model.enums[e[1][1]]
        return (e[1][1], self.run.choose(len(literals)))

    def about_state(self, e):
        if e[0] in ("forall", "exists"):
            members = self.system.families.get(e[2]) or [o for o in self.system.objects if o.of_class.name == e[2]]
            results = [Evaluator(self.system, self.run, self.this, {**self.names, e[1]: o}).value(e[3]) for o in members]
            return all(results) if e[0] == "forall" else any(results)
        o = self.value(e[1])
        if e[0] == "in":
            return any(v is not None and o.of_class.vertices[v].name == e[2][-1] for v in self.run.locals[o.index].active)
        messages = [m for m in self.run.queues[o.queue] if m[0] == o.index]
        if e[0] == "has":
            return any(m[1] == e[2] for m in messages)
        return len(self.run.queues[o.queue])

    # --- statements; a list with the value in it when the operation returned
    def execute(self, s):
        kind = s[0]
        if kind == "block":
            outside = set(self.names)
            for statement in s[1]:
                returned = self.execute(statement)
                if returned is not None:
                    return returned
            for name in set(self.names) - outside:
                del self.names[name]
        elif kind == "assign":
            self.assign(s[1], s[2])
        elif kind == "local":
            bounds = (self.value(s[1][1]), self.value(s[1][2])) if s[1][0] == "int" and len(s[1]) == 3 else None
            value = self.value(s[3]) if s[3] is not None else self.system.first_value(s[1], bounds)
            if bounds is not None and not bounds[0] <= value <= bounds[1]:
                raise Failed("run-time error")
            self.names[s[2]] = value
        elif kind == "if":
            return self.execute(s[2] if self.value(s[1]) else s[3])
        elif kind == "for":
            for self.names[s[1]] in range(self.value(s[2]), self.value(s[3]) + 1):
                self.execute(s[4])
            self.names.pop(s[1], None)
        elif kind == "while":
            for _ in range(self.value(s[2])):
                if not self.value(s[1]):
                    return None
                self.execute(s[3])
            if self.value(s[1]):
                raise Failed("run-time error")
        elif kind == "either":
            return self.execute(s[1][self.run.choose(len(s[1]))])
        elif kind == "return":
            return [None if s[1] is None else self.value(s[1])]
        elif kind == "send":
            self.send(s)
        elif kind == "assert":
            if not self.value(s[1]):
                raise Failed("assertion")
        elif kind == "do":
            self.value(s[1])
        elif kind == "start":
            timer, most = self.this.of_class.timer_names[s[1]]
            ticks = self.value(s[2])
            if not 0 <= ticks <= most:
                raise Failed("run-time error")
            self.run.locals[self.this.index].timers[timer] = ticks
        elif kind == "stop":
            self.run.locals[self.this.index].timers[self.this.of_class.timer_names[s[1]][0]] = None
        return None

    def assign(self, target, e):
        if target[0] == "name" and target[1] in self.names:
            self.names[target[1]] = self.value(e)
            return
        owner, position = self.place(target)
        self.write_place(owner, position, self.value(e))

    def send(self, s):
        arguments = [self.value(a) for a in s[2]]
        target = self.value(s[3])
        for (kind, _), value in zip(self.system.model.signals[s[1]], arguments):
            if kind[0] == "int" and len(kind) == 3 and not self.value(kind[1]) <= value <= self.value(kind[2]):
                raise Failed("run-time error")
        if target is None or not target.of_class.top:
            raise Failed("run-time error")
        self.run.post(target, s[1], arguments)
