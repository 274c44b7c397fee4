# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The fat-tree of 320 servers of figures 11 to 14, and what they and the readings share."""

from reproduction import charts, measure
from reproduction.mercury.paper import (
    MERCURY, NAMES, SCHEMES, reduction, seeds, statistics_of,
)  # fmt: skip
from reproduction.targets import run

WORKLOADS = ("CacheFollower", "Hadoop", "WebSearch", "WebServer")
FULL_SEEDS = 3
STATISTICS = {"mean": "mean FCT", "p99": "99th percentile of the FCT"}
UP_TO = "the largest over the loads 30 to 80 %"
TREE_SETUP = (
    "320 hosts at 100 Gb/s, 20 ToR, 20 aggregation and 16 core switches at 400 Gb/s, 1 µs, Xoff "
    "620 KB. Poisson arrivals for 1 ms between random pairs, three seeds; all flows are awaited. "
    "Schemes with the values of their papers, DCQCN's also under TCD, PACC and Mercury; PACC with "
    "parameters of our own, as its are not public. The paper gives no buffer; here it is what Xoff "
    "and headroom of all ports need."
)


def loads(fast):
    return (30, 80) if fast else (30, 40, 50, 60, 70, 80)


def tree(workload, load, scheme, seed, fast, *options, times=1):
    """A run of the fat-tree. @param times as long arrivals as those of the figures"""
    return run(
        "fat-tree", "--shape=mercury", "--xoff=620000", "--xon=618000", f"--workload={workload}",
        f"--load={load / 100:g}", f"--duration={times * (30 if fast else 1000)}us",
        f"--scheme={scheme}", f"--seed={seed}", "--count-victims=true", *options,
        cost=times * (0.005 if fast else 0.12) * load,
    )  # fmt: skip


def tree_runs(workloads):
    return lambda fast: {
        (workload, load, scheme, seed): tree(workload, load, scheme, seed, fast)
        for workload in workloads
        for load in loads(fast)
        for scheme in SCHEMES
        for seed in seeds(fast, FULL_SEEDS)
    }


def over_seeds(results, workload, load, scheme, kind, what):
    """Interval over the seeds of a statistic of the FCT [µs]."""
    return measure.interval(
        statistics_of(results[workload, load, scheme, seed])[kind][what]
        for seed in seeds(results.fast, FULL_SEEDS)
    )


def reductions(results, workload, scheme, kind, what):
    """By how many per cent Mercury's mean over the seeds is below another scheme's, by load."""
    return {
        load: reduction(
            over_seeds(results, workload, load, MERCURY, kind, what).mean,
            over_seeds(results, workload, load, scheme, kind, what).mean,
        )
        for load in loads(results.fast)
    }


def largest(by_load):
    """The largest reduction over the loads, which is what "up to" is read as."""
    return max(by_load.values())


def load_lines(axis, results, workload, kind, what):
    """A line for each scheme over the loads."""
    grid = loads(results.fast)
    for index, scheme in enumerate(SCHEMES):
        found = [over_seeds(results, workload, load, scheme, kind, what) for load in grid]
        charts.error_line(axis, grid, found, NAMES[scheme], index)
    axis.set_xlabel("Load (%)")
    axis.set_ylim(bottom=0)
