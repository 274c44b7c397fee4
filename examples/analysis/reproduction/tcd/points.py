# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Figures 3, 4, 12 and 13: congestion points under ECN and under TCD."""

from reproduction import charts
from reproduction.targets import Metric, Target, run, statement
from reproduction.tcd.paper import PAPER, bursts_start

SYMBOLS = {"non-congestion": "0", "congestion": "1", "undetermined": "/"}  # as the paper has them
POINTS_SETUP = (
    "The network of figure 2, 40 Gb/s and 4 µs, Xoff 320 KB. F1 has it to itself, then A0 to A14 "
    "send 64 KB messages to R1 for about 3 ms: time 0. Shortly after, F0 and F2 start, at {} each. "
)
BURSTS_READING = "each host A sends 15 messages of 64 KB, as one round lasts 0.2 ms and not 3"


def points(case, scheme):
    return lambda fast: {
        "run": run("tcd-congestion-points", f"--case={case}", f"--scheme={scheme}", cost=0.2)
    }


def points_start(results):
    return results["run"], bursts_start(results["run"], others=3)


def runs_fig3(fast):
    return points("single", "dcqcn:tcd21")(fast) | {
        "near": run(
            "tcd-congestion-points", "--case=single", "--scheme=dcqcn:tcd21", "--link-delay=1us",
            cost=0.2,
        )
    }  # fmt: skip


def evaluate_fig3(results):
    folder, zero = points_start(results)
    p2 = folder.port("P2")
    return [
        Metric(
            "largest queue of P2", max(p2.queue) / 1e3, 500, 450, 700, "KB", "> 500 KB",
            reading=BURSTS_READING,
            note="two inputs of L0 at Xoff are 640 KB; the rest is under way when they are paused: "
            "2 x (8.4 µs at 40 Gb/s), that is 84 KB at most",
        ),
        Metric(
            "the same with links of 1 µs", max(results["near"].port("P2").queue) / 1e3, unit="KB",
            reading="--link-delay=1us", note="640 KB and 2 x (2.4 µs at 40 Gb/s), 24 KB, at most",
        ),
        Metric(
            "frames that P2, which is not congested, marks CE", p2.ce[-1], low=1, unit="frames",
            says="some", reading="Kmin 5 KB, Kmax 200 KB, Pmax 1 %",
        ),
        Metric(
            "rate of F1 while the congestion lasts", rate_of_f1(folder), 2.5, unit="Gb/s",
            says="ideally about 2.5 Gb/s",
            reading="what P2 sends from the start of F0 until it has drained, less F0's and F2's",
        ),
    ]  # fmt: skip


def rate_of_f1(folder):
    """Gb/s, mean from the start of F0 until P2 has drained: by then it has sent all that F0 and F2
    had to send."""
    p2 = folder.port("P2")
    start = folder.flows[1].start
    released = folder.pauses("P2")[-1][1]
    first = next(i for i, time in enumerate(p2.times) if time >= start)
    last = next(i for i, time in enumerate(p2.times) if time >= released and p2.queue[i] < 2000)
    rate = 8 * (p2.sent[last] - p2.sent[first]) / (p2.times[last] - p2.times[first])
    return rate / 1e9 - 2 * 5


def evaluate_fig4(results):
    folder, zero = points_start(results)
    p2 = folder.port("P2")
    last_ms = [q for t, q in zip(p2.times, p2.queue) if t > folder.summary["simulated_s"] - 1e-3]
    return [
        Metric(
            "end of the ON/OFF pattern of P2", 1e3 * (folder.pauses("P2")[-1][1] - zero), 1.6, 1.2,
            3.2, "ms", reading=BURSTS_READING,
        ),
        statement(
            "P2 keeps a queue afterwards", min(last_ms) > 200e3,
            note=f"at least {min(last_ms) / 1e3:.0f} KB in the last ms",
        ),
    ]  # fmt: skip


def draw_points(results):
    folder, zero = points_start(results)
    figure, ((top,), (middle,), (bottom,)) = charts.panels(3, heights=[1.9, 0.8, 1.5])
    charts.queue(top, folder, "P2", zero)
    charts.marks(middle, folder, "P2", zero, undetermined=False)
    charts.rate(bottom, folder, "P2", zero)
    top.set_title("Port P2", loc="left")
    bottom.set_xlabel("Time since the bursts start (ms)")
    return figure


def sequence(folder, port, zero):
    """The states of a port from the bursts on, as the paper writes them: 0 / 1."""
    return " ".join(
        SYMBOLS[period.state] for period in folder.periods(port) if period.end > zero
    )


def marks_of(folder, port, kind):
    return getattr(folder.port(port), kind)[-1]


def states_metric(folder, zero, port, expected, words, reading=""):
    found = sequence(folder, port, zero)
    shown = found if len(found) < 40 else f"{found[:30]} ... {found[-5:]}"
    note = f"its states: {shown}"
    return statement(f"{port}: {words}", found == expected, note=note, reading=reading)


def runs_fig13(fast):
    return points("multiple", "dcqcn+tcd")(fast) | {
        "literal": run(
            "tcd-congestion-points", "--case=multiple", "--scheme=dcqcn+tcd",
            "--ns3::TcdDetector::BlockedIsIncrease=false", cost=0.2,
        )
    }  # fmt: skip


def evaluate_fig12(results):
    folder, zero = points_start(results)
    metrics = []
    for port in ("P2", "P1"):
        metrics += [
            states_metric(folder, zero, port, "0 / 0", "undetermined, then non-congestion"),
            Metric(
                f"frames that {port} marks CE", marks_of(folder, port, "ce"), 0, 0, 0, "frames",
                reading="low threshold: Kmin, 5 KB",
            ),
            Metric(f"frames that {port} marks UE", marks_of(folder, port, "ue"), low=1,
                   unit="frames", says="some"),
        ]  # fmt: skip
    return metrics


def evaluate_fig13(results):
    folder, zero = points_start(results)
    return [
        states_metric(
            folder, zero, "P2", "0 / 1", "undetermined, then congestion",
            reading="a level queue has increased where its switch pauses upstream ports for it",
        ),
        states_metric(folder, zero, "P1", "0 /", "undetermined to the end"),
        Metric(
            "P2 turns to congestion without that reading",
            int(sequence(results["literal"], "P2", zero) == "0 / 1"), unit="yes/no",
            reading="BlockedIsIncrease=false",
            note="both inputs of L0 are at Xoff, so the queue cannot grow; its states: "
            + sequence(results["literal"], "P2", zero),
        ),
        Metric("frames that P2 marks CE", marks_of(folder, "P2", "ce"), low=1, unit="frames",
               says="some"),
        Metric("frames that P1 marks CE", marks_of(folder, "P1", "ce"), 0, 0, 0, "frames"),
    ]  # fmt: skip


def draw_states(results):
    folder, zero = points_start(results)
    figure, axes = charts.panels(2, columns=2, heights=[2.0, 1.0])
    for column, port in enumerate(("P2", "P1")):
        top, bottom = axes[0][column], axes[1][column]
        charts.states(top, folder, port, zero)
        charts.queue(top, folder, port, zero)
        charts.marks(bottom, folder, port, zero)
        top.set_title(f"Port {port}", loc="left")
        bottom.set_xlabel("Time since the bursts start (ms)")
    charts.state_legend(axes[0][0])
    return figure


FIG3 = Target(
    "tcd-fig3", "Figure 3(a): one congestion point, ECN", PAPER,
    "P2, which only suffers from the pauses of P3's congestion, has a queue of more than 500 "
    "KB and is taken for congested: ECN marks its frames.",
    POINTS_SETUP.format("5 Gb/s") + "DCQCN with ECN.",
    runs_fig3, evaluate_fig3, draw_points,
)  # fmt: skip

FIG4 = Target(
    "tcd-fig4", "Figure 4(a): two congestion points, ECN", PAPER,
    "P2 is ON and OFF until 1.6 ms and looks as in figure 3; then it turns out that it is "
    "congested itself and keeps its queue.",
    POINTS_SETUP.format("25 Gb/s") + "DCQCN with ECN.",
    points("multiple", "dcqcn:tcd21"), evaluate_fig4, draw_points,
)  # fmt: skip

FIG12 = Target(
    "tcd-fig12", "Figure 12: one congestion point, TCD", PAPER,
    "P2 and P1 are undetermined, then drain and are not congested; nothing is marked CE.",
    POINTS_SETUP.format("5 Gb/s") + "DCQCN with TCD, epsilon 0.05.",
    points("single", "dcqcn+tcd"), evaluate_fig12, draw_states,
)  # fmt: skip

FIG13 = Target(
    "tcd-fig13", "Figure 13: two congestion points, TCD", PAPER,
    "P2 is undetermined, then congested and marks CE; P1 remains undetermined because P2's "
    "congestion spreads to it.",
    POINTS_SETUP.format("25 Gb/s") + "DCQCN with TCD, epsilon 0.05.",
    runs_fig13, evaluate_fig13, draw_states,
)  # fmt: skip
