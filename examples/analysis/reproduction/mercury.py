# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The figures of Mercury: He, Liang, Fan, Wang, Han, Xiao, Dou, "Accurate and fast congestion
feedback in MEC-enabled RDMA datacenters", Journal of Cloud Computing, 2024. Sections and figures
named below are that paper's."""

import functools

import numpy
from matplotlib import pyplot

import plot_style as style
from reproduction import charts, measure
from reproduction.targets import Metric, Target, run, statement

YEAR = 2024
PAPER = "Mercury (He et al., Accurate and fast congestion feedback in RDMA datacenters, 2024)"
MERCURY = "mercury"
OTHERS = ("timely", "dcqcn", "dcqcn+tcd", "pacc", "hpcc")
SCHEMES = (*OTHERS, MERCURY)
WITH_DCQCN = ("dcqcn", "dcqcn+tcd", "pacc", MERCURY)  # whose controller, or the one within, is Dcqcn
NAMES = {
    "timely": "TIMELY", "dcqcn": "DCQCN", "dcqcn+tcd": "DCQCN+TCD", "pacc": "PACC (own)",
    "hpcc": "HPCC", MERCURY: "Mercury",
}  # fmt: skip


def seeds(fast, full):
    return range(1, (2 if fast else full) + 1)


def burst_start(folder, others):
    """When the bursts start; the first flows are `others`."""
    return min(flow.start for flow in folder.flows if flow.id >= others)


def reduction(mercury, other):
    """Per cent by which Mercury's is smaller."""
    return 100 * (1 - measure.ratio(mercury, other))


# ----------------------------------------------------------- figures 3 and 9: the victim --

SENDER_RATE = 20e9
# DCQCN's own values in the machine of HPCC's simulator, which the paper builds on: R is cut each
# 50 us in which a CNP came, first 50 us after the first. Alpha starts as TCD's authors have it.
SIMULATOR_MACHINE = ("--ns3::Dcqcn::Machine=Adapter", "--ns3::Dcqcn::DecreaseInterval=50us")
SIMULATOR_DCQCN = (*SIMULATOR_MACHINE, "--ns3::Dcqcn::InitialAlpha=0.5")
VICTIM_SETUP = (
    "Figure 2: 20 Gb/s from H1 and H2, else 40 Gb/s, 4 µs, Xoff 320 KB. F1 from H1 to R1, the "
    "victim, and F2 from H2 to R2; 3 ms later B1 to B8 send 6 messages of 50 KB each to R2, all at "
    "once, which take 500 µs: time 0. DCQCN has its paper's values in the machine of HPCC's "
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


def nic_throughput(folder, host, zero, width=50e-6):
    """What a host sends, headers included: ms since `zero`, Gb/s."""
    times, rates = measure.throughput(folder.port(f"{host},0"), width)
    return [1e3 * (time - zero) for time in times], [rate / 1e9 for rate in rates]


def lowest_throughput(folder, host, zero, width=50e-6):
    return min(rate for time, rate in zip(*nic_throughput(folder, host, zero, width)) if time > 0)


def paused(folder, port):
    """µs for which a port was paused."""
    return 1e6 * sum(end - start for start, end in folder.pauses(port))


def spread_text(folder, zero):
    return (
        f"lowest throughput {lowest_throughput(folder, 'H1', zero):.3g} Gb/s; P2 paused for "
        f"{paused(folder, 'P2'):.0f} µs, P1 for {paused(folder, 'P1'):.0f} µs"
    )


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
        ("preset", "with DCQCN's own machine, alpha 1"),
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


TCD = "dcqcn+tcd"
TCD_ALPHA, SPREAD = "TCD, alpha 0.5", "spread"


def runs_fig9(fast):
    # A study refuses attributes of a class that its scheme does not use.
    return {
        scheme: victim(scheme, *(SIMULATOR_DCQCN if scheme in WITH_DCQCN else ()))
        for scheme in SCHEMES
    } | {
        TCD: victim(TCD, *SIMULATOR_MACHINE),
        TCD_ALPHA: victim(TCD, *SIMULATOR_DCQCN),
        SPREAD: victim(MERCURY, *SIMULATOR_DCQCN, "--xoff=50000",
                       "--ns3::MercuryDetector::Threshold=20000"),
    }  # fmt: skip


FIG9_NOTES = {
    "timely": "it slows F2 down before anything is paused",
    "hpcc": "a window of F2 is 80 KB, so its frames cannot reach Xoff",
    "dcqcn+tcd": "its alpha of 1.2 slows F2 down before anything is paused",
}


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


# ------------------------------------------------ figure 4: a burst at the first switch --

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


# ------------------------------------------------------- figure 10: Hadoop on the chain --


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


# ------------------------------------------------------- figures 11 to 14: 320 servers --

WORKLOADS = ("CacheFollower", "Hadoop", "WebSearch", "WebServer")
SHORT = 150e3  # B: what a link of 100 Gb/s carries in the base RTT of 12 us
FULL_SEEDS = 3


def loads(fast):
    return (30, 80) if fast else (30, 40, 50, 60, 70, 80)


def tree(workload, load, scheme, seed, fast, *options, times=1):
    """A run of the fat-tree. @param times as long arrivals as those of the figures"""
    return run(
        "fat-tree", "--shape=mercury", "--xoff=620000", "--xon=618000", f"--workload={workload}",
        f"--load={load / 100:g}", f"--duration={times * (30 if fast else 1000)}us",
        f"--scheme={scheme}", f"--seed={seed}", "--count-victims=true", *options,
        cost=times * (0.005 if fast else 0.12) * load,
    )  # fmt: skip


def tree_runs(workloads):
    return lambda fast: {
        (workload, load, scheme, seed): tree(workload, load, scheme, seed, fast)
        for workload in workloads
        for load in loads(fast)
        for scheme in SCHEMES
        for seed in seeds(fast, FULL_SEEDS)
    }


def statistics_of(folder):
    """Mean, median and 99th percentile of the FCT in µs, of all, short and long flows.

    The flows themselves are not kept: hundreds of runs have tens of thousands of them.
    """
    return read_statistics(folder.path, (folder.path / "flows.csv").stat().st_mtime_ns)


@functools.lru_cache(maxsize=None)
def read_statistics(path, _):
    """@param _ when the file was written"""
    fcts = {"all": [], "short": [], "long": []}
    for row in measure.Folder(path).rows("flows.csv"):
        if row["fct_s"]:
            fct = 1e6 * float(row["fct_s"])
            fcts["all"].append(fct)
            fcts["short" if int(row["size_bytes"]) < SHORT else "long"].append(fct)
    return {
        kind: {
            "mean": measure.mean(values),
            "p50": measure.percentile(values, 50),
            "p99": measure.percentile(values, 99),
        }
        for kind, values in fcts.items()
    }


def over_seeds(results, workload, load, scheme, kind, what):
    """Interval over the seeds of a statistic of the FCT [µs]."""
    return measure.interval(
        statistics_of(results[workload, load, scheme, seed])[kind][what]
        for seed in seeds(results.fast, FULL_SEEDS)
    )


def reductions(results, workload, scheme, kind, what):
    """By how many per cent Mercury's mean over the seeds is below another scheme's, by load."""
    return {
        load: reduction(
            over_seeds(results, workload, load, MERCURY, kind, what).mean,
            over_seeds(results, workload, load, scheme, kind, what).mean,
        )
        for load in loads(results.fast)
    }


def largest(by_load):
    """The largest reduction over the loads, which is what "up to" is read as."""
    return max(by_load.values())


def loads_text(by_load):
    return ", ".join(f"{load} %: {value:.3g}" for load, value in by_load.items())


UP_TO = "the largest over the loads 30 to 80 %"


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


# By workload: smallest and largest reduction over the schemes, as far as the paper gives them.
MEAN_STATED = {
    "CacheFollower": (21.1, 38.5), "Hadoop": (11.2, 36.1), "WebSearch": (None, 21.9),
    "WebServer": (None, 32.6),
}  # fmt: skip


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


def load_lines(axis, results, workload, kind, what):
    """A line for each scheme over the loads."""
    grid = loads(results.fast)
    for index, scheme in enumerate(SCHEMES):
        found = [over_seeds(results, workload, load, scheme, kind, what) for load in grid]
        charts.error_line(axis, grid, found, NAMES[scheme], index)
    axis.set_xlabel("Load (%)")
    axis.set_ylim(bottom=0)


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


# Reductions that the paper gives, for short and for long flows, mean and 99th percentile.
LONG_STATED = {
    "mean": {"timely": 26.5, "dcqcn": 26.3, "dcqcn+tcd": 21.8, "pacc": 19.7, "hpcc": 27.1},
    "p99": {"timely": 45.1, "dcqcn": 41.8, "dcqcn+tcd": 38.7, "pacc": 30.9, "hpcc": 37.9},
}
STATISTICS = {"mean": "mean FCT", "p99": "99th percentile of the FCT"}


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


TREE_SETUP = (
    "320 hosts at 100 Gb/s, 20 ToR, 20 aggregation and 16 core switches at 400 Gb/s, 1 µs, Xoff "
    "620 KB. Poisson arrivals for 1 ms between random pairs, three seeds; all flows are awaited. "
    "Schemes with the values of their papers, DCQCN's also under TCD, PACC and Mercury; PACC with "
    "parameters of our own, as its are not public. The paper gives no buffer; here it is what Xoff "
    "and headroom of all ports need."
)

# ------------------------------------------------------ what the paper leaves open: readings --

DCQCN_OF_SIMULATOR = (
    "--ns3::Dcqcn::Machine=Adapter", "--ns3::Dcqcn::AlphaTimer=1us",
    "--ns3::Dcqcn::IncreaseTimer=300us", "--ns3::Dcqcn::DecreaseInterval=4us",
    "--ns3::Dcqcn::FastRecoveryStages=1", "--ns3::Dcqcn::AdditiveIncrease=5Mb/s",
    "--ns3::Dcqcn::HyperIncrease=50Mb/s", "--ns3::Dcqcn::ReferenceRate=25Gb/s",
    "--ns3::Dcqcn::MinRate=1000Mb/s", "--ns3::Dcqcn::ClampTargetRate=false",
    "--ns3::Dcqcn::HoldInterval=4us",
)  # fmt: skip
# What its receivers and RED have, for TCD over it.
TCD_OF_SIMULATOR = (
    "--ns3::EcnDetector::Kmin=100000", "--ns3::EcnDetector::Kmax=400000",
    "--ns3::EcnDetector::Pmax=0.2", "--ns3::EcnDetector::ReferenceRate=25Gb/s",
    "--ns3::RdmaHw::CnpInterval=500ns",
)  # fmt: skip
BASELINES = {NAMES[s]: (s,) for s in OTHERS}
READINGS = {
    "Mercury": (MERCURY,),
    "Mercury, threshold 50 KB": (MERCURY, "--ns3::MercuryDetector::Threshold=50000"),
    "Mercury, threshold 100 KB": (MERCURY, "--ns3::MercuryDetector::Threshold=100000"),
    "Mercury, threshold 400 KB": (MERCURY, "--ns3::MercuryDetector::Threshold=400000"),
    "Mercury, threshold not scaled": (MERCURY, "--ns3::MercuryDetector::ReferenceRate=0b/s"),
    "Mercury, CNP each base RTT": (MERCURY, "--ns3::MercuryDetector::CnpInterval=0s"),
    "Mercury, CNP for each frame": (MERCURY, "--ns3::MercuryDetector::CnpInterval=1ns"),
    "Mercury, T 50 µs": (MERCURY, "--ns3::MercuryDetector::Period=50us"),
    "Mercury, by queue pair": (MERCURY, "--ns3::MercuryDetector::FlowKey=QueuePair"),
    "Mercury over TIMELY": ("mercury+timely",),
    "Mercury over HPCC": ("mercury+hpcc",),
}
SIMULATORS = {
    "DCQCN, simulator": ("dcqcn:hpcc",),
    "DCQCN+TCD, simulator": (TCD, *DCQCN_OF_SIMULATOR, *TCD_OF_SIMULATOR),
    f"{NAMES['pacc']}, simulator": ("pacc", *DCQCN_OF_SIMULATOR),
    "Mercury, simulator": (MERCURY, *DCQCN_OF_SIMULATOR),
}
TIMES = 4
LONGER = {f"{NAMES[s]}, {TIMES} ms": (s,) for s in SCHEMES}
GROUPS = (BASELINES, READINGS, SIMULATORS, LONGER)
ROWS = {name: row for group in GROUPS for name, row in group.items()}
READINGS_LOAD = 60


def runs_readings(fast):
    return {
        (name, seed): tree("Hadoop", READINGS_LOAD, scheme, seed, fast, *options,
                           times=TIMES if name in LONGER else 1)
        for name, (scheme, *options) in ROWS.items()
        for seed in seeds_of(name, fast)
    }  # fmt: skip


def seeds_of(name, fast):
    """Longer arrivals have as many flows with one seed."""
    return (1,) if name in LONGER else seeds(fast, FULL_SEEDS)


def reading_value(results, name, kind, what):
    return measure.interval(
        statistics_of(results[name, seed])[kind][what] for seed in seeds_of(name, results.fast)
    )


def evaluate_readings(results):
    metrics = []
    for name in ROWS:
        short, long = (reading_value(results, name, k, "mean") for k in ("short", "long"))
        tails = (reading_value(results, name, k, "p99").mean for k in ("short", "long"))
        metrics.append(
            Metric(f"{name}: mean FCT of long flows", long.mean, unit="µs",
                   note="99th percentile {1:.4g} µs; short flows: mean {2:.4g}, 99th percentile "
                   "{0:.4g} µs".format(*tails, short.mean))
        )  # fmt: skip
    return metrics


def draw_readings(results):
    figure, axes = pyplot.subplots(
        1, 2, figsize=(style.WIDTH, 0.2 * len(ROWS) + 1.0), sharey=True, constrained_layout=True
    )
    for axis, kind in zip(axes, ("short", "long")):
        for index, (what, label) in enumerate(STATISTICS.items()):
            found = [reading_value(results, name, kind, what) for name in ROWS]
            errors = [0 if f.n < 2 else f.half for f in found]
            charts.dots(axis, [f.mean for f in found], errors, label, index)
        for end in numpy.cumsum([len(group) for group in GROUPS[:-1]]):
            axis.axhline(end - 0.5, color=style.GREY, linewidth=0.7)
        axis.set_xscale("log")
        style.log_ticks(axis.xaxis, *axis.get_xlim(), text="{:g}".format)
        axis.set_xlabel(f"FCT of {kind} flows (µs)")
    charts.rows(axes[0], ROWS)
    axes[1].legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=2)
    return figure


# ------------------------------------------------------------------------------- the targets --

TARGETS = [
    Target(
        "mercury-fig3", "Figure 3: a victim under DCQCN", PAPER,
        "F2, which is congested, slows down, and then F1, which passes no congested port: the "
        "pauses of P3's congestion let the queues of P2 and P1 grow until they mark.",
        VICTIM_SETUP, runs_fig3, evaluate_fig3, draw_fig3,
    ),
    Target(
        "mercury-fig4", "Figure 4: a burst at the first switch", PAPER,
        "The queue exceeds 1000 KB with DCQCN, TIMELY and HPCC, whose signals come too late, and "
        "the long flow falls to almost nothing; with Mercury it keeps more than 6 Gb/s.",
        "Figure 2 with nine hosts on S1, all links 40 Gb/s. H1 sends to R1; 600 µs later H2 to H9 "
        "send 120 KB each to R1. DCQCN, also under Mercury, as its own paper has it.",
        runs_fig4, evaluate_fig4, draw_fig4,
    ),
    Target(
        "mercury-fig9", "Figure 9: the congested flow and the victim, all schemes", PAPER,
        "All schemes slow F2 down; all but Mercury slow F1 down too, DCQCN+TCD to 5 Gb/s.",
        VICTIM_SETUP + " So have all schemes whose senders are DCQCN's, "
        "but TCD's alpha starts at 1.2.",
        runs_fig9, evaluate_fig9, draw_fig9,
    ),
    Target(
        "mercury-fig10", "Figure 10: Hadoop at 80 % on the chain", PAPER,
        "Mercury reduces the 99th percentile of the FCT by 16.1 to 25.5 % and the largest queue of "
        "the switches by 20.9 to 39.2 %.",
        "Figure 2 with H1, H2, R1 and R2, all links 40 Gb/s, Xoff 320 KB; 20 ms of arrivals. DCQCN "
        "as in figure 4. The load is that of the hosts' links, as elsewhere, which is 160 % of "
        "P1's; below it as P1's.",
        runs_fig10, evaluate_fig10, draw_fig10,
    ),
    Target(
        "mercury-fig11", "Figure 11: mean FCT", PAPER,
        "Mercury has the lowest mean at all loads: by 21.1 to 38.5 % for CacheFollower, 11.2 to "
        "36.1 % for Hadoop, up to 21.9 % for WebSearch and up to 32.6 % for WebServer.",
        TREE_SETUP, tree_runs(WORKLOADS), evaluate_overall("mean", MEAN_STATED),
        draw_overall("mean", "Mean FCT (µs)"),
    ),
    Target(
        "mercury-fig12", "Figure 12: 99th percentile of the FCT", PAPER,
        "As figure 11: Mercury has the lowest at all loads.",
        TREE_SETUP, tree_runs(WORKLOADS), evaluate_overall("p99", {}),
        draw_overall("p99", "99th percentile of the FCT (µs)"),
    ),
    Target(
        "mercury-fig13", "Figure 13: short and long flows, Hadoop", PAPER,
        "Mercury is better than all schemes but HPCC for short flows, and better than all for long "
        "ones.",
        TREE_SETUP, tree_runs(("Hadoop",)), evaluate_fig13, draw_short_and_long("Hadoop"),
    ),
    Target(
        "mercury-fig14", "Figure 14: short and long flows, WebServer", PAPER,
        "As figure 13, and more obvious.",
        TREE_SETUP, tree_runs(("WebServer",)), evaluate_fig14, draw_short_and_long("WebServer"),
    ),
    Target(
        "mercury-readings", "What the paper leaves open, by experiment", PAPER,
        "Nothing: it gives neither threshold nor CNP pacing, nor which DCQCN, nor how long flows "
        "arrive.",
        TREE_SETUP + " Here Hadoop at 60 %, in four groups. First the others. Then Mercury "
        "(threshold 200 KB at 40 Gb/s, in proportion to the rate but only up to half of Xoff, so "
        "310 KB at 100 and 400 Gb/s; a CNP each 50 µs) with other values of what is not stated; "
        "thresholds of 50, 100 and 400 KB are 125 and 310, 250 and 310, 400 and 400 KB at 100 and "
        "400 Gb/s. Then those with DCQCN's values of HPCC's simulator (run.py) instead of its "
        f"paper's. Then arrivals for {TIMES} ms at one seed.",
        runs_readings, evaluate_readings, draw_readings,
    ),
]  # fmt: skip
