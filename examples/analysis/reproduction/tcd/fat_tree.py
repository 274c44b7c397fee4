# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figures 16 and 19: FCT slowdown in a fat-tree."""

from reproduction import charts, measure
from reproduction.targets import Metric, Target, run
from reproduction.tcd.paper import DCQCN, NAMES, PAPER, TIMELY

WORKLOADS = ("Hadoop", "WebSearch")
FAT_TREE_SETUP = (
    "Fat-tree with k = 10, 250 hosts, 40 Gb/s, 4 µs, Xoff 320 KB, 40 000 flows at 60 % of the "
    "hosts' links, random pairs of hosts; with --fast k = 4 and 1000 flows."
)
# Other readings of figure 16: the paper says neither how the load of 60 % is counted nor in which
# priority acknowledgements are.
SLOW_FEEDBACK = ("--ns3::RdmaHw::AckPriority=-1", "--ns3::RdmaHw::CnpPriority=3")
READINGS = {
    "ACKs and CNPs in the priority of the data": ("--load=0.6", *SLOW_FEEDBACK),
    "load 0.9": ("--load=0.9",),
    "load 0.9, ACKs and CNPs in the priority of the data": ("--load=0.9", *SLOW_FEEDBACK),
}
OTHERS = [("Hadoop", reading) for reading in READINGS] + [("WebSearch", next(iter(READINGS)))]
STATED = [
    ("Hadoop, median below 80 KB", "Hadoop", 50, (0, 80e3), 3.0, 1.5, 5, (10.8, 3.6)),
    ("Hadoop, 99th percentile below 50 KB", "Hadoop", 99, (0, 50e3), 1.7, 1.2, 2.5, None),
    ("Hadoop, median above 100 KB", "Hadoop", 50, (100e3,), None, None, None, None),
    ("WebSearch, median below 500 KB", "WebSearch", 50, (0, 500e3), 1.84, 1.3, 2.8,
     (4.6, 2.5)),
    ("WebSearch, 99th percentile below 500 KB", "WebSearch", 99, (0, 500e3), 2.0, 1.3, 3,
     None),
    ("WebSearch, 99th percentile above 1 MB", "WebSearch", 99, (1e6,), 1.0, 0.85, 1.15,
     None),
]  # fmt: skip


def fat_tree_run(fast, workload, scheme, *options):
    size = ("--k=4", "--flows-max=1000") if fast else ("--k=10", "--flows-max=40000")
    return run(
        "fat-tree", *size, "--link-rate=40Gb/s", "--link-delay=4us", "--xoff=320000",
        "--xon=318000", f"--workload={workload}", f"--scheme={scheme}", *options,
        cost=(4 if fast else 250) if workload == "WebSearch" else (1 if fast else 22),
    )  # fmt: skip


def fat_tree_runs(schemes):
    def runs(fast):
        return {
            (workload, scheme): fat_tree_run(fast, workload, scheme, "--load=0.6")
            for workload in WORKLOADS
            for scheme in schemes
        }

    return runs


def runs_fig16(fast):
    others = {
        (workload, scheme, reading): fat_tree_run(fast, workload, scheme, *READINGS[reading])
        for workload, reading in OTHERS
        for scheme in DCQCN
    }
    return fat_tree_runs(DCQCN)(fast) | others


def evaluate_fig16(results):
    metrics = fat_tree_evaluation(DCQCN, STATED)(results)
    for workload, reading in OTHERS:
        for name, of, percent, sizes, paper, low, high, _ in STATED:
            if of != workload or paper is None:
                continue
            values = [
                slowdown(results[workload, scheme, reading], percent, *sizes) for scheme in DCQCN
            ]
            metrics.append(
                Metric(
                    f"{name}, another reading", measure.ratio(*values), low=low, high=high,
                    unit="x", says=f"{paper:g}x", reading=reading,
                    note=f"ours {values[0]:.3g} to {values[1]:.3g}",
                )
            )  # fmt: skip
    return metrics


def slowdown(folder, percent, low=0, high=float("inf")):
    """A percentile of the slowdowns of the flows of more than `low` and less than `high` bytes."""
    return measure.percentile(
        [flow.slowdown for flow in folder.completed if low < flow.size < high], percent
    )


def fat_tree_evaluation(schemes, stated):
    """@param stated for each gain: name, workload, percentile, sizes, paper, low, high, and the
    slowdowns without and with TCD that the paper names"""

    def evaluate(results):
        metrics = []
        for name, workload, percent, sizes, paper, low, high, absolute in stated:
            values = [slowdown(results[workload, scheme], percent, *sizes) for scheme in schemes]
            theirs = f"paper {absolute[0]:g} to {absolute[1]:g}, " if absolute else ""
            metrics.append(
                Metric(
                    name, measure.ratio(*values), paper, low, high, "x",
                    reading="ideal FCT as in the HPCC simulator, ECMP for each flow",
                    note=f"{theirs}ours {values[0]:.3g} to {values[1]:.3g}",
                )
            )  # fmt: skip
        return metrics

    return evaluate


def fat_tree_figure(schemes):
    def draw(results):
        figure, axes = charts.panels(2, columns=3, height=2.2, sharex=False)
        for row, workload in zip(axes, WORKLOADS):
            flows = {NAMES[s]: results[workload, s].completed for s in schemes}
            charts.slowdown_row(row, workload, flows)
        return figure

    return draw


FIG16 = Target(
    "tcd-fig16", "Figure 16: FCT slowdown in a fat-tree, DCQCN", PAPER,
    "Hadoop: the median for flows below 80 KB falls from 10.8 to 3.6, the 99th percentile "
    "below 50 KB by up to 1.7x. WebSearch: the median below 500 KB falls from 4.6 to 2.5, the "
    "99th percentile is 2x better, and almost the same above 1 MB.",
    FAT_TREE_SETUP, runs_fig16,
    evaluate_fig16,
    fat_tree_figure(DCQCN),
)  # fmt: skip

FIG19 = Target(
    "tcd-fig19", "Figure 19: FCT slowdown in a fat-tree, TIMELY", PAPER,
    "Median and 99th percentile improve for small and medium flows; Hadoop's 99th percentile "
    "below 50 KB falls from 50.3 to 36.6.",
    FAT_TREE_SETUP, fat_tree_runs(TIMELY),
    fat_tree_evaluation(TIMELY, [
        ("Hadoop, 99th percentile below 50 KB", "Hadoop", 99, (0, 50e3), 1.37, 1.1, 1.8,
         (50.3, 36.6)),
        ("Hadoop, median below 50 KB", "Hadoop", 50, (0, 50e3), None, None, None, None),
        ("WebSearch, median below 500 KB", "WebSearch", 50, (0, 500e3), None, None, None,
         None),
        ("WebSearch, 99th percentile below 500 KB", "WebSearch", 99, (0, 500e3), None, None,
         None, None),
    ]),
    fat_tree_figure(TIMELY),
)  # fmt: skip
