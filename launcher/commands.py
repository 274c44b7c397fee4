# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The commands but for the tests."""

import re
import signal
import subprocess
from pathlib import Path

import console
from console import Failure, call, say

from launcher.arguments import nearest, one_option
from launcher.build import alone
from launcher.checkout import ROOT, list_studies, studies
from launcher.own_tree import OwnTree
from launcher.packages import ALONE, COMPILING, need
from launcher.process import PYTHON
from launcher.trees import check_tree, link_into
from launcher.user_tree import user_tree


def run(arguments):
    """Builds a study, runs it and draws its figures."""
    if not arguments or arguments[0].startswith("-"):
        raise Failure(f"run needs the name of a study\n{list_studies()}")
    study, rest = arguments[0], arguments[1:]
    if study not in studies():
        raise Failure(f"no study {study}{nearest(study, studies())}\n{list_studies()}")
    out, rest = one_option(rest, "out")
    asks = any(re.match(r"--?(help|version|Print|list-schemes$)", word) for word in rest)
    out = f"results/{study}" if out is None else out
    name = f"lossless-{study}"
    tree = user_tree()
    if tree:
        need(*COMPILING, "python3-matplotlib")
        with tree.ready():
            tree.compile(name)
            program = tree.program(name)
    else:
        need(*ALONE, "python3-matplotlib")
        program = alone("run", [name]) / "bin" / name
    code = call([program, *rest, *([] if asks else [f"--out={out}"])]).returncode
    if -code in console.SIGNALS:
        raise console.Ended(-code)
    if code < 0:
        raise Failure(f"{name} ended by signal {-code} ({signal.strsignal(-code)})")
    # Results are complete though nobody reads what is printed.
    if code not in (0, console.CLOSED_PIPE) or asks:
        return code
    # tcd-max-ton simulates nothing, so there is nothing to draw.
    return plot([out]) or code if (Path(out) / "summary.json").exists() else code


def plot(arguments):
    """Draws the figures of a run."""
    if len(arguments) != 1:
        raise Failure("plot needs one folder of results")
    need("python3-matplotlib")
    script = ROOT / "examples/analysis/plot_run.py"
    return call([PYTHON, "-B", script, arguments[0]]).returncode


def bench(arguments):
    """Builds and runs the benchmark."""
    need(*COMPILING)
    tree = user_tree() or OwnTree("release")
    with tree.ready():
        tree.compile("lossless-bench")
        program = tree.program("lossless-bench")
    return call([program, *arguments]).returncode


def reproduce(arguments):
    """Makes figures and tables of papers again."""
    need("python3-matplotlib")
    script = [PYTHON, "-B", ROOT / "examples/analysis/reproduce.py"]
    if {"--list", "--help", "-h"} & set(arguments):
        return call([*script, *arguments]).returncode
    # A wrong target is told of before anything is built.
    asked = call([*script, "--needs", *arguments], stdout=subprocess.PIPE, text=True)
    if asked.returncode:
        return asked.returncode
    need(*COMPILING)
    tree = user_tree() or OwnTree("release")
    with tree.ready():  # to the end, so that no other build changes the programs meanwhile
        needed = asked.stdout.split()
        tree.compile(*[f"lossless-{name}" for name in needed])
        paths = [f"--program={name}={tree.program(f'lossless-{name}')}" for name in needed]
        return call([*script, *paths, *arguments]).returncode


def link(arguments):
    """Puts the module into an ns-3 tree, and says what to do next."""
    if len(arguments) != 1:
        raise Failure("link needs the folder of an ns-3 tree")
    path = Path(arguments[0]).expanduser().resolve()
    version, numbers = check_tree(path)
    if link_into(path):
        say(f"linked {path}/contrib/lossless to {ROOT} (ns-3 {version})")
    else:
        say(f"{path}/contrib/lossless is linked already (ns-3 {version})")
    tool = "./waf" if numbers == (3, 35) else "./ns3"
    example = f"lossless-{studies()[0]}" if studies() else "lossless-..."
    build = "build" if tool == "./ns3" else "-d optimized"
    say("next:")
    say(f"    cd {path}")
    if tool == "./ns3":
        say("    ./ns3 configure --build-profile=optimized --enable-examples --enable-tests")
        say("    ./ns3 build")
        say(f'    ./ns3 run "{example} --help"')
    else:
        say("    CXXFLAGS='-include cstdint -Wno-error' ./waf configure -d optimized "
            "--enable-examples --enable-tests")
        say("    ./waf build")
        say(f'    ./waf --run "{example} --help"')
    say('    ./test.py -s "lossless*"')
    return 0
