#!/usr/bin/env python3
"""Pages name files that exist, and docs/architecture.md says for each kind of change where to start.

A word in backticks that begins with a folder of the repository is a path; `{a,b}` and `*` mean what they mean in a
shell. The page of changes has one heading per change and below it the files in the order in which to touch them.
"""
import itertools
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
PATH = re.compile(r"`((?:src|tests|docs|cmake|tools|mk|bench|examples)/[\w./{},*-]*)`")
CHANGES = ("operator", "property", "export", "message text", "engine", "UML dialect", "parallel search", "reduction",
           "certificate", "temporal product")


def spellings(path):
    """All paths that a path with braces stands for."""
    parts = [part.split(",") for part in re.split(r"\{([\w.,-]+)\}", path)]
    # Outside of braces a comma is no choice.
    parts = [part if i % 2 else [",".join(part)] for i, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*parts)]


def missing(path):
    return [one for one in spellings(path) if not any(ROOT.glob(one.rstrip("/")))]


def check_pages(problems):
    for page in [*sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("*.md"))]:
        if page.name == "CHANGELOG.md":  # tells of files that were there once
            continue
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for path in PATH.findall(line):
                for one in missing(path):
                    problems.append(f"{page.relative_to(ROOT)}:{number}: there is no {one}")


def check_changes(problems):
    text = (ROOT / "docs" / "architecture.md").read_text()
    page = re.search(r"^## To change .*?$(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not page:
        problems.append("docs/architecture.md: has no page of changes")
        return
    found = {head.strip(): body for head, body in re.findall(r"^### (.*?)$(.*?)(?=^### |\Z)", page[1], re.M | re.S)}
    for change in CHANGES:
        body = next((body for head, body in found.items() if change in head), None)
        if body is None:
            problems.append(f"docs/architecture.md: does not say where to start for a change of: {change}")
        elif len(PATH.findall(body)) < 3:
            problems.append(f"docs/architecture.md: names fewer than three files for a change of: {change}")


def main():
    problems = []
    check_pages(problems)
    check_changes(problems)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
