# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figures 13 and 14: short and long flows."""

from reproduction import charts
from reproduction.mercury.fat_tree import (
    STATISTICS, TREE_SETUP, UP_TO, largest, load_lines, reductions, tree_runs,
)  # fmt: skip
from reproduction.mercury.paper import NAMES, OTHERS, PAPER
from reproduction.targets import Metric, Target, statement

# Reductions that the paper gives, for short and for long flows, mean and 99th percentile.
LONG_STATED = {
    "mean": {"timely": 26.5, "dcqcn": 26.3, "dcqcn+tcd": 21.8, "pacc": 19.7, "hpcc": 27.1},
    "p99": {"timely": 45.1, "dcqcn": 41.8, "dcqcn+tcd": 38.7, "pacc": 30.9, "hpcc": 37.9},
}


def loads_text(by_load):
    return ", ".join(f"{load} %: {value:.3g}" for load, value in by_load.items())


def short_metrics(results, workload, stated):
    """Against all but HPCC, as the paper has it."""
    rivals = [scheme for scheme in OTHERS if scheme != "hpcc"]
    metrics = better_than(results, workload, "short", rivals)
    for what, paper in stated.items():
        by_scheme = {s: largest(reductions(results, workload, s, "short", what)) for s in rivals}
        metrics.append(
            Metric(
                f"short flows, {STATISTICS[what]}: largest reduction", max(by_scheme.values()),
                paper, 0, None, "%", f"up to {paper:g} %",
                reading="shorter than 150 KB, a base RTT at 100 Gb/s; over schemes and loads, "
                "without HPCC",
                note=", ".join(f"{NAMES[s]} {value:.3g} %" for s, value in by_scheme.items()),
            )
        )  # fmt: skip
    return metrics


def better_than(results, workload, kind, rivals):
    """Whether Mercury is better than these at each load; a note of by how much it is not."""
    metrics = []
    for what, name in STATISTICS.items():
        found = {s: reductions(results, workload, s, kind, what) for s in rivals}
        worst = {s: min(by_load, key=by_load.get) for s, by_load in found.items()}
        metrics.append(
            statement(
                f"{kind} flows, {name}: Mercury's is below that of each at each load",
                all(found[s][load] > 0 for s, load in worst.items()),
                reading="" if "hpcc" in rivals else "without HPCC",
                note="smallest reduction: "
                + ", ".join(f"{NAMES[s]} {found[s][load]:.3g} % at {load} %"
                            for s, load in worst.items()),
            )
        )  # fmt: skip
    return metrics


def hpcc_metric(results, workload):
    by_load = reductions(results, workload, "hpcc", "short", "mean")
    return statement(
        "short flows: Mercury's mean FCT is above HPCC's at each load",
        all(value < 0 for value in by_load.values()), says="slightly",
        note=f"below it by, per cent: {loads_text(by_load)}",
    )  # fmt: skip


def evaluate_fig13(results):
    metrics = short_metrics(results, "Hadoop", {"mean": 64.7, "p99": 58.7})
    metrics.append(hpcc_metric(results, "Hadoop"))
    metrics += better_than(results, "Hadoop", "long", OTHERS)
    for what, stated in LONG_STATED.items():
        found = {}
        for scheme, paper in stated.items():
            by_load = reductions(results, "Hadoop", scheme, "long", what)
            found[scheme] = largest(by_load)
            metrics.append(
                Metric(f"long flows, {STATISTICS[what]}, against {NAMES[scheme]}", found[scheme],
                       paper, paper / 2, None, "%", f"up to {paper:g} %", reading=UP_TO,
                       note=loads_text(by_load))
            )  # fmt: skip
        order = sorted(stated, key=stated.get)
        ours = sorted(found, key=found.get)
        metrics.append(
            statement(f"long flows, {STATISTICS[what]}: the order of the schemes", ours == order,
                      says=" < ".join(NAMES[s] for s in order),
                      note=" < ".join(NAMES[s] for s in ours))
        )  # fmt: skip
    return metrics


def evaluate_fig14(results):
    metrics = short_metrics(results, "WebServer", {"mean": 81.1, "p99": 80.6})
    metrics.append(hpcc_metric(results, "WebServer"))
    metrics += better_than(results, "WebServer", "long", OTHERS)
    for what, paper in (("mean", 56.2), ("p99", 68.6)):
        by_scheme = {
            s: largest(reductions(results, "WebServer", s, "long", what)) for s in OTHERS
        }
        metrics.append(
            Metric(f"long flows, {STATISTICS[what]}: largest reduction", max(by_scheme.values()),
                   paper, paper / 2, None, "%", f"up to {paper:g} %", reading=UP_TO,
                   note=", ".join(f"{NAMES[s]} {value:.3g} %" for s, value in by_scheme.items()))
        )  # fmt: skip
    return metrics


def draw_short_and_long(workload):
    def draw(results):
        figure, axes = charts.panels(2, columns=2, height=2.5, sharex=False)
        panels = [(kind, what) for kind in ("short", "long") for what in STATISTICS]
        flat = [axis for row in axes for axis in row]
        for letter, axis, (kind, what) in zip("abcd", flat, panels):
            load_lines(axis, results, workload, kind, what)
            axis.set_title(f"({letter}) {kind} flows, {STATISTICS[what]}", loc="left")
            axis.set_ylabel("FCT (µs)")
        charts.legend_on_the_left(flat)
        return figure

    return draw


FIG13 = Target(
    "mercury-fig13", "Figure 13: short and long flows, Hadoop", PAPER,
    "Mercury is better than all schemes but HPCC for short flows, and better than all for long "
    "ones.",
    TREE_SETUP, tree_runs(("Hadoop",)), evaluate_fig13, draw_short_and_long("Hadoop"),
)  # fmt: skip

FIG14 = Target(
    "mercury-fig14", "Figure 14: short and long flows, WebServer", PAPER,
    "As figure 13, and more obvious.",
    TREE_SETUP, tree_runs(("WebServer",)), evaluate_fig14, draw_short_and_long("WebServer"),
)  # fmt: skip
