#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of ./lossless reproduce: what its targets ask for, and one real target."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# First, as it knows where the others are
from reproduce_case import ANALYSIS, BIN, ROOT

from reproduction import find_targets, presets, report
from reproduction.targets import Run


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class Targets(unittest.TestCase):
    def setUp(self):
        presets.use(f"{BIN}/lossless-{presets.PROGRAM}")
        self.addCleanup(presets.use, None)

    def test_papers_by_year_then_what_is_no_papers(self):
        papers = list(dict.fromkeys(found.paper for found in find_targets().values()))
        self.assertEqual(
            [paper.split()[0] for paper in papers], ["TCD", "Mercury", "All"]
        )

    def test_ask_for_programs_that_exist(self):
        for name, found in find_targets().items():
            for fast in (False, True):
                runs = found.runs(fast)
                self.assertTrue(runs, name)
                for one in runs.values():
                    self.assertIsInstance(one, Run)
                    self.assertTrue((ROOT / f"examples/{one.program}.cc").exists(), one.command)
                    names = [word.split("=")[0] for word in one.options]
                    self.assertEqual(len(names), len(set(names)), one.command)
                    self.assertFalse({"--out"} & set(names))

    def test_the_committed_report_has_their_commands(self):
        text = (ROOT / "doc/reproduction.md").read_text(encoding="utf-8")
        sections = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", text, re.M | re.S))
        self.assertEqual(set(sections), set(find_targets()))
        for name, found in find_targets().items():
            runs = dict.fromkeys(found.runs(False).values())
            printed = re.findall(r"^```\n(.*?)\n```$", sections[name], re.M | re.S)[-1]
            self.assertEqual(printed.split("\n"), list(report.commands(runs)), name)
            self.assertIn(found.setup, sections[name])

    def test_fast_takes_less(self):
        for name, found in find_targets().items():
            def cost(fast):
                return sum(one.cost for one in set(found.runs(fast).values()))

            self.assertLessEqual(cost(True), cost(False), name)
            self.assertLess(cost(True), 60, name)

    def test_one_of_them(self):
        with tempfile.TemporaryDirectory() as work:
            figures = []
            for out in ("one", "two"):
                result = subprocess.run(
                    [
                        sys.executable, "-B", ANALYSIS / "reproduce.py", "tcd-fig8", "--fast",
                        f"--program=tcd-max-ton={BIN}/lossless-tcd-max-ton",
                        f"--out={work}/{out}",
                    ],
                    capture_output=True,
                    text=True,
                    env={**os.environ, "PYTHONHASHSEED": "random"},
                )  # fmt: skip
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                figures.append((Path(work) / out / "tcd-fig8.png").read_bytes())
            self.assertEqual(figures[0], figures[1])
            entries = json.loads((Path(work) / "one/report.json").read_text())
            found = {entry["metric"]: entry for entry in entries}
            # Section 4.3 of the paper: epsilon 0.05, MTU 1000 B, 1 us.
            for rate, value in (("40", 34.4), ("100", 26.96), ("200", 24.48)):
                entry = found[f"max(Ton) at {rate} Gb/s"]
                self.assertEqual((entry["paper"], entry["in_band"]), (value, True))
                self.assertAlmostEqual(entry["ours"], value, delta=0.01)


if __name__ == "__main__":
    unittest.main()
