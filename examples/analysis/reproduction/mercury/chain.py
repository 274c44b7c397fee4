# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figure 10: Hadoop on the chain of switches."""

import functools

import plot_style as style
from reproduction import charts, measure
from reproduction.mercury.paper import (
    MERCURY, NAMES, OTHERS, PAPER, SCHEMES, reduction, seeds, statistics_of,
)  # fmt: skip
from reproduction.targets import Metric, Target, run

QUEUE_PAIR = "mercury, queue pairs"
CHAIN_LOADS = ("0.8", "0.4")  # of the hosts' links, P1's twice as much


def runs_fig10(fast):
    options = {scheme: (f"--scheme={scheme}",) for scheme in SCHEMES}
    options[QUEUE_PAIR] = (f"--scheme={MERCURY}", "--ns3::MercuryDetector::FlowKey=QueuePair")
    return {
        (load, scheme, seed): run(
            "mercury-workload", *options[scheme], f"--load={load}", f"--seed={seed}",
            f"--duration={5 if fast else 20}ms", "--sample=4us", cost=0.2 if fast else 0.7,
        )
        for load in CHAIN_LOADS
        for scheme in options
        for seed in seeds(fast, 10)
    }  # fmt: skip


@functools.lru_cache(maxsize=None)
def largest_queue_in(path, _):
    """KB, over the ports of all switches. @param _ when the file was written"""
    rows = measure.Folder(path).rows("ports.csv")
    return max(int(row["queue_bytes"]) for row in rows) / 1e3


def largest_queue(folder):
    path = folder.path / "ports.csv"
    return largest_queue_in(folder.path, path.stat().st_mtime_ns)


def tail(folder):
    """99th percentile of the FCT, µs."""
    return statistics_of(folder)["all"]["p99"]


def chain_reduction(results, value, load, mercury, scheme):
    """Interval of Mercury's reduction against a scheme over the seeds, and both means."""
    pairs = [
        (value(results[load, mercury, seed]), value(results[load, scheme, seed]))
        for seed in seeds(results.fast, 10)
    ]
    found = measure.interval(reduction(*pair) for pair in pairs)
    return found, [measure.mean(column) for column in zip(*pairs)]


def evaluate_fig10(results):
    metrics = []
    for what, value, paper, band, unit, why in (
        ("99th percentile of the FCT", tail, "16.1 to 25.5 %", (5, 35), "µs", ""),
        ("largest queue", largest_queue, "20.9 to 39.2 %", (10, 50), "KB",
         "; PFC bounds P1's queue: two inputs at Xoff are 640 KB"),
    ):  # fmt: skip
        for scheme in OTHERS:
            found, (ours, theirs) = chain_reduction(results, value, "0.8", MERCURY, scheme)
            metrics.append(
                Metric(
                    f"{what}, less than {NAMES[scheme]}'s by", found.mean, None, *band, "%", paper,
                    reading="80 % of the hosts' links",
                    note=f"{ours:.4g} against {theirs:.4g} {unit}; "
                    + measure.interval_text(found, "%") + why,
                )
            )  # fmt: skip
        for load, mercury, name in (
            ("0.8", QUEUE_PAIR, "a window for each queue pair"),
            ("0.4", MERCURY, "80 % of P1"),
            ("0.4", QUEUE_PAIR, "80 % of P1, a window for each queue pair"),
        ):
            by_scheme = {s: chain_reduction(results, value, load, mercury, s) for s in OTHERS}
            metrics.append(
                Metric(
                    f"{what}, mean reduction over the schemes, {name}",
                    measure.mean(found.mean for found, _ in by_scheme.values()), unit="%",
                    note=", ".join(
                        f"{NAMES[s]} {found.mean:.3g} %" for s, (found, _) in by_scheme.items()
                    ),
                )
            )  # fmt: skip
    return metrics


def draw_fig10(results):
    figure, axes = charts.panels(2, columns=2, height=1.8)
    shown = (*SCHEMES, QUEUE_PAIR)
    for row, load, title in zip(axes, CHAIN_LOADS, ("80 % of the hosts' links", "80 % of P1")):
        for axis, value, label in ((row[0], lambda f: tail(f) / 1e3, "99th percentile (ms)"),
                                   (row[1], largest_queue, "Largest queue (KB)")):  # fmt: skip
            for index, scheme in enumerate(shown):
                found = measure.interval(
                    value(results[load, scheme, seed]) for seed in seeds(results.fast, 10)
                )
                axis.bar([index], [found.mean], 0.7, yerr=[0 if found.n < 2 else found.half],
                         color=style.COLOURS[min(index, len(SCHEMES) - 1)],
                         error_kw={"elinewidth": 0.8, "capsize": 2})  # fmt: skip
            axis.set_xticks(range(len(shown)))
            axis.set_xticklabels([NAMES[s] for s in SCHEMES] + ["Mercury,\nqueue pairs"],
                                 rotation=30, ha="right")  # fmt: skip
            axis.tick_params(axis="x", length=0)
            axis.grid(False, axis="x")
            axis.set_ylabel(label)
            axis.set_title(title, loc="left")
    return figure


FIG10 = Target(
    "mercury-fig10", "Figure 10: Hadoop at 80 % on the chain", PAPER,
    "Mercury reduces the 99th percentile of the FCT by 16.1 to 25.5 % and the largest queue of "
    "the switches by 20.9 to 39.2 %.",
    "Figure 2 with H1, H2, R1 and R2, all links 40 Gb/s, Xoff 320 KB; 20 ms of arrivals. DCQCN "
    "as in figure 4. The load is that of the hosts' links, as elsewhere, which is 160 % of "
    "P1's; below it as P1's.",
    runs_fig10, evaluate_fig10, draw_fig10,
)  # fmt: skip
