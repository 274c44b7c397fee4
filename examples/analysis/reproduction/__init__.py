# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The figures and tables of papers, made again: what ./lossless reproduce does.

Each paper has one file here, such as tcd.py, with a list TARGETS: what to run, how to get the
paper's numbers from the runs' folders, and how to draw the figure. A new paper is a new file.

engine.py   runs, side by side, and skips those that are up to date
measure.py  reads the folders of runs; means, confidence intervals, size bins
charts.py   pieces that the figures of several targets share
report.py   report.md, report.html, report.json
"""

import importlib
import pkgutil


def find_targets():
    """The targets of all papers by name, papers in alphabetical order."""
    targets = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for target in getattr(importlib.import_module(f"{__name__}.{module}"), "TARGETS", []):
            if target.name in targets:
                raise ValueError(f"{module}.py: the target {target.name} is there twice")
            targets[target.name] = target
    return targets
