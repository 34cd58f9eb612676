#!/usr/bin/env python3
"""Nothing in the repository names a path of some machine."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
PATH = re.compile(r"(?<![\w.])/(?:work|root|home)/")
PLACES = ("src/**/*", "tests/**/*", "docs/**/*", "examples/**/*", "bench/**/*", "cmake/*", "tools/*", "mk/*", "*.md",
          "Makefile", "CMakeLists.txt")


def main():
    problems = []
    for pattern in PLACES:
        for file in sorted(ROOT.glob(pattern)):
            if not file.is_file() or file.suffix in {".png", ".zargo", ".pyc"} or "fuzz/corpus" in file.as_posix():
                continue
            if file.resolve() == pathlib.Path(__file__).resolve():
                continue
            try:
                text = file.read_text()
            except UnicodeDecodeError:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if PATH.search(line):
                    problems.append(f"{file.relative_to(ROOT)}:{number}: names a path of some machine")
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
