#!/usr/bin/env python3
"""Deep, long, wide and endlessly shared models (hostile_models.py) in every front end and command: each ends with an
answer or a diagnostic, with the stack that the system gives and within limits of processor time and address space. The
clock is not looked at. One line per failure; the last line is for machines.

usage: hostile.py PARLEY [--quick] [--only TEXT]

--quick is the fast tier: `info` for all sizes, which reads, resolves, lowers and measures.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import hostile_models

SECONDS = 60  # of processor time; an endless walk must not hang the tests
BYTES = 4 << 30  # of address space
SMALL = ["--time", "2", "--memory", "1G"]
COMMANDS = [["info"], ["fmt"], ["draw"], ["simulate"], ["explore", "--states", "100"], ["bounds", *SMALL]]
COMMANDS += [["export", "--as", form] for form in ("aiger", "btor2", "smtlib", "smv", "promela")]
COMMANDS += [["check", *SMALL, "--engine", engine]
             for engine in ("explicit", "dfs", "bmc", "kind", "ic3", "cegar", "bounds", "relay")]
COMMANDS += [["check", *SMALL, "--format", form] for form in ("json", "sarif", "junit", "github")]
ANSWERS = (0, 1, 2, 3)
# Why a model of this kind may be refused; anything else is a mistake in the model, and the test would test nothing.
REFUSALS = ("too-deep", "too-many", "too-many-routes", "too-many-reactions", "too-many-processes", "too-large",
            "model-too-large", "preprocessor-limit", "xml-limit", "uml-text")


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def problem_of(parley, command, path):
    """What is wrong with the answer; None if nothing is."""
    done = subprocess.run([parley, command[0], str(path), *command[1:]], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, preexec_fn=limited, check=False)
    if done.returncode not in ANSWERS:
        return f"exit status {done.returncode}: {done.stderr[:200]}"
    if done.returncode == 3 and command[0] == "info" and not any(f"[{code}]" in done.stderr for code in REFUSALS):
        return f"refused for another reason than its size: {done.stderr[:200]}"
    if done.returncode != 3 and command[-1] == "json":
        json.loads(done.stdout)
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parley")
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    commands = COMMANDS[:1] if options.quick else COMMANDS
    runs = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (suffix, maker, sizes) in hostile_models.MODELS.items():
            if options.only not in name:
                continue
            for size in sizes:
                path = pathlib.Path(folder) / f"{name}.{suffix}"
                path.write_text(maker(size))
                for command in commands:
                    runs += 1
                    problem = problem_of(options.parley, command, path)
                    if problem:
                        failures += 1
                        print(f"{name} {size}, {' '.join(command)}: {problem}", flush=True)
    print(f"summary: hostile_runs={runs} failures={failures}")
    return 1 if failures or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
