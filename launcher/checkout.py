# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What this checkout holds: studies and programs, as its CMakeLists.txt name them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def cmake_list(file, name):
    """The items of a list of one of the CMakeLists.txt; none if there is no such list."""
    found = re.search(rf"\bset\({name}\b([^()]*)\)", re.sub(r"#.*", "", (ROOT / file).read_text()))
    return found[1].split() if found else []


def studies():
    """The names of all studies."""
    return cmake_list("examples/CMakeLists.txt", "lossless_studies")


def programs():
    """All programs of examples/CMakeLists.txt."""
    others = cmake_list("examples/CMakeLists.txt", "lossless_programs")
    return [f"lossless-{study}" for study in studies()] + [Path(other).stem for other in others]


def describe(study):
    """The first sentence of the comment that opens a study."""
    for line in (ROOT / f"examples/{study}.cc").read_text().splitlines():
        text = line.lstrip("/* ").strip()
        if line.startswith(("//", "/*", " *")) and text:
            if not text.startswith(("SPDX-", "Copyright")):
                return re.sub(r"^[@\\]\w+\s*", "", text)
        elif line.strip() and not line.startswith(("//", "/*", " *")):
            break
    return ""


def list_studies():
    """All studies with what they are, for the help."""
    width = max(map(len, studies()), default=0)
    return "studies:\n" + "\n".join(f"  {s:<{width}} {describe(s)}".rstrip() for s in studies())
