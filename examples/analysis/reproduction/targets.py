# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What a paper's file is made of: runs, targets and metrics."""

import hashlib
import math
from dataclasses import dataclass, field
from typing import Callable, Optional


@dataclass(frozen=True)
class Run:
    """A program, named without "lossless-", with options, the same in any order."""

    program: str
    options: tuple
    cost: float = field(default=5.0, compare=False)  # about how many seconds it takes

    @property
    def command(self):
        return " ".join([f"lossless-{self.program}", *self.options])

    @property
    def name(self):
        """The name of its folder."""
        return f"{self.program}-{hashlib.sha256(self.command.encode()).hexdigest()[:10]}"

    @property
    def seed(self):
        seeds = [word.split("=", 1)[1] for word in self.options if word.startswith("--seed=")]
        return int(seeds[-1]) if seeds else 1


def run(program, *options, cost=5.0):
    return Run(program, tuple(sorted(options)), cost)


@dataclass
class Metric:
    """A number of a paper beside ours, both in `unit`."""

    name: str
    ours: Optional[float]
    paper: Optional[float] = None  # None where the paper gives no number
    low: Optional[float] = None  # the credible band; None: open
    high: Optional[float] = None
    unit: str = ""
    says: str = ""  # the paper's words where its number alone would mislead: "> 500 KB"
    reading: str = ""  # what we chose where the paper leaves it open
    note: str = ""  # a confidence interval, the reason of a difference

    @property
    def in_band(self):
        """None without a band."""
        if self.low is None and self.high is None:
            return None
        if self.ours is None or math.isnan(self.ours):
            return False
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        return low <= self.ours <= high

    def text(self, value):
        """A value with the unit: 26.6 %, 3.0x, yes."""
        if value is None or math.isnan(value):
            return "–"
        if self.unit == "yes/no":
            return "yes" if value else "no"
        number = f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"
        return number + (self.unit if self.unit in ("", "x") else f" {self.unit}")

    @property
    def paper_text(self):
        return self.says or self.text(self.paper)

    @property
    def band_text(self):
        if self.in_band is None:
            return "–"
        if self.low == self.high:
            return ("" if self.unit == "yes/no" else "exactly ") + self.text(self.low)
        if self.high is None:
            return f"at least {self.text(self.low)}"
        if self.low is None:
            return f"at most {self.text(self.high)}"
        return f"{self.low:.4g} to {self.text(self.high)}"


def statement(name, holds, **fields):
    """A metric for what a paper says without a number: it holds, or it does not."""
    return Metric(name, int(bool(holds)), paper=1, low=1, high=1, unit="yes/no", **fields)


@dataclass
class Table:
    """Rows of cells, which are text, for the report."""

    title: str
    header: list
    rows: list


@dataclass
class Target:
    """A figure or a table of a paper.

    `runs(fast)` gives its runs, each under a key of the target's own choice. `evaluate(results)`
    gives its metrics, `draw(results)` its figure and `tabulate(results)` its tables, if it has
    any: `results[key]` is the folder of that run (measure.Folder), `results.fast` tells the scale.
    """

    name: str  # PAPER-FIGURE
    title: str
    paper: str
    shows: str  # what the paper shows, empty without a paper
    setup: str  # what is run, and what was chosen where the paper does not say
    runs: Callable
    evaluate: Callable
    draw: Callable
    tabulate: Optional[Callable] = None
    programs: tuple = ()  # of its runs, where runs(fast) has to ask one of them first

    def needs(self, fast):
        """The names of the programs, which need not be there yet."""
        return set(self.programs) or {run.program for run in self.runs(fast).values()}


class Results:
    """The folders of a target's runs."""

    def __init__(self, folders, fast):
        self._folders = folders
        self.fast = fast

    def __getitem__(self, key):
        return self._folders[key]

    def __iter__(self):
        return iter(self._folders)
