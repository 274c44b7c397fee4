# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tells how far reproduce is: a line that changes on a terminal, else a line for each run."""

import shutil
import sys
import time

import console


def duration(seconds):
    """4 s, 2:05, 1:02:05"""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Progress:
    """@param expected seconds of each run to be made @param targets how many there are"""

    def __init__(self, runner, expected, targets, jobs):
        self._runner = runner
        self._waiting = dict(expected)  # of those that have not ended
        self._total = len(expected)
        self._targets = targets
        self._targets_done = 0
        self._jobs = jobs
        self._start = time.monotonic()
        self._taken = 0.0  # by finished runs
        self._taken_expected = 0.0
        self._terminal = sys.stdout.isatty()

    def say(self, text):
        """A line that stays."""
        console.say(("\r\033[K" if self._terminal else "") + text)

    def run_finished(self, run, seconds, error):
        expected = self._waiting.pop(run)
        if error:
            self.say(f"failed: {error}")
            return
        self._taken += seconds
        self._taken_expected += expected
        if not self._terminal:
            done = self._total - len(self._waiting)
            self.say(f"run {done} of {self._total}, {duration(seconds)}: {run.command}")

    def target_finished(self, outcome):
        self._targets_done += 1
        if outcome.error:
            verdict = "failed"
        else:
            judged = [m.in_band for m in outcome.metrics if m.in_band is not None]
            verdict = f"{sum(judged)} of {len(judged)} in band"
        self.say(f"{outcome.target.name}: {verdict}")

    def show(self):
        """Brings the changing line up to date."""
        if not self._terminal or not self._waiting:
            return
        running = self._runner.running()
        parts = [
            f"targets {self._targets_done} of {self._targets}",
            f"runs {self._total - len(self._waiting)} of {self._total}",
            duration(time.monotonic() - self._start),
            f"about {duration(self._left(running))} left",
            "running " + ", ".join(f"{run.name} {duration(s)}" for run, s in running.items()),
        ]
        width = shutil.get_terminal_size().columns - 1
        console.say("\r\033[K" + "  ".join(parts)[:width], end="")

    def clear(self):
        if self._terminal:
            console.say("\r\033[K", end="")

    def _left(self, running):
        """Seconds: what the waiting runs should take, corrected by what the finished ones took."""
        factor = self._taken / self._taken_expected if self._taken_expected else 1.0
        left = {run: factor * expected for run, expected in self._waiting.items()}
        for run, seconds in running.items():
            if run in left:
                left[run] = max(left[run] - seconds, 0.0)
        # The longest one cannot be shared among cores.
        return max([sum(left.values()) / self._jobs, *left.values()])
