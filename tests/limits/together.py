#!/usr/bin/env python3
"""Runs commands one after the other and joins their last lines `summary: name=value …` into one, the last of all.

`together.py COMMAND…`, each a shell command; its output is passed on as it comes. A command that fails, or that has no
summary, makes the whole fail; the others are still run.
"""
import subprocess
import sys


def run(command):
    """The fields of the command's summary and whether all was well."""
    fields = ""
    with subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.startswith("summary: "):
                fields = line[len("summary: "):].strip()
            else:
                print(line, end="", flush=True)
    if not fields:
        print(f"no summary from: {command}", flush=True)
    return fields, process.returncode == 0 and bool(fields)


def main():
    results = [run(command) for command in sys.argv[1:]]
    print("summary: " + " ".join(fields for fields, _ in results if fields))
    return 0 if all(fine for _, fine in results) else 1


if __name__ == "__main__":
    sys.exit(main())
