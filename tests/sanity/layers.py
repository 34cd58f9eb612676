#!/usr/bin/env python3
"""The rooms: who may include whom.

cmake/rooms.cmake is the only table: it declares the rooms of src/ and which others each uses. Checked here: a room
uses only rooms declared before it (so there is no cycle, and CMake links what is written); includes stay within
what is declared, directly or through others; the picture in docs/architecture.md has the same rooms, and nothing in
it uses something above itself; folders below a room make no cycle either; every header says what it is.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])


def declared_rooms():
    """Room -> rooms it uses, in the order of declaration."""
    rooms = {}
    text = re.sub(r"#.*", "", (ROOT / "cmake" / "rooms.cmake").read_text())
    for words in re.findall(r"parley_room\(([^)]*)\)", text):
        name, *uses = words.split()
        rooms[name] = uses
    return rooms


def drawn_layers():
    """Room -> number of its layer in the picture of docs/architecture.md."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    picture = re.search(r"^## Layers$.*?^```\n(.*?)^```$", text, re.M | re.S).group(1)
    layers = {}
    for line in picture.splitlines():
        number, *names = line.split()
        for name in names:
            folder = re.fullmatch(r"(\w+)/\{([\w,]+)\}", name)
            for room in [f"{folder[1]}/{part}" for part in folder[2].split(",")] if folder else [name]:
                layers[room] = int(number)
    return layers


def check_declarations(rooms, layers, problems):
    for room in rooms.keys() - layers.keys():
        problems.append(f"docs/architecture.md: the picture of the layers lacks {room}")
    for room in layers.keys() - rooms.keys():
        problems.append(f"docs/architecture.md: {room} is in the picture and not in cmake/rooms.cmake")
    seen = set()
    for room, uses in rooms.items():
        for other in uses:
            if other not in seen:
                problems.append(f"cmake/rooms.cmake: {room} uses {other}, which is not declared before it")
            elif layers.get(other, 0) > layers.get(room, 99):
                problems.append(f"cmake/rooms.cmake: {room} uses {other}, which is above it in docs/architecture.md")
        seen.add(room)


def room_of(path, rooms):
    """The room of a path below src/: the longest that fits; src/main.cpp belongs to cli."""
    if len(path.parts) == 1:
        return "cli"
    for depth in range(len(path.parts) - 1, 0, -1):
        name = "/".join(path.parts[:depth])
        if name in rooms:
            return name
    return None


def reachable(rooms):
    """Room -> everything it uses, directly or through others."""
    result = {}
    for room, uses in rooms.items():
        result[room] = set(uses).union(*(result.get(other, set()) for other in uses))
    return result


def includes():
    """(file, line number, included path), all relative to src/."""
    for file in sorted((ROOT / "src").rglob("*.[ch]pp")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = re.match(r'\s*#include "([^"]+)"', line)
            if found:
                yield file.relative_to(ROOT / "src"), number, pathlib.Path(found.group(1))


def check_includes(rooms, problems):
    allowed = reachable(rooms)
    for file, number, target in includes():
        if not (ROOT / "src" / target).exists():
            problems.append(f"src/{file}:{number}: includes {target}, which is not below src/")
            continue
        mine, other = room_of(file, rooms), room_of(target, rooms)
        if mine is None:
            problems.append(f"src/{file}: is in no room of cmake/rooms.cmake")
        elif other != mine and other not in allowed[mine]:
            problems.append(f"src/{file}:{number}: `{mine}` may not include `{other}`")


def check_folders(problems):
    """No cycle between folders: those without anything left to wait for are taken away until none is left."""
    graph = {}
    for file, _, target in includes():
        graph.setdefault(file.parent, set())
        if target.parent != file.parent and (ROOT / "src" / target).exists():
            graph[file.parent].add(target.parent)
    while free := [folder for folder, uses in graph.items() if not uses & graph.keys()]:
        for folder in free:
            del graph[folder]
    if graph:
        problems.append("folders that include each other: " + ", ".join(sorted(map(str, graph))))


def check_headers(problems):
    for file in sorted((ROOT / "src").rglob("*.hpp")):
        text = file.read_text()
        relative = file.relative_to(ROOT)
        if not text.startswith("//"):
            problems.append(f"{relative}: does not open with a paragraph that says what it is")
        if "#pragma once" not in text:
            problems.append(f"{relative}: has no #pragma once")


def main():
    problems = []
    rooms = declared_rooms()
    check_declarations(rooms, drawn_layers(), problems)
    check_includes(rooms, problems)
    check_folders(problems)
    check_headers(problems)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
