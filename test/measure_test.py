#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of what ./lossless reproduce reads and counts: folders, statistics, bands."""

import math
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "analysis"))
sys.dont_write_bytecode = True

from reproduction import measure, progress  # noqa: E402
from reproduction.targets import Metric, statement  # noqa: E402


class Statistics(unittest.TestCase):
    def test_confidence_interval(self):
        # 1 .. 5: standard deviation sqrt(2.5), t of 4 degrees of freedom 2.776:
        # 2.776 * 1.581139 / sqrt(5) = 1.962928.
        found = measure.interval([1, 2, 3, 4, 5])
        self.assertEqual((found.mean, found.n), (3, 5))
        self.assertAlmostEqual(found.half, 1.962928, places=5)
        self.assertTrue(math.isnan(measure.interval([7]).half))
        # Two values: t of 1 degree of freedom is 12.706; 12.706 * (1 / sqrt 2) / sqrt 2 = 6.353.
        self.assertAlmostEqual(measure.interval([1, 2]).half, 6.353, places=3)
        self.assertEqual(
            measure.interval_text(measure.interval([1, 2, 3, 4, 5]), "%"),
            "95 % interval 1.04 to 4.96 % over 5 seeds",
        )

    def test_bins_hold_what_is_below_their_edges(self):
        pairs = [(1, "a"), (9, "b"), (10, "c"), (11, "d"), (100, "e")]
        self.assertEqual(
            measure.in_bins(pairs, [10, 100]), [["a", "b"], ["c", "d"], ["e"]]
        )

    def test_percentile(self):
        self.assertEqual(measure.percentile([3, 1, 2], 50), 2)
        self.assertEqual(measure.percentile(range(1, 101), 99), 99)
        self.assertTrue(math.isnan(measure.percentile([], 50)))

    def test_bands(self):
        self.assertIsNone(Metric("m", 1).in_band)
        self.assertTrue(Metric("m", 1, low=1).in_band)
        self.assertFalse(Metric("m", 0.999, low=1, high=2).in_band)
        self.assertFalse(Metric("m", 1, high=0, low=0).in_band)
        self.assertFalse(Metric("m", math.nan, high=1).in_band)
        self.assertFalse(statement("m", []).in_band)

    def test_throughput(self):
        # 1000 B in each 1 us: 8 Gb/s; nothing in the second half.
        times = [i * 1e-6 for i in range(1, 22)]
        sent = [1000 * min(i, 10) for i in range(21)]
        series = measure.Series(times, [], sent, [], [], [])
        middles, rates = measure.throughput(series, 5e-6)
        for found, wanted in zip(rates, [8e9, 8e9, 0, 0]):
            self.assertAlmostEqual(found, wanted, delta=1)
        self.assertEqual([round(t * 1e7) for t in middles], [35, 85, 135, 185])

    def test_durations(self):
        self.assertEqual(
            [progress.duration(s) for s in (3.6, 60, 125, 3725)], ["4 s", "1:00", "2:05", "1:02:05"]
        )


class FolderTest(unittest.TestCase):
    def test_reads_a_run(self):
        with tempfile.TemporaryDirectory() as work:
            path = Path(work)
            (path / "summary.json").write_text(
                '{"simulated_s": 0.01, "parameters": {"ports": {"P2": "L0,2"}}}'
            )
            (path / "states.csv").write_text(
                "time_s,node,port,priority,old,new\n"
                "0.001,L0,1,3,non-congestion,congestion\n"
                "0.002,L0,2,3,non-congestion,undetermined\n"
                "0.005,L0,2,3,undetermined,congestion\n"
            )
            (path / "pfc.csv").write_text(
                "time_s,node,port,priority,pause\n"
                "0.002,L0,2,3,1\n0.003,L0,2,3,1\n0.003,L0,1,3,1\n0.004,L0,2,3,0\n0.009,L0,2,3,1\n"
            )
            folder = measure.Folder(path)
            self.assertEqual(
                folder.periods("P2"),
                [("non-congestion", 0, 0.002), ("undetermined", 0.002, 0.005),
                 ("congestion", 0.005, 0.01)],
            )  # fmt: skip
            self.assertEqual(folder.pauses("P2"), [(0.002, 0.004), (0.009, 0.01)])
            self.assertEqual(folder.pauses("L0,1"), [(0.003, 0.01)])
            with self.assertRaisesRegex(measure.InputError, "found no port P5"):
                folder.pauses("P5")
            with self.assertRaisesRegex(measure.InputError, "flows.csv: found no such file"):
                folder.flows


if __name__ == "__main__":
    unittest.main()
