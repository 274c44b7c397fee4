# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figure 8: the length of ON periods, by the equations."""

from itertools import pairwise

import numpy
from matplotlib import pyplot

import plot_style as style
from reproduction import charts
from reproduction.targets import Metric, Target, run, statement
from reproduction.tcd.paper import PAPER


def ton_surface(results):
    """Ton in µs by epsilon and then by Rd / C."""
    surface = {}
    for row in results["run"].rows("ton.csv"):
        by_share = surface.setdefault(float(row["epsilon"]), {})
        by_share[float(row["drain_share"])] = float(row["ton_us"])
    return surface


def evaluate_fig8(results):
    longest = {
        (row["rate_gbps"], row["delay_us"], float(row["epsilon"])): float(row["max_ton_us"])
        for row in results["run"].rows("max-ton.csv")
    }
    metrics = [
        Metric(
            f"max(Ton) at {rate} Gb/s", longest[rate, "1", 0.05], paper, paper - 0.01,
            paper + 0.01, "µs", reading="epsilon 0.05, MTU 1000 B, Xoff - Xon 2 MTU, 1 µs",
        )
        for rate, paper in (("40", 34.4), ("100", 26.96), ("200", 24.48))
    ]  # fmt: skip
    rows = list(ton_surface(results).values())
    falls = all(a[share] > b[share] for a, b in pairwise(rows) for share in a)
    rises = all(a < b for row in rows for a, b in pairwise(row.values()))
    return [
        *metrics,
        Metric("max(Ton) in the simulations, 40 Gb/s and 4 µs", longest["40", "4", 0.05],
               unit="µs", reading="tau = 2 MTU/C + 2 tp = 8.4 µs; figure 8 has 8 µs"),
        statement("Ton rises as epsilon falls, and with Rd", falls and rises),
    ]  # fmt: skip


def draw_fig8(results):
    surface = ton_surface(results)
    figure = pyplot.figure(figsize=(style.WIDTH, 3.4), constrained_layout=True)
    left, right = figure.add_subplot(1, 2, 1, projection="3d"), figure.add_subplot(1, 2, 2)
    shares = sorted(next(iter(surface.values())))
    plane = surface[0.05][max(shares)]
    x, y = numpy.meshgrid(list(surface), [40 * share for share in shares], indexing="ij")
    z = numpy.array([[row[share] for share in shares] for row in surface.values()])
    left.plot_surface(x, y, z, cmap="viridis")
    left.plot_surface(x, y, numpy.full_like(z, plane), color=charts.CE, alpha=0.3)
    left.set_xticks([0.05, 0.1, 0.2, 0.3])
    left.set_xlabel("ε")
    left.set_ylabel("Rd (Gb/s)")
    left.set_zlabel("Ton (µs)")
    left.view_init(22, 40)
    for index, share in enumerate((0.0, 0.25, 0.5)):
        right.plot(
            list(surface), [row[share] for row in surface.values()],
            label=f"Rd = {40 * share:g} Gb/s", **style.line_style(index),
        )  # fmt: skip
    right.axhline(plane, color=charts.CE, linewidth=0.8)
    right.annotate(f"ε = 0.05, Rd = C/2: {plane:g} µs", (0.3, plane), (0, 3), "data",
                   "offset points", ha="right", fontsize=7)  # fmt: skip
    right.set_xlabel("ε")
    right.set_ylabel("Ton (µs)")
    right.legend(loc="upper right")
    return figure


FIG8 = Target(
    "tcd-fig8", "Figure 8: the length of ON periods by epsilon and Rd", PAPER,
    "Ton rises slowly, then rapidly as epsilon falls; the plane is max(Ton) for epsilon 0.05. "
    "Section 4.3: max(Ton) is 34.4, 26.96 and 24.48 µs at 40, 100 and 200 Gb/s.",
    "Equations 2 and 3; tau 8 µs and 40 Gb/s in the figure.",
    lambda fast: {"run": run("tcd-max-ton", cost=0.1)}, evaluate_fig8, draw_fig8,
)  # fmt: skip
