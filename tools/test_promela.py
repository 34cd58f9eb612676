#!/usr/bin/env python3
"""Runs the Promela front end and the exhaustive engine over the corpus, with Spin as the oracle.

For every file that Spin accepts: is it read? For every file whose full search completes in Spin (its
reductions and optimisations off): is the verdict the same (assertion, invalid end state), and the number of
stored states? Spin itself is run where its search has at most --spin-states states and ends within --spin-seconds;
otherwise the numbers recorded in the corpus' spin-results.tsv, made by the same commands, are taken. A row says which
(spin, file). What Spin answered is kept in --cache (see spin_oracle.py).

    spin -o1 -o2 -o3 -a FILE; gcc -DSAFETY -DNOREDUCE -DNOCLAIM pan.c; ./pan -c0 -m1000000

The last line is `summary: parsed=n/m verdicts=n/m counts=n/m`.
"""
import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE / "tools"))
from spin_oracle import spin_count  # noqa: E402


def recorded(row):
    if not row["full_states"] or row["full_incomplete_because"]:
        return None
    if "aborting" in row["full_kinds"] or "VECTORSZ" in row["full_kinds"]:
        return None  # a limit of Spin ended the search
    kinds = set()
    if "invalid end state" in row["full_kinds"]:
        kinds.add("deadlock")
    if "assertion" in row["full_kinds"]:
        kinds.add("assertion")
    return int(row["full_states"]), kinds, True


def probe(binary, path, flags, seconds, megabytes):
    command = [binary, path, *flags, f"--seconds={seconds}", f"--megabytes={megabytes}"]
    try:
        out = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds * 4 + 60)
    except subprocess.TimeoutExpired:
        return {"parsed": "1", "complete": "0", "reason": "time"}
    if out.returncode != 0:
        return {"parsed": "0", "complete": "0", "reason": f"crash {out.returncode} {out.stderr[-100:]}"}
    head, reason = out.stdout.strip().split(" reason=", 1) if " reason=" in out.stdout else (out.stdout, "")
    fields = dict(item.split("=", 1) for item in head.split())
    fields["reason"] = reason
    return fields


def embedded_c(path):
    text = pathlib.Path(path).read_text(errors="replace")
    return re.search(r"\bc_(code|expr|decl|state|track)\b", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def check(row, args):
    path = str(args.corpus / row["file"])
    defines = row["defines"].split()
    if embedded_c(path):
        return None
    flags = [*defines, "--trust"]  # without its reduction Spin does not look at exclusive claims
    for parent in list(pathlib.Path(path).parents)[1:3]:  # some includes are meant from a folder above
        flags.append(f"-I{parent}")
    oracle, source, followed = recorded(row), "file", None
    if oracle and oracle[0] > args.max_states:
        return {"file": row["file"], "skipped": True}
    if oracle is None:
        mine = probe(args.probe, path, flags + ["--states=1"], args.seconds, args.megabytes)
        return {"file": row["file"], "parsed": mine["parsed"] == "1", "oracle": None, "mine": mine, "source": ""}
    with tempfile.TemporaryDirectory() as folder:
        trail = str(pathlib.Path(folder) / "ours.trail")
        mine = probe(args.probe, path, flags + [f"--trail={trail}"], args.seconds, args.megabytes)
        if oracle[0] <= args.spin_states:
            has_trail = mine.get("trail", "none") != "none"
            again = spin_count(path, defines, args.spin_seconds, (trail, mine["trail"]) if has_trail else None, args.cache,
                               oracle[0] > 300000)
            if again:
                oracle, source = again, "spin"
                followed = again[2] if has_trail else None
    kinds = set()
    if mine.get("deadlock") == "1":
        kinds.add("deadlock")
    if mine.get("assertion") == "1" or mine.get("index") == "1":
        kinds.add("assertion")
    count = mine.get("states")
    if "assertion" in kinds:
        # Spin goes on after a failed assertion, and so must whoever counts its states.
        more = probe(args.probe, path, flags + ["-A"], args.seconds, args.megabytes)
        count = more.get("states")
        if more.get("deadlock") == "1":
            kinds.add("deadlock")
    complete = mine.get("complete") == "1"
    return {"file": row["file"], "parsed": mine["parsed"] == "1", "oracle": oracle, "source": source, "mine": mine,
            "complete": complete, "verdict": kinds == oracle[1] and (complete or bool(kinds)),
            "count": complete and count == str(oracle[0]), "states": count, "kinds": kinds,
            "replays": mine.get("replays") == "1", "followed": followed}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = pathlib.Path(os.environ.get("PARLEY_SHARED", HERE.parent / "shared"))
    parser.add_argument("--corpus", type=pathlib.Path, default=shared / "corpus" / "promela")
    parser.add_argument("--probe", default=str(HERE / "build" / "tests" / "promela_probe"))
    parser.add_argument("--spin-states", type=int, default=20000000, help="run Spin itself up to this many states")
    parser.add_argument("--spin-seconds", type=int, default=300, help="the longest run of Spin")
    parser.add_argument("--cache", default=str(HERE / "build" / "spin-oracle"), help="where Spin's answers are kept; empty: nowhere")
    parser.add_argument("--max-states", type=int, default=20000000, help="leave larger state spaces out")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--megabytes", type=int, default=6000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--list", type=pathlib.Path, help="only the files named in this one, a line each")
    parser.add_argument("--differences", action="store_true", help="show only rows that differ")
    args = parser.parse_args()
    table = args.corpus / "spin-results.tsv"
    if not table.exists():
        print(f"skipped: no corpus at {args.corpus}")
        return 0
    rows = [r for r in csv.DictReader(table.open(), delimiter="\t") if r["spin"].startswith("accepted") and args.only in r["file"]]
    if args.list:
        wanted = set(args.list.read_text().split("\n"))
        rows = [r for r in rows if r["file"] in wanted]
    parsed = accepted = verdicts = counts = complete = replays = skipped = trails = followed = by_spin = 0
    begin = time.monotonic()
    print(f"{'file':70} {'oracle':>6} {'spin':>10} {'parley':>10}  verdict count")
    with ThreadPoolExecutor(args.jobs) as pool:
        for r in pool.map(lambda row: check(row, args), rows):
            if r is None:
                continue
            if r.get("skipped"):
                skipped += 1
                continue
            accepted += 1
            parsed += r["parsed"]
            if r["oracle"] is None:
                if not r["parsed"]:
                    print(f"{r['file']:70} not read: {r['mine']['reason']}")
                elif not args.differences:
                    print(f"{r['file']:70} read; Spin's full search does not complete")
                continue
            complete += 1
            verdicts += r["verdict"]
            counts += r["count"]
            replays += r["replays"]
            by_spin += r["source"] == "spin"
            trails += r["followed"] is not None
            followed += r["followed"] is True
            good = r["verdict"] and r["count"] and r["replays"] and r["followed"] is not False
            if good and args.differences:
                continue
            note = "" if good else (f"  spin: {','.join(sorted(r['oracle'][1])) or 'no error'}; parley: "
                                    f"{','.join(sorted(r['kinds'])) or 'no error'}; {r['mine'].get('reason', '')}")
            if r["followed"] is False:
                note += " SPIN CANNOT FOLLOW OUR TRAIL"
            if not r["replays"]:
                note += " TRACE DOES NOT REPLAY"
            print(f"{r['file']:70} {r['source']:>6} {r['oracle'][0]:>10} {r['states'] or '-':>10}  "
                  f"{'same' if r['verdict'] else 'DIFF':7} {'same' if r['count'] else 'DIFF'}{note}")
            sys.stdout.flush()
    if skipped:
        print(f"left out: {skipped} state spaces above {args.max_states} states")
    print(f"oracle: {by_spin}/{complete} by Spin itself, the others recorded; {time.monotonic() - begin:.0f} s")
    print(f"replayed: {replays}/{complete} by the reference semantics, {followed}/{trails} of the error trails by Spin")
    print(f"summary: parsed={parsed}/{accepted} verdicts={verdicts}/{complete} counts={counts}/{complete}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
