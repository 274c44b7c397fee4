# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Reads the folders of runs, and the statistics of what is in them."""

import bisect
import csv
import json
import math
import statistics
from collections import namedtuple
from functools import cached_property
from pathlib import Path

from run_folder import InputError

# Student's t, two-sided 95 %, by degrees of freedom; beyond 30 those of the next smaller entry.
STUDENT_T = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
]  # fmt: skip

Interval = namedtuple("Interval", "mean half n")


def interval(values):
    """Mean and half width of its 95 % confidence interval; the width of one value is unknown."""
    values = list(values)
    mean = statistics.fmean(values)
    if len(values) < 2:
        return Interval(mean, math.nan, len(values))
    t = STUDENT_T[min(len(values) - 1, len(STUDENT_T)) - 1]
    return Interval(mean, t * statistics.stdev(values) / math.sqrt(len(values)), len(values))


def interval_text(found, unit):
    """For a metric's note: 95 % interval 21.3 to 25.1 % over 5 seeds."""
    if found.n < 2:
        return "one seed"
    low, high = found.mean - found.half, found.mean + found.half
    return f"95 % interval {low:.3g} to {high:.3g} {unit} over {found.n} seeds".replace("  ", " ")


def mean(values):
    """NaN of nothing."""
    values = list(values)
    return statistics.fmean(values) if values else math.nan


def percentile(values, percent):
    """The smallest value that at least so many percent do not exceed; NaN of nothing."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(len(ordered) * percent / 100 - 1e-9) - 1)]


def ratio(a, b):
    return a / b if b else math.nan


def in_bins(pairs, edges):
    """The values of (key, value) pairs by bin: bin i holds the keys below edges[i], the last bin
    the rest."""
    bins = [[] for _ in range(len(edges) + 1)]
    for key, value in pairs:
        bins[bisect.bisect_right(edges, key)].append(value)
    return bins


# A completed flow; one that did not complete has fct and slowdown None.
Flow = namedtuple("Flow", "id src dst size start fct slowdown packets ce ue")
# Equally long lists over time: seconds, bytes, bytes sent so far, frames marked so far.
Series = namedtuple("Series", "times queue sent ce ue paused")
# A detector's state from `start` to `end`, in seconds.
Period = namedtuple("Period", "state start end")


class Folder:
    """The files of a run of one scheme."""

    def __init__(self, path):
        self.path = Path(path)

    @cached_property
    def summary(self):
        """Empty for a program that simulates nothing and writes none."""
        path = self.path / "summary.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise InputError(f"{path}: found {error}, expected a summary in JSON") from None

    def rows(self, name):
        """Each row of a table as a dictionary."""
        path = self.path / name
        if not path.exists():
            raise InputError(f"{path}: found no such file, expected a table of the run")
        with open(path, newline="", encoding="utf-8") as file:
            yield from csv.DictReader(file)

    @cached_property
    def flows(self):
        return [
            Flow(
                int(row["flow"]),
                row["src"],
                row["dst"],
                int(row["size_bytes"]),
                float(row["start_s"]),
                float(row["fct_s"]) if row["fct_s"] else None,
                float(row["slowdown"]) if row["slowdown"] else None,
                int(row["packets"]),
                int(row["packets_ce"] or 0),
                int(row["packets_ue"] or 0),
            )
            for row in self.rows("flows.csv")
        ]

    @property
    def completed(self):
        return [flow for flow in self.flows if flow.fct is not None]

    def place(self, port):
        """Node and number of a port that the study names, such as P2, or of "B0,0" itself."""
        if "," in port:
            return tuple(port.split(","))
        ports = self.summary.get("ports") or self.summary.get("parameters", {}).get("ports", {})
        if port not in ports:
            raise InputError(f"{self.path}/summary.json: found no port {port} in its ports")
        return tuple(ports[port].split(","))

    @cached_property
    def _all_ports(self):
        series = {}
        for row in self.rows("ports.csv"):
            key = row["node"], row["port"]
            if key not in series:
                series[key] = Series([], [], [], [], [], [])
            one = series[key]
            one.times.append(float(row["time_s"]))
            one.queue.append(int(row["queue_bytes"]))
            one.sent.append(int(row["tx_bytes"]))
            one.ce.append(int(row["marked_ce"] or 0))
            one.ue.append(int(row["marked_ue"] or 0))
            one.paused.append(row["paused"] == "1")
        return series

    def port(self, name):
        """What was sampled at a port that the study names."""
        place = self.place(name)
        if place not in self._all_ports:
            raise InputError(f"{self.path}/ports.csv: found no port {name} ({','.join(place)})")
        return self._all_ports[place]

    def periods(self, name, initial="non-congestion"):
        """The states of a named port's detector, one after the other, to the end of the run."""
        periods = []
        state, since = initial, 0.0
        for row in self.rows("states.csv"):
            if (row["node"], row["port"]) == self.place(name):
                time = float(row["time_s"])
                if time > since:
                    periods.append(Period(state, since, time))
                state, since = row["new"], time
        return [*periods, Period(state, since, self.summary["simulated_s"])]

    def pauses(self, name):
        """When a named port was paused: (start, end) in seconds."""
        pauses, since = [], None
        for row in self.rows("pfc.csv"):
            if (row["node"], row["port"]) == self.place(name):
                if row["pause"] == "1":
                    since = float(row["time_s"]) if since is None else since
                elif since is not None:
                    pauses.append((since, float(row["time_s"])))
                    since = None
        if since is not None:
            pauses.append((since, self.summary["simulated_s"]))
        return pauses

    def rates(self, flow):
        """A sender's rate over time: seconds, bits for each second."""
        rows = [row for row in self.rows("rates.csv") if int(row["flow"]) == flow]
        return [float(row["time_s"]) for row in rows], [float(row["rate_bps"]) for row in rows]


def throughput(series, width):
    """Bits for each second that a port sent, over windows of `width` seconds: middles, rates."""
    times, rates = [], []
    first, last = series.times[0], series.times[-1]
    count = int((last - first) / width + 1e-9)
    at = [bisect.bisect_left(series.times, first + i * width - 1e-12) for i in range(count + 1)]
    for a, b in zip(at, at[1:]):
        if b > a:
            times.append((series.times[a] + series.times[b]) / 2)
            rates.append(
                8 * (series.sent[b] - series.sent[a]) / (series.times[b] - series.times[a])
            )
    return times, rates
