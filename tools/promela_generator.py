"""Random small Promela programs, each from its seed alone: a list of bodies of statements that can be rendered, shrunk
and changed (tools/random_promela.py does both)."""
import random


class Node:
    """A statement; compound ones have options (lists of nodes) between head and tail."""

    def __init__(self, head, options=None, tail="", separator=""):
        self.head, self.options, self.tail, self.separator = head, options, tail, separator

    def text(self, indent):
        pad = "  " * indent
        if self.options is None:
            return pad + self.head
        parts = [pad + self.head]
        for option in self.options:
            body = ";\n".join(n.text(indent + 1) for n in option) if option else pad + "  skip"
            parts.append((pad + self.separator + "\n" if self.separator else "") + body)
        parts.append(pad + self.tail)
        return "\n".join(parts)


class Unless(Node):
    def __init__(self, main, escape):
        super().__init__("", [[main], [escape]])

    def text(self, indent):
        sides = [option[0].text(indent) if option else "  " * indent + "{ skip }" for option in self.options]
        return sides[0] + "\n" + "  " * indent + "unless\n" + sides[1]


def render(nodes):
    return ";\n".join(n.text(1) for n in nodes) if nodes else "  skip"


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        self.seed = seed
        self.globals = ["g0", "g1", "g2"]
        self.types = {"g0": r.choice(["bit", "bool"]), "g1": "byte", "g2": r.choice(["byte", "short", "int", "unsigned : 3"])}
        self.array = r.random() < 0.4
        self.struct = r.random() < 0.35
        self.channels = {}
        for i in range(r.randint(1, 3)):
            self.channels[f"c{i}"] = (r.choice([0, 0, 1, 1, 2]), r.choice([["byte"], ["mtype", "bit"], ["byte", "byte"]]))
        # An array of channels, and one whose messages carry a structure.
        self.channel_array = (r.choice([0, 1, 1, 2]), ["byte"]) if r.random() < 0.35 else None
        self.struct_channel = (r.choice([0, 1, 2]), ["byte", "T"]) if self.struct and r.random() < 0.5 else None
        self.labels = 0
        self.procs = r.randint(1, 3)
        self.uses_chan_parameter = r.random() < 0.3
        self.timeout = r.random() < 0.2
        self.provided = r.random() < 0.1
        self.priority = r.random() < 0.1
        # Remote references: P0 then has a label R0 and P0's x is looked at by others.
        self.remote = self.procs > 1 and r.random() < 0.2
        self.last = r.random() < 0.05
        self.deterministic = r.random() < 0.08
        self.inlines = r.random() < 0.25
        self.in_dstep = False
        self.inside = 0  # which process is being written

    # --- expressions
    def const(self):
        return str(self.r.choice([0, 1, 1, 2, 3]))

    def var(self):
        pool = list(self.globals) + ["x", "y"]
        if self.array:
            pool += ["a[0]", "a[1]", "a[x % 2]"]
        if self.struct:
            pool += ["s.f", "s.h[1]", "s.i.k", "t[1].f"]
        if self.last:
            pool += ["_last"]
        if self.remote and self.inside > 0:
            pool += ["P0:x"]
        return self.r.choice(pool)

    def expr(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.4:
            return self.var() if r.random() < 0.7 else self.const()
        k = r.random()
        if k < 0.06:
            return f"(-{self.var()})" if k < 0.03 else f"(~{self.var()} & 3)"
        op = r.choice(["+", "-", "*", "&", "|", "^", "==", "<", "<=", "!=", "&&", "||", "%", "/", "<<", ">>"])
        right = {"%": "2", "/": "2", "<<": "1", ">>": "1"}.get(op) or self.expr(depth - 1)
        return f"({self.expr(depth - 1)} {op} {right})"

    def cond(self):
        r = self.r
        k = r.random()
        if k < 0.12:
            c = r.choice(list(self.channels))
            if self.channels[c][0] == 0:
                return f"(len({c}) == 0)"
            return r.choice([f"nfull({c})", f"nempty({c})", f"empty({c})", f"full({c})", f"(len({c}) < 2)"])
        if k < 0.2:
            c = r.choice(list(self.channels))
            cap, fields = self.channels[c]
            if cap > 0:
                return f"{c}{r.choice(['?', '??'])}[{self.patterns(fields, True)}]"
        if k < 0.26:
            return f"(_nr_pr {r.choice(['<', '>', '=='])} {r.randint(1, 4)})"
        if k < 0.32:
            return f"!({self.expr(1)})"
        if k < 0.36:
            return f"(({self.expr(1)} -> {self.expr(1)} : {self.expr(1)}) > 0)"
        if k < 0.46 and self.remote and self.inside > 0:
            return "P0@R0" if r.random() < 0.7 else "!(P0@R0)"
        if k < 0.48 and self.priority:
            return f"(get_priority(0) {r.choice(['<', '>='])} 2)"
        return f"({self.var()} {r.choice(['==', '<', '!=', '>'])} {self.const()})"

    # --- messages
    def patterns(self, fields, poll=False):
        out, used = [], set()
        for f in fields:
            k = self.r.random()
            if f == "T":
                out.append("s")
            elif f == "mtype":
                out.append(self.r.choice(["m1", "m2", "eval(m1)"] + ([] if "z" in used else ["z"])))
                if out[-1] == "z":
                    used.add("z")
            elif k < 0.3:
                out.append(self.const())
            elif k < 0.4:
                out.append(f"eval({self.r.choice(['x', 'y', 'g1'])})")
            elif k < 0.45:
                out.append(f"eval({self.expr(1)})")
            elif k < 0.55:
                out.append("_")
            else:
                # A value that does not fit is put back as what the variable kept of it when Spin 6.5.2 takes a receive
                # back, so that it counts states which are not there (docs/promela.md): bytes go into bytes.
                fitting = ["x", "y", "g1"] + (["g0"] if f == "bit" else [])
                choice = self.r.choice([v for v in fitting if v not in used] or ["_"])
                used.add(choice)
                out.append(choice)
        return ",".join(out)

    def message(self, fields):
        def field(f):
            if f == "mtype":
                return self.r.choice(["m1", "m2", "z"])
            return self.r.choice(["s", "t[0]"]) if f == "T" else self.expr(1)
        return ",".join(field(f) for f in fields)

    def channel_statement(self):
        r = self.r
        pool = list(self.channels) + (["q"] if self.channel_array else []) + (["d"] if self.struct_channel else [])
        c = r.choice(pool)
        cap, fields = {"q": self.channel_array, "d": self.struct_channel}.get(c) or self.channels[c]
        name = "p" if self.uses_chan_parameter and self.with_parameter and c == "c0" else c
        if c == "q":
            name = r.choice(["q[0]", "q[1]", "q[x % 2]", "q[g0]"])
        if r.random() < 0.5:
            return f"{name}{'!!' if cap > 1 and r.random() < 0.3 else '!'}{self.message(fields)}"
        op = "?"
        if cap > 0 and r.random() < 0.25:
            op = "??"
        if cap > 0 and r.random() < 0.2:
            return f"{name}{op}<{self.patterns(fields)}>"
        return f"{name}{op}{self.patterns(fields)}"

    # --- statements
    def simple(self):
        r = self.r
        k = r.random()
        if k < 0.4:
            v = r.choice(["x", "y", "g0", "g1", "g2"] + (["a[1]", "a[y % 2]"] if self.array else []) +
                         (["s.f", "s.i.k", "t[g0].f", "t[1].h[0]"] if self.struct else []))
            if self.inlines and r.random() < 0.12 and not self.in_dstep:
                return Node(f"{v} = larger({self.var()}, {self.const()})")
            return Node(f"{v} = {self.expr(1)} % 3" if r.random() < 0.6 else f"{v} = {self.const()}")
        if k < 0.48:
            return Node(r.choice(["x++", "y++", "g1++", "g2--"]) if r.random() < 0.15 else "g0 = !g0")
        if k < 0.55:
            return Node("skip")
        if k < 0.6:
            return Node(f'printf("%d", {self.expr(1)})')
        if k < 0.64:
            return Node(f"assert({self.cond()})" if r.random() < 0.3 else "assert(true)")
        if k < 0.65 and self.priority and not self.in_dstep:
            return Node(f"set_priority(_pid, {r.randint(1, 3)})")
        if k < 0.85 and not self.in_dstep:
            return Node(self.channel_statement())
        if self.in_dstep:
            return Node(f"z = {r.choice(['m1', 'm2'])}")
        return Node(self.cond())

    def sequence(self, depth, length=None):
        n = length or self.r.randint(1, 3)
        out = []
        for _ in range(n):
            out += self.statement(depth)
        return out

    def option(self, depth, loop):
        guard = Node(self.cond()) if self.r.random() < 0.7 or self.in_dstep else self.simple()
        body = [guard] + (self.sequence(depth - 1, self.r.randint(0, 2)) if self.r.random() < 0.8 else [])
        if loop and self.r.random() < 0.45:
            body.append(Node("break"))
        return body

    def selection(self, depth, loop):
        r = self.r
        options = [self.option(depth, loop) for _ in range(r.randint(1, 3))]
        if r.random() < 0.5 or self.in_dstep:
            tail = [Node("else")] + (self.sequence(depth - 1, 1) if r.random() < 0.5 else [])
            if loop:
                tail.append(Node("break"))
            options.insert(r.randint(0, len(options)), tail)
        elif self.timeout and r.random() < 0.4:
            options.append([Node("timeout")] + ([Node("break")] if loop else []))
        head, end = ("do", "od") if loop else ("if", "fi")
        return Node(head, options, end, "::")

    def dstep_guard(self):
        """How a d_step starts: a condition, an assignment, or a receive from a channel with room."""
        r = self.r
        # Spin 6.5.2 executes a d_step that starts with assert or printf even in the middle of somebody else's rendezvous
        # (docs/promela.md), so none starts with them here.
        buffered = [(c, f) for c, (cap, f) in self.channels.items() if cap > 0]
        if buffered and r.random() < 0.3:
            c, fields = r.choice(buffered)
            return Node(f"{c}?{self.patterns(fields)}")
        return Node(self.cond() if r.random() < 0.5 else "x = 1")

    def statement(self, depth):
        r = self.r
        if depth <= 0:
            return [self.simple()]
        k = r.random()
        if k < 0.45:
            return [self.simple()]
        if k < 0.6:
            return [self.selection(depth, False)]
        if k < 0.7 and not self.in_dstep:
            return [self.selection(depth, True)]
        if k < 0.82 and not self.in_dstep:
            return [Node("atomic {", [self.sequence(depth - 1)], "}")]
        if k < 0.88 and not self.in_dstep:
            self.in_dstep = True
            body = [self.dstep_guard()] + self.sequence(depth - 1, r.randint(1, 3))
            self.in_dstep = False
            return [Node("d_step {", [body], "}")]
        if k < 0.92 and not self.in_dstep:
            main = Node("{", [self.sequence(depth - 1)], "}")
            escape = Node("{", [[Node(self.cond())] + self.sequence(depth - 1, 1)], "}")
            return [Unless(main, escape)]
        if k < 0.95 and not self.in_dstep:
            return [Node(f"select(x: 0 .. {r.choice(['1', '2', 'g1 % 3'])})")]
        if k < 0.97 and not self.in_dstep:
            return [Node("for (y : 0 .. 1) {" if r.random() < 0.7 or not self.array else "for (y in a) {",
                         [self.sequence(depth - 1, 1)], "}")]
        if not self.in_dstep:
            self.labels += 1
            name = r.choice(["L", "end", "progress"]) + str(self.labels)
            self.placed.append(name)
            return [Node(f"{name}: skip")]
        return [self.simple()]

    def run(self):
        call = "run Q(1, c0)" if self.uses_chan_parameter else "run Q(1)"
        k = self.r.random()
        if k < 0.5:
            return Node(call)
        if k < 0.75:
            return Node(f"x = {call}")
        # As many as a loop starts: some end while it goes on.
        again = [Node("y < 3"), Node("y++"), Node(call)]
        return Node("do", [again, [Node("else"), Node("break")]], "od", "::")

    def body(self, number):
        self.placed = []
        self.inside = number
        nodes = self.sequence(3, self.r.randint(2, 4))
        if self.placed and self.r.random() < 0.6:
            nodes.append(Node("if", [[Node(self.cond()), Node(f"goto {self.r.choice(self.placed)}")], [Node("else")]], "fi", "::"))
        if number == 0 and self.remote:
            nodes.insert(self.r.randint(0, len(nodes)), Node("R0: skip"))
        if number == 0 and self.procs > 1 and self.r.random() < 0.5:
            nodes.insert(0, self.run())
            self.runs = True
        return nodes

    def build(self):
        r = self.r
        self.runs = False
        self.with_parameter = False
        bodies = [self.body(i) for i in range(self.procs)]
        self.with_parameter = True
        self.inside = 0  # stands before P0, which it cannot name
        child = self.sequence(2, r.randint(1, 3)) if self.runs else None
        return bodies, child

    def declarations(self):
        g2, _, width = self.types["g2"].partition(" : ")
        lines = ["mtype = { m1, m2 };", f"{self.types['g0']} g0; byte g1; {g2} g2{' : ' + width if width else ''} = 1;"]
        if self.array:
            lines.append("byte a[2];")
        if self.struct:
            lines.append("typedef U { byte k };\ntypedef T { byte f; bit h[2]; U i };\nT s; T t[2];")
        for name, (cap, fields) in self.channels.items():
            lines.append(f"chan {name} = [{cap}] of {{ {', '.join(fields)} }};")
        if self.channel_array:
            lines.append(f"chan q[2] = [{self.channel_array[0]}] of {{ byte }};")
        if self.struct_channel:
            lines.append(f"chan d = [{self.struct_channel[0]}] of {{ byte, T }};")
        if self.inlines:
            lines.append("inline larger(u, v) { if :: u > v -> return u :: else -> return v fi }")
        return lines

    def processes(self, program):
        """The texts of the proctypes, in order."""
        bodies, child = program
        r = random.Random(self.seed + 1)
        texts = []
        local = "  byte x; byte y = 1; mtype z = m1;\n"
        if child is not None:
            parameters = "byte k; chan p" if self.uses_chan_parameter else "byte k"
            texts.append(f"proctype Q({parameters}) {{\n{local}{render(child)}\n}}")
        for i, body in enumerate(bodies):
            count = "[2]" if i == 1 and r.random() < 0.3 else ""
            extra = " provided (g0 == 0 || g1 < 2)" if self.provided and i == 1 else ""
            extra = f" priority {r.randint(1, 3)}" + extra if self.priority else extra
            kind = "D_proctype" if self.deterministic and i == 0 else "proctype"
            texts.append(f"active {count} {kind} P{i}(){extra} {{\n{local}{render(body)}\n}}")
        return texts

    def render(self, program):
        return "\n".join(self.declarations() + self.processes(program)) + "\n"
