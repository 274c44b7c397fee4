# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the figures of TCD share."""

PAPER = "TCD (Zhang et al., Congestion Detection in Lossless Networks, SIGCOMM 2021)"
DCQCN, TIMELY = ("dcqcn:tcd21", "dcqcn+tcd"), ("timely", "timely+tcd")  # without and with TCD
NAMES = {
    "dcqcn:tcd21": "DCQCN", "dcqcn+tcd": "DCQCN+TCD", "dcqcn+npecn": "DCQCN+NP-ECN",
    "timely": "TIMELY", "timely+tcd": "TIMELY+TCD",
}  # fmt: skip


def seeds(fast, full=10):
    return range(1, (3 if fast else full) + 1)


def bursts_start(folder, others):
    """When the bursts start, which is the paper's time 0; the first flows are `others`."""
    return min(flow.start for flow in folder.flows if flow.id >= others)
