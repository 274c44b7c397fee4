# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The ns-3 trees that the launcher makes itself, of Debian's source package."""

import contextlib
import json
import re
import shutil
import tarfile
import time

from console import Failure, say
from files import write_atomically

from launcher.build import compile, configure
from launcher.cache import cache, locked
from launcher.checkout import ROOT
from launcher.packages import download_source
from launcher.process import succeed
from launcher.trees import Tree


class OwnTree(Tree):
    """A tree in the cache, made of Debian's source package: only the modules needed."""

    MODULES = ("core", "stats", "network", "bridge", "traffic-control", "internet", "applications")
    FILES = ("CMakeLists.txt", "VERSION", "LICENSE", "test.py", "utils.py", "src/CMakeLists.txt",
             "examples/CMakeLists.txt", "scratch/CMakeLists.txt")
    OPTIONS = {
        "release": {
            "CMAKE_BUILD_TYPE": "release",
            "CMAKE_CXX_FLAGS": "-fno-semantic-interposition",
        },
        "debug": {  # with asserts and logs; optimised a little, or the suites take too long
            "CMAKE_BUILD_TYPE": "debug",
            "CMAKE_CXX_FLAGS_DEBUG": "-O1 -g1",
        },
    }
    COMMON = {
        "NS3_TESTS": "ON",
        "NS3_EXAMPLES": "ON",
        "NS3_FILTER_MODULE_EXAMPLES_AND_TESTS": "lossless",
        "NS3_WARNINGS_AS_ERRORS": "OFF",
        "NS3_GSL": "OFF",
        "NS3_SQLITE": "OFF",
        "NS3_GTK3": "OFF",
        "NS3_EMU": "OFF",
        "NS3_TAP": "OFF",
        "NS3_VISUALIZER": "OFF",
    }

    def __init__(self, profile):
        super().__init__(cache() / f"ns-3-{profile}")
        self.profile = profile
        self.options = dict(self.COMMON, **self.OPTIONS[profile])

    @contextlib.contextmanager
    def ready(self):
        """The finished tree with this checkout in it, kept from other processes."""
        with locked(self.path.name):
            self.make()
            self.take_module()
            yield self

    def make(self):
        compiler = succeed(["g++", "--version"]).splitlines()[0]
        recipe = json.dumps([1, self.MODULES, self.options, compiler, shutil.which("ccache")])
        stamp = self.path / "lossless-stamp"
        if stamp.exists() and stamp.read_text() == recipe:
            return
        say(f"making ns-3 ({self.profile}) in {self.path}, once; some minutes")
        start = time.monotonic()
        source = self.source()
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(source, self.path)
        configure(self.path, self.build, self.options)
        compile(self.build, ["test-runner"])
        write_atomically(stamp, recipe)
        say(f"ns-3 ({self.profile}) made in {time.monotonic() - start:.0f} s")

    def take_module(self):
        link = self.path / "contrib/lossless"
        if not link.is_symlink() or link.resolve() != ROOT:
            # The former checkout's objects may be newer than this one's sources.
            for stale in ("build/contrib", "cmake-cache/contrib"):
                shutil.rmtree(self.path / stale, ignore_errors=True)
            for stale in self.path.glob("build/lib/libns3*lossless*"):
                stale.unlink()
            (self.build / "lossless-options").unlink(missing_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(ROOT)
            self.drop_old_headers()
        configure(self.path, self.build, self.options)

    @classmethod
    def source(cls):
        """The unpacked and reduced source of ns-3."""
        folder = cache() / "ns-3-source"
        with locked(folder.name):
            if not folder.exists():
                say("fetching ns-3's source package with apt-get")
                work = cache() / "ns-3-download"
                shutil.rmtree(work, ignore_errors=True)
                work.mkdir()
                cls.unpack(download_source(work), work / "ns-3")
                (work / "ns-3").rename(folder)  # at once, so that the folder is never half full
                shutil.rmtree(work)
        return folder

    @classmethod
    def wanted(cls, name):
        part = name.split("/")
        if part[0] in ("build-support", "utils") or name in cls.FILES:
            return True
        if part[0] != "src" or len(part) < 4 and name not in [
            f"src/{m}/CMakeLists.txt" for m in cls.MODULES
        ]:
            return False
        # Of the tests only headers stay: some modules count them as their own sources.
        return part[1] in cls.MODULES and (
            part[2] not in ("doc", "examples", "bindings", "test") or
            part[2] == "test" and name.endswith(".h")
        )

    @classmethod
    def unpack(cls, archive, folder):
        with tarfile.open(archive) as tar:
            for member in tar:
                inside = re.search(r"(?:^|/)ns-3[^/]*/(.+)$", member.name)
                if member.isfile() and inside and cls.wanted(inside[1]):
                    path = folder / inside[1]
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(tar.extractfile(member).read())
        if not (folder / "VERSION").exists():
            raise Failure(f"{archive.name} holds no ns-3 tree")
        # test-runner wants this module of tests; none of its tests is needed.
        (folder / "src/test").mkdir()
        (folder / "src/test/CMakeLists.txt").write_text(
            "add_library(${libtest} OBJECT ${PROJECT_SOURCE_DIR}/build-support/empty.cc)\n"
        )
        (folder / "contrib").mkdir()
