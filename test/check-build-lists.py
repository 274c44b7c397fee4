#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Checks that CMakeLists.txt and the disk name the same files, as wscript reads the former.

An argument names another checkout to look at.
"""

import collections
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True  # or wscript's would lie beside it


def cmake_lists(root, name):
    """The lists of a CMakeLists.txt, as waf gets them."""
    wscript = SourceFileLoader("wscript", str(root / "wscript")).load_module()
    return wscript.cmake_lists(SimpleNamespace(read=(root / name).read_text))


def on_disk(root, *patterns):
    return [str(p.relative_to(root)) for pattern in patterns for p in root.glob(pattern)]


def problems(root):
    """One line for each disagreement."""
    lists = cmake_lists(root, "CMakeLists.txt")
    lists.update(cmake_lists(root, "examples/CMakeLists.txt"))

    runner = "test/test-runner-main.cc"
    expected = {
        "sources": on_disk(root, "model/**/*.cc", "helper/**/*.cc"),
        "headers": on_disk(root, "model/**/*.h", "helper/**/*.h"),
        "test_sources": [f for f in on_disk(root, "test/*.cc") if f != runner],
        "unit_sources": on_disk(root, "test/unit/*.cc"),
        "fuzz_sources": on_disk(root, "test/fuzz/*.cc"),
        "test_programs": [
            f
            for f in on_disk(root, "test/*/*.cc")
            if not f.startswith(("test/unit", "test/bench", "test/fuzz"))
        ],
        "scratch_sources": on_disk(root, "scratch-scenarios/*.cc"),
        "programs": on_disk(root, "examples/*.cc", "test/benchmark/*.cc"),
    }
    # A study is named without its folder and ending; other programs by their path from examples/.
    studies = [f"examples/{name}.cc" for name in lists["studies"]]
    others = [
        str((root / "examples" / path).resolve().relative_to(root.resolve()))
        for path in lists["programs"]
    ]
    lists["programs"] = studies + others

    for what, files in expected.items():
        listed = lists.get(what, [])
        for name, count in collections.Counter(listed).items():
            if count > 1:
                yield f"{name} is listed {count} times"
        for name in sorted(set(files) - set(listed)):
            yield f"{name} is on disk but not in the list lossless_{what}"
        for name in sorted(set(listed) - set(files)):
            yield f"{name} is in the list lossless_{what} but not on disk"

    # ns-3 puts all headers into one folder.
    names = collections.defaultdict(list)
    for header in expected["headers"]:
        names[Path(header).name].append(header)
    for headers in names.values():
        if len(headers) > 1:
            yield "headers of the same name: " + " ".join(sorted(headers))


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
