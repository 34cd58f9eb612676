#!/usr/bin/env python3
"""Random small Promela programs: Parley against Spin, same number of states and same verdict.

Each program comes from its seed alone. Spin runs with its reductions off (see tools/test_promela.py); programs
that Spin rejects or whose state space is too large are left out and another seed is tried, until --count
programs were compared. A program that differs is shrunk by leaving statements out and is printed with its seed.
Ends with `random: compared=n differences=n`, exit status 1 if there is a difference.
"""
import argparse
import pathlib
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from test_promela import HERE, probe, spin_count  # noqa: E402

MAX_STATES = 60000


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


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        r = self.r
        self.seed = seed
        self.globals = ["g0", "g1", "g2"]
        self.types = {"g0": r.choice(["bit", "bool"]), "g1": "byte", "g2": r.choice(["byte", "short", "int"])}
        self.array = r.random() < 0.4
        self.struct = r.random() < 0.25
        self.channels = {}
        for i in range(r.randint(1, 3)):
            self.channels[f"c{i}"] = (r.choice([0, 0, 1, 1, 2]), r.choice([["byte"], ["mtype", "bit"], ["byte", "byte"]]))
        self.labels = 0
        self.procs = r.randint(1, 3)
        self.uses_chan_parameter = r.random() < 0.3
        self.timeout = r.random() < 0.2
        self.provided = r.random() < 0.1
        self.priority = r.random() < 0.08
        self.in_dstep = False

    # --- expressions
    def const(self):
        return str(self.r.choice([0, 1, 1, 2, 3]))

    def var(self):
        pool = list(self.globals) + ["x", "y"]
        if self.array:
            pool += ["a[0]", "a[1]", "a[x % 2]"]
        if self.struct:
            pool += ["s.f", "s.h[1]"]
        return self.r.choice(pool)

    def expr(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.4:
            return self.var() if r.random() < 0.7 else self.const()
        op = r.choice(["+", "-", "*", "&", "|", "^", "==", "<", "<=", "!=", "&&", "||", "%"])
        right = "2" if op == "%" else self.expr(depth - 1)
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
                return f"{c}?[{self.patterns(fields, True)}]"
        if k < 0.26:
            return f"(_nr_pr {r.choice(['<', '>', '=='])} {r.randint(1, 4)})"
        if k < 0.32:
            return f"!({self.expr(1)})"
        if k < 0.36:
            return f"(({self.expr(1)} -> {self.expr(1)} : {self.expr(1)}) > 0)"
        return f"({self.var()} {r.choice(['==', '<', '!=', '>'])} {self.const()})"

    # --- messages
    def patterns(self, fields, poll=False):
        out, used = [], set()
        for f in fields:
            k = self.r.random()
            if f == "mtype":
                out.append(self.r.choice(["m1", "m2", "eval(m1)"] + ([] if "z" in used else ["z"])))
                if out[-1] == "z":
                    used.add("z")
            elif k < 0.3:
                out.append(self.const())
            elif k < 0.45:
                out.append(f"eval({self.r.choice(['x', 'y', 'g1'])})")
            elif k < 0.55:
                out.append("_")
            else:
                choice = self.r.choice([v for v in ["x", "y", "g1", "g0"] if v not in used] or ["_"])
                used.add(choice)
                out.append(choice)
        return ",".join(out)

    def message(self, fields):
        return ",".join(self.r.choice(["m1", "m2", "z"]) if f == "mtype" else self.expr(1) for f in fields)

    def channel_statement(self):
        r = self.r
        c = r.choice(list(self.channels))
        cap, fields = self.channels[c]
        name = "p" if self.uses_chan_parameter and self.with_parameter and c == "c0" else c
        if r.random() < 0.5:
            return f"{name}{'!!' if cap > 1 and r.random() < 0.3 else '!'}{self.message(fields)}"
        op, close = "?", ""
        if cap > 0 and r.random() < 0.25:
            op = "??"
        if cap > 0 and r.random() < 0.2:
            return f"{name}{op}<{self.patterns(fields)}>"
        return f"{name}{op}{self.patterns(fields)}{close}"

    # --- statements
    def simple(self):
        r = self.r
        k = r.random()
        if k < 0.4:
            v = r.choice(["x", "y", "g0", "g1", "g2"] + (["a[1]", "a[y % 2]"] if self.array else []) + (["s.f"] if self.struct else []))
            return Node(f"{v} = {self.expr(1)} % 3" if r.random() < 0.6 else f"{v} = {self.const()}")
        if k < 0.48:
            return Node(r.choice(["x++", "y++", "g1++"]) if r.random() < 0.15 else f"g0 = !g0")
        if k < 0.55:
            return Node("skip")
        if k < 0.6:
            return Node(f'printf("%d", {self.expr(1)})')
        if k < 0.64:
            return Node(f"assert({self.cond()})" if r.random() < 0.3 else "assert(true)")
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
            # Spin 6.5.2 executes a d_step that starts with assert or printf even in the middle of somebody else's
            # rendezvous (docs/promela.md), so none starts with them here.
            body = [Node(self.cond() if r.random() < 0.5 else "x = 1")]
            body += self.sequence(depth - 1, r.randint(1, 3))
            self.in_dstep = False
            return [Node("d_step {", [body], "}")]
        if k < 0.92 and not self.in_dstep:
            main = Node("{", [self.sequence(depth - 1)], "}")
            escape = Node("{", [[Node(self.cond())] + self.sequence(depth - 1, 1)], "}")
            return [Unless(main, escape)]
        if k < 0.95 and not self.in_dstep:
            return [Node(f"select(x: 0 .. {r.randint(1, 2)})")]
        if k < 0.97 and not self.in_dstep:
            return [Node(f"for (y : 0 .. 1) {{", [self.sequence(depth - 1, 1)], "}")]
        if not self.in_dstep:
            self.labels += 1
            name = r.choice(["L", "end", "progress"]) + str(self.labels)
            self.placed.append(name)
            return [Node(f"{name}: skip")]
        return [self.simple()]

    def body(self, first):
        self.placed = []
        nodes = self.sequence(3, self.r.randint(2, 4))
        if self.placed and self.r.random() < 0.6:
            nodes.append(Node(f"if", [[Node(self.cond()), Node(f"goto {self.r.choice(self.placed)}")], [Node("else")]], "fi", "::"))
        if first and self.procs > 1 and self.r.random() < 0.5:
            nodes.insert(0, Node("run Q(1)" if not self.uses_chan_parameter else "run Q(1, c0)"))
            self.runs = True
        return nodes

    def build(self):
        r = self.r
        self.runs = False
        self.with_parameter = False
        bodies = [self.body(i == 0) for i in range(self.procs)]
        self.with_parameter = True
        child = self.sequence(2, r.randint(1, 3)) if self.runs else None
        return bodies, child

    def render(self, program):
        bodies, child = program
        r = random.Random(self.seed + 1)
        lines = ["mtype = { m1, m2 };", f"{self.types['g0']} g0; byte g1; {self.types['g2']} g2 = 1;"]
        if self.array:
            lines.append("byte a[2];")
        if self.struct:
            lines.append("typedef T { byte f; bit h[2] };\nT s;")
        for name, (cap, fields) in self.channels.items():
            lines.append(f"chan {name} = [{cap}] of {{ {', '.join(fields)} }};")
        local = "  byte x; byte y = 1; mtype z = m1;\n"
        if child is not None:
            parameters = "byte k; chan p" if self.uses_chan_parameter else "byte k"
            lines.append(f"proctype Q({parameters}) {{\n{local}{render(child)}\n}}")
        for i, body in enumerate(bodies):
            count = "[2]" if i == 1 and r.random() < 0.3 else ""
            extra = " provided (g0 == 0 || x < 2)".replace("x", "g1") if self.provided and i == 1 else ""
            extra = f" priority {r.randint(1, 3)}" + extra if self.priority else extra
            lines.append(f"active {count} proctype P{i}(){extra} {{\n{local}{render(body)}\n}}")
        return "\n".join(lines) + "\n"


class Unless(Node):
    def __init__(self, main, escape):
        super().__init__("", [[main], [escape]])

    def text(self, indent):
        sides = [option[0].text(indent) if option else "  " * indent + "{ skip }" for option in self.options]
        return sides[0] + "\n" + "  " * indent + "unless\n" + sides[1]


def render(nodes):
    return ";\n".join(n.text(1) for n in nodes) if nodes else "  skip"


def compare(text, binary):
    """None: left out; "": the same; else what differs."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "model.pml")
        pathlib.Path(path).write_text(text)
        trail = str(pathlib.Path(folder) / "ours.trail")
        mine = probe(binary, path, [f"--states={MAX_STATES}", f"--trail={trail}"], 20, 1000)
        if mine.get("parsed") == "1" and mine.get("complete") != "1":
            return None
        found = mine.get("trail", "none")
        oracle = spin_count(path, [], 20, (trail, found) if found != "none" else None)
        if oracle is None or oracle[0] > MAX_STATES:
            return None
        if mine.get("parsed") != "1":
            return f"not read: {mine['reason']}"
        kinds = set()
        if mine["deadlock"] == "1":
            kinds.add("deadlock")
        if mine["assertion"] == "1":
            kinds.add("assertion")
        states = mine["states"]
        if mine["assertion"] == "1":
            more = probe(binary, path, ["-A", f"--states={3 * MAX_STATES}"], 20, 1000)
            states = more["states"]
            if more["deadlock"] == "1":
                kinds.add("deadlock")
        if mine["error"] == "1":
            return None if "d_step" in mine["reason"] else f"run-time error: {mine['reason']}"
        if mine["replays"] != "1":
            return "a trace does not replay"
        if not oracle[2]:
            return f"trace: Spin cannot follow our trail to the {found}"
        if kinds != oracle[1]:
            return f"verdict: spin {sorted(oracle[1])}, parley {sorted(kinds)}"
        if states != str(oracle[0]):
            return f"states: spin {oracle[0]}, parley {states}"
        return ""


def lists(nodes):
    yield nodes
    for n in nodes:
        for option in n.options or []:
            yield from lists(option)


def shrink(generator, program, binary):
    """Leaves statements and options out as long as the difference stays."""
    kind = compare(generator.render(program), binary).split(":")[0]
    progress, tries = True, 0
    while progress and tries < 150:
        progress = False
        for body in program[0] + ([program[1]] if program[1] is not None else []):
            for sequence in list(lists(body)):
                for i in reversed(range(len(sequence))):
                    for options in [sequence[i].options] if sequence[i].options and len(sequence[i].options) > 1 and not isinstance(sequence[i], Unless) else []:
                        for k in reversed(range(len(options))):
                            if len(options) < 2:
                                break
                            kept = options.pop(k)
                            tries += 1
                            found = compare(generator.render(program), binary)
                            if found and found.split(":")[0] == kind:
                                progress = True
                            else:
                                options.insert(k, kept)
                    kept = sequence.pop(i)
                    tries += 1
                    found = compare(generator.render(program), binary)
                    if found and found.split(":")[0] == kind:
                        progress = True
                    else:
                        sequence.insert(i, kept)
    return generator.render(program)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probe", default=str(HERE / "build" / "tests" / "promela_probe"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="the first seed; the others follow it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print the program of --seed and stop")
    parser.add_argument("--no-shrink", action="store_true")
    args = parser.parse_args()

    def one(seed):
        generator = Generator(seed)
        program = generator.build()
        text = generator.render(program)
        return seed, generator, program, text, compare(text, args.probe)

    if args.show:
        generator = Generator(args.seed)
        print(generator.render(generator.build()))
        return 0
    compared = differences = tried = 0
    seed = args.seed
    with ThreadPoolExecutor(args.jobs) as pool:
        while compared < args.count and tried < 6 * args.count + 50:
            batch = list(range(seed, seed + 2 * args.jobs))
            seed += len(batch)
            tried += len(batch)
            for number, generator, program, text, found in pool.map(one, batch):
                if found is None or compared >= args.count:
                    continue
                compared += 1
                if compared % 50 == 0:
                    print(f"compared={compared} differences={differences}", file=sys.stderr, flush=True)
                if found:
                    differences += 1
                    print(f"seed {number}: {found}")
                    print(text if args.no_shrink else shrink(generator, program, args.probe))
                    sys.stdout.flush()
    print(f"random: compared={compared} differences={differences} (seeds {args.seed}..{seed - 1})")
    return 1 if differences or compared < args.count else 0


if __name__ == "__main__":
    sys.exit(main())
