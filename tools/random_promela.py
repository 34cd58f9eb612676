#!/usr/bin/env python3
"""Random small Promela programs: Parley against Spin, same number of states and same verdict.

Each program comes from its seed alone. Spin runs with its reductions off (see tools/test_promela.py); programs
that Spin rejects or whose state space is too large are left out and another seed is tried, until --count
programs were compared. A program that differs is shrunk by leaving statements out and is printed with its seed.
Ends with `random: compared=n differences=n`, exit status 1 if there is a difference.

With --metamorphic Parley is compared with itself, Spin is not needed: the same program with other names or with
declarations that nobody uses has the same states and verdict; in braces, with its processes in another order or skip in
front of each (where the program cannot notice) the same verdict.
"""
import argparse
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from promela_generator import Generator, Unless  # noqa: E402
from spin_oracle import spin_count  # noqa: E402
from test_promela import HERE, probe  # noqa: E402

MAX_STATES = 60000


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
        if "D_proctype" in mine["reason"]:
            kinds.add("determinism")
        elif mine["error"] == "1":
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


def answer(text, binary):
    """(verdict, states) of Parley, None when it does not read it or does not finish."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "model.pml")
        pathlib.Path(path).write_text(text)
        mine = probe(binary, path, [f"--states={MAX_STATES}"], 20, 1000)
    if mine.get("complete") != "1":
        return None
    return " ".join(f"{k}={mine[k]}" for k in ("deadlock", "assertion", "index", "error")), int(mine["states"])


def renamed(text):
    """Every name of the program, but no keyword, gets another one; without underscore, which changes how Spin (and so
    Parley) reads select."""
    names = r"(?<!%)\b(g[0-2]|[axyzstdqkpfhiuv]|c[0-2]|m[12]|[TUQ]|P[0-2]|L\d+|R0|larger)\b"
    return re.sub(names, r"\1New", text)


def metamorphoses(generator, program):
    """(name, text, whether the number of states stays)."""
    declarations, processes = generator.declarations(), generator.processes(program)
    text = "\n".join(declarations + processes) + "\n"
    yield "renamed", renamed(text), True
    yield "idle declarations", "byte idle[3]; chan nobody = [2] of { int };\n" + text + "proctype Never() { idle[0] = 1; nobody!2 }\n", True
    local = "mtype z = m1;\n"
    # A loop that opens a block is reached from outside in the block's state and from inside in its own.
    yield "in braces", text.replace(local, local + "  {\n").replace("\n}\n", "\n}\n}\n"), False
    # The order of processes is their age, which ends of processes, _nr_pr, priorities and numbers can show.
    numbers = re.search(r"_nr_pr|_last|P0[@:]|run Q|priority", text)
    if not numbers and len(processes) > 1:
        yield "reordered", "\n".join(declarations + processes[::-1]) + "\n", False
    # A process before its skip is not ready for a rendezvous, which else and unless could see.
    sees_readiness = re.search(r"= \[0\] of", text) and re.search(r"\belse\b|\bunless\b|timeout", text)
    if not numbers and not sees_readiness and not generator.deterministic:
        yield "skip in front", text.replace(local, local + "  skip;\n"), False


def metamorphic(args):
    compared = differences = 0
    seed = args.seed
    while compared < args.count and seed < args.seed + 6 * args.count + 50:
        generator = Generator(seed)
        program = generator.build()
        before = answer(generator.render(program), args.probe)
        if before is not None:
            compared += 1
            for name, text, counts in metamorphoses(generator, program):
                after = answer(text, args.probe)
                if after is None or (after != before if counts else after[0] != before[0]):
                    differences += 1
                    print(f"seed {seed}, {name}: {before} before, {after} after\n{text}")
        seed += 1
    print(f"metamorphic: compared={compared} differences={differences} (seeds {args.seed}..{seed - 1})")
    return 1 if differences or compared < args.count else 0


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
    parser.add_argument("--metamorphic", action="store_true", help="compare Parley with itself on changed programs")
    args = parser.parse_args()
    if args.metamorphic:
        return metamorphic(args)

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
