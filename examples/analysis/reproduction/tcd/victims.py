# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Table 3 and figure 14: marks of flows that only suffer from congestion spreading."""

from itertools import pairwise, takewhile

from matplotlib import pyplot

import plot_style as style
from reproduction import charts, measure
from reproduction.targets import Metric, Target, run, statement
from reproduction.tcd.paper import PAPER, seeds

VICTIMS_SETUP = (
    "Figure 2 with 20 Gb/s from S0 and S1; S0, whose flows are the victims, sends to R0, S1 and "
    "A0 to A14 to R1, all of them Hadoop flows, the hosts A at the same times. The paper gives no "
    "loads: S0 and S1 offer 60 % of their links, and the hosts A, with a burst each 600 µs on "
    "average, 60 % of R1's, as in its fat-tree."
)


def victims(scheme, seed, *more, milliseconds=100):
    return run(
        "tcd-victims", f"--scheme={scheme}", f"--seed={seed}", f"--duration={milliseconds}ms",
        *more, cost=milliseconds / 100,
    )  # fmt: skip


def victim_runs(schemes):
    """The Hadoop bursts of table 3 and of figures 15(a) and 18(a)."""
    return lambda fast: {
        (scheme, seed): victims(scheme, seed, milliseconds=50 if fast else 100)
        for scheme in schemes
        for seed in seeds(fast)
    }


def of_victims(folder):
    return [flow for flow in folder.completed if flow.src == "0"]


def marked_flows(folder, kind):
    """Per cent of the victims with such a mark."""
    flows = of_victims(folder)
    return 100 * sum(getattr(flow, kind) > 0 for flow in flows) / len(flows)


def over_seeds(results, value, *key):
    """The interval of what `value` gives for each run whose key begins so."""
    return measure.interval(
        value(results[found]) for found in results if found[: len(key)] == key
    )


# ---------------------------------------------------------------------------------- table 3 --

SCHEMES = ("dcqcn:tcd21", "dcqcn+npecn", "dcqcn+tcd")
LITERAL = "--ns3::TcdDetector::TrendMargin=0"  # any increase of the queue counts


def runs_table3(fast):
    literal = {
        ("literal", seed): victims("dcqcn+tcd", seed, LITERAL, milliseconds=50 if fast else 100)
        for seed in seeds(fast)
    }
    return victim_runs(SCHEMES)(fast) | literal


def evaluate_table3(results):
    found = {s: over_seeds(results, lambda f: marked_flows(f, "ce"), s) for s in SCHEMES}
    notes = {s: measure.interval_text(found[s], "%") for s in SCHEMES}
    worst = max(marked_flows(results[key], "ce") for key in results if key[0] == "dcqcn+tcd")
    literal = over_seeds(results, lambda f: marked_flows(f, "ce"), "literal")
    return [
        Metric("victim flows marked CE, ECN", found["dcqcn:tcd21"].mean, 26.6, 10, 45, "%",
               note=notes["dcqcn:tcd21"]),
        Metric("victim flows marked CE, NP-ECN", found["dcqcn+npecn"].mean, unit="%",
               reading="threshold 200 KB", note=notes["dcqcn+npecn"]),
        Metric("victim flows marked CE, TCD", found["dcqcn+tcd"].mean, 0, 0, 0, "%",
               reading="a queue that moves by two frames is level",
               note=f"{notes['dcqcn+tcd']}; {worst:.3g} % at the worst seed"),
        Metric("the same where one byte more is an increase", literal.mean, unit="%",
               reading="TrendMargin=0",
               note=f"{measure.interval_text(literal, '%')}; while T0 sends at line rate what it "
               "had kept back, P2's queue is level but for the frames that come and go"),
    ]  # fmt: skip


def draw_table3(results):
    figure, axis = pyplot.subplots(figsize=(style.HALF, 2.6), constrained_layout=True)
    found = [over_seeds(results, lambda f: marked_flows(f, "ce"), s) for s in SCHEMES]
    charts.grouped_bars(axis, ["ECN", "NP-ECN", "TCD"], [("ours", found)])
    axis.plot([0, 2], [26.6, 0], "D", color=style.COLOURS[1], label="paper")
    axis.set_ylabel("Victim flows marked CE (%)")
    axis.set_ylim(bottom=0)
    axis.legend(loc="best")
    return figure


TABLE3 = Target(
    "tcd-table3", "Table 3: victim flows marked CE", PAPER,
    "26.6 % of the victim flows are marked with ECN, none with TCD.",
    VICTIMS_SETUP, runs_table3, evaluate_table3, draw_table3,
)  # fmt: skip


# -------------------------------------------------------------------------------- figure 14 --


def epsilons(fast):
    return (0.02, 0.05, 0.1, 0.3) if fast else (0.01, 0.02, 0.05, 0.08, 0.1, 0.2, 0.3, 0.4, 0.5)


def runs_fig14(fast):
    return {
        (epsilon, seed): victims(
            "dcqcn+tcd", seed, f"--ns3::TcdDetector::Epsilon={epsilon}", "--burst-bytes=64000",
            milliseconds=20 if fast else 100,
        )
        for epsilon in epsilons(fast)
        for seed in seeds(fast, 5)
    }  # fmt: skip


def marked_packets(folder):
    """Per cent of the victims' packets with CE."""
    flows = of_victims(folder)
    return 100 * sum(flow.ce for flow in flows) / sum(flow.packets for flow in flows)


def never_falls(intervals):
    """Whether means do not decrease, but for less than their confidence intervals."""
    return all(b.mean >= a.mean - max(a.half, b.half) for a, b in pairwise(intervals))


def evaluate_fig14(results):
    grid = epsilons(results.fast)
    found = {e: over_seeds(results, marked_packets, e) for e in grid}
    small = [found[e].mean for e in grid if e <= 0.05]
    below = list(takewhile(lambda e: found[e].mean == 0, grid))
    shown = ", ".join(f"{e:g}: {found[e].mean:.3g} %" for e in grid)
    return [
        Metric("packets of victims marked CE, epsilon up to 0.05", max(small), 0, 0, 0, "%",
               note=shown),
        Metric("largest epsilon without such packets", max(below, default=0), 0.1, 0.05,
               says="none below 0.1", reading="the paper's bursts: 64 KB"),
        statement("more of them with a larger epsilon", never_falls(list(found.values()))),
    ]  # fmt: skip


def draw_fig14(results):
    figure, axis = pyplot.subplots(figsize=(style.HALF, 2.6), constrained_layout=True)
    grid = epsilons(results.fast)
    found = [over_seeds(results, marked_packets, e) for e in grid]
    charts.error_line(axis, grid, found, "victims' packets", 0)
    axis.axvline(0.05, color=style.GREY, linewidth=0.8, linestyle=":")
    axis.annotate(
        "recommended", (0.05, 1), (3, -8), ("data", "axes fraction"), "offset points", fontsize=6
    )
    axis.set_ylim(bottom=0)
    axis.set_xlabel("ε")
    axis.set_ylabel("Packets marked CE (%)")
    return figure


FIG14 = Target(
    "tcd-fig14", "Figure 14: victims' packets marked CE, by epsilon", PAPER,
    "None while epsilon is below 0.1, more with a larger epsilon.",
    VICTIMS_SETUP + " Here the bursts are of 64 KB.",
    runs_fig14, evaluate_fig14, draw_fig14,
)  # fmt: skip
