#!/usr/bin/env python3
"""Conventions that run: includes go down the layers, citations exist, nothing names a machine.

The layers are those of docs/architecture.md; an include may go to a lower layer, to the room itself, or sideways
only where SIDEWAYS says so (the same pairs as in cmake/rooms.cmake).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
LAYERS = [
    ["support", "diag"],
    ["expr"],
    ["model", "system", "solver"],
    ["semantics", "domain", "passes", "verdict", "engine", "property"],
    ["front/text", "front/uml", "front/promela", "lower", "encode"],
    ["explore", "symbolic", "cegar", "hunt", "bounds", "bounds/published", "certify", "report", "export"],
    ["driver"],
    ["cli"],
]
SIDEWAYS = {
    ("diag", "support"),
    ("semantics", "domain"),
    ("passes", "semantics"),
    ("verdict", "semantics"), ("verdict", "domain"), ("verdict", "passes"),
    ("engine", "verdict"), ("engine", "semantics"),
    ("bounds/published", "bounds"),
    ("report", "bounds"), ("report", "bounds/published"), ("report", "cegar"),
}
LEVEL = {room: i for i, rooms in enumerate(LAYERS) for room in rooms}


def room_of(path):
    """The room of a path relative to src/: front ends are two folders deep; src/main.cpp belongs to cli."""
    parts = pathlib.PurePosixPath(path).parts
    if len(parts) == 1:
        return "cli"
    for depth in (2, 1):
        name = "/".join(parts[:depth])
        if len(parts) > depth and name in LEVEL:
            return name
    return parts[0]


def check_layers(problems):
    for file in sorted((ROOT / "src").rglob("*.[ch]pp")):
        relative = file.relative_to(ROOT / "src").as_posix()
        mine = room_of(relative)
        if mine not in LEVEL:
            problems.append(f"src/{relative}: `{mine}` is no room of docs/architecture.md")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = re.match(r'\s*#include "([^"]+)"', line)
            if not found:
                continue
            target = found.group(1)
            if not (ROOT / "src" / target).exists():
                problems.append(f"src/{relative}:{number}: includes {target}, which is not below src/")
                continue
            other = room_of(target)
            if other == mine or (mine, other) in SIDEWAYS:
                continue
            if LEVEL.get(other, 99) >= LEVEL[mine]:
                problems.append(f"src/{relative}:{number}: `{mine}` may not include `{other}`")


def check_headers(problems):
    for file in sorted((ROOT / "src").rglob("*.hpp")):
        text = file.read_text()
        relative = file.relative_to(ROOT)
        if not text.startswith("//"):
            problems.append(f"{relative}: does not open with a paragraph that says what it is")
        if "#pragma once" not in text:
            problems.append(f"{relative}: has no #pragma once")


def check_citations(problems):
    bib = ROOT / "docs" / "refs.bib"
    keys = set(re.findall(r"@\w+\{([\w-]+),", bib.read_text())) if bib.exists() else set()
    for file in sorted((ROOT / "src").rglob("*.[ch]pp")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            for key in re.findall(r"\\cite\{([\w-]+)\}", line):
                if key not in keys:
                    problems.append(f"{file.relative_to(ROOT)}:{number}: no citation key {key} in docs/refs.bib")


def check_paths(problems):
    bad = re.compile(r"(?<![\w.])/(?:work|root|home)/")
    for pattern in ("src/**/*", "tests/**/*", "docs/**/*", "examples/**/*", "bench/**/*", "tools/*", "mk/*", "*.md", "Makefile"):
        for file in sorted(ROOT.glob(pattern)):
            if not file.is_file() or file.suffix in {".png", ".zargo", ".pyc"} or "fuzz/corpus" in file.as_posix():
                continue
            if file == pathlib.Path(__file__).resolve():
                continue
            try:
                text = file.read_text()
            except UnicodeDecodeError:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if bad.search(line):
                    problems.append(f"{file.relative_to(ROOT)}:{number}: names a path of some machine")


def main():
    problems = []
    check_layers(problems)
    check_headers(problems)
    check_citations(problems)
    check_paths(problems)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
