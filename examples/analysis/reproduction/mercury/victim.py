# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figures 3 and 9: a flow that only suffers from pauses, and the rate that it keeps."""

import plot_style as style
from reproduction import charts
from reproduction.mercury.paper import (
    MERCURY, NAMES, PAPER, SCHEMES, SIMULATOR_DCQCN, SIMULATOR_VARIANT, TCD, WITH_DCQCN,
    burst_start, lowest_throughput, nic_throughput,
)  # fmt: skip
from reproduction.targets import Metric, Target, run, statement

SENDER_RATE = 20e9
VICTIM_SETUP = (
    "Figure 2: 20 Gb/s from H1 and H2, else 40 Gb/s, 4 µs, Xoff 320 KB. F1 from H1 to R1, the "
    "victim, and F2 from H2 to R2; 3 ms later B1 to B8 send 6 messages of 50 KB each to R2, all at "
    "once, which take 500 µs: time 0. DCQCN has its paper's values in the variant of HPCC's "
    "simulator (a cut at most each 50 µs, the first 50 µs after the first CNP) and an alpha that "
    "starts at 0.5."
)


def victim(scheme, *options):
    return run("mercury-victim", f"--scheme={scheme}", *options, cost=0.5)


def rate_at(folder, flow, time):
    """A sender's rate at a time [Gb/s]; it starts at line rate."""
    before = [rate for at, rate in zip(*folder.rates(flow)) if at <= time]
    return (before[-1] if before else SENDER_RATE) / 1e9


def lowest_rate(folder, flow, zero):
    """A sender's lowest rate from a time on [Gb/s]."""
    after = [rate / 1e9 for at, rate in zip(*folder.rates(flow)) if at > zero]
    return min([rate_at(folder, flow, zero), *after])


def kept(folder, zero):
    """Per cent of its rate that F1 keeps at the least."""
    return 100 * lowest_rate(folder, 0, zero) / rate_at(folder, 0, zero)


def first_cut(folder, flow, zero):
    """When a flow first has less than 95 % of its rate, µs after the bursts start, or None."""
    limit = 0.95e9 * rate_at(folder, flow, zero)
    times = [at for at, rate in zip(*folder.rates(flow)) if at > zero and rate < limit]
    return 1e6 * (times[0] - zero) if times else None


def paused(folder, port):
    """µs for which a port was paused."""
    return 1e6 * sum(end - start for start, end in folder.pauses(port))


def spread_text(folder, zero):
    return (
        f"lowest throughput {lowest_throughput(folder, 'H1', zero):.3g} Gb/s; P2 paused for "
        f"{paused(folder, 'P2'):.0f} µs, P1 for {paused(folder, 'P1'):.0f} µs"
    )


# --------------------------------------------------------------------------------- figure 3 --


def runs_fig3(fast):
    return {
        "run": victim("dcqcn", *SIMULATOR_DCQCN),
        "preset": victim("dcqcn"),
        "xoff": victim("dcqcn", "--xoff=100000"),
    }


def evaluate_fig3(results):
    folder = results["run"]
    zero = burst_start(folder, others=2)
    cuts = [first_cut(folder, flow, zero) for flow in (0, 1)]
    metrics = [
        Metric("lowest rate of F1, which should keep 20 Gb/s", lowest_rate(folder, 0, zero),
               high=19, unit="Gb/s", says="decreases", note=spread_text(folder, zero)),
        Metric("lowest rate of F2", lowest_rate(folder, 1, zero), high=19, unit="Gb/s",
               says="decreases"),
        statement("F2 slows down first, then F1", None not in cuts and cuts[1] < cuts[0],
                  note="first below 95 %: "
                  + ", ".join(f"F{i + 1} " + ("never" if t is None else f"after {t:.0f} µs")
                              for i, t in enumerate(cuts))),
    ]  # fmt: skip
    for port in ("P2", "P1"):
        metrics.append(
            Metric(f"frames that {port}, which is not congested, marks CE",
                   folder.port(port).ce[-1], low=1, unit="frames", says="some",
                   note=f"largest queue {max(folder.port(port).queue) / 1e3:.0f} KB")
        )  # fmt: skip
    for key, name in (
        ("preset", "with DCQCN's own variant, alpha 1"),
        ("xoff", "with that and Xoff 100 KB"),
    ):
        metrics.append(
            Metric(f"lowest rate of F1 {name}", lowest_rate(results[key], 0, zero), unit="Gb/s",
                   note=spread_text(results[key], zero))
        )  # fmt: skip
    return metrics


def draw_fig3(results):
    folder = results["run"]
    zero = burst_start(folder, others=2)
    figure, ((top,), (bottom,)) = charts.panels(2, heights=[1.7, 1.7])
    for flow, (name, host) in enumerate((("F1, the victim", "H1"), ("F2", "H2"))):
        line = {**style.line_style(flow), "linewidth": 1.0}
        times, rates = folder.rates(flow)
        end = folder.summary["simulated_s"]
        top.step(
            [1e3 * (time - zero) for time in (0.0, *times, end)],
            [rate / 1e9 for rate in (SENDER_RATE, *rates, rates[-1] if rates else SENDER_RATE)],
            where="post", label=name, **line,
        )  # fmt: skip
        bottom.plot(*nic_throughput(folder, host, zero), label=name, **line)
    top.set_ylabel("Rate (Gb/s)")
    bottom.set_ylabel("Throughput (Gb/s)")
    bottom.set_xlabel("Time since the bursts start (ms)")
    for axis in (top, bottom):
        axis.set_ylim(bottom=0)
        axis.set_xlim(-0.5, 2.5)
    top.legend(loc="best")
    return figure


FIG3 = Target(
    "mercury-fig3", "Figure 3: a victim under DCQCN", PAPER,
    "F2, which is congested, slows down, and then F1, which passes no congested port: the "
    "pauses of P3's congestion let the queues of P2 and P1 grow until they mark.",
    VICTIM_SETUP, runs_fig3, evaluate_fig3, draw_fig3,
)  # fmt: skip


# --------------------------------------------------------------------------------- figure 9 --

TCD_ALPHA, SPREAD = "TCD, alpha 0.5", "spread"
FIG9_NOTES = {
    "timely": "it slows F2 down before anything is paused",
    "hpcc": "a window of F2 is 80 KB, so its frames cannot reach Xoff",
    "dcqcn+tcd": "its alpha of 1.2 slows F2 down before anything is paused",
}


def runs_fig9(fast):
    # A study refuses attributes of a class that its scheme does not use.
    return {
        scheme: victim(scheme, *(SIMULATOR_DCQCN if scheme in WITH_DCQCN else ()))
        for scheme in SCHEMES
    } | {
        TCD: victim(TCD, *SIMULATOR_VARIANT),
        TCD_ALPHA: victim(TCD, *SIMULATOR_DCQCN),
        SPREAD: victim(MERCURY, *SIMULATOR_DCQCN, "--xoff=50000",
                       "--ns3::MercuryDetector::Threshold=20000"),
    }  # fmt: skip


def evaluate_fig9(results):
    metrics = []
    for scheme in SCHEMES:
        folder = results[scheme]
        zero = burst_start(folder, others=2)
        share = kept(folder, zero)
        paper, low, high, says = None, None, 95, "reduced"
        if scheme == MERCURY:
            paper, low, high, says = 100, 95, None, "unchanged"
        elif scheme == "dcqcn+tcd":
            paper, high, says = 25, None, "25 % (5 Gb/s)"
        why = FIG9_NOTES.get(scheme, "") if (share < 95) == (scheme == MERCURY) else ""
        metrics.append(
            Metric(
                f"rate that F1, the victim, keeps, {NAMES[scheme]}", share, paper, low, high, "%",
                says, note="; ".join(filter(None, [why, spread_text(folder, zero)])),
            )
        )  # fmt: skip
    folder = results[TCD_ALPHA]
    zero = burst_start(folder, others=2)
    narrow = lowest_throughput(folder, "H1", zero, 20e-6)
    metrics.append(
        Metric("lowest throughput of F1, DCQCN+TCD with alpha 0.5",
               lowest_throughput(folder, "H1", zero), 5, unit="Gb/s",
               reading="the paper draws throughput, which falls while S1 pauses H1, whatever the "
               "congestion control does; windows of 50 µs",
               note=f"in windows of 20 µs {narrow:.3g} Gb/s")
    )  # fmt: skip
    folder = results[SPREAD]
    zero = burst_start(folder, others=2)
    metrics.append(
        Metric("rate that F1 keeps, Mercury, with Xoff 50 KB and threshold 20 KB",
               kept(folder, zero), unit="%",
               reading="with the paper's Xoff Mercury slows F2 down before anything is paused",
               note=spread_text(folder, zero))
    )  # fmt: skip
    for scheme in SCHEMES:
        folder = results[scheme]
        zero = burst_start(folder, others=2)
        metrics.append(
            Metric(f"lowest rate of F2, {NAMES[scheme]}", lowest_rate(folder, 1, zero), high=19,
                   unit="Gb/s", says="slowed down")
        )  # fmt: skip
    return metrics


def draw_fig9(results):
    figure, axes = charts.panels(1, columns=2, height=2.4)
    for axis, host, title in ((axes[0][0], "H2", "(a) F2, congested"),
                              (axes[0][1], "H1", "(b) F1, the victim")):  # fmt: skip
        for index, scheme in enumerate(SCHEMES):
            folder = results[scheme]
            line = {**style.line_style(index), "linewidth": 1.0}
            series = nic_throughput(folder, host, burst_start(folder, others=2))
            axis.plot(*series, label=NAMES[scheme], **line)
        axis.set_title(title, loc="left")
        axis.set_xlabel("Time since the bursts start (ms)")
        axis.set_xlim(-0.5, 2.5)
        axis.set_ylim(bottom=0)
    axes[0][0].set_ylabel("Throughput (Gb/s)")
    axes[0][1].legend(
        loc="upper right", bbox_to_anchor=(1, 0.92), ncol=2, handlelength=1.6, columnspacing=1
    )
    return figure


FIG9 = Target(
    "mercury-fig9", "Figure 9: the congested flow and the victim, all schemes", PAPER,
    "All schemes slow F2 down; all but Mercury slow F1 down too, DCQCN+TCD to 5 Gb/s.",
    VICTIM_SETUP + " So have all schemes whose senders are DCQCN's, "
    "but TCD's alpha starts at 1.2.",
    runs_fig9, evaluate_fig9, draw_fig9,
)  # fmt: skip
