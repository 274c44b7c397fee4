# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The figures of Mercury: He, Liang, Fan, Wang, Han, Xiao, Dou, "Accurate and fast congestion
feedback in MEC-enabled RDMA datacenters", Journal of Cloud Computing, 2024. Sections and figures
named in the modules are that paper's."""

from reproduction.mercury import by_size, chain, first_hop, overall, readings, victim

YEAR = 2024
TARGETS = [
    victim.FIG3,
    first_hop.FIG4,
    victim.FIG9,
    chain.FIG10,
    overall.FIG11,
    overall.FIG12,
    by_size.FIG13,
    by_size.FIG14,
    readings.OPEN,
]
