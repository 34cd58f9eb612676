#!/usr/bin/env python3
"""All engines and the independent interpreter on random text models: no two of them may contradict each other.

Each model of a range of seeds is checked by every engine with small limits and by interpreter.py. Search and bounds are
asked of the program; nine tenths of the time of the others go into the checks of their certificates, so the program
(which makes them) is asked about one model in --certified, and engine_answers.cpp about the rest. A contradiction is: two different verdicts on one check, another number of states where both
searches were complete, a queue longer than a proven bound, or a program that ends otherwise than documented (which is
also how a sanitizer speaks). A program that is far over its time is ended and counted, but contradicts nobody: that is
what tests/limits is about. A contradiction is printed with its seed and the shrunk model. The last line is
`summary: contradictions=0/3000`; the same range gives the same models on every machine, so that a long run may be cut into
ranges (--first, --count) and goes on where it stopped (--resume FILE).
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import interpreter  # noqa: E402
from reader import Unsupported  # noqa: E402

ENGINES = {  # what keeps each of them short on a model of some hundred states
    "explicit": ["--states", "20000"],
    "dfs": ["--states", "20000"],
    "bmc": ["--bound", "8"],
    "kind": ["--bound", "5"],
    "ic3": [],
    "cegar": ["--states", "20000"],
}
CERTIFYING = {"bmc": 8, "kind": 5, "ic3": 0, "cegar": 0}  # their bounds, 0: none
DOCUMENTED_ENDS = (0, 1, 2)


def ask(options, who, words, verdicts):
    """The answer of the program as JSON, or None."""
    return ask_within(options.time + options.patience, who,
                      [options.parley, *words, "--format", "json", "--time", str(options.time)], verdicts)


def ask_within(seconds, who, words, verdicts):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        verdicts.compared.append(f"{who} ended from outside")
        return None
    if done.returncode == 2 and not done.stdout:  # out of time before there was anything to answer
        verdicts.compared.append(f"{who} said nothing")
        return None
    if done.returncode in DOCUMENTED_ENDS:
        return json.loads(done.stdout)
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode == 3 and "[too-many-reactions]" in message:  # docs/semantics.md, Limits
        verdicts.compared.append(f"{who} refused")
        return None
    verdicts.contradictions.append(f"{who}: exit status {done.returncode}: {message[-2000:]}")
    return None


class Verdicts:
    """Who says what about each check of one model."""

    def __init__(self):
        self.said = collections.defaultdict(dict)  # check -> who -> verdict
        self.contradictions, self.states, self.compared = [], {}, []

    def say(self, who, check, verdict):
        if verdict in ("holds", "violated"):
            self.said[check][who] = verdict

    def settle(self):
        for check, said in sorted(self.said.items()):
            if len(set(said.values())) > 1:
                self.contradictions.append(f"{check}: " + ", ".join(f"{w} says {v}" for w, v in sorted(said.items())))
        if len(set(self.states.values())) > 1:
            self.contradictions.append("states: " + ", ".join(f"{w} {n}" for w, n in sorted(self.states.items())))
        return self


def ask_engine(options, path, engine, verdicts):
    answer = ask(options, engine, ["check", path, "--engine", engine, *ENGINES[engine]], verdicts)
    for result in answer["results"] if answer else []:
        verdicts.say(engine, label_of(result["property"]), result["verdict"])
        coverage = result.get("coverage", {})
        if engine == "explicit" and coverage.get("complete"):
            verdicts.states[engine] = coverage["states"]


def label_of(name):
    return name.split(":")[0] if ": " in name else name


def ask_uncertified(options, path, engines, verdicts):
    """Several engines in one process, whose certificates nobody checks."""
    words = [options.answers, path, str(options.time), *(f"{e}={CERTIFYING[e]}" for e in engines)]
    said = ask_within(len(engines) * options.time + options.patience, "engine_answers", words, verdicts)
    for engine, answers in (said or {}).items():
        for name, verdict in answers.items():
            if verdict not in ("holds", "violated", "unknown"):
                verdicts.contradictions.append(f"{engine}: {name}: {verdict}")
            verdicts.say(engine, label_of(name), verdict)


def ask_bounds(options, path, verdicts, longest):
    """What is proved without capacities holds with them, unless a full queue loses messages."""
    answer = ask(options, "bounds", ["bounds", path], verdicts)
    for queue in answer["queues"] if answer else []:
        seen = (longest or {}).get(queue["name"])
        if queue["answer"] == "bounded" and seen is not None and seen > queue["limit"]:
            verdicts.contradictions.append(f"bounds: {queue['name']} never holds more than {queue['limit']}, seen: {seen}")


def compare(options, text, certified=True):
    verdicts, longest = Verdicts(), None
    try:
        found = interpreter.check(text, most_states=options.states)
        for name, verdict in found["verdicts"].items():
            verdicts.say("interpreter", name, verdict)
        verdicts.compared.append("interpreted")
        if found["comparable"]:
            verdicts.states["interpreter"] = found["states"]
        longest = found["longest"]
    except Unsupported as reason:
        verdicts.compared.append(f"not interpreted ({reason})")
    except interpreter.TooLarge:
        verdicts.compared.append("not interpreted (too large)")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.ply")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        together = [] if certified else [e for e in options.engines if e in CERTIFYING]
        verdicts.compared.append("uncertified" if together else "by the program alone")
        if together:
            ask_uncertified(options, path, together, verdicts)
        for engine in options.engines:
            if engine == "bounds":
                ask_bounds(options, path, verdicts, longest)
            elif engine not in together:
                ask_engine(options, path, engine, verdicts)
    return verdicts.settle()


def shrink(text, fails, most_asked=1500):
    """Takes lines and whole blocks out, largest first, as long as what is left still fails."""
    asked, lines, smaller = 0, text.splitlines(), True
    while smaller:
        smaller, at = False, 0
        while asked < most_asked:
            parts = sorted(blocks(lines), key=lambda b: b[0] - b[1])
            if at >= len(parts):
                break
            begin, end = parts[at]
            candidate = lines[:begin] + lines[end:]
            asked += 1
            if fails("\n".join(candidate) + "\n"):
                lines, smaller = candidate, True
            else:
                at += 1
    return "\n".join(lines) + "\n"


def blocks(lines):
    for begin, line in enumerate(lines):
        margin = len(line) - len(line.lstrip())
        end = begin + 1
        if line.rstrip().endswith("{"):
            while end < len(lines) and not (lines[end].startswith(" " * margin + "}")):
                end += 1
            end += 1
        if not line.strip().startswith("}"):
            yield begin, min(end, len(lines))


def models(options):
    """(seed, text) of the range, in portions."""
    for first in range(options.first, options.first + options.count, 100):
        count = min(100, options.first + options.count - first)
        out = subprocess.run([options.generator, str(first), str(count)], stdout=subprocess.PIPE, check=True).stdout.decode()
        for part in out.split("// seed ")[1:]:
            seed, text = part.split("\n", 1)
            yield int(seed), text


def report(options, seed, text, verdicts):
    first, certified = verdicts.contradictions[0], is_certified(options, seed)
    fewer = argparse.Namespace(**{**vars(options), "engines": [e for e in options.engines if e in first]})

    def fails(candidate):
        try:
            again = compare(fewer, candidate, certified)
        except Exception:  # what is left is no model for one of the two
            return False
        return any(c.split(":")[0] == first.split(":")[0] and "exit status 3" not in c for c in again.contradictions)
    small = shrink(text, fails) if options.shrink else text
    print(f"seed {seed}: " + "; ".join(verdicts.contradictions) + "\n" + small, flush=True)


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--parley", required=True)
    a.add_argument("--generator", required=True, help="the program random_models")
    a.add_argument("--answers", help="the program engine_answers; without it the program checks all certificates")
    a.add_argument("--certified", type=int, default=20, help="certificates of one in so many models are checked")
    a.add_argument("--first", type=int, default=1)
    a.add_argument("--count", type=int, default=3000)
    a.add_argument("--time", type=float, default=0.5, help="seconds per engine and model")
    a.add_argument("--patience", type=float, default=3, help="seconds over that before a program is ended from outside")
    a.add_argument("--states", type=int, default=1500, help="of the interpreter per model")
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--engines", nargs="*", default=[*ENGINES, "bounds"])
    a.add_argument("--resume", help="a file that remembers the seeds that are done")
    a.add_argument("--no-shrink", dest="shrink", action="store_false")
    return a.parse_args()


def is_certified(options, seed):
    return not options.answers or seed % options.certified == 0


def judge(options, seed, text):
    verdicts = compare(options, text, is_certified(options, seed))
    if verdicts.contradictions:
        report(options, seed, text, verdicts)
    return seed, verdicts


def fingerprint(options):
    """Of the programs and of the interpreter: what one of them said before it changed is worth nothing."""
    digest = hashlib.sha256()
    here = os.path.dirname(os.path.abspath(__file__))
    own = sorted(os.path.join(here, file) for file in os.listdir(here) if file.endswith(".py"))
    for path in filter(None, [options.parley, options.generator, options.answers, *own]):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def remembered(options):
    """Seeds that an earlier run of the same programs finished, with whether they contradicted, and the file to go on in."""
    if not options.resume:
        return {}, None
    mark, done = fingerprint(options), {}
    if os.path.exists(options.resume):
        with open(options.resume, encoding="utf-8") as file:
            if file.readline().strip() == mark:
                done = {int(seed): int(bad) for seed, bad in (line.split() for line in file)}
    log = open(options.resume, "a" if done else "w", encoding="utf-8")
    if not done:
        print(mark, file=log, flush=True)
    return done, log


def judged(pool, options, open_models, portion=100):
    """(seed, verdicts) as they come. In portions: a pool with thousands of tasks ends all of them before it lets an exception
    out."""
    for begin in range(0, len(open_models), portion):
        waiting = [pool.submit(judge, options, seed, text) for seed, text in open_models[begin:begin + portion]]
        for future in concurrent.futures.as_completed(waiting):
            yield future.result()


def main():
    options = arguments()
    done, log = remembered(options)
    wanted = range(options.first, options.first + options.count)
    bad = sum(done[s] for s in wanted if s in done)
    tally, verdicts_of = collections.Counter(), collections.defaultdict(collections.Counter)
    open_models = [(seed, text) for seed, text in models(options) if seed not in done]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for k, (seed, verdicts) in enumerate(judged(pool, options, open_models), 1):
            bad += bool(verdicts.contradictions)
            tally.update(verdicts.compared)
            tally["states compared"] += len(verdicts.states) == 2
            for said in verdicts.said.values():
                for who, verdict in said.items():
                    verdicts_of[who][verdict] += 1
            if log:
                print(seed, int(bool(verdicts.contradictions)), file=log, flush=True)
            if k % 100 == 0:
                print(f"{k}/{len(open_models)} models, {bad} contradictions", file=sys.stderr, flush=True)
    for who, count in sorted(verdicts_of.items()):
        print(f"{who}: {count['holds']} holds, {count['violated']} violated")
    print("models: " + ", ".join(f"{what} {n}" for what, n in sorted(tally.items())))
    nobody = len(open_models) >= 20 and not tally["interpreted"]
    if nobody:
        print("the interpreter understood none of the models")
    print(f"summary: contradictions={bad}/{options.count}")
    return 1 if bad or nobody else 0


if __name__ == "__main__":
    sys.exit(main())
