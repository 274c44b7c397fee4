# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The Ethernet figures of TCD: Zhang, Liu, Meng, Ren, "Congestion Detection in Lossless Networks",
SIGCOMM 2021. Sections and figures named in the modules are that paper's."""

from reproduction.tcd import fairness, fat_tree, on_periods, points, testbed, victims, victims_fct

YEAR = 2021
TARGETS = [
    points.FIG3,
    points.FIG4,
    on_periods.FIG8,
    testbed.FIG11,
    points.FIG12,
    points.FIG13,
    victims.TABLE3,
    victims.FIG14,
    victims_fct.FIG15,
    fat_tree.FIG16,
    victims_fct.FIG18,
    fat_tree.FIG19,
    fairness.FIG20,
]
