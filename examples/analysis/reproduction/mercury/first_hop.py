# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figure 4: a burst at the first switch."""

import numpy

import plot_style as style
from reproduction import charts, measure
from reproduction.mercury.paper import (
    MERCURY, NAMES, PAPER, SIMULATOR_DCQCN, burst_start, lowest_throughput, nic_throughput,
)  # fmt: skip
from reproduction.targets import Metric, Target, run

INCAST = ("timely", "dcqcn", "hpcc", MERCURY)
LINK_DELAY = 4e-6
FIG4_READINGS = {
    "a CNP each base RTT": (MERCURY, "--ns3::MercuryDetector::CnpInterval=0s"),
    "threshold 50 KB": (MERCURY, "--ns3::MercuryDetector::Threshold=50000"),
    "threshold 400 KB": (MERCURY, "--ns3::MercuryDetector::Threshold=400000"),
    "DCQCN as in figures 3 and 9": (MERCURY, *SIMULATOR_DCQCN),
}


def runs_fig4(fast):
    return {s: run("mercury-incast", f"--scheme={s}", cost=0.5) for s in INCAST} | {
        name: run("mercury-incast", f"--scheme={scheme}", *options, cost=0.5)
        for name, (scheme, *options) in FIG4_READINGS.items()
    }


def delivered(folder, width):
    """Throughput of the long flow as it leaves P1: seconds, Gb/s.

    P1 is first come, first served, so what it sends at a time are the bytes that had come to it
    when as many had come in all; H1's part of them is what H1 had sent a link delay before.
    """
    p1, h1 = folder.port("P1"), folder.port("H1,0")
    came = [sent + queue for sent, queue in zip(p1.sent, p1.queue)]
    when = numpy.interp(p1.sent, came, p1.times)
    left = numpy.interp(when - LINK_DELAY, h1.times, h1.sent)
    series = measure.Series(p1.times, [], left.tolist(), [], [], [])
    times, rates = measure.throughput(series, width)
    return times, [rate / 1e9 for rate in rates]


def lowest_delivered(folder, zero, width=50e-6):
    return min(rate for time, rate in zip(*delivered(folder, width)) if time > zero)


def lowest_sent(folder, zero):
    return lowest_throughput(folder, "H1", zero)


def incast_rate(folder, zero):
    """The lowest rate of the long flow's sender [Gb/s]."""
    return min(rate / 1e9 for time, rate in zip(*folder.rates(0)) if time > zero)


# The paper does not say where it measures. At H1 a window stops the flow at once, as more is under
# way than the window; P1's queue is first come, first served, and a ninth of the burst is H1's.
LONG_FLOW = (("as it leaves P1", lowest_delivered), ("as H1 sends it", lowest_sent))
AT_P1, AT_H1 = (name for name, _ in LONG_FLOW)
FIG4_NOTES = {
    (AT_P1, "hpcc"): "; all stop until P1 has sent its queue, of which a ninth is H1's: 4.4 Gb/s",
    (AT_P1, MERCURY): "; H1's ninth of what P1 sends of the burst is 4.4 Gb/s",
    (AT_H1, MERCURY): "; it stops at once, as more is under way than its window",
}  # fmt: skip


def evaluate_fig4(results):
    metrics = []
    for scheme in INCAST:
        largest = max(results[scheme].port("P1").queue) / 1e3
        band = (900, 1200) if scheme != MERCURY else (None, None)
        metrics.append(
            Metric(f"(a) largest queue of S1, {NAMES[scheme]}", largest,
                   None if scheme == MERCURY else 1000, *band, "KB",
                   "lower" if scheme == MERCURY else "> 1000 KB",
                   reading="the burst is 960 KB, of which P1 sends 120 KB meanwhile")
        )  # fmt: skip
    for name, lowest in LONG_FLOW:
        for scheme in INCAST:
            folder = results[scheme]
            zero = burst_start(folder, others=1)
            paper, low, high, says = (6, 4, 9, "> 6 Gb/s") if scheme == MERCURY else (
                0, None, 2, "almost 0")  # fmt: skip
            metrics.append(
                Metric(f"(b) lowest throughput of the long flow {name}, {NAMES[scheme]}",
                       lowest(folder, zero), paper, low, high, "Gb/s", says,
                       reading="in windows of 50 µs",
                       note=f"lowest rate {incast_rate(folder, zero):.3g} Gb/s"
                       + FIG4_NOTES.get((name, scheme), ""))
            )  # fmt: skip
    for key in FIG4_READINGS:
        folder = results[key]
        zero = burst_start(folder, others=1)
        metrics.append(
            Metric(f"(b) lowest rate of the long flow, Mercury, {key}",
                   incast_rate(folder, zero), unit="Gb/s",
                   note=", ".join(f"throughput {name} {lowest(folder, zero):.3g} Gb/s"
                                  for name, lowest in LONG_FLOW)
                   + f"; largest queue {max(folder.port('P1').queue) / 1e3:.0f} KB")
        )  # fmt: skip
    return metrics


def draw_fig4(results):
    figure, ((left, middle, right),) = charts.panels(1, columns=3, height=2.2)
    for index, scheme in enumerate(INCAST):
        folder = results[scheme]
        zero = burst_start(folder, others=1)
        line = {**style.line_style(index), "linewidth": 1.0, "label": NAMES[scheme]}
        p1 = folder.port("P1")
        left.plot([1e3 * (t - zero) for t in p1.times], [q / 1e3 for q in p1.queue], **line)
        times, rates = delivered(folder, 20e-6)
        middle.plot([1e3 * (time - zero) for time in times], rates, **line)
        right.plot(*nic_throughput(folder, "H1", zero, 20e-6), **line)
    for axis in (left, middle, right):
        axis.set_xlim(-0.1, 0.8)
        axis.set_ylim(bottom=0)
    middle.set_xlabel("Time since the burst starts (ms)")
    left.set_title("(a) queue of S1", loc="left")
    left.set_ylabel("Queue length (KB)")
    middle.set_title("(b) long flow, leaving P1", loc="left")
    middle.set_ylabel("Throughput (Gb/s)")
    right.set_title("(b) long flow, sent by H1", loc="left")
    left.legend(loc="best")
    return figure


FIG4 = Target(
    "mercury-fig4", "Figure 4: a burst at the first switch", PAPER,
    "The queue exceeds 1000 KB with DCQCN, TIMELY and HPCC, whose signals come too late, and "
    "the long flow falls to almost nothing; with Mercury it keeps more than 6 Gb/s.",
    "Figure 2 with nine hosts on S1, all links 40 Gb/s. H1 sends to R1; 600 µs later H2 to H9 "
    "send 120 KB each to R1. DCQCN, also under Mercury, as its own paper has it.",
    runs_fig4, evaluate_fig4, draw_fig4,
)  # fmt: skip
