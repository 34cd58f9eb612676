#!/usr/bin/env python3
"""What docs/limits.md promises, measured on the built program: every engine and command under small limits, signals
at random moments, full disks and closed pipes. One line per case; the last line is for machines.

usage: limits.py PARLEY SOURCE [--quick] [--seed N] [--only TEXT]

--quick is the fast tier: a few cases of each kind, which look at what is said and at what is left, not at the clock.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import xml.etree.ElementTree

import measured
import models

ENGINES = ["explicit", "dfs", "bmc", "kind", "ic3", "cegar", "bounds", "relay"]
FORMATS = ["text", "json", "ndjson", "sarif", "junit", "github"]
SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
EARLY = "never (c in e)"  # of early-violation: decided at once, while the rest takes for ever
SURELY_DECIDED = 1.0  # seconds after which it must be in the answer


class Tier:
    def __init__(self, parley, source, options):
        self.parley, self.quick, self.only = parley, options.quick, options.only
        self.random = random.Random(options.seed)
        self.examples = source / "examples"
        self.counts = dict.fromkeys(("over_time", "over_memory", "lost", "crashes"), 0)
        self.cases = 0
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="limits-"))
        self.model = models.write_all(self.folder)

    def case(self, name, words, *, seconds=None, memory=None, wanted=(), said=None, **how):
        """Runs and judges one case. `wanted` are the exit statuses that are right, `said` judges the run and returns
        what was lost, or nothing."""
        if self.only and self.only not in name:
            return
        before = self.files()
        done = measured.run([self.parley, *words], **how)
        problems = []
        if done.crashed:
            problems.append(("crashes", f"status {done.status}"))
        elif wanted and done.status not in wanted:
            problems.append(("lost", f"status {done.status}, not {' or '.join(map(str, wanted))}"))
        if seconds is not None and not self.quick and done.seconds > seconds + max(seconds / 10, 0.5):
            problems.append(("over_time", f"{done.seconds - seconds:.2f} s over"))
        if memory is not None and not self.quick and done.peak_bytes > memory * 1.1:
            problems.append(("over_memory", f"{(done.peak_bytes - memory) / 1e6:.0f} MB over"))
        if said and not done.crashed and (lost := said(done)):
            problems.append(("lost", lost))
        left = {f for f in self.files() - before if ".parley-" in f}
        if left:
            problems.append(("lost", f"left behind: {', '.join(sorted(left))}"))
        for kind, _ in problems:
            self.counts[kind] += 1
        self.cases += 1
        print(f"{name:<58} {done.seconds:6.2f} s {done.peak_bytes / 1e6:7.0f} MB  status {done.status:>3}  "
              + ("; ".join(f"{kind}: {text}" for kind, text in problems) or "ok"), flush=True)
        if problems and done.err:
            print("    " + done.err.strip().splitlines()[-1][:160], flush=True)

    def files(self):
        return {str(p) for p in self.folder.rglob("*")} | {str(p) for p in self.folder.rglob(".*")}

    # Every engine and command under small limits.

    def engines(self):
        heavy = {"two-phase-commit": [self.examples / "two-phase-commit-fixed.ply", "--set", "N=8"],
                 "two-phase-commit-bad": [self.examples / "two-phase-commit.ply"],
                 "account-fee": [self.examples / "wide" / "account-fee.ply"],
                 "long-step": [self.model["long-step"]], "two-states": [self.model["two-states"]],
                 "wide-choice": [self.model["wide-choice"]], "early-violation": [self.model["early-violation"]]}
        for engine in ENGINES:
            for name, words in heavy.items():
                self.limited(f"check {name} --engine {engine}", ["check", *words, "--engine", engine],
                             early=name == "early-violation" and engine in ("explicit",))
        for name, words in heavy.items():
            self.limited(f"check {name}", ["check", *words])

    def limited(self, name, words, early=False):
        for seconds in [0.2] if self.quick else [0.2, 1, 3]:
            self.case(f"{name} --time {seconds}", [*words, "--time", seconds], seconds=seconds, wanted=(0, 1, 2),
                      said=says_early if early and seconds >= SURELY_DECIDED else None)
        for megabytes in [100] if self.quick else [50, 100, 300]:
            self.case(f"{name} --memory {megabytes}M", [*words, "--memory", f"{megabytes}M", "--time", 5], seconds=5,
                      memory=megabytes * 1e6, wanted=(0, 1, 2))

    def commands(self):
        large = [self.examples / "two-phase-commit-fixed.ply", "--set", "N=7"]
        for name, words in {
                "explore": ["explore", *large], "explore --dfs": ["explore", *large, "--dfs"],
                "explore --graph": ["explore", *large, "--graph", "dot", "--states", "10M"],
                "bounds": ["bounds", *large], "bounds --published": ["bounds", *large, "--published"],
                "abstract": ["abstract", self.examples / "wide" / "fragments.ply"],
                "explain-cex": ["explain-cex", self.examples / "wide" / "account-fee.ply"],
                "simulate": ["simulate", *large, "--steps", "100M"],
                "simulate one long step": ["simulate", self.model["long-step"]],
                "info": ["info", *large], "draw": ["draw", *large], "export": ["export", *large, "--as", "smv"],
                "fmt": ["fmt", large[0]], "import": ["import", self.examples / "uml" / "turnstile.uml"]}.items():
            self.limited(name, words)

    # Signals at random moments, in every format.

    def signals(self):
        for i in range(6 if self.quick else 60):
            number, status = self.random.choice(list(SIGNALS.items()))
            # The fast tier shares the machine with other tests: late enough for any load.
            after = 3 * SURELY_DECIDED if self.quick else round(self.random.uniform(0.02, 2), 2)
            form = FORMATS[i % len(FORMATS)]
            page = self.folder / f"page{i}.html"
            self.case(f"SIG{number.name[3:]} after {after} s, {form}",
                      ["check", self.model["early-violation"], "--engine", "explicit", "--format", form, "--html", page],
                      signal_after=(after, number), wanted=(status,),
                      said=lambda run, form=form, after=after, page=page: says_it(run, form, after, page))
        for command in (["simulate", self.model["long-step"]], ["bounds", self.examples / "two-phase-commit-fixed.ply"],
                        ["check", self.model["two-states"], "--engine", "bmc"],
                        ["explore", self.examples / "two-phase-commit-fixed.ply", "--set", "N=7"]):
            self.case(f"SIGINT after 0.5 s: {command[0]}", command, signal_after=(0.5, signal.SIGINT), wanted=(130, 0, 2))

    # Output that cannot be written.

    def output(self):
        atm = self.examples / "atm.ply"
        trace = self.folder / "atm.json"
        measured.run([self.parley, "check", atm, "--trace", trace])
        says = {"check": ["check", atm], "check --format json": ["check", atm, "--format", "json"],
                "simulate": ["simulate", atm], "explore": ["explore", atm], "explore --graph": ["explore", atm, "--graph", "dot"],
                "replay": ["replay", atm, trace], "bounds": ["bounds", atm, "--time", "2"],
                "abstract": ["abstract", self.examples / "wide" / "account.ply"], "fmt": ["fmt", atm],
                "explain-cex": ["explain-cex", self.examples / "wide" / "account-fee.ply"],
                "import": ["import", self.examples / "uml" / "turnstile.uml"], "info": ["info", atm],
                "draw": ["draw", atm, "--as", "dot"], "export": ["export", atm, "--as", "smv"],
                "explain": ["explain", "too-deep"], "completion": ["completion", "bash"], "man": ["man"], "--help": ["--help"]}
        for name, words in says.items():
            with open("/dev/full", "wb") as full:
                self.case(f"{name} > /dev/full", words, stdout=full, wanted=(3,), said=complains)
            reader, writer = os.pipe()
            os.close(reader)
            self.case(f"{name} | (nobody)", words, stdout=writer, wanted=(3,), said=complains)
            os.close(writer)
        writes = {"--html": ["check", atm, "--html"], "--trace": ["check", atm, "--trace"],
                  "--annotate": ["check", atm, "--annotate"], "simulate --trace": ["simulate", atm, "--trace"],
                  "bounds --html": ["bounds", atm, "--time", "2", "--html"],
                  "import --output": ["import", self.examples / "uml" / "turnstile.uml", "--output"]}
        for name, words in writes.items():
            for where in ("/dev/full", self.folder / "missing" / "file", self.folder):
                self.case(f"{name} {where}", [*words, where], wanted=(3,), said=complains)
            old = self.folder / "old"
            old.write_text("old")
            reader, writer = os.pipe()
            self.case(f"{name} on a full disk", [*words, old], file_bytes=100, wanted=(3,), stdout=writer,
                      said=lambda run, old=old: complains(run) or (old.read_text() != "old" and "the old file"))
            os.close(reader)
            os.close(writer)
        model = self.folder / "unformatted.ply"
        text = atm.read_text().replace("  ", "     ")
        model.write_text(text)
        self.case("fmt -w on a full disk", ["fmt", "-w", model], file_bytes=100, wanted=(3,),
                  said=lambda run: model.read_text() != text and "the model")

    def handing_over(self):
        """`verify` becomes another program, which must find the signals as parley found them."""
        home = self.folder / "bin"
        home.mkdir()
        shutil.copy(self.parley, home / "parley")
        verifier = home / "parley-verify"
        verifier.write_text("#!/bin/sh\nexec cat /proc/self/status\n")
        verifier.chmod(0o755)

        def found(run):
            masks = {line.split(":")[0]: int(line.split()[1], 16) for line in run.out.splitlines() if line.startswith("Sig")
                     and not line.startswith("SigQ")}
            return (masks["SigBlk"] or masks["SigIgn"] >> (signal.SIGPIPE - 1) & 1) and "signals stay blocked or ignored"

        parley, self.parley = self.parley, home / "parley"
        self.case("verify hands the signals over", ["verify", "model", "certificate"], wanted=(0,), said=found)
        self.parley = parley

    def summary(self):
        print(f"{self.cases} cases")
        print("summary: " + " ".join(f"{kind}={n}" for kind, n in self.counts.items()))
        return 1 if any(self.counts.values()) or self.cases == 0 else 0


def complains(run):
    return None if "cannot be written" in run.err else "nothing on the standard error"


def says_early(run):
    return None if "violated" in run.out and EARLY in run.out else "the violation"


def says_it(run, form, after, page):
    """What is missing in the answer after a signal. Before the model was loaded there is none."""
    if after < SURELY_DECIDED:
        return None if run.out or run.err else "no word"
    try:
        if form == "json":
            json.loads(run.out)
        elif form == "ndjson":
            [json.loads(line) for line in run.out.splitlines()]
        elif form == "sarif":
            json.loads(run.out)
        elif form == "junit":
            xml.etree.ElementTree.fromstring(run.out)
    except (ValueError, xml.etree.ElementTree.ParseError) as problem:
        return f"not {form}: {problem}"
    if not page.exists() or not page.read_text().rstrip().endswith("</html>"):
        return "the page"
    return None if EARLY in run.out.replace("&gt;", ">") else "the violation"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("parley", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    tier = Tier(options.parley.resolve(), options.source.resolve(), options)
    if options.quick:
        tier.limited("check early-violation", ["check", tier.model["early-violation"]])
        tier.limited("check long-step --engine ic3", ["check", tier.model["long-step"], "--engine", "ic3"])
    else:
        tier.engines()
        tier.commands()
    tier.signals()
    tier.output()
    tier.handing_over()
    shutil.rmtree(tier.folder)
    return tier.summary()


if __name__ == "__main__":
    sys.exit(main())
