#!/usr/bin/env python3
"""Every header of src/ compiles alone, with the flags of the build: it includes what it uses.

usage: headers.py SOURCE BUILD. Takes the flags of src/main.cpp from BUILD/compile_commands.json; slow tier.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def flags(build):
    """The compiler and its flags, without what names input and output."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith("src/main.cpp"):
            words = shlex.split(entry["command"])
            if pathlib.Path(words[0]).name == "ccache":
                del words[0]
            kept, skip = [], False
            for word in words:
                if skip or word in ("-c", entry["file"]):
                    skip = False
                elif word in ("-o", "-MF", "-MT"):
                    skip = True
                elif word not in ("-MD", "-MMD"):
                    kept.append(word)
            return kept, entry["directory"]
    sys.exit("src/main.cpp is not in compile_commands.json")


def main():
    source, build = map(pathlib.Path, sys.argv[1:])
    command, directory = flags(build)

    def complaint(header):
        text = f'#include "{header.relative_to(source / "src").as_posix()}"\n'
        done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=text, cwd=directory,
                              capture_output=True, text=True, check=False)
        return f"{header.relative_to(source)} does not compile alone:\n{done.stderr}" if done.returncode else None

    headers = sorted((source / "src").rglob("*.hpp"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [c for c in pool.map(complaint, headers) if c]
    for problem in problems:
        print(problem)
    print(f"{len(headers)} headers, {len(problems)} problems")
    return 1 if problems or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
