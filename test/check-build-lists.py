#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Checks that CMakeLists.txt, wscript and the files on disk name the same files.

An argument names another checkout to look at.
"""

import ast
import collections
import re
import sys
from pathlib import Path


def cmake_lists(path):
    """The plain `set(name item...)` lists of a CMake file."""
    text = re.sub(r"#.*", "", path.read_text())
    return {
        name: items.split()
        for name, items in re.findall(r"\bset\(\s*(lossless_\w+)([^()]*)\)", text)
    }


def python_lists(path):
    """The `name = [...]` lists of a wscript, by name."""
    return {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in ast.parse(path.read_text()).body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.List)
    }


def on_disk(root, *patterns):
    return [str(p.relative_to(root)) for pattern in patterns for p in root.glob(pattern)]


def problems(root):
    """One line for each disagreement."""
    cmake = cmake_lists(root / "CMakeLists.txt")
    cmake.update(cmake_lists(root / "examples/CMakeLists.txt"))
    waf = python_lists(root / "wscript")
    waf.update(python_lists(root / "examples/wscript"))

    runner = "test/test-runner-main.cc"
    programs = on_disk(root, "examples/*.cc", "test/benchmark/*.cc")
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
        "programs": programs,
    }
    # A study is named without its folder and ending; other programs by their path from examples/.
    for lists, prefix in ((cmake, "lossless_"), (waf, "")):
        studies = [f"examples/{name}.cc" for name in lists.pop(prefix + "studies", [])]
        others = [
            str((root / "examples" / path).resolve().relative_to(root.resolve()))
            for path in lists.get(prefix + "programs", [])
        ]
        lists[prefix + "programs"] = studies + others

    for what, files in expected.items():
        found = [("CMakeLists.txt", cmake.get("lossless_" + what, []))]
        alone = ("unit_sources", "fuzz_sources", "test_programs", "scratch_sources")
        if what not in alone:  # else built alone only
            found.append(("wscript", waf.get(what, [])))
        for where, listed in found:
            for name, count in collections.Counter(listed).items():
                if count > 1:
                    yield f"{where}: {name} is listed {count} times"
            for name in sorted(set(files) - set(listed)):
                yield f"{where}: {name} is on disk but not in the list of {what}"
            for name in sorted(set(listed) - set(files)):
                yield f"{where}: {name} is in the list of {what} but not on disk"

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
