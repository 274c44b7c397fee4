# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Runs the programs that targets need, side by side, then evaluates the targets.

A run's files are in a folder of its own with a stamp that is written last. A run whose stamp tells
of the same command, program, libraries and input files is not run again. Targets that ask for the
same run share it.
"""

import concurrent.futures
import hashlib
import json
import re
import shutil
import subprocess
import threading
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

import files
import plot_style
from files import write_atomically
from reproduction.measure import Folder
from reproduction.targets import Results

STAMP = "finished.json"
OUTPUT = "output.txt"
INPUTS = Path(__file__).resolve().parents[2]  # where the workloads are that programs read


class RunFailed(Exception):
    """A program did not end well; the message has its command and its last words."""


# ---------------------------------------------------------------------------- fingerprints --


def fingerprint(program):
    """A hash of all bytes that a program's results depend on; building again changes none."""
    inputs = [p for kind in ("workloads", "topologies", "flows") for p in INPUTS.glob(f"{kind}/*")]
    total = hashlib.sha256()
    for path in [Path(program), *ns3_libraries(program), *sorted(inputs)]:
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def ns3_libraries(program):
    """ns-3's shared libraries that a program loads, the module's among them."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [Path(path) for path in sorted(re.findall(r"=> (\S*/libns3\S*) \(", listed))]


def contents(folder):
    """A hash of what is in the folder of a run, its stamp and figures aside: names and sizes of all
    files, and the summary, which differs from run to run by the time it took."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != STAMP and path.suffix != ".png":
            total.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            if path.name == "summary.json":
                total.update(path.read_bytes())
    return total.hexdigest()


# ---------------------------------------------------------------------------------- running --


class Runner:
    """Runs programs in folders below `out`/runs, `jobs` of them at a time."""

    def __init__(self, programs, out, jobs):
        self._programs = programs  # name -> path
        self._out = Path(out).absolute() / "runs"
        self._jobs = jobs
        self._fingerprints = {name: fingerprint(path) for name, path in programs.items()}
        self._lock = threading.Lock()
        self._processes = {}  # run -> (process, start)
        self._stopped = False

    def folder(self, run):
        return self._out / run.name

    def is_done(self, run):
        stamp = self._stamp(run)
        return (
            stamp.get("command") == run.command
            and stamp.get("fingerprint") == self._fingerprints[run.program]
            and stamp.get("contents") == contents(self.folder(run))
        )

    def expected(self, run):
        """About how many seconds it takes: as long as the last time, or what its target says."""
        return self._stamp(run).get("wall_s", run.cost)

    def running(self):
        """Runs and the seconds since they were started, those first that run longest."""
        with self._lock:
            started = {run: start for run, (_, start) in self._processes.items()}
        now = time.monotonic()
        return {run: now - start for run, start in started.items()}

    def _stamp(self, run):
        try:
            stamp = json.loads((self.folder(run) / STAMP).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def run_all(self, runs, finished, waiting):
        """Runs all, longest first.

        `finished(run, seconds, error)` is called as each has ended, `waiting()` now and then.
        """
        pool = concurrent.futures.ThreadPoolExecutor(self._jobs)
        try:
            ordered = sorted(runs, key=lambda run: (-self.expected(run), run.name))
            pending = {pool.submit(self._run, run): run for run in ordered}
            while pending:
                done, _ = concurrent.futures.wait(
                    pending, 0.25, concurrent.futures.FIRST_COMPLETED
                )
                for future in sorted(done, key=lambda future: pending[future].name):
                    run, error = pending.pop(future), future.exception()
                    finished(run, None if error else future.result(), error)
                waiting()
        finally:
            self._stop()
            pool.shutdown(cancel_futures=True)

    def _run(self, run):
        """Runs a program to its end. @returns seconds @throws RunFailed"""
        folder = self.folder(run)
        folder.mkdir(parents=True, exist_ok=True)
        with files.held(folder):
            shutil.rmtree(folder)
        folder.mkdir()
        start = time.monotonic()
        with open(folder / OUTPUT, "wb") as output:
            with self._lock:
                if self._stopped:
                    raise RunFailed(f"{run.command}: stopped")
                process = subprocess.Popen(
                    [self._programs[run.program], *run.options, f"--out={folder}"],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=folder,
                )
                self._processes[run] = process, start
            code = process.wait()
        with self._lock:
            del self._processes[run]
        if code:
            ended = f"ended by signal {-code}" if code < 0 else f"exit code {code}"
            said = (folder / OUTPUT).read_text(encoding="utf-8", errors="replace")
            raise RunFailed("\n".join([f"{run.command}: {ended}", *said.splitlines()[-12:]]))
        seconds = round(time.monotonic() - start, 3)
        stamp = {
            "command": run.command,
            "fingerprint": self._fingerprints[run.program],
            "contents": contents(folder),
            "wall_s": seconds,
        }
        write_atomically(folder / STAMP, json.dumps(stamp, indent=1) + "\n")
        return seconds

    def _stop(self):
        """Ends what still runs."""
        with self._lock:
            self._stopped = True
            processes = [process for process, _ in self._processes.values()]
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()


# ------------------------------------------------------------------------------- evaluating --


@dataclass
class Outcome:
    """What came of a target."""

    target: object
    runs: list
    fast: bool
    metrics: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    figure: Path = None
    error: str = ""
    cpu_s: float = 0.0  # of all its runs
    peak_rss_kb: int = 0  # of the largest
    seeds: int = 0  # 0 if nothing was simulated
    ns3_version: str = ""


def evaluate(target, runs, errors, runner, out, fast):
    """The outcome of a target whose runs have ended; its figure is written to `out`."""
    unique = list(dict.fromkeys(runs.values()))
    outcome = Outcome(target, unique, fast)
    outcome.error = "\n\n".join(str(errors[run]) for run in unique if run in errors)
    figure = Path(out) / f"{target.name}.png"
    if not outcome.error:
        folders = {run: Folder(runner.folder(run)) for run in unique}
        try:
            account(outcome, folders)
            results = Results({key: folders[run] for key, run in runs.items()}, fast)
            outcome.metrics = target.evaluate(results)
            outcome.tables = target.tabulate(results) if target.tabulate else []
            draw(target, results, outcome.metrics, figure)
            outcome.figure = figure
        except Exception as error:  # noqa: BLE001: the other targets go on
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f" ({Path(last.filename).name}:{last.lineno})"
            outcome.error = f"{type(error).__name__}: {error}{place}"
            outcome.metrics, outcome.tables = [], []
    if outcome.error:
        figure.unlink(missing_ok=True)  # one of an earlier time would be taken for this one's
    return outcome


def account(outcome, folders):
    """What the runs took, by their own account."""
    seeds = set()
    for run, folder in folders.items():
        summary = folder.summary
        outcome.cpu_s += summary.get("cpu_s", 0)
        outcome.peak_rss_kb = max(outcome.peak_rss_kb, summary.get("peak_rss_kb", 0))
        outcome.ns3_version = summary.get("ns3_version", outcome.ns3_version)
        if "simulated_s" in summary:
            seeds.add(run.seed)
    outcome.seeds = len(seeds)


def draw(target, results, metrics, path):
    """The paper's numbers are below the figure, beside ours."""
    plot_style.apply()
    figure = target.draw(results)
    lines = [
        f"{metric.name}: paper {metric.paper_text}, ours {metric.text(metric.ours)}"
        for metric in metrics
        if metric.paper is not None
    ]
    plot_style.heading(figure, target.title, lines, results.fast)
    plot_style.save(figure, path)
