#!/usr/bin/env python3
"""Conventions that run: a source file of more than 600 lines says in its first comment why it is that long.

The words are "Long because: …", in the comment that the file opens with.
"""
import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
MOST = 600
REASON = "Long because: "


def head_comment(lines):
    """The lines of comment before the first line that is none."""
    head = []
    for line in lines:
        if not line.startswith(("//", "#", "<!--", "/*", " *")):
            break
        head.append(line)
    return "\n".join(head)


def problems_below(root):
    for file in sorted((root / "src").rglob("*")):
        if file.suffix not in {".cpp", ".hpp", ".js", ".css", ".html"}:
            continue
        lines = file.read_text().splitlines()
        if len(lines) > MOST and REASON not in head_comment(lines):
            yield f"{file.relative_to(root)}: {len(lines)} lines, and its first comment gives no reason (`{REASON}…`)"


def main():
    problems = list(problems_below(ROOT))
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
