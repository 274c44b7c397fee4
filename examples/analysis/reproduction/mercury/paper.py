# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the figures of Mercury share."""

import functools

from reproduction import measure

PAPER = "Mercury (He et al., Accurate and fast congestion feedback in RDMA datacenters, 2024)"
MERCURY = "mercury"
OTHERS = ("timely", "dcqcn", "dcqcn+tcd", "pacc", "hpcc")
SCHEMES = (*OTHERS, MERCURY)
TCD = "dcqcn+tcd"
WITH_DCQCN = ("dcqcn", "dcqcn+tcd", "pacc", MERCURY)  # whose controller, or the one within, is Dcqcn
NAMES = {
    "timely": "TIMELY", "dcqcn": "DCQCN", "dcqcn+tcd": "DCQCN+TCD", "pacc": "PACC (own)",
    "hpcc": "HPCC", MERCURY: "Mercury",
}  # fmt: skip
# DCQCN's own values in the variant of HPCC's simulator, which the paper builds on: R is cut each
# 50 us in which a CNP came, first 50 us after the first. Alpha starts as TCD's authors have it.
SIMULATOR_VARIANT = ("--ns3::Dcqcn::Variant=Adapter", "--ns3::Dcqcn::DecreaseInterval=50us")
SIMULATOR_DCQCN = (*SIMULATOR_VARIANT, "--ns3::Dcqcn::InitialAlpha=0.5")
SHORT = 150e3  # B: what a link of 100 Gb/s carries in the base RTT of 12 us


def seeds(fast, full):
    return range(1, (2 if fast else full) + 1)


def burst_start(folder, others):
    """When the bursts start; the first flows are `others`."""
    return min(flow.start for flow in folder.flows if flow.id >= others)


def reduction(mercury, other):
    """Per cent by which Mercury's is smaller."""
    return 100 * (1 - measure.ratio(mercury, other))


def nic_throughput(folder, host, zero, width=50e-6):
    """What a host sends, headers included: ms since `zero`, Gb/s."""
    times, rates = measure.throughput(folder.port(f"{host},0"), width)
    return [1e3 * (time - zero) for time in times], [rate / 1e9 for rate in rates]


def lowest_throughput(folder, host, zero, width=50e-6):
    return min(rate for time, rate in zip(*nic_throughput(folder, host, zero, width)) if time > 0)


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
