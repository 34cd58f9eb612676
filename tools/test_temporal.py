#!/usr/bin/env python3
"""Temporal properties of the Promela corpus against Spin: `ltl` formulas, `never` claims, acceptance and
non-progress cycles, with and without weak fairness.

For every definite entry of the `temporal` column of the corpus' spin-results.tsv: is Parley's verdict Spin's? Spin
itself is run where it answers within --spin-seconds (without its reduction, so that its answer is about the model as
written); otherwise the recorded answer, made by the same tool, is taken. Every lasso is replayed by `parley replay`.

    spin -a FILE; gcc -O1 -DNOREDUCE [-DNP] pan.c; ./pan -a|-l [-f] [-N NAME] -m1000000

Then the same for random formulas on random programs (random_temporal.py), and the sizes of automata (compare_automata.py).
The last line is `summary: verdicts=n/m lassos_replayed=n/m random=n/m automata_states_ratio=…`.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
VIOLATIONS = ("acceptance cycle", "assertion", "claim violated", "non-progress cycle", "accept stutter")


class Question:
    """One entry: what was asked of Spin, and what it said."""

    def __init__(self, file, defines, what, fair, violated):
        self.file, self.defines, self.what, self.fair, self.violated = file, defines, what, fair, violated

    def property(self):
        if self.what.startswith("ltl "):
            return self.what
        return {"non-progress": "no non-progress cycles", "accept labels": "no acceptance cycles"}.get(self.what, "never")

    def pan(self):
        flags = ["-l"] if self.what == "non-progress" else ["-a"]
        if self.what.startswith("ltl "):
            flags += ["-N", self.what[4:]]
        return flags + (["-f"] if self.fair else [])


def questions(row):
    """The entries of a row that say something definite; those that contradict each other ask Spin again."""
    found = {}
    for entry in row["temporal"].split(" | "):
        match = re.match(r"(.+?): errors=(\d*)\s*(.*)", entry)
        if not match or not match.group(2):
            continue
        words, errors, kind = match.group(1), int(match.group(2)), match.group(3)
        fair = " -f" in words
        what = re.sub(r" -(f|DNFAIR=\d+|DNOREDUCE)", "", words)
        if errors:  # a failed assertion is the formula's or the claim's, if there is one; else it is another matter
            own = what.startswith("ltl") or what.startswith("never")
            verdict = True if kind.startswith(VIOLATIONS) and (own or not kind.startswith("assertion")) else None
        else:
            verdict = None if kind else False
        if verdict is not None:
            found.setdefault((what, fair), set()).add(verdict)
    return [Question(row["file"], row["defines"].split(), what, fair, None if len(v) > 1 else next(iter(v)))
            for (what, fair), v in found.items()]


def ask_spin(path, q, seconds):
    """True: violated; False: not; None: no answer in time."""
    with tempfile.TemporaryDirectory() as folder:
        def run(command, limit):
            return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=limit).stdout
        try:
            if "never claim" in q.what and not re.search(r"proctype never_", run(["spin", *q.defines, "-I", path], 60), re.M):
                return None  # its text has one, but not with these definitions
            run(["spin", *q.defines, "-a", path], 60)
            flags = ["-w", "-O1", "-DNOREDUCE", "-DMEMLIM=4000", "-DNFAIR=8"] + (["-DNP"] if q.what == "non-progress" else [])
            run(["gcc", *flags, "-o", "pan", "pan.c"], 120)
            if not os.path.exists(os.path.join(folder, "pan")):
                return None
            for depth in (100_000, 5_000_000):
                out = run(["./pan", *q.pan(), f"-m{depth}"], seconds)
                if "max search depth too small" not in out:
                    break
        except subprocess.TimeoutExpired:
            return None
    for line in out.splitlines():
        if line.startswith("pan:") and any(v in line for v in VIOLATIONS):
            return True
    if re.search(r"max search depth too small|out of memory|memory limit|Search not completed|aborting|pan: error", out):
        return None
    return False if re.search(r"errors: 0", out) else None


def parley_command(binary, path, q, seconds, folder):
    """The question as a command line; files whose ending says nothing get one. Then the options that describe the model."""
    model = [f"-I{p}" for p in list(pathlib.Path(path).parents)[:3]]
    for define in q.defines:  # -DNAME or -DNAME=VALUE
        model += ["--set", define[2:] if "=" in define else define[2:] + "=1"]
    if q.fair:
        model += ["--fair", "weak"]
    if not re.search(r"\.(pml|prm|pr|p|promela|prom)$", path):
        copy = pathlib.Path(folder) / (pathlib.Path(path).name + ".pml")
        copy.write_bytes(pathlib.Path(path).read_bytes())
        path = str(copy)
    command = [binary, "check", path, *model, "--format", "json", "--engine", "temporal", "--assume-no-errors", "--time", str(seconds)]
    if q.property() != "never":
        command += ["--property", q.property()]
    return command, [path, *model]


def answer_of(text, q):
    """The row of the answer that the question is about; None: there is none."""
    rows = [r for r in json.loads(text)["results"] if r["property"].startswith(q.property())]
    return rows[0] if rows else None


def ask_parley(binary, path, q, seconds, folder):
    command, model = parley_command(binary, path, q, seconds, folder)
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds + 60)
    try:
        row = answer_of(done.stdout, q)
    except ValueError:
        return "error", done.stderr.strip().split("\n")[0][:100], None
    if row is None:  # the recorded run of Spin had no claim either
        return "no claim", "", None
    replayed = None
    if row["verdict"] == "violated":
        out = pathlib.Path(folder) / "answer.json"
        out.write_text(done.stdout)
        again = subprocess.run([binary, "replay", model[0], str(out), "--property", row["property"], *model[1:]],
                               capture_output=True, text=True, timeout=300)
        replayed = again.returncode == 0
    return row["verdict"], row.get("reason", ""), replayed


def passed_on(command):
    """The output of another tool, shown as it comes; its lines."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as tool:
        lines = []
        for line in tool.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return "".join(lines)


def random_formulas(args):
    if args.random == 0:
        return 0, 0
    out = passed_on([sys.executable, str(HERE / "tools" / "random_temporal.py"), "--parley", args.parley, "--count", str(args.random)])
    found = re.search(r"random: compared=(\d+) violated=\d+ differences=(\d+)", out)
    return int(found.group(2)), int(found.group(1))


def automata(args):
    if args.formulas == 0:
        return 0
    out = passed_on([sys.executable, str(HERE / "tools" / "compare_automata.py"), "--probe", args.probe, "--count", str(args.formulas)])
    return re.search(r"automata_states_ratio=([\d.]+)", out).group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = pathlib.Path(os.environ.get("PARLEY_SHARED", HERE.parent / "shared"))
    parser.add_argument("--corpus", type=pathlib.Path, default=shared / "corpus" / "promela")
    parser.add_argument("--parley", default=str(HERE / "build" / "parley"))
    parser.add_argument("--spin-seconds", type=int, default=10, help="the longest run of Spin; 0: only recorded answers")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--probe", default=str(HERE / "build" / "tests" / "automata_probe"))
    parser.add_argument("--random", type=int, default=500, help="how many random formulas; 0: none")
    parser.add_argument("--formulas", type=int, default=1000, help="how many automata; 0: none")
    args = parser.parse_args()
    table = args.corpus / "spin-results.tsv"
    if not table.exists():
        print(f"skipped: no corpus at {args.corpus}")
        return 0
    asked = right = lassos = replayed = explained = 0
    print(f"{'file':60} {'asked':32} {'spin':10} {'parley':10} seconds")
    for row in csv.DictReader(table.open(), delimiter="\t"):
        if args.only not in row["file"] or not row["temporal"]:
            continue
        for q in questions(row):
            path = str(args.corpus / q.file)
            spin = ask_spin(path, q, args.spin_seconds) if args.spin_seconds else None
            source = "spin" if spin is not None else "file"
            spin = q.violated if spin is None else spin
            if spin is None:
                continue
            begin = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                mine, why, again = ask_parley(args.parley, path, q, args.seconds, folder)
            if mine == "no claim" and source == "file":
                continue
            asked += 1
            same = mine == ("violated" if spin else "holds")
            # With -f Spin loses runs that end when its claim needs two steps to come back to where it accepts, though it
            # reports them without -f, and nobody who cannot move is treated unfairly (docs/temporal.md has a model of four lines).
            if not same and q.fair and not spin and "the run ends" in why:
                unfair = Question(q.file, q.defines, q.what, False, None)
                if ask_spin(path, unfair, max(10, args.spin_seconds)):
                    same, source = True, source + ", which is wrong: the run ends, and without -f Spin finds it"
                    explained += 1
            right += same
            lassos += again is not None
            replayed += bool(again)
            print(f"{q.file[-60:]:60} {(q.what + (' -f' if q.fair else ''))[:32]:32} {('violated' if spin else 'holds'):10} {mine:10} "
                  f"{time.monotonic() - begin:7.1f} {source}{'' if same else '  DIFFERS ' + why}", flush=True)
    if explained:
        print(f"{explained} of these verdicts differ from Spin's, by a fault of Spin's")
    differences, compared = random_formulas(args)
    ratio = automata(args)
    print(f"summary: verdicts={right}/{asked} lassos_replayed={replayed}/{lassos} random={compared - differences}/{compared} "
          f"automata_states_ratio={ratio}")
    return 0 if right == asked and lassos == replayed and differences == 0 and float(ratio) <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
