# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""ns-3 trees in general, built by CMake."""

import os
import re

from console import Failure

from launcher.build import compile
from launcher.checkout import ROOT


def version_of(path):
    """The version of an ns-3 tree as numbers; development versions are later than all others."""
    text = (path / "VERSION").read_text().strip()
    numbers = re.match(r"(\d+)\.(\d+)", text)
    if numbers:
        return text, (int(numbers[1]), int(numbers[2]))
    if re.match(r"\d+-dev", text):
        return text, (99, 0)
    return text, (0, 0)


def check_tree(path):
    """The version, if path is an ns-3 tree that can hold the module."""
    if not path.is_dir():
        raise Failure(f"{path} is not a folder")
    if not (path / "VERSION").exists() or not (path / "src/core").is_dir():
        inner = sorted(p.parent for p in path.glob("ns-3*/VERSION"))
        hint = f"; did you mean {inner[0]}?" if inner else ""
        raise Failure(f"{path} is not an ns-3 tree: it has no VERSION or no src/core{hint}")
    text, numbers = version_of(path)
    if numbers < (3, 35):
        raise Failure(f"{path} is ns-3 version {text}; lossless needs 3.35 or later")
    return text, numbers


def link_into(path):
    """Makes contrib/lossless of a tree a link to this checkout; true if it was not yet."""
    link = path / "contrib/lossless"
    if link.is_symlink():
        if link.resolve() == ROOT:
            return False
        if link.exists():
            raise Failure(f"{link} is a link to {link.resolve()}, another copy; remove it first")
        link.unlink()
    elif link.exists():
        if link.resolve() == ROOT:
            return False
        raise Failure(f"{link} exists and is no link; move it away first")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(ROOT)
    return True


class Tree:
    """An ns-3 tree built by CMake with the module linked into it."""

    def __init__(self, path):
        self.path = path
        self.build = path / "cmake-cache"

    def program(self, name):
        """The path of a program of the module: ns3.37-NAME, with the profile's name behind."""
        ending = r"(-(debug|default|release|optimized|relwithdebinfo|minsizerel))?$"
        found = [
            p
            for p in self.path.glob("build/contrib/lossless/**/ns3*")
            if re.fullmatch(rf"ns3[.\w]*(-dev)?-{re.escape(name)}{ending}", p.name)
        ]
        if not found:
            raise Failure(f"the build made no {name} under {self.path}/build/contrib/lossless")
        return max(found, key=lambda p: p.stat().st_mtime)

    def runner(self):
        found = list(self.path.glob("build/utils/ns3*-test-runner*"))
        if not found:
            raise Failure(f"the build made no test-runner under {self.path}/build/utils")
        return max(found, key=lambda p: p.stat().st_mtime)

    def drop_old_headers(self):
        """ns-3 keeps the forwarding header of a file that has moved or gone; remove those."""
        for stub in self.path.glob("build/include/ns3/*.h"):
            if stub.stat().st_size < 1000:
                target = re.match(r'#include "(.*/contrib/lossless/.*)"', stub.read_text())
                if target and not os.path.exists(target[1]):
                    stub.unlink()

    def compile(self, *targets):
        self.drop_old_headers()
        compile(self.build, targets)
