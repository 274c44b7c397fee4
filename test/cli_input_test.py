#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the study programs as users call them: schemes, workloads, files and sizes that do not
fit, and --help."""

import gzip
import unittest

from study_case import SHORT, StudyTest


class InputTest(StudyTest):
    def test_schemes_and_workloads(self):
        result = self.run_study("fat-tree", "--scheme=none,dcqn")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr,
            r"\Aerror: scheme: found 'dcqn', expected one of none, dcqcn, .*"
            r"\(did you mean 'dcqcn'\?\)\n\Z",
        )
        self.assert_error(
            "fat-tree",
            ["--scheme=none,none"],
            "--scheme: found 'none' twice, expected each scheme once",
        )
        self.assert_error(
            "fat-tree",
            ["--workload=websearch"],
            "--workload: found 'websearch', expected the path of a file or one of "
            "CacheFollower, Hadoop, WebSearch, WebServer (did you mean 'WebSearch'?)",
        )
        cdf = self.file("falling.cdf", "0 0\n1000 0.5\n2000 0.4\n3000 1\n")
        result = self.run_study("fat-tree", f"--workload={cdf}")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Aerror: falling\.cdf:3: found .*0\.4.*, expected .*\n\Z")

    def test_messages_of_too_many_frames(self):
        error = (
            "message: found 4295000000000 B, expected at most 4294967295000 B, which are 2^32 - 1 "
            "frames of 1000 B (ns3::RdmaHw::Mtu)"
        )
        self.assert_error("incast", ["--senders=1", "--bytes=4295GB", "--scheme=none"], error)
        flows = self.file("flows.txt", "1\n0 4 3 100 4295000000000 0\n")
        self.assert_error("from-file", [f"--flows={flows}"], error)
        self.assert_error(
            "incast",
            ["--senders=1", "--bytes=4294GB", "--scheme=none", "--link-rate=10Mb/s",
             "--buffer=1MB"],
            "flow 0: found 4294000000000 B, which take 3716886 s or more on its path, expected "
            "what ends within the 1000000 s to which a run counts time",
        )

    def test_topology_and_flow_files(self):
        topology = self.file("missing.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n2 100Gbps 1us 0\n")
        result = self.run_study("from-file", f"--topology={topology}")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Aerror: missing\.txt:4: found .*, expected .*\n\Z")

        apart = self.file(
            "apart.txt",
            "6 2 4\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n"
            "2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n",
        )
        result = self.run_study("from-file", f"--topology={apart}")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Aerror: .*(unreachable|no path|reach).*\n\Z")

        flows = self.file("flows.txt", "2\n0 1 3 100 1000 0\n0 9 3 100 1000 0\n")
        result = self.run_study("from-file", f"--flows={flows}")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("found"), 1)
        self.assertRegex(
            result.stderr,
            r"\Aerror: flows\.txt:3: found node 9, a switch of .*two-racks\.txt, expected a host\n",
        )
        flows = self.file("flows.txt", "1\n0 99 3 100 1000 0\n")
        result = self.run_study("from-file", f"--flows={flows}")
        self.assertRegex(
            result.stderr,
            r"\Aerror: flows\.txt:2: found node 99, which .*two-racks\.txt does not have, expected "
            r"a node from 0 to \d+\n",
        )
        (self.work / "flows.gz").write_bytes(gzip.compress(b"1\n0 1 3 100 1000 0\n"))
        for option, content in (("flows", "a flow list"), ("topology", "a topology")):
            self.assert_error(
                "from-file", [f"--{option}=flows.gz"],
                f"flows.gz: found a file compressed by gzip, expected {content} as plain text",
            )
        triangle = self.file(
            "t.txt", "3 0 3\n0 1 100Gbps 1us 0\n1 2 100Gbps 1us 0\n2 0 100Gbps 1us 0\n"
        )
        self.assert_error(
            "from-file", [f"--topology={triangle}"],
            "topology: found port 1 of host 'h0' unreachable from port 0 of host 'h0', expected "
            "links and switches that join all ports of hosts, which do not forward",
        )

    def test_buffers(self):
        # 2 x 1 us + two frames of 1083 B and the PFC frame of 64 B, with 20 B each for preamble and
        # gap... the exact number is the switch's business; here, that both numbers are told.
        result = self.run_study("incast", "--buffer=2MB", "--ns3::EthernetSwitch::Headroom=10000")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr,
            r"\Aerror: switch 17 port 0: found a headroom of 10000 B, expected at least \d+ B for "
            r"its link of 100Gb/s and 1us\n\Z",
        )
        self.assertFalse((self.work / "results").exists())
        result = self.run_study("incast", "--buffer=300KB")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr,
            r"\Aerror: switch 17: found settings that do not fit \(the buffer of 300000 B is too "
            r"small: headroom needs \d+ B \(17 ports, .*\), expected .*\n\Z",
        )
        self.assertFalse((self.work / "results").exists())

    def test_loss_in_a_lossless_priority_ends_the_run(self):
        # A pause of one quantum, not repeated, holds the senders for 5 ns: the buffer overflows.
        result = self.run_study(
            "incast",
            "--scheme=none",
            "--buffer=1MB",
            "--ns3::QbbNetDevice::PauseTime=1",
            "--ns3::QbbNetDevice::RefreshInterval=1s",
        )
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr,
            r"\Aerror: switch 17 port \d+ would lose a frame of \d+ B in lossless priority 3 at .*: "
            r"headroom of \d+ B holds \d+ B, buffer of 1000000 B holds \d+ B\n\Z",
        )

    def test_output_folder(self):
        self.file("taken", "")
        result = self.run_study("incast", "--out=taken/results")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Aerror: --out: found that taken/results cannot be made")

    def test_help(self):
        for study in SHORT:
            result = self.run_study(study, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for option in ("scheme", "seed", "stop", "mtu", "buffer", "xoff", "xon", "sample",
                           "pcap", "out"):
                self.assertIn(f"--{option}:", result.stdout)


if __name__ == "__main__":
    unittest.main()
