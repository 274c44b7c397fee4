# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Builds with CMake: any folder, and the module by itself."""

import hashlib
import os
import re
import shutil
import subprocess
import sys

from console import Failure, call, say
from files import write_atomically

from launcher.cache import cache, locked
from launcher.checkout import ROOT
from launcher.process import succeed

JOBS = str(len(os.sched_getaffinity(0)))

# For what ./lossless test --sanitize builds. ns-3's libraries are as Debian has built them: memory
# that they get and give is watched all the same, and their classes' types are known. shift-base is
# left out as int64x64_t of ns-3's headers shifts negative numbers, which C++20 defines.
SANITIZE = ("-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined "
            "-fno-sanitize-recover=all -fno-sanitize=shift-base")


def configure(source, build, options):
    """Runs cmake unless it ran with these options before; the generator reruns it by itself."""
    stamp = build / "lossless-options"
    options = [f"-D{name}={value}" for name, value in options.items()]
    text = "\n".join([str(source), *options])
    if stamp.exists() and stamp.read_text() == text:
        return
    known = build / "CMakeCache.txt"  # a folder keeps its generator
    tool = [] if known.exists() else ["-G", "Ninja" if shutil.which("ninja") else "Unix Makefiles"]
    build.mkdir(parents=True, exist_ok=True)
    succeed(["cmake", "-S", source, "-B", build, *tool, *options])
    write_atomically(stamp, text)


def compile(build, targets):
    """Builds targets; on a terminal one sees it, else only an error's output."""
    command = ["cmake", "--build", build, "-j", JOBS, "--target", *targets]
    if sys.stdout.isatty():
        if call(command).returncode:
            raise Failure("the build failed")
        return
    result = call(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    if result.returncode:
        first = re.search(r"^.*(FAILED:|error:|Error)", result.stdout, re.M)
        text = result.stdout[first.start():] if first else result.stdout
        raise Failure("the build failed:\n" + "\n".join(text.splitlines()[:40]))


def alone(purpose, targets, tree=None):
    """Builds the module by itself, against the installed ns-3 or a user's tree."""
    key = f"{ROOT}\n{tree.path if tree else ''}"
    folder = "build/" + ROOT.name + "-" + hashlib.sha256(key.encode()).hexdigest()[:10]
    build = cache(f"{folder}/{purpose}")
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or "",
    }
    if purpose in ("test", "sanitize"):
        options.update(LOSSLESS_TESTS="ON", LOSSLESS_CHECKS="ON")
    if purpose != "test":
        # Fewer, larger files compile faster from scratch.
        options.update(CMAKE_UNITY_BUILD="ON", CMAKE_UNITY_BUILD_BATCH_SIZE="6")
    if purpose == "sanitize":
        options.update(CMAKE_BUILD_TYPE="None", CMAKE_CXX_FLAGS=SANITIZE)
    if tree:
        options.update(tree.as_installed())
    with locked(f"{folder}/{purpose}"):
        if not (build / "lib").exists():
            say("compiling lossless, about a minute the first time")
        configure(ROOT, build, options)
        compile(build, targets)
    return build
