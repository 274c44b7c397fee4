#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of what the small studies of Mercury (He et al., 2024) say, on their files."""

import csv
import unittest

from cli_test import BIN, StudyTest

# DCQCN in the machine of HPCC's simulator, which the paper builds on, with its own paper's values
# and TCD's initial alpha: F2 slows down late enough for its frames to reach Xoff.
SIMULATOR_DCQCN = (
    "--ns3::Dcqcn::Machine=Adapter", "--ns3::Dcqcn::DecreaseInterval=50us",
    "--ns3::Dcqcn::InitialAlpha=0.5",
)  # fmt: skip


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class VictimTest(StudyTest):
    LINE_RATE = 20e9

    def lowest_rates(self, scheme, *options):
        """The lowest rates of F1, the victim, and of F2 after the bursts start."""
        self.folder = self.results("mercury-victim", f"--scheme={scheme}", *options)
        flows = rows(self.folder / "flows.csv")
        bursts = flows[2:]
        self.assertEqual({flow["size_bytes"] for flow in bursts}, {"50000"})
        self.assertEqual(len(bursts), 8 * 6)
        # 2.4 MB and headers take P3 at least 500 us; F2 has a share of it.
        last = max(float(flow["fct_s"]) for flow in bursts)
        self.assertTrue(500e-6 < last < 700e-6, last)
        rates = rows(self.folder / "rates.csv")
        return [
            min([float(r["rate_bps"]) for r in rates
                 if r["flow"] == flow and float(r["time_s"]) > 3e-3] or [self.LINE_RATE])
            for flow in "01"
        ]  # fmt: skip

    def pauses(self, node):
        """How often ports of a switch were paused or asked to be."""
        return sum(row["node"] == node for row in rows(self.folder / "pfc.csv"))

    def test_dcqcn_slows_the_victim_down_and_mercury_does_not(self):
        victim, congested = self.lowest_rates("dcqcn", *SIMULATOR_DCQCN)
        self.assertLess(congested, 0.25 * self.LINE_RATE)
        self.assertLess(victim, 0.5 * self.LINE_RATE)  # figure 3: it follows F2 down
        self.assertGreater(self.pauses("S1"), 0)

        victim, congested = self.lowest_rates("mercury", *SIMULATOR_DCQCN)
        self.assertLess(congested, 0.25 * self.LINE_RATE)
        self.assertGreaterEqual(victim, 0.95 * self.LINE_RATE)

    def test_mercury_keeps_the_victim_where_pauses_spread_under_it(self):
        # With the paper's Xoff Mercury holds F2 back before anything is paused. With 50 KB pauses
        # spread to P2 and P1, whose queues exceed a threshold of 20 KB: algorithm 1 decides.
        victim, congested = self.lowest_rates(
            "mercury", "--xoff=50000", "--ns3::MercuryDetector::Threshold=20000", *SIMULATOR_DCQCN
        )
        self.assertGreater(self.pauses("S1"), 0)
        self.assertLess(congested, 0.25 * self.LINE_RATE)
        self.assertGreaterEqual(victim, 0.95 * self.LINE_RATE)
        states = {(row["node"], row["new"]) for row in rows(self.folder / "states.csv")}
        for switch in ("S1", "S2"):
            self.assertIn((switch, "undetermined"), states)
            self.assertNotIn((switch, "congestion"), states)
        self.assertIn(("S3", "congestion"), states)

    def test_tcd_holds_the_victim(self):
        # The paper has 5 Gb/s here. UE, which holds the rate, is what P1 and P2 mark.
        victim, congested = self.lowest_rates("dcqcn+tcd", *SIMULATOR_DCQCN)
        self.assertLess(congested, 0.25 * self.LINE_RATE)
        self.assertEqual(victim, self.LINE_RATE)


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class IncastTest(StudyTest):
    def incast(self, scheme):
        """The largest queue of P1, and the lowest rate of the long flow after the burst starts."""
        folder = self.results("mercury-incast", f"--scheme={scheme}")
        port = str(9)  # S1's ports are those of H1 to H9, then P1
        queue = max(
            int(row["queue_bytes"])
            for row in rows(folder / "ports.csv")
            if (row["node"], row["port"]) == ("S1", port)
        )
        rates = [
            float(row["rate_bps"])
            for row in rows(folder / "rates.csv")
            if row["flow"] == "0" and float(row["time_s"]) > 600e-6
        ]
        return queue, min(rates)

    def test_the_burst_is_in_the_queue_before_a_signal_can_return(self):
        # 8 x 120 KB and headers, and what H1 sends in those 24 us, less what P1 sends meanwhile.
        for scheme in ("dcqcn", "timely", "hpcc"):
            queue, _ = self.incast(scheme)
            self.assertTrue(900e3 < queue < 1200e3, (scheme, queue))
        queue, _ = self.incast("mercury")
        self.assertLess(queue, 700e3)  # its CNPs are back from S1 after 8 us

    def test_mercury_keeps_a_floor_of_the_long_flow(self):
        # Figure 4(b): DCQCN and TIMELY fall to almost nothing, Mercury keeps several Gb/s: about
        # what a ninth of P1, 4.4 Gb/s, is.
        self.assertGreater(self.incast("mercury")[1], 4e9)
        for scheme in ("dcqcn", "timely"):
            self.assertLess(self.incast(scheme)[1], 2e9, scheme)


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class WorkloadTest(StudyTest):
    def test_pairs_and_load(self):
        folder = self.results("mercury-workload", "--duration=20ms", "--scheme=none")
        flows = rows(folder / "flows.csv")
        # Hosts in the order H1, H2, R1, R2
        self.assertEqual({(f["src"], f["dst"]) for f in flows},
                         {("0", "2"), ("0", "3"), ("1", "2"), ("1", "3")})  # fmt: skip
        # Twice 80 % of 40 Gb/s over the mean size of 120 421 B: 1329 flows in 20 ms, give or take
        # 3 times their standard deviation.
        self.assertLess(abs(len(flows) - 1329), 3 * 36)

    def test_errors(self):
        self.assert_error(
            "mercury-workload",
            ["--load=1.6"],
            "--load: found '1.6', expected a number above 0 and at most 1",
        )
        self.assert_error(
            "mercury-victim",
            ["--bursts=later"],
            "--bursts: found 'later', expected one of at-once, in-turn",
        )
        self.assert_error(
            "mercury-incast",
            ["--senders=0"],
            "--senders: found '0', expected a whole number, 1 or more",
        )


if __name__ == "__main__":
    unittest.main()
