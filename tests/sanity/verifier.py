#!/usr/bin/env python3
"""The program that checks certificates has nothing of the engines in it.

By the table of rooms (cmake/rooms.cmake): neither `verify` nor anything below it is an engine, the driver or a solver of
theirs. And by the program itself, where it was built: none of its symbols belongs to such a room.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import layers

FORBIDDEN = ("explore", "symbolic", "cegar", "bounds", "bounds/published", "driver", "encode", "solver/sat", "solver/smt",
             "solver/ilp", "report", "cli")


def below(room, rooms):
    found = {room}
    for other in rooms[room]:
        found |= below(other, rooms)
    return found


def main():
    build = pathlib.Path(sys.argv[2])
    problems = [f"cmake/rooms.cmake: verify uses {room}, which is no part of a checker"
                for room in sorted(below("verify", layers.declared_rooms()) & set(FORBIDDEN))]
    program = build / "parley-verify"
    if not program.exists():
        problems.append(f"{program} was not built")
    else:
        symbols = subprocess.run(["nm", "--demangle", str(program)], text=True, capture_output=True, check=True).stdout
        if "parley::verify::" not in symbols:
            problems.append(f"{program} has no symbols to look at")
        for room in FORBIDDEN:
            if f"parley::{room.replace('/', '::')}::" in symbols:
                problems.append(f"{program} has symbols of {room}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
