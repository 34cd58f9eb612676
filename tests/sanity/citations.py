#!/usr/bin/env python3
"""Citations: `leue2005` in a comment or a page, with a section or figure behind it, is a key of docs/refs.bib.

A key is the first author's name in small letters and the year. Checked: every key that is used exists, every entry
is used, none is there twice, each is whole. `paper 003` is refused: it means something only where the papers lie.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
KEY = re.compile(r"(?<![\w./-])([a-z]{3,}(?:19|20)\d\d[a-z]?|pssm)(?![\w/-]|\.\w)")
COMMENT = re.compile(r"//.*|/\*.*?\*/|#.*")
FIELDS = ("author", "title", "year")


def entries(problems):
    """The keys of docs/refs.bib; what is wrong with their entries goes to the problems."""
    keys = set()
    for block in re.split(r"^(?=@)", (ROOT / "docs" / "refs.bib").read_text(), flags=re.M):
        head = re.match(r"@\w+\{([\w-]+),", block)
        if not head:
            if block.strip():
                problems.append(f"docs/refs.bib: not an entry: {block.strip()[:40]}")
            continue
        key = head.group(1)
        if key in keys:
            problems.append(f"docs/refs.bib: {key} is there twice")
        if block.count("{") != block.count("}") or not block.rstrip().endswith("}"):
            problems.append(f"docs/refs.bib: {key} is not closed")
        for field in FIELDS:
            if not re.search(rf"^\s*{field}\s*=\s*\{{", block, re.M):
                problems.append(f"docs/refs.bib: {key} has no {field}")
        year = re.search(r"(?:19|20)\d\d", key)
        if year and f"{{{year.group()}}}" not in block:
            problems.append(f"docs/refs.bib: {key} is of another year")
        keys.add(key)
    return keys


def citations():
    """(file, line number, comment or line of a page)"""
    for pattern in ("src/**/*", "tests/**/*", "bench/**/*", "tools/*", "docs/**/*.md", "*.md"):
        for file in sorted(ROOT.glob(pattern)):
            if file.suffix not in {".cpp", ".hpp", ".js", ".mjs", ".py", ".md"}:
                continue
            if file.resolve() == pathlib.Path(__file__).resolve():
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                for text in [line] if file.suffix == ".md" else COMMENT.findall(line):
                    yield file.relative_to(ROOT), number, text


def main():
    problems = []
    keys = entries(problems)
    used = set()
    for file, number, text in citations():
        for key in KEY.findall(text):
            used.add(key)
            if key not in keys:
                problems.append(f"{file}:{number}: no citation key {key} in docs/refs.bib")
        if re.search(r"\bpapers? 00\d", text):
            problems.append(f"{file}:{number}: cite by key, not by the number of a paper")
    for key in sorted(keys - used):
        problems.append(f"docs/refs.bib: nobody cites {key}")
    for problem in problems:
        print(problem)
    print(f"{len(keys)} keys, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
