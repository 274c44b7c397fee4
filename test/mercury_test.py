#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of what the small studies of Mercury (He et al., 2024) say, on their files, and of how
reproduce gets the numbers of its large ones, on files made by hand."""

import csv
import sys
import tempfile
import unittest
from pathlib import Path

from study_case import BIN, StudyTest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "analysis"))
sys.dont_write_bytecode = True

from reproduction import measure  # noqa: E402
from reproduction.mercury import by_size, fat_tree, overall  # noqa: E402
from reproduction.mercury.paper import MERCURY, SCHEMES, SIMULATOR_DCQCN  # noqa: E402
from reproduction.targets import Results  # noqa: E402


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class VictimTest(StudyTest):
    # Under SIMULATOR_DCQCN F2 slows down late enough for its frames to reach Xoff.
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
        # Figure 4(b): DCQCN and TIMELY fall to almost nothing. Under Mercury, whose windows end the
        # congestion, few CNPs come, and DCQCN keeps more than the 6 Gb/s of the paper.
        self.assertGreater(self.incast("mercury")[1], 6e9)
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


class LargeStudyTest(unittest.TestCase):
    """Figures 11 to 14 at the two loads and two seeds of --fast: 30 and 80 %, 1 and 2."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = Path(temporary.name)
        self.folders = {}
        for workload in fat_tree.WORKLOADS:
            for load in (30, 80):
                for scheme in SCHEMES:
                    for seed in (1, 2):
                        self.write(workload, load, scheme, seed, short=100, long=1000)

    def write(self, workload, load, scheme, seed, short, long):
        """A run of two flows, one of them just too large to be short. @param short FCT in µs"""
        path = self.work / f"{workload}-{load}-{scheme}-{seed}"
        path.mkdir(exist_ok=True)
        (path / "flows.csv").write_text(
            f"size_bytes,fct_s\n149999,{short * 1e-6:.9f}\n150000,{long * 1e-6:.9f}\n"
        )
        self.folders[workload, load, scheme, seed] = measure.Folder(path)

    def metrics(self, evaluate):
        found = evaluate(Results(self.folders, fast=True))
        return {metric.name: metric for metric in found}

    def test_reduction_is_that_of_the_mean_over_the_seeds_at_its_best_load(self):
        for seed, long in ((1, 300), (2, 500)):
            self.write("Hadoop", 80, MERCURY, seed, short=100, long=long)
            self.write("Hadoop", 30, "dcqcn", seed, short=100, long=1250)
        found = self.metrics(by_size.evaluate_fig13)
        dcqcn = found["long flows, mean FCT, against DCQCN"]
        self.assertAlmostEqual(dcqcn.ours, 60)  # 400 of 1000; at 30 % it is 1000 of 1250
        self.assertEqual(dcqcn.note, "30 %: 20, 80 %: 60")
        self.assertTrue(dcqcn.in_band)
        self.assertEqual((dcqcn.paper, dcqcn.low), (26.3, 13.15))

    def test_below_each_at_each_load(self):
        name = "short flows, mean FCT: Mercury's is below that of each at each load"
        for load in (30, 80):
            for seed in (1, 2):
                self.write("Hadoop", load, MERCURY, seed, short=90, long=1000)
                self.write("Hadoop", load, "hpcc", seed, short=80, long=1000)
        self.assertTrue(self.metrics(by_size.evaluate_fig13)[name].in_band)
        for seed in (1, 2):
            self.write("Hadoop", 80, "pacc", seed, short=89, long=1000)
            self.write("Hadoop", 80, "hpcc", seed, short=95, long=1000)
        found = self.metrics(by_size.evaluate_fig13)
        self.assertFalse(found[name].in_band)
        above = found["short flows: Mercury's mean FCT is above HPCC's at each load"]
        self.assertFalse(above.in_band)  # at 30 %, not at 80 %

    def test_a_scheme_that_is_better_gives_a_negative_reduction(self):
        for load in (30, 80):
            for seed in (1, 2):
                self.write("Hadoop", load, "hpcc", seed, short=80, long=500)
        found = self.metrics(by_size.evaluate_fig13)
        hpcc = found["long flows, 99th percentile of the FCT, against HPCC"]
        self.assertAlmostEqual(hpcc.ours, -100)
        self.assertFalse(hpcc.in_band)
        slower = found["short flows: Mercury's mean FCT is above HPCC's at each load"]
        self.assertTrue(slower.in_band)
        lowest = found["long flows, mean FCT: Mercury's is below that of each at each load"]
        self.assertFalse(lowest.in_band)
        self.assertIn("HPCC -100 % at 30 %", lowest.note)
        # HPCC is not among those that short flows are compared with.
        self.assertAlmostEqual(found["short flows, mean FCT: largest reduction"].ours, 0)
        self.assertFalse(found["long flows, mean FCT: the order of the schemes"].in_band)

    def test_overall_has_all_flows_and_says_where_another_is_best(self):
        for seed in (1, 2):
            self.write("WebSearch", 80, MERCURY, seed, short=100, long=450)
            self.write("WebServer", 30, "pacc", seed, short=50, long=1000)
            for load in (30, 80):
                self.write("Hadoop", load, MERCURY, seed, short=99, long=999)
                self.write("CacheFollower", load, MERCURY, seed, short=99, long=999)
            self.write("WebSearch", 30, MERCURY, seed, short=99, long=999)
            self.write("WebServer", 80, MERCURY, seed, short=99, long=999)
        found = self.metrics(overall.evaluate_overall("mean", overall.MEAN_STATED))
        self.assertAlmostEqual(found["WebSearch: largest reduction over the schemes"].ours, 50)
        lowest = found["Mercury has the lowest at each load"]
        self.assertFalse(lowest.in_band)
        self.assertEqual(lowest.note, "in 7 of 8 cases, PACC (own) in 1")


if __name__ == "__main__":
    unittest.main()
