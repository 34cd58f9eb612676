#!/usr/bin/env python3
"""Random temporal formulas on random small Promela programs: Parley against Spin, same verdict, every lasso replayed.

Each program and formula comes from its seed alone. Spin runs without its reduction, so that `X` means what it says;
every third formula is asked of weakly fair runs only (`pan -f`, `--fair weak`). Programs that Spin rejects, whose state space is
too large, or in which a step fails (the two tools go on differently after that) are left out and another seed is tried,
until --count formulas were compared. Ends with `random: compared=n violated=n differences=n`, exit status 1 if there is a difference.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from promela_generator import Generator  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent.parent
MOST_STATES = 20000


def atom(r, names):
    name = r.choice(names)
    return f"({name} {r.choice(['==', '!=', '<', '>'])} {r.randrange(3)})"


def formula(r, names, operators):
    if operators == 0:
        return atom(r, names)
    kind = r.randrange(10)
    if kind < 5:
        return r.choice(["[]", "<>", "!", "[]", "<>", "X"]) + " (" + formula(r, names, operators - 1) + ")"
    left = r.randrange(operators)
    operator = r.choice(["&&", "||", "->", "U", "W", "V", "U"])
    return f"({formula(r, names, left)}) {operator} ({formula(r, names, operators - 1 - left)})"


def program(seed):
    """A model with one ltl formula over its global variables."""
    generator = Generator(seed)
    text = generator.render(generator.build())
    names = re.findall(r"\b(g[0-2])\b", text.split("proctype")[0])
    if not names or "_nr_pr" in text:  # with a claim Spin counts the claim too
        return None
    r = random.Random(seed * 1000003)
    return text + "\nltl p { " + formula(r, sorted(set(names)), 1 + r.randrange(5)) + " }\n"


def ask_spin(folder, fair):
    def run(command, seconds):
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=seconds).stdout
    try:
        run(["spin", "-o1", "-o2", "-o3", "-a", "model.pml"], 20)
        run(["gcc", "-w", "-O0", "-DNOREDUCE", "-DNFAIR=4", "-o", "pan", "pan.c"], 60)
        out = run(["./pan", "-a", "-E", "-m200000", *(["-f"] if fair else [])], 20)
    except (subprocess.TimeoutExpired, OSError):
        return None
    states = re.search(r"^\s*([\d.e+]+) states, stored", out, re.M)
    if not states or re.search(r"depth too small|out of memory|aborting|pan: error", out):
        return None
    errors = [line for line in out.splitlines() if line.startswith("pan:")]
    if any(any(v in e for v in ("acceptance cycle", "accept stutter", "claim violated", "assertion violated")) for e in errors):
        return True
    return None if any("pan:1" in e for e in errors) or "errors: 0" not in out else False


def ask_parley(binary, folder, fair):
    path = pathlib.Path(folder) / "model.pml"
    options = ["--fair", "weak"] if fair else []
    out = subprocess.run([binary, "check", str(path), "--engine", "explicit", "--states", str(4 * MOST_STATES), "--time", "20", "--format",
                          "json", *options], capture_output=True, text=True, timeout=60)
    try:
        rows = {r["property"]: r for r in json.loads(out.stdout)["results"]}
    except ValueError:
        return "error", out.stderr[:200]
    for name in ("no assertion failures", "no run-time errors"):
        if name in rows and rows[name]["verdict"] != "holds":
            return "left out", ""
    row = rows["ltl p"]
    if row["verdict"] == "violated":
        answer = pathlib.Path(folder) / "answer.json"
        answer.write_text(out.stdout)
        again = subprocess.run([binary, "replay", str(path), str(answer), "--property", "ltl p", *options], capture_output=True, text=True)
        if again.returncode != 0:
            return "error", "a lasso does not replay: " + again.stdout[-200:]
    return row["verdict"], row.get("reason", "")


def compare(seed, binary):
    """None: left out; else (violated, what differs)."""
    text = program(seed)
    if text is None:
        return None
    fair = seed % 3 == 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "model.pml").write_text(text)
        mine, why = ask_parley(binary, folder, fair)
        if mine in ("left out", "unknown"):
            return None
        spin = ask_spin(folder, fair)
        # With -f Spin loses runs that end, though it finds them without (docs/temporal.md).
        if fair and spin is False and mine == "violated" and "the run ends" in why:
            spin = ask_spin(folder, False)
    if spin is None:
        return None
    if mine == "error":
        return spin, why
    same = (mine == "violated") == spin
    return spin, "" if same else f"spin says {'violated' if spin else 'holds'}, parley {mine}{' (weakly fair)' if fair else ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parley", default=str(HERE / "build" / "parley"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    compared = violated = differences = 0
    seed = args.seed
    while compared < args.count and seed < args.seed + 20 * args.count:
        result = compare(seed, args.parley)
        if result is not None:
            compared += 1
            violated += result[0]
            if result[1]:
                differences += 1
                print(f"seed {seed}: {result[1]}\n{program(seed)}", flush=True)
        seed += 1
    print(f"random: compared={compared} violated={violated} differences={differences}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
