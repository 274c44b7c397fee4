# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""All schemes in one fabric under the same flows: a comparison of our own, no paper's."""

import math

import plot_style as style
from reproduction import charts, measure, presets
from reproduction.mercury import fat_tree
from reproduction.mercury.paper import SHORT, seeds, statistics_of
from reproduction.targets import Metric, Table, Target

PROGRAMS = ("fat-tree",)
LOAD = 60
KINDS = ("short", "long")

# ecm and qcn have values for 10 Gb/s, which are not scaled to these links of 100 and 400 Gb/s, and
# ibcc is made for credits.
NOT_COMPARED = ("ibcc", "ibcc+tcd", "ecm", "qcn")


def runs(fast):
    """Equal to those of Mercury's figures where they have the scheme."""
    return {
        (workload, scheme, seed): fat_tree.tree(workload, LOAD, scheme, seed, fast)
        for workload in fat_tree.WORKLOADS
        for scheme in presets.names()
        if scheme not in NOT_COMPARED
        for seed in seeds(fast, fat_tree.FULL_SEEDS)
    }


def schemes_of(results):
    """The schemes that were run, in order."""
    return list(dict.fromkeys(scheme for _, scheme, _ in results))


def by_seed(results, workload, scheme, kind, what):
    """A statistic of the FCT of each seed's run [µs]."""
    return [
        statistics_of(results[workload, scheme, seed])[kind][what]
        for seed in seeds(results.fast, fat_tree.FULL_SEEDS)
    ]


def fct(*which):
    """The mean over the seeds [µs]."""
    return measure.mean(by_seed(*which))


# -------------------------------------------------------------------------------- the tables --


def pause_time(summaries):
    return 1e3 * measure.mean(summary["pause_time_s"] for summary in summaries)


def cpu(summaries):
    return measure.mean(summary["cpu_s"] for summary in summaries)


def signals(summaries):
    """How many marks and notifications there were, and how many by pauses alone."""
    victims = [summary["victims"] for summary in summaries]
    return [
        sum(found["marks" + kind] + found["notifications" + kind] for found in victims)
        for kind in ("", "_by_pauses")
    ]


def victim_marks(summaries):
    """Per cent of all marks and notifications; NaN if there are none."""
    total, by_pauses = signals(summaries)
    return 100 * measure.ratio(by_pauses, total)


def victim_flows(summaries):
    """Per cent of all flows; NaN of a scheme that neither marks nor notifies."""
    if not signals(summaries)[0]:
        return math.nan
    marked = sum(summary["victims"]["victim_flows_marked"] for summary in summaries)
    return 100 * measure.ratio(marked, sum(summary["flows"] for summary in summaries))


# Of the summaries of a scheme's runs: heading, value, decimals.
OF_SUMMARIES = (
    ("pauses (ms)", pause_time, 3), ("victim marks (%)", victim_marks, 2),
    ("victim flows (%)", victim_flows, 2), ("CPU (s)", cpu, 1),
)  # fmt: skip
COLUMNS_OF_FCT = [(kind, what) for kind in KINDS for what in ("mean", "p50", "p99")]
HEADER = [
    "scheme",
    *(f"{kind} {what} (µs)" for kind, what in COLUMNS_OF_FCT),
    *(heading for heading, _, _ in OF_SUMMARIES),
]


def text(value, decimals):
    return "–" if math.isnan(value) else f"{value:.{decimals}f}"


def row(results, workload, scheme):
    """A scheme's row: means over the seeds, shares of all seeds together."""
    summaries = [
        results[workload, scheme, seed].summary
        for seed in seeds(results.fast, fat_tree.FULL_SEEDS)
    ]
    return [
        scheme,
        *(text(fct(results, workload, scheme, *of), 1) for of in COLUMNS_OF_FCT),
        *(text(value(summaries), decimals) for _, value, decimals in OF_SUMMARIES),
    ]


def tabulate(results):
    schemes = schemes_of(results)
    return [
        Table(workload, HEADER, [row(results, workload, scheme) for scheme in schemes])
        for workload in fat_tree.WORKLOADS
    ]


# ------------------------------------------------------------------- statements and figure --


def evaluate(results):
    """The best schemes, and how far from each other they are."""
    metrics = []
    for workload in fat_tree.WORKLOADS:
        for kind, what in (("short", "p99"), ("long", "mean")):
            found = {s: fct(results, workload, s, kind, what) for s in schemes_of(results)}
            best, second, *_, last = sorted(found, key=found.get)
            metrics.append(
                Metric(
                    f"{workload}: lowest {fat_tree.STATISTICS[what]} of {kind} flows", found[best],
                    unit="µs",
                    note=f"{best}; next {second} {found[second]:.1f} µs; largest {last} "
                    f"{found[last]:.1f} µs",
                )
            )  # fmt: skip
    return metrics


def draw(results):
    schemes = schemes_of(results)
    figure, axes = charts.panels(2, columns=2, height=2.5, sharex=False)
    for axis, workload in zip([axis for pair in axes for axis in pair], fat_tree.WORKLOADS):
        for index, kind in enumerate(KINDS):
            found = [by_seed(results, workload, scheme, kind, "p99") for scheme in schemes]
            means = [measure.mean(values) for values in found]
            # Not the confidence interval: that of so few seeds may reach below 0.
            below = [mean - min(values) for mean, values in zip(means, found)]
            above = [max(values) - mean for mean, values in zip(means, found)]
            charts.dots(axis, means, [below, above], f"{kind} flows", index)
        axis.set_xscale("log")
        style.log_ticks(axis.xaxis, *axis.get_xlim(), text="{:g}".format)
        axis.set_title(workload, loc="left")
    for left, right in axes:
        charts.rows(left, schemes)
        right.set_yticks(range(len(schemes)), [])
        right.set_ylim(left.get_ylim())
    for axis in axes[-1]:
        axis.set_xlabel("99th percentile of the FCT (µs)")
    # Beside the title, as each place in the panels may be taken.
    axes[0][-1].legend(loc="lower right", bbox_to_anchor=(1, 0.99), ncol=2)
    return figure


TARGETS = [
    Target(
        "schemes-fat-tree", "All schemes in the fat-tree of 320 hosts", "All schemes side by side",
        "",
        f"{fat_tree.TREE_SETUP} Load {LOAD} %. RoCC's thresholds at 400 Gb/s are in proportion to "
        "its own, above Xoff. The figure has mean and range of the seeds. The "
        "tables have means over the seeds; short flows are those below "
        f"{style.size_text(SHORT)}; pauses are the sum over all ports. Victim marks are "
        "the share of marks and notifications that come of pauses alone: the queue would be less "
        "than half as long without them; victim flows are the share of flows that had such "
        "marks and no others. The CPU time has the counting of victims in it, about 14 %.",
        runs, evaluate, draw, tabulate, PROGRAMS,
    )
]  # fmt: skip
