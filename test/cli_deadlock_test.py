#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the study programs as users call them: PFC deadlocks, watchdogs and static routes."""

import csv
import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from fingerprints import MACHINE_FIELDS
from study_case import StudyTest


class DeadlockTest(StudyTest):
    # Each host of a ring of five switches sends to the one two switches further.
    RING = ["--topology=ring", "--flows=ring", "--scheme=none", "--xoff=50000"]
    WARNING = (
        r"warning: cyclic buffer dependency in priority 3 along the paths of the flows: 5 links, .*"
        r"\n(  s1\d\[port \d\] -> s1\d, then s1\d\[port \d\] -> s1\d \(flow \d\)\n){5}"
    )

    def summary(self, out):
        return json.loads((self.work / out / "summary.json").read_text())

    def test_a_deadlock_is_named_and_fails(self):
        result = self.run_study("from-file", *self.RING, "--out=out")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertRegex(
            result.stderr,
            rf"\A{self.WARNING}error: PFC deadlock at 2 ms in priority 3: 5 ports wait for each "
            r"other, and nothing of theirs has moved since 0\.0\d+ ms\n"
            r"(  s1\d\[port \d\] -> s1\d is OFF, \d+ frames \(\d+ B\), and waits for "
            r"s1\d\[port \d\] -> s1\d\n){5}"
            r"  flows in the cycle: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\n"
            r"  0 of 10 flows had completed\n\Z",
        )
        hops = re.findall(r"(s\d+)\[port \d\] -> (s\d+) is OFF", result.stderr)
        self.assertEqual(hops, [(f"s1{i}", f"s1{(i + 1) % 5}") for i in range(5)])
        self.assertFalse((self.work / "out/summary.json").exists(), "it passes as a whole run")

    def test_a_run_that_is_short_is_looked_at_too(self):
        # Looks at 75, 150, 225 and 300 us.
        result = self.run_study("from-file", *self.RING, "--stop=300us")
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: PFC deadlock at 0.15 ms in priority 3", result.stderr)

    def test_a_deadlock_of_a_part_while_other_flows_go_on(self):
        # The ring, and a flow of 12 ms between the hosts of a switch beside it.
        bundled = Path(os.environ["LOSSLESS_ROOT"]) / "examples"
        lines = (bundled / "topologies/ring.txt").read_text().splitlines()
        lines = [line for line in lines if not line.startswith("#")]
        self.assertEqual(lines[:2], ["15 5 15", "10 11 12 13 14"])
        topology = ["18 6 18", lines[1] + " 15", *lines[2:], "15 10 100Gbps 1us 0",
                    "16 15 100Gbps 1us 0", "17 15 100Gbps 1us 0"]
        lines = (bundled / "flows/ring.txt").read_text().splitlines()
        lines = [line for line in lines if not line.startswith("#")]
        flows = ["11", *lines[1:], "16 17 3 100 140000000 0"]
        topology = self.file("t.txt", "\n".join(topology) + "\n")
        flows = self.file("f.txt", "\n".join(flows) + "\n")
        result = self.run_study("from-file", f"--topology={topology}", f"--flows={flows}",
                                "--scheme=none", "--xoff=50000")
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: PFC deadlock at 2 ms in priority 3", result.stderr)
        self.assertIn("  flows in the cycle: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\n", result.stderr)

    def test_a_cyclic_dependency_alone_is_a_warning(self):
        # With dynamic thresholds of a large buffer nothing is paused.
        result = self.run_study("from-file", "--topology=ring", "--flows=ring",
                                "--scheme=none,dcqcn", "--out=out")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, rf"\A{self.WARNING}\Z")  # once for both schemes
        self.assertEqual([s["flows_completed"] for s in self.summary("out")], [10, 10])

    def test_static_routes_without_a_cycle(self):
        options = ["--topology=ring-acyclic", *self.RING[1:]]
        folder = self.results("from-file", *options)
        self.assertEqual(self.summary("out")["flows_completed"], 10)
        self.assertNotIn("watchdog", self.summary("out"))
        with open(folder / "flows.csv", newline="") as file:
            hops = [int(row["path_hops"]) for row in csv.DictReader(file)]
        # Two links of the ring and two of hosts, and one more the other way around.
        self.assertEqual(hops, [4] * 6 + [5] * 4)

    def test_static_routes_are_checked(self):
        ring = "4 2 3\n2 3\n0 2 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n"
        for route, error in (
            ("route 2 0 3", "t.txt:6: found a routing loop to host 'h0': s2 -> s3 -> s2, expected "
                            "next nodes that lead to the host"),
            ("route 3 0 0", "t.txt:6: found next node 'h0' without a link to 's3', expected nodes "
                            "at the other end of its links"),
            ("route 4 0 2", "t.txt:6: found node '4', expected a whole number 0..3"),
        ):
            self.file("t.txt", ring + route + "\n")
            self.assert_error("from-file", ["--topology=t.txt"], error)

    def test_watchdogs(self):
        for action in ("Drop", "Forward"):
            with self.subTest(action=action):
                result = self.run_study(
                    "from-file", *self.RING, f"--out={action}",
                    "--ns3::EthernetSwitch::WatchdogDetection=1ms",
                    f"--ns3::EthernetSwitch::WatchdogAction={action}",
                )
                self.assertEqual(result.returncode, 0)
                self.assertRegex(result.stderr, rf"\A{self.WARNING}\Z")
                summary = self.summary(action)
                self.assertEqual(summary["flows_completed"], 10)
                watchdog = summary["watchdog"]
                self.assertGreaterEqual(watchdog["detections"], 5)
                self.assertGreater(watchdog["drops"], 0)
                self.assertEqual(watchdog["drops"], summary["drops"])
                self.assertRegex(
                    result.stdout,
                    rf"\n  watchdog    acted {watchdog['detections']} times, dropped "
                    rf"{watchdog['drops']} frames\n",
                )
                self.assertIn(f"({watchdog['drops']} PFC watchdog)", result.stdout)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "no matplotlib")
    def test_the_figure_of_the_manual(self):
        sampled = [*self.RING[1:], "--sample=1us", "--sample-nodes=s10"]
        watchdog = ["--ns3::EthernetSwitch::WatchdogDetection=200us",
                    "--ns3::RdmaHw::RetransmissionTimeout=500us"]
        forward = [*watchdog, "--ns3::EthernetSwitch::WatchdogAction=Forward"]
        for topology, options, out, code in (
            ("ring", [], "ring", 1),
            ("ring", watchdog, "drop", 0),
            ("ring", forward, "forward", 0),
            ("ring-acyclic", [], "acyclic", 0),
        ):
            result = self.run_study("from-file", f"--topology={topology}", *sampled, *options,
                                    f"--out={out}")
            self.assertEqual(result.returncode, code, result.stderr)
        script = Path(os.environ["LOSSLESS_ROOT"]) / "examples/analysis/plot_deadlock.py"
        subprocess.run([sys.executable, "-B", script, "deadlock.png", "ring", "drop", "forward",
                        "acyclic"], cwd=self.work, check=True, timeout=120)
        png = (self.work / "deadlock.png").read_bytes()
        self.assertTrue(png.startswith(b"\x89PNG") and len(png) > 50000)

    def test_a_watchdog_that_is_off_has_no_settings(self):
        self.assert_error(
            "incast",
            ["--ns3::EthernetSwitch::WatchdogAction=Forward"],
            "ns3::EthernetSwitch::WatchdogDetection: found 0 with another watchdog attribute, "
            "expected a time above 0, which turns the watchdog on",
        )

    def test_looking_for_deadlocks_changes_nothing(self):
        # Looks each 1 ms, of which there is none, and each 250 us.
        contents = []
        for stop in ("10s", "1ms"):
            self.results("incast", "--scheme=none", "--senders=4", "--bytes=2MB", f"--stop={stop}",
                         out=stop)
            summary = self.summary(stop)
            self.assertEqual(summary["flows_completed"], 4)
            self.assertGreater(summary["simulated_s"], 650e-6)
            for field in (*MACHINE_FIELDS, "parameters"):
                del summary[field]
            contents.append([summary, (self.work / stop / "pfc.csv").read_bytes(),
                             (self.work / stop / "flows.csv").read_bytes()])
        self.assertEqual(contents[0], contents[1])


if __name__ == "__main__":
    unittest.main()
