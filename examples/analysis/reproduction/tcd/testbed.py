# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figure 11: marks of two flows on the testbed."""

from reproduction import charts, measure
from reproduction.targets import Metric, Target, run
from reproduction.tcd.paper import PAPER


def evaluate_fig11(results):
    folder = results["run"]
    burst = next(flow for flow in folder.flows if flow.src == "4")
    end = burst.start + burst.fct

    def shares(source, kind, during):
        """Marked shares of the bins of a flow that are all within the burst, or all after it."""
        return [
            100 * getattr(flow, kind) / flow.packets
            for flow in folder.completed
            if flow.src == source
            and (burst.start < flow.start and flow.start + flow.fct < end) == during
            and (during or flow.start > end)
        ]

    reading = "bins that are all before the end of A0's flow, or all after it"
    return [
        Metric("packets of F0 marked UE while A0 sends", measure.mean(shares("0", "ue", True)),
               100, 90, 100, "%", reading=reading),
        Metric("packets of F0 marked CE while A0 sends", max(shares("0", "ce", True)), 0, 0, 0,
               "%"),
        Metric("packets of F0 marked afterwards",
               max(shares("0", "ue", False) + shares("0", "ce", False)), 0, 0, 0, "%"),
        Metric("packets of F1 marked CE while A0 sends", measure.mean(shares("1", "ce", True)),
               100, 90, 100, "%", "all", reading=reading),
    ]  # fmt: skip


def draw_fig11(results):
    folder = results["run"]
    figure, ((left, right),) = charts.panels(1, columns=2, height=2.0)
    for axis, source, name in ((left, "0", "F0"), (right, "1", "F1")):
        flows = [flow for flow in folder.completed if flow.src == source]
        for kind, colour in (("ue", charts.UE), ("ce", charts.CE)):
            axis.plot(
                [flow.start + flow.fct / 2 for flow in flows],
                [getattr(flow, kind) / flow.packets for flow in flows],
                color=colour, label=kind.upper(), marker="o" if kind == "ue" else "s",
            )  # fmt: skip
        axis.set_title(name, loc="left")
        axis.set_xlabel("Time (s)")
    left.set_ylabel("Share of the packets")
    left.legend(loc="best")
    return figure


FIG11 = Target(
    "tcd-fig11", "Figure 11: testbed, marks of F0", PAPER,
    "All packets of F0 are marked UE while A0 sends, none before and after; those of F1 are "
    "marked CE.",
    "The compact network at 10 Gb/s, Xoff 800 KB, Xon 770 KB, epsilon 0.04, tau 20 µs. F0 "
    "sends at 1 Gb/s, F1 at 8 Gb/s, A0 at line rate for some time.",
    lambda fast: {
        "run": run(
            "tcd-testbed", "--scheme=dcqcn+tcd",
            *(("--duration=1s", "--burst-start=300ms", "--burst-duration=300ms",
               "--bin=30ms") if fast else ()),
        )
    },
    evaluate_fig11, draw_fig11,
)  # fmt: skip
