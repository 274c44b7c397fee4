# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The commands of the launcher, and its help."""

import sys

import console
from console import Failure, say

from launcher.arguments import nearest
from launcher.cache import cache_path, set_environment
from launcher.checkout import list_studies
from launcher.commands import bench, link, plot, reproduce, run
from launcher.testing import test

COMMANDS = {
    "run": (run, "STUDY [--name=value ...] [--out=DIR]", "run a study; write results and figures"),
    "test": (
        test,
        "[--quick] [--sanitize] [--fuzz=TIME]",
        "run all tests; quick ones need no ns-3 tree",
    ),
    "bench": (bench, "[--out=DIR]", "measure speed and memory"),
    "reproduce": (
        reproduce,
        "[TARGET ...] [--fast] [--list]",
        "make papers' figures and tables again",
    ),
    "plot": (plot, "DIR", "draw the figures of a run again"),
    "link": (link, "NS3_TREE", "put the module into an ns-3 tree's contrib/"),
}

HELP = """\
usage: ./lossless COMMAND [arguments]

{commands}

{studies}

./lossless run STUDY --help shows a study's options.
Built files are kept in {cache} (LOSSLESS_CACHE). NS3_DIR=/path/to/ns-3 makes every
command use that tree instead of Debian's ns-3."""

DETAILS = {
    "run": """\
Builds the study, runs it, prints its table and draws its figures. DIR is results/STUDY
unless given. ./lossless run STUDY --help shows the study's options.

{studies}""",
    "test": """\
GoogleTest, checks of the checkout and the programs, then the ns-3 suites through test.py in two
ns-3 trees, one optimised, one with asserts and logs, made once from Debian's source
package, which takes some minutes. --quick runs GoogleTest and the suites without the trees. Both
run the fuzzers of test/fuzz for some seconds, always with the same cases. --fuzz=TIME, such as 2h,
runs nothing but the fuzzers, with new cases, for that long. --sanitize runs GoogleTest, suites and
fuzzers built with AddressSanitizer and UndefinedBehaviorSanitizer, and with --fuzz=TIME the fuzzers
for that long.""",
    "bench": """\
Builds the benchmark in an optimised ns-3 tree and runs it. --out=DIR also writes bench.json.""",
    "reproduce": """\
Builds the programs in an optimised ns-3 tree, runs what the targets need on all cores, skips what
is up to date, and writes report.md, report.html, report.json and a figure for each target to DIR
(results/reproduce, or results/reproduce-fast). A target is a figure or a table of a paper, or the
start of a name, such as tcd; without any all are made. --list shows them. --fast makes each at
reduced scale in under a minute. --out=DIR and --jobs=N (programs at a time) are as they say;
--commit-to=doc also renews, in doc/reproduction.md, the part of each paper whose targets are made,
and its figures; it needs all targets of a paper, at full scale.""",
    "plot": """\
Reads DIR/summary.json and its neighbours and writes the figures beside them.""",
    "link": """\
Makes NS3_TREE/contrib/lossless a link to this checkout. ns-3 3.35 or later.""",
}


def help_text(command=None):
    """The help of a command, or of all."""
    if command:
        detail = DETAILS[command].format(studies=list_studies())
        return f"usage: ./lossless {command} {COMMANDS[command][1]}\n\n{detail}"
    rows = [f"  {name} {words}" for name, (_, words, _) in COMMANDS.items()]
    width = max(map(len, rows)) + 2
    commands = "\n".join(
        f"{row:<{width}}{text}" for row, (_, _, text) in zip(rows, COMMANDS.values())
    )
    return HELP.format(commands=commands, studies=list_studies(), cache=cache_path())


def main(arguments):
    """Runs the command that the arguments name. @returns the exit code"""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        command = arguments[1] if len(arguments) > 1 and arguments[1] in COMMANDS else None
        say(help_text(command))
        return 0
    command, rest = arguments[0], arguments[1:]
    if command not in COMMANDS:
        raise Failure(f"no command {command}{nearest(command, COMMANDS)}\ntry ./lossless --help")
    if rest and rest[0] in ("-h", "--help") or command == "test" and "--help" in rest:
        say(help_text(command))
        return 0
    set_environment()
    return COMMANDS[command][0](rest)


def start():
    """Does what the command line says. @returns the exit code"""
    return console.start(lambda: main(sys.argv[1:]))
