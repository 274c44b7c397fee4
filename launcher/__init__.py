# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The launcher's parts: a module for each idea; main.py knows the commands."""

import sys
from pathlib import Path

# What the programs for users share (console.py, files.py) lies with those that run without this.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples/analysis"))
