# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the paper leaves open, by experiment."""

import numpy
from matplotlib import pyplot

import plot_style as style
from reproduction import charts, measure
from reproduction.mercury.fat_tree import FULL_SEEDS, STATISTICS, TREE_SETUP, tree
from reproduction.mercury.paper import (
    MERCURY, NAMES, OTHERS, PAPER, SCHEMES, TCD, seeds, statistics_of,
)  # fmt: skip
from reproduction.targets import Metric, Target

DCQCN_OF_SIMULATOR = (
    "--ns3::Dcqcn::Variant=Adapter", "--ns3::Dcqcn::AlphaTimer=1us",
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


OPEN = Target(
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
)  # fmt: skip
