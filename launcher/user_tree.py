# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The ns-3 tree of a user, NS3_DIR, built by CMake or, as 3.35, by waf."""

import contextlib
import os
import re
from pathlib import Path

from console import Failure, say

from launcher.build import JOBS, configure
from launcher.checkout import ROOT
from launcher.process import PYTHON, succeed
from launcher.trees import Tree, check_tree, link_into


class UserTree(Tree):
    """The tree of NS3_DIR; its settings stay, the module is linked in and enabled."""

    def __init__(self, path):
        super().__init__(path)
        self.version, self.numbers = check_tree(path)
        self.waf = not (path / "CMakeLists.txt").exists()
        # Programs made by waf do not know where their libraries are.
        known = os.environ.get("LD_LIBRARY_PATH")
        os.environ["LD_LIBRARY_PATH"] = f"{path}/build/lib" + (f":{known}" if known else "")
        say(f"using ns-3 {self.version} in {path}")

    @contextlib.contextmanager
    def ready(self):
        new = link_into(self.path)
        if new:
            say(f"linked {self.path}/contrib/lossless to {ROOT}")
        self.drop_old_headers()
        if self.waf:
            self.configure_waf(new)
        else:
            self.configure()
        yield self

    def configure(self):
        settings = self.build / "CMakeCache.txt"
        if settings.exists():
            known = dict(re.findall(r"^(NS3_\w+):\w+=(.*)$", settings.read_text(), re.M))
            options = {"NS3_TESTS": "ON", "NS3_EXAMPLES": "ON"}
            for name in ("NS3_ENABLED_MODULES", "NS3_FILTER_MODULE_EXAMPLES_AND_TESTS"):
                listed = re.split("[;,]", known.get(name, ""))
                if listed != [""] and "lossless" not in listed:
                    options[name] = ";".join(listed + ["lossless"])
        else:
            say("configuring it for the release profile, with lossless and the modules it needs")
            options = {
                "CMAKE_BUILD_TYPE": "release",
                "NS3_TESTS": "ON",
                "NS3_EXAMPLES": "ON",
                "NS3_WARNINGS_AS_ERRORS": "OFF",
                "NS3_ENABLED_MODULES": "lossless",
                "NS3_FILTER_MODULE_EXAMPLES_AND_TESTS": "lossless",
            }
        configure(self.path, self.build, options)

    def as_installed(self):
        """The options that let the module be built alone against this tree."""
        libraries = {}
        for module in ("core", "network", "stats", "bridge", "internet", "traffic-control",
                       "applications"):
            found = [
                p
                for p in self.path.glob(f"build/lib/libns3*-{module}*.so")
                if re.fullmatch(rf"libns3[.\d]*(-dev)?-{module}(-[a-z]+)?\.so", p.name)
                and "-test" not in p.name
            ]
            if not found:
                raise Failure(f"{self.path}/build/lib has no ns-3 library {module}")
            libraries[f"NS3_{module}_LIBRARY"] = max(found, key=lambda p: p.stat().st_mtime)
        headers = self.path / "build" if self.waf else self.path / "build/include"
        return dict(libraries, NS3_INCLUDE_DIR=headers)

    def waf_run(self, *words):
        # 3.35 itself needs both flags with compilers of today.
        env = dict(os.environ, CXXFLAGS="-include cstdint -Wno-error")
        succeed([PYTHON, "./waf", *words], cwd=self.path, env=env)

    def configure_waf(self, new):
        if new or not list(self.path.glob(".lock-waf_*_build")):
            self.waf_run("configure", "-d", "optimized", "--enable-examples", "--enable-tests",
                         "--enable-modules=lossless")

    def compile(self, *targets):
        if self.waf:
            self.waf_run("build", "-j", JOBS)
        else:
            super().compile(*targets)


def user_tree():
    """The tree of NS3_DIR, or None."""
    path = os.environ.get("NS3_DIR")
    return UserTree(Path(path).expanduser().resolve()) if path else None
