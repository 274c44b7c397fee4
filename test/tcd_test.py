#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of what the studies of TCD (Zhang et al., SIGCOMM 2021) say, on their files."""

import csv
import json
import unittest

from study_case import BIN, StudyTest


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

    def test_long_lived_flows_have_their_marks(self):
        folder = self.results("tcd-congestion-points", "--case=multiple", "--scheme=dcqcn+tcd")
        with open(folder / "flows.csv", newline="") as file:
            flows = list(csv.DictReader(file))
        # F2 passes P1 and P2, which are undetermined, then P2, which is congested.
        self.assertEqual(flows[2]["fct_s"], "")
        self.assertGreater(int(flows[2]["packets_ue"]), 0)
        self.assertGreater(int(flows[2]["packets_ce"]), 0)
        summary = json.loads((folder / "summary.json").read_text())
        for code in ("ce", "ue"):
            marked = sum(int(flow[f"packets_{code}"]) for flow in flows)
            self.assertEqual(summary[f"packets_{code}"], marked)
        # Flows that never end are no load; F0 and F2 are not controlled.
        self.assertIsNone(summary["offered_load"])
        self.assertIsNone(summary["achieved_load"])
        self.assertEqual(summary["parameters"]["other_controllers"],
                         {"S0": "ns3::ConstantRate", "S2": "ns3::ConstantRate"})

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
            "tcd-congestion-points",
            ["--sample=0s", "--sample-nodes=T0"],
            "--sample-nodes: found it without --sample, expected both, to sample these nodes",
        )
        self.assert_error(
            "tcd-congestion-points",
            ["--ns3::ConstantRate::Rate=1Gb/s"],
            "--ns3::ConstantRate::Rate: found it on the command line, expected the study itself, "
            "which decides it",
        )
        self.assert_error(
            "tcd-victims",
            ["--load=1.5"],
            "--load: found '1.5', expected a number above 0 and at most 1",
        )


if __name__ == "__main__":
    unittest.main()
