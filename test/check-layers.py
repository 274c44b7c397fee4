#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Checks that includes go down the floors of the house only, and that each file is in a room.

An argument names another checkout to look at.
"""

import re
import sys
from pathlib import Path

# From the ground to the roof. Rooms of one floor do not know each other.
FLOORS = (
    ("model",),  # lossless-compat.h: what differs between releases of ns-3
    ("model/text", "model/time"),
    ("model/frame", "model/frame/wire"),
    ("model/detector", "model/control"),
    ("model/link",),
    ("model/switch", "model/rdma"),
    ("model/traffic",),
    ("model/measure",),
    ("helper/fabric",),
    ("helper/topology",),
    ("helper/paper",),
    ("helper/study",),
)
# A frame and its formats on the wire are two rooms of one idea.
NEIGHBOURS = {frozenset(("model/frame", "model/frame/wire"))}


def problems(root):
    """One line for each include that goes up or sideways, and for each file without a room."""
    floor_of = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
    files = {
        path: str(path.parent.relative_to(root))
        for top in ("model", "helper")
        for path in sorted((root / top).rglob("*"))
        if path.suffix in (".h", ".cc")
    }
    rooms = {path.name: room for path, room in files.items() if path.suffix == ".h"}
    for path, room in files.items():
        name = path.relative_to(root)
        if room not in floor_of:
            yield f"{name}: {room} is no room of test/check-layers.py"
            continue
        for header in re.findall(r'^#include "(?:ns3/)?([^"/]+)"', path.read_text(), re.M):
            other = rooms.get(header, room)
            if other == room or other not in floor_of or {room, other} in NEIGHBOURS:
                continue
            if floor_of[other] >= floor_of[room]:
                yield f"{name} includes {header} of {other}, which is not below {room}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    found = list(problems(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
