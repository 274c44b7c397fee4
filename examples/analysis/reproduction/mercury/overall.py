# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figures 11 and 12: mean and 99th percentile of the FCT of all flows."""

from reproduction import charts
from reproduction.mercury.fat_tree import (
    TREE_SETUP, UP_TO, WORKLOADS, largest, load_lines, loads, over_seeds, reductions, tree_runs,
)  # fmt: skip
from reproduction.mercury.paper import MERCURY, NAMES, OTHERS, PAPER, SCHEMES
from reproduction.targets import Metric, Target, statement

# By workload: smallest and largest reduction over the schemes, as far as the paper gives them.
MEAN_STATED = {
    "CacheFollower": (21.1, 38.5), "Hadoop": (11.2, 36.1), "WebSearch": (None, 21.9),
    "WebServer": (None, 32.6),
}  # fmt: skip


def best_everywhere(results, workloads, what):
    """Whether Mercury's is the lowest of all, over loads and workloads."""
    wins, cases, lost = 0, 0, {}
    for workload in workloads:
        for load in loads(results.fast):
            cases += 1
            found = {
                scheme: over_seeds(results, workload, load, scheme, "all", what).mean
                for scheme in SCHEMES
            }
            best = min(found, key=found.get)
            wins += best == MERCURY
            if best != MERCURY:
                lost[NAMES[best]] = lost.get(NAMES[best], 0) + 1
    note = f"in {wins} of {cases} cases" + "".join(
        f", {name} in {count}" for name, count in lost.items()
    )
    return wins == cases, note


def evaluate_overall(what, stated):
    def evaluate(results):
        metrics = []
        for workload in WORKLOADS:
            by_scheme = {
                scheme: largest(reductions(results, workload, scheme, "all", what))
                for scheme in OTHERS
            }
            note = ", ".join(f"{NAMES[s]} {value:.3g} %" for s, value in by_scheme.items())
            least = min(
                min(reductions(results, workload, s, "all", what).values()) for s in OTHERS
            )
            note += f"; the smallest over schemes and loads {least:.3g} %"
            papers = stated.get(workload, (None, None))
            for name, ours, paper in (("smallest", min(by_scheme.values()), papers[0]),
                                      ("largest", max(by_scheme.values()), papers[1])):  # fmt: skip
                if paper is not None or name == "largest":
                    metrics.append(
                        Metric(f"{workload}: {name} reduction over the schemes", ours, paper,
                               None if paper is None else paper / 2, None, "%", reading=UP_TO,
                               note=note)
                    )  # fmt: skip
        holds, note = best_everywhere(results, WORKLOADS, what)
        return [*metrics, statement("Mercury has the lowest at each load", holds, note=note)]

    return evaluate


def draw_overall(what, label):
    def draw(results):
        figure, axes = charts.panels(2, columns=2, height=2.0, sharex=False)
        flat = [axis for row in axes for axis in row]
        for axis, workload in zip(flat, WORKLOADS):
            load_lines(axis, results, workload, "all", what)
            axis.set_title(workload, loc="left")
            axis.set_ylabel(label)
        charts.legend_on_the_left(flat)
        return figure

    return draw


FIG11 = Target(
    "mercury-fig11", "Figure 11: mean FCT", PAPER,
    "Mercury has the lowest mean at all loads: by 21.1 to 38.5 % for CacheFollower, 11.2 to "
    "36.1 % for Hadoop, up to 21.9 % for WebSearch and up to 32.6 % for WebServer.",
    TREE_SETUP, tree_runs(WORKLOADS), evaluate_overall("mean", MEAN_STATED),
    draw_overall("mean", "Mean FCT (µs)"),
)  # fmt: skip

FIG12 = Target(
    "mercury-fig12", "Figure 12: 99th percentile of the FCT", PAPER,
    "As figure 11: Mercury has the lowest at all loads.",
    TREE_SETUP, tree_runs(WORKLOADS), evaluate_overall("p99", {}),
    draw_overall("p99", "99th percentile of the FCT (µs)"),
)  # fmt: skip
