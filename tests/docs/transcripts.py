#!/usr/bin/env python3
"""Runs the transcripts in README.md and docs/: every ```console block is executed and its output compared.

In a block, a line `$ command` is run in the repository's root with build/parley first in the PATH, and the lines after
it are the expected output. A line `...` stands for any number of lines, `…` at the end of a line for the rest of it.
Times, rates and memory sizes are not compared. `$?` after a command: a line `[exit N]` states its exit status.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
BUILD = pathlib.Path(sys.argv[2])


def normal(line):
    line = re.sub(r"\b\d+(\.\d+)? s\b", "T s", line)
    line = re.sub(r"[\d,]+ states/s", "R states/s", line)
    line = re.sub(r"\b\d+(\.\d+)? (B|kB|MB|GB)\b", "M B", line)
    return line.rstrip()


def matches(expected, actual):
    """Whether the actual lines fit the expected ones, with `...` as a gap."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    if not actual:
        return False
    want, have = normal(expected[0]), normal(actual[0])
    same = have.startswith(want[:-1]) if want.endswith("…") else want == have
    return same and matches(expected[1:], actual[1:])


def blocks(text):
    for found in re.finditer(r"^```console\n(.*?)^```", text, re.S | re.M):
        yield text[: found.start()].count("\n") + 1, found.group(1).splitlines()


def commands(lines):
    """Commands with their expected output; the text of a here-document (<<'END') belongs to its command."""
    command, expected, reading = None, [], False
    for line in lines:
        if reading:
            command += "\n" + line
            reading = line != "END"
        elif line.startswith("$ "):
            if command is not None:
                yield command, expected
            command, expected = line[2:], []
            reading = line.endswith("<<'END'")
        else:
            expected.append(line)
    if command is not None:
        yield command, expected


def main():
    failures = passed = 0
    environment = dict(os.environ, PATH=f"{BUILD}:{os.environ['PATH']}", NO_COLOR="1", COLUMNS="100")
    files = [ROOT / "README.md"] + sorted((ROOT / "docs").rglob("*.md"))
    for file in files:
        if not file.exists():
            continue
        with tempfile.TemporaryDirectory() as scratch:  # one per page: later blocks may use files of earlier ones
            for entry in ("examples", "docs"):
                if (ROOT / entry).exists():
                    os.symlink(ROOT / entry, pathlib.Path(scratch) / entry)
            for number, lines in blocks(file.read_text()):
                for command, expected in commands(lines):
                    if command.startswith(("make", "git", "sudo")):
                        continue
                    run = subprocess.run(["bash", "-c", command], cwd=scratch, env=environment, text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
                    status = [l for l in expected if re.fullmatch(r"\[exit \d+\]", l)]
                    expected = [l for l in expected if l not in status]
                    while expected and not expected[-1].strip():
                        expected.pop()
                    actual = run.stdout.rstrip("\n").splitlines()
                    ok = matches(expected, actual) and (not status or status[0] == f"[exit {run.returncode}]")
                    if ok and run.returncode not in (0, 1, 2, 3):
                        ok = False
                    passed += ok
                    if not ok:
                        failures += 1
                        print(f"{file.relative_to(ROOT)}:{number}: $ {command.splitlines()[0]}  (exit {run.returncode})")
                        print("  got:")
                        for line in actual[:200]:
                            print("  | " + line)
    print(f"{passed} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
