# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The figures and tables of papers, made again: what ./lossless reproduce does.

Each paper has a package here, such as tcd, with the YEAR in which it was published and a list
TARGETS: what to run, how to get the paper's numbers from the runs' folders, and how to draw the
figure. A module of the package has one figure or a few that belong together, paper.py what they
share. A new paper is a new package, or a module if it is short. Targets that are no paper's have no
YEAR, as in comparison.py.

engine.py     runs, side by side, and skips those that are up to date
presets.py    the schemes that the programs have
measure.py    reads the folders of runs; means, confidence intervals, size bins
charts.py     pieces that the figures of several targets share
report.py     report.md, report.html, report.json
committed.py  reproduction.md and its figures, the form that is kept in doc/
"""

import importlib
import math
import pkgutil


def find_targets():
    """The targets by name: those of papers by year, then those that are no paper's."""
    modules = [
        importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
    ]
    targets = {}
    for module in sorted(modules, key=lambda m: (getattr(m, "YEAR", math.inf), m.__name__)):
        for target in getattr(module, "TARGETS", []):
            if target.name in targets:
                raise ValueError(f"{module.__name__}: the target {target.name} is there twice")
            targets[target.name] = target
    return targets
