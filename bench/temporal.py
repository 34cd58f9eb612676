#!/usr/bin/env python3
"""Temporal properties of the Promela corpus, Spin and Parley side by side in one run, end to end.

Spin: `spin -a`, `gcc -O2`, `./pan -a` (with its partial-order reduction unless the property or -f forbids it; `-l` for
non-progress cycles, `-f` for fair runs). Parley: `parley check --engine temporal`. Only questions whose product has at
least --states states in Spin's full search or ours, and that both answer. Lassos are counted in steps of the system.

The last line is `summary: time_ratio=… longest_lasso_ratio=… models=…`: geometric mean of Parley's time to Spin's, the
largest ratio of lengths of lassos, and how many questions were compared.
"""
import argparse
import csv
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE / "tools"))
from test_temporal import VIOLATIONS, answer_of, parley_command, questions  # noqa: E402


def lasso_of(trail):
    """Steps of the system in Spin's trail: the claim is process 0, and moves in between."""
    steps = 0
    for line in pathlib.Path(trail).read_text().splitlines():
        fields = line.split(":")
        if len(fields) == 3 and int(fields[0]) > 0 and int(fields[1]) > 0:
            steps += 1
    return steps


def run_spin(path, q, seconds):
    """(seconds, states, violated, steps of the lasso), or None."""
    with tempfile.TemporaryDirectory() as folder:
        def run(command):
            return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=seconds).stdout
        for flags in (["-O2"], ["-O2", "-DNOREDUCE"]):
            if q.fair and "-DNOREDUCE" not in flags:
                continue
            begin = time.monotonic()
            try:
                run(["spin", *q.defines, "-a", path])
                run(["gcc", "-w", *flags, "-DMEMLIM=8000", "-DNFAIR=8", *(["-DNP"] if q.what == "non-progress" else []), "-o", "pan",
                     "pan.c"])
                out = run(["./pan", *q.pan(), "-m5000000"])
            except (subprocess.TimeoutExpired, OSError):
                return None
            spent = time.monotonic() - begin
            if "partial order reduction invalid" not in out:
                break
        violated = any(line.startswith("pan:") and any(v in line for v in VIOLATIONS) for line in out.splitlines())
        states = re.search(r"^\s*([\d.e+]+) states, stored", out, re.M)
        if not states or not violated and "errors: 0" not in out or re.search(r"depth too small|memory", out) and not violated:
            return None
        trails = list(pathlib.Path(folder).glob("*.trail"))
        return spent, int(float(states.group(1))), violated, lasso_of(trails[0]) if trails else 0


def run_parley(binary, path, q, seconds, folder):
    command, _ = parley_command(binary, path, q, seconds, folder)
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds + 60)
    spent = time.monotonic() - begin
    try:
        row = answer_of(done.stdout, q)
    except ValueError:
        return None
    if row is None or row["verdict"] == "unknown":
        return None
    return spent, row["coverage"].get("states", 0), row["verdict"] == "violated", len(row.get("trace", {}).get("steps", []))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = pathlib.Path(os.environ.get("PARLEY_SHARED", HERE.parent / "shared"))
    parser.add_argument("--corpus", type=pathlib.Path, default=shared / "corpus" / "promela")
    parser.add_argument("--parley", default=str(HERE / "build" / "parley"))
    parser.add_argument("--states", type=int, default=50000)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    table = args.corpus / "spin-results.tsv"
    if not table.exists():
        print(f"skipped: no corpus at {args.corpus}")
        return 0
    ratios, lengths, different = [], [], 0
    print(f"{'file':48} {'asked':26} {'verdict':8} {'spin s':>8} {'parley s':>8} {'ratio':>6} {'spin states':>11} {'ours':>10} {'lassos':>14}")
    for row in csv.DictReader(table.open(), delimiter="\t"):
        if args.only not in row["file"] or not row["temporal"]:
            continue
        for q in questions(row):
            path = str(args.corpus / q.file)
            with tempfile.TemporaryDirectory() as folder:
                theirs = run_spin(path, q, args.seconds)
                if theirs is None:
                    continue
                ours = run_parley(args.parley, path, q, args.seconds, folder)
            if ours is None or max(theirs[1], ours[1]) < args.states:
                continue
            different += theirs[2] != ours[2]
            ratios.append(ours[0] / theirs[0])
            if ours[2] and theirs[2] and theirs[3]:
                lengths.append(ours[3] / theirs[3])
            print(f"{q.file[-48:]:48} {(q.what + (' -f' if q.fair else ''))[:26]:26} {'violated' if ours[2] else 'holds':8} {theirs[0]:8.2f} "
                  f"{ours[0]:8.2f} {ours[0] / theirs[0]:6.2f} {theirs[1]:11} {ours[1]:10} {ours[3] or '-':>6} /{theirs[3] or '-':>6}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0
    if different:
        print(f"{different} verdicts differ")
    print(f"summary: time_ratio={mean:.2f} longest_lasso_ratio={max(lengths, default=0):.2f} models={len(ratios)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
