#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Makes the figures and tables of papers again and writes a report with the papers' numbers
beside ours. ./lossless reproduce builds the programs and calls this."""

import argparse
import difflib
import os
import sys
from pathlib import Path

import console
import files
from reproduction import committed, engine, find_targets, presets, report
from reproduction.progress import Progress

ROOT = Path(__file__).resolve().parents[2]


class UsageError(console.Failure):
    """What was asked for does not exist, or does not go together."""


def choose(words, targets):
    """The targets that words name, in the order of the list; a word may be the start of names."""
    chosen = set()
    for word in words:
        found = [name for name in targets if name == word] or [
            name for name in targets if name.startswith(word)
        ]
        if not found:
            near = difflib.get_close_matches(word, targets, 1, 0.5)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"no target {word}{hint}\n{listing(targets)}")
        chosen.update(found)
    return [target for name, target in targets.items() if not words or name in chosen]


def listing(targets):
    width = max(map(len, targets)) + 2
    rows = [f"  {name:<{width}}{target.title}" for name, target in targets.items()]
    return "\n".join(["targets (the start of a name, such as tcd, stands for all of them):", *rows])


def check_commit(folder, chosen, targets):
    """Whether these targets can renew parts of the committed report.

    @returns all papers, in order @throws UsageError, InputError
    """
    papers = dict.fromkeys(target.paper for target in targets.values())
    concerned = {target.paper for target in chosen}
    missing = [t.name for t in targets.values() if t.paper in concerned and t not in chosen]
    if missing:
        raise UsageError(
            "--commit-to is for all targets of a paper, also needed: " + ", ".join(missing)
        )
    committed.read_parts(folder, papers)
    return papers


def find_programs(words, needed):
    """@param words NAME=PATH of each program @returns name -> path of those that are needed"""
    known = dict(word.partition("=")[::2] for word in words)
    missing = [name for name in needed if not os.access(known.get(name, ""), os.X_OK)]
    if missing:
        raise UsageError(f"no program for {', '.join(missing)}: use --program=NAME=PATH")
    return {name: known[name] for name in needed}


def reproduce(targets, programs, options):
    """Runs and evaluates targets. @returns their outcomes, in order"""
    out = Path(options.out)
    # The report of an earlier time would be taken for that of the figures to come.
    report.remove(out)
    runner = engine.Runner(programs, out, options.jobs)
    runs = {target.name: target.runs(options.fast) for target in targets}
    needed = dict.fromkeys(run for found in runs.values() for run in found.values())
    expected = {run: runner.expected(run) for run in needed if not runner.is_done(run)}
    progress = Progress(runner, expected, len(targets), options.jobs)
    if len(expected) < len(needed):
        progress.say(f"{len(needed) - len(expected)} of {len(needed)} runs are up to date")

    open_runs, errors, outcomes = set(expected), {}, {}

    def evaluate_ready():
        """Targets whose runs have all ended."""
        for target in targets:
            if target.name not in outcomes and open_runs.isdisjoint(runs[target.name].values()):
                outcome = engine.evaluate(
                    target, runs[target.name], errors, runner, out, options.fast
                )
                outcomes[target.name] = outcome
                progress.target_finished(outcome)

    def finished(run, seconds, error):
        open_runs.discard(run)
        if error:
            errors[run] = error
        progress.run_finished(run, seconds, error)

    def waiting():
        evaluate_ready()
        progress.show()

    evaluate_ready()
    runner.run_all(expected, finished, waiting)
    progress.clear()
    return [outcomes[target.name] for target in targets]


class Parser(argparse.ArgumentParser):
    def error(self, message):
        """One line, as for all other mistakes."""
        raise UsageError(message)


def parse(arguments):
    # Without abbreviations, as the launcher looks for some options too.
    parser = Parser(prog="lossless reproduce", description=__doc__, allow_abbrev=False)
    parser.add_argument("targets", metavar="TARGET", nargs="*", help="default: all")
    parser.add_argument("--list", action="store_true", help="list the targets")
    parser.add_argument("--fast", action="store_true", help="reduced scale, under a minute each")
    parser.add_argument("--out", metavar="DIR", help="default: results/reproduce, -fast behind")
    parser.add_argument("--jobs", type=int, metavar="N", help="programs at a time (the cores)")
    parser.add_argument(
        "--commit-to",
        metavar="DIR",
        help="also renew the parts of these papers in DIR/reproduction.md, and their figures",
    )
    # For the launcher.
    parser.add_argument("--needs", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--program", action="append", default=[], help=argparse.SUPPRESS)
    with console.printing():  # --help
        options = parser.parse_args(arguments)
    options.out = options.out or "results/reproduce" + "-fast" * options.fast
    if options.jobs is None:
        options.jobs = len(os.sched_getaffinity(0))
    if options.jobs < 1:
        raise UsageError(f"--jobs: found {options.jobs}, expected at least 1")
    if options.commit_to and options.fast:
        raise UsageError("--commit-to is for full scale, without --fast")
    return options


def main(arguments, targets):
    options = parse(arguments)
    if options.list:
        console.say(listing(targets))
        return 0
    chosen = choose(options.targets, targets)
    papers = check_commit(Path(options.commit_to), chosen, targets) if options.commit_to else ()
    needed = sorted({name for target in chosen for name in target.needs(options.fast)})
    if options.needs:
        console.say("\n".join(needed))
        return 0
    programs = find_programs(options.program, needed)
    presets.use(programs.get(presets.PROGRAM))
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    with files.held(out, make=True):
        outcomes = reproduce(chosen, programs, options)
        report.write(out, outcomes, version)
    failed = [outcome.target.name for outcome in outcomes if outcome.error]
    console.say(f"report: {out / 'report.html'}")
    if failed:
        raise console.Failure(f"failed: {', '.join(failed)}; see {out / 'report.md'}")
    if options.commit_to:
        committed.write(Path(options.commit_to), outcomes, version, papers)
    return 0


def start(arguments, targets):
    """main() with errors and signals turned into messages and exit codes."""
    return console.start(
        lambda: main(arguments, targets), "\ninterrupted; what was finished is kept"
    )


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:], find_targets()))
