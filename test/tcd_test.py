#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of what the studies of TCD (Zhang et al., SIGCOMM 2021) say, on their files."""

import csv
import unittest

from cli_test import BIN, StudyTest


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class VictimsTest(StudyTest):
    def victims(self, scheme, *options):
        """The flows of S0, host 0, which never takes part in congestion."""
        folder = self.results("tcd-victims", f"--scheme={scheme}", *options)
        with open(folder / "flows.csv", newline="") as file:
            flows = list(csv.DictReader(file))
        self.assertTrue(all(flow["fct_s"] for flow in flows))
        return [flow for flow in flows if flow["src"] == "0"]

    def share(self, flows, column):
        return sum(int(flow[column]) > 0 for flow in flows) / len(flows)

    def test_ecn_blames_victims_and_tcd_none(self):
        for seed in (1, 2):
            options = ("--duration=30ms", f"--seed={seed}")
            ecn = self.victims("dcqcn:tcd21", *options)
            self.assertGreater(len(ecn), 250)
            # Tens of per cent in the long run (table 3: 26.6 %); 30 ms vary.
            self.assertGreater(self.share(ecn, "packets_ce"), 0.05)
            for scheme in ("dcqcn+tcd", "timely+tcd"):
                tcd = self.victims(scheme, *options)
                self.assertEqual(len(tcd), len(ecn))
                self.assertEqual(self.share(tcd, "packets_ce"), 0)
                # They were paused, and TCD says so.
                self.assertGreater(self.share(tcd, "packets_ue"), 0.02)

    def test_the_readings_of_the_trend_decide(self):
        # The upstream port sends its backlog at line rate into a level queue: with a margin of 0
        # one frame more or less is an increase. In 100 ms of seed 1 this hits some victims.
        strict = self.victims("dcqcn+tcd", "--ns3::TcdDetector::TrendMargin=0")
        self.assertGreater(self.share(strict, "packets_ce"), 0)

    def test_bursts_of_one_size(self):
        folder = self.results("tcd-victims", "--burst-bytes=64000", "--duration=5ms")
        with open(folder / "flows.csv", newline="") as file:
            sizes = {flow["size_bytes"] for flow in csv.DictReader(file) if flow["src"] > "3"}
        self.assertEqual(sizes, {"64000"})

    def test_errors(self):
        self.assert_error(
            "tcd-victims",
            ["--workload=Hadop"],
            "--workload: found 'Hadop', expected the path of a file or one of CacheFollower, "
            "Hadoop, WebSearch, WebServer (did you mean 'Hadoop'?)",
        )
        self.assert_error(
            "tcd-victims",
            ["--load=1.5"],
            "--load: found '1.5', expected a number above 0 and at most 1",
        )


if __name__ == "__main__":
    unittest.main()
