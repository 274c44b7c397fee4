# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figure 20: the shares of flows through an undetermined port."""

import plot_style as style
from reproduction import charts, measure
from reproduction.targets import Metric, Target, run
from reproduction.tcd.paper import PAPER, bursts_start, seeds

# TIMELY's paper does not print the weight of a new RTT: 0.875 by CoNEXT 2016, 0.02 by the snippet.
FAIRNESS = {
    "DCQCN+TCD": ("--scheme=dcqcn+tcd",),
    "TIMELY+TCD": ("--scheme=timely+tcd",),
    "TIMELY+TCD, EWMA 0.02": ("--scheme=timely+tcd", "--ns3::Timely::EwmaGain=0.02"),
}
B_HOSTS = ("B0", "B1", "B2", "B3")


def runs_fig20(fast):
    stop = "15ms" if fast else "60ms"
    return {
        (name, seed): run("tcd-fairness", *options, f"--stop={stop}", f"--seed={seed}", cost=2)
        for name, options in FAIRNESS.items()
        for seed in seeds(fast, 5)
    }


def shares_after(folder):
    """Gb/s of each B host in the last third of the run: long after P3's congestion."""
    found = []
    for host in B_HOSTS:
        series = folder.port(f"{host},0")
        first = 2 * len(series.times) // 3
        span = series.times[-1] - series.times[first]
        found.append(8e-9 * (series.sent[-1] - series.sent[first]) / span)
    return found


def evaluate_fig20(results):
    metrics = []
    for name in FAIRNESS:
        runs = [shares_after(results[key]) for key in results if key[0] == name]
        jain = min(sum(shares) ** 2 / (len(shares) * sum(s * s for s in shares)) for shares in runs)
        found = measure.interval(measure.mean(shares) for shares in runs)
        flows = [share for shares in runs for share in shares]
        metrics.append(
            Metric(
                f"share of a B flow afterwards, {name}", found.mean, 8, 7.2, 8.4, "Gb/s",
                reading="mean of the last third of the run, headers included",
                note=f"{measure.interval_text(found, 'Gb/s')}; single flows {min(flows):.3g} to "
                f"{max(flows):.3g} Gb/s, Jain's index at least {jain:.3f}",
            )
        )  # fmt: skip
    return metrics


def draw_fig20(results):
    figure, axes = charts.panels(1, columns=3, height=2.2)
    for axis, name in zip(axes[0], FAIRNESS):
        folder = results[name, 1]
        zero = bursts_start(folder, others=5)
        for index, host in enumerate(B_HOSTS):
            times, rates = measure.throughput(folder.port(f"{host},0"), 200e-6)
            axis.plot(
                [1e3 * (time - zero) for time in times], [rate / 1e9 for rate in rates],
                label=f"flow of {host}", **{**style.line_style(index), "linewidth": 0.9},
            )  # fmt: skip
        axis.axhline(8, color=style.GREY, linewidth=0.8, linestyle=":")
        axis.set_title(name, loc="left")
        axis.set_xlabel("Time since the bursts start (ms)")
        axis.set_ylim(bottom=0)
    axes[0][0].set_ylabel("Throughput (Gb/s)")
    axes[0][0].legend(loc="best")
    return figure


FIG20 = Target(
    "tcd-fig20", "Figure 20: fairness with TCD", PAPER,
    "While P2 is undetermined, the rates of the four B flows are kept. When P3's congestion "
    "is gone, P2 is congested, and each of them comes to its fair share of 8 Gb/s.",
    "Figure 2 with B0 to B3 on L0, which send to R0 from the start of the bursts on. Their "
    "throughput is what their NICs send.",
    runs_fig20, evaluate_fig20, draw_fig20,
)  # fmt: skip
