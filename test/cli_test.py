#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the study programs as users call them: errors, exit codes, files, determinism.

LOSSLESS_BIN names the folder of the programs; without it the tests are skipped.
"""

import csv
import gzip
import importlib.util
import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "analysis"))
sys.dont_write_bytecode = True

import run_folder  # noqa: E402

BIN = os.environ.get("LOSSLESS_BIN")
FLOW_COLUMNS = (
    "flow,src,dst,priority,size_bytes,start_s,fct_s,ideal_fct_s,slowdown,"
    "packets,packets_ce,packets_ue,cnp_ce,cnp_ue,path_hops"
)
PORT_COLUMNS = "time_s,node,port,priority,queue_bytes,tx_bytes,state,paused,marked_ce,marked_ue"
STATE_COLUMNS = "time_s,node,port,priority,old,new"
RATE_COLUMNS = "time_s,flow,rate_bps"
PFC_COLUMNS = "time_s,node,port,priority,pause"
# What depends on the machine and not on parameters and seed.
MACHINE_FIELDS = ("cpu_s", "wall_s", "peak_rss_kb", "hops_per_cpu_s")
# A fraction of a second each.
SHORT = {
    "fat-tree": ["--workload=Hadoop", "--duration=100us"],
    "leaf-spine": ["--workload=Hadoop", "--duration=100us"],
    "incast": ["--senders=8", "--bytes=200000", "--buffer=1MB"],
    "from-file": ["--flows=two-racks"],
}


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class StudyTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = Path(temporary.name)

    def run_study(self, study, *options, **kwargs):
        """Runs a study in the temporary folder."""
        return subprocess.run(
            [Path(BIN) / f"lossless-{study}", *options],
            cwd=self.work,
            capture_output=True,
            text=True,
            timeout=120,
            **kwargs,
        )

    def results(self, study, *options, out="out"):
        """The folder of a run that must succeed."""
        result = self.run_study(study, *options, f"--out={out}")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return self.work / out

    def assert_error(self, study, options, error, **kwargs):
        """One line on stderr, exit code 1, nothing simulated or written."""
        result = self.run_study(study, *options, **kwargs)
        self.assertEqual(result.stderr.rstrip("\n"), "error: " + error)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertFalse((self.work / "results").exists(), "a folder of results was made")

    def file(self, name, text):
        (self.work / name).write_text(text)
        return name


class ErrorTest(StudyTest):
    def test_options(self):
        self.assert_error("fat-tree", ["--lod=0.5"], "unknown option --lod, did you mean --load?")
        self.assert_error(
            "incast", ["--sender=4"], "unknown option --sender, did you mean --senders?"
        )
        self.assert_error(
            "fat-tree", ["--k"], "option --k needs a value: --k=VALUE"
        )
        self.assert_error(
            "fat-tree", ["4"], "unknown argument '4', options are --name=value"
        )

    def test_values(self):
        fraction = "expected a number above 0 and at most 1"
        time = "expected a time above 0 in whole ns with its unit, such as 10us"
        self.assert_error("fat-tree", ["--load=1.2"], f"--load: found '1.2', {fraction}")
        self.assert_error("fat-tree", ["--load=0"], f"--load: found '0', {fraction}")
        self.assert_error("fat-tree", ["--load=nan"], f"--load: found 'nan', {fraction}")
        self.assert_error("fat-tree", ["--duration=0s"], f"--duration: found '0s', {time}")
        self.assert_error("fat-tree", ["--stop=10"], f"--stop: found '10', {time}")
        self.assert_error("fat-tree", ["--k=5"], "k: found 5, expected an even number, 2 or more")
        self.assert_error(
            "fat-tree", ["--shape=ring"], "--shape: found 'ring', expected one of k-ary, mercury"
        )
        self.assert_error(
            "incast", ["--senders=0"], "--senders: found '0', expected a whole number, 1 or more"
        )
        self.assert_error(
            "incast",
            ["--link-rate=0Gb/s"],
            "--link-rate: found '0Gb/s', expected a rate above zero with its unit, "
            "such as 100Gb/s",
        )
        self.assert_error(
            "incast",
            ["--xoff=50000", "--xon=60000"],
            "--xon: found 60000, expected at most the 50000 of --xoff",
        )
        self.assert_error(
            "incast",
            ["--xon=60000"],
            "--xon: found it without --xoff, expected both, for a static threshold",
        )

    def test_attributes(self):
        self.assert_error(
            "incast",
            ["--ns3::RdmaHw::Mtuu=1000"],
            "unknown attribute Mtuu of ns3::RdmaHw, did you mean Mtu?",
        )
        self.assert_error(
            "incast",
            ["--ns3::Dcqn::MinRate=1Gb/s"],
            "unknown class ns3::Dcqn in --ns3::Dcqn::MinRate, did you mean ns3::Dcqcn?",
        )
        self.assert_error(
            "incast",
            ["--ns3::RdmaHw::CnpInterval=50parsec"],
            "--ns3::RdmaHw::CnpInterval: found '50parsec', expected a time with its unit, "
            "such as 10us",
        )
        # Variant was once called so; no name is near, so all are told.
        result = self.run_study("incast", "--ns3::Timely::Machine=Patched")
        self.assertRegex(
            result.stderr,
            r"\Aerror: unknown attribute Machine of ns3::Timely, which has Variant, EwmaGain, .*\n\Z",
        )

    def test_impossible_attributes(self):
        for argument, message in (
            (
                "--ns3::EcnDetector::Kmin=300000",
                "ns3::EcnDetector::Kmin: found 300000 B, expected at most Kmax, 200000 B",
            ),
            (
                "--ns3::Dcqcn::AlphaTimer=0s",
                "ns3::Dcqcn::AlphaTimer: found +0us, expected more than zero",
            ),
            (
                "--ns3::QbbNetDevice::DataRate=10Gb/s",
                "--ns3::QbbNetDevice::DataRate: found it on the command line, expected "
                "--link-rate or the topology's file, which decides it",
            ),
        ):
            self.assert_error("incast", [argument], message)

    def test_classes_that_take_no_part(self):
        part = (
            "--{}: found an attribute of a class that takes no part in the run, expected one of "
            "ns3::Application, {}"
        )
        self.assert_error(
            "incast",
            ["--scheme=timely", "--ns3::Dcqcn::MinRate=1Gb/s"],
            part.format(
                "ns3::Dcqcn::MinRate",
                "ns3::Channel, ns3::EthernetSwitch, ns3::Node, ns3::LosslessChannel, "
                "ns3::QbbNetDevice, ns3::RdmaHw, ns3::Timely",
            ),
        )
        for attribute in (
            "ns3::ErrorModel::IsEnabled=false",  # no link has an error rate
            "ns3::DeficitRoundRobin::Quantum=100",
            "ns3::TcdDetector::Epsilon=0.5",
            "ns3::TcpSocket::SegmentSize=100",
            "ns3::Pcn::WMin=0.1",
        ):
            result = self.run_study("incast", f"--{attribute}")
            self.assertEqual(result.returncode, 1, attribute)
            self.assertIn("takes no part in the run", result.stderr)
            self.assertFalse((self.work / "results").exists())
        # All hosts of this study have a controller that is not the scheme's.
        result = self.run_study("tcd-congestion-trees", "--ns3::Dcqcn::MinRate=1Gb/s")
        self.assertIn("takes no part in the run", result.stderr)
        # One of several schemes suffices; so does a part of a part, and a parent.
        for options in (
            ["--scheme=timely,dcqcn", "--ns3::Dcqcn::MinRate=1Gb/s"],
            ["--scheme=mercury", "--ns3::Dcqcn::MinRate=1Gb/s"],
            ["--scheme=dcqcn+tcd", "--ns3::EcnDetector::Kmin=6000"],
            ["--ns3::QbbNetDevice::Scheduler=ns3::DeficitRoundRobin",
             "--ns3::DeficitRoundRobin::Quantum=100"],
            ["--scheme=mercury", "--ns3::MercuryWindow::Controller=ns3::Timely",
             "--ns3::Timely::Beta=0.5"],
        ):
            self.results("incast", "--senders=2", "--bytes=10000", *options)

    def test_defaults_of_the_environment(self):
        def environment(value):
            return dict(os.environ, NS_ATTRIBUTE_DEFAULT=value)

        options = ["--senders=8", "--bytes=200000"]
        result = self.run_study(
            "incast", *options, "--out=out",
            env=environment("ns3::Dcqcn::MinRate=3Gb/s;ns3::EthernetSwitch::Xoff=400000"),
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        parameters = json.loads((self.work / "out/summary.json").read_text())["parameters"]
        self.assertEqual(parameters["controller"]["MinRate"], "3Gb/s")
        self.assertEqual((parameters["threshold"], parameters["xoff"]), ("Static", 400000))
        self.assertEqual(
            parameters["attributes"],
            {"ns3::Dcqcn::MinRate": "3Gb/s", "ns3::EthernetSwitch::Xoff": 400000},
        )
        # The same as on the command line.
        folder = self.results("incast", *options, "--ns3::Dcqcn::MinRate=3Gb/s",
                              "--ns3::EthernetSwitch::Xoff=400000", out="line")
        self.assertEqual(json.loads((folder / "summary.json").read_text())["parameters"],
                         parameters)
        self.assertEqual((folder / "flows.csv").read_bytes(),
                         (self.work / "out/flows.csv").read_bytes())
        self.assert_error(
            "incast", ["--ns3::RdmaHw::AckInterval=2"],
            "--ns3::RdmaHw::AckInterval: found '2' and '4' in NS_ATTRIBUTE_DEFAULT, which ns-3 "
            "prefers, expected one of the two",
            env=environment("ns3::RdmaHw::AckInterval=4"),
        )
        self.assert_error(
            "incast", [],
            "NS_ATTRIBUTE_DEFAULT, ns3::RdmaHw::AckInterval: found 'foo', expected a value of "
            "uint32_t 1:4294967295",
            env=environment("ns3::RdmaHw::AckInterval=foo"),
        )
        self.assert_error(
            "incast", [],
            "ns3::LosslessChannel::Delay: found a default of it, expected --link-delay or the "
            "topology's file, which decides it",
            env=environment("ns3::LosslessChannel::Delay=1ms"),
        )
        result = self.run_study("incast", env=environment("ns3::Timely::Beta=0.5"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: NS_ATTRIBUTE_DEFAULT, ns3::Timely::Beta: found an attribute of a "
                      "class that takes no part", result.stderr)

    def test_an_option_and_its_attribute(self):
        for option, attribute in (
            ("--mtu=500", "ns3::RdmaHw::Mtu"),
            ("--buffer=1MB", "ns3::EthernetSwitch::BufferSize"),
            ("--xoff=400000", "ns3::EthernetSwitch::Xoff"),
        ):
            self.assert_error(
                "incast", [option, f"--{attribute}=500000" if "Mtu" not in attribute
                           else f"--{attribute}=500"],
                f"{option.split('=')[0]}: found it beside {attribute}, expected one of the two",
            )
        self.assert_error("incast", ["--seed=2", "--RngRun=3"],
                          "--seed: found it beside --RngRun, expected one of the two")
        # Where a study has a threshold of its own.
        folder = self.results("tcd-congestion-points", "--case=single", "--stop=100us",
                              "--ns3::EthernetSwitch::Xoff=200000")
        parameters = json.loads((folder / "summary.json").read_text())["parameters"]
        self.assertEqual((parameters["xoff"], parameters["xon"]), (200000, 198000))

    def test_what_ended_ns3(self):
        """Each of these aborted, crashed or did not end."""
        form = "expected a class as ns3::Class or ns3::Class[Name=value|Name=value]"
        controller = "--ns3::MercuryWindow::Controller"
        scheduler = "--ns3::QbbNetDevice::Scheduler"
        for options, error in (
            (["--link-rate=1b/s"], "--link-rate: found '1b/s', expected 1kb/s to 1000Tb/s"),
            (["--link-delay=9000000s"],
             "--link-delay: found '9000000s', expected at most 1000000s"),
            (["--stop=9000000s"], "--stop: found '9000000s', expected at most 1000000s"),
            (["--SimulatorImplementationType=x"],
             "--SimulatorImplementationType: found 'x', expected a class derived from "
             "ns3::SimulatorImpl"),
            (["--RngSeed=0"], "--RngSeed: found '0', expected 1 to 4294944442"),
            (["--scheme=mercury", f"{controller}=ns3::Dcqcn["],
             f"{controller}: found 'ns3::Dcqcn[', {form}"),
            (["--scheme=mercury", f"{controller}=ns3::MercuryWindow"],
             f"{controller}: found 'ns3::MercuryWindow', expected a class derived from "
             "ns3::RateController, other than ns3::MercuryWindow itself"),
            ([f"{scheduler}=ns3::Node"],
             f"{scheduler}: found 'ns3::Node', expected a class derived from ns3::EgressScheduler"),
            ([f"{scheduler}=ns3::DeficitRoundRobin[Quantum=0]"],
             f"{scheduler}, Quantum: found '0', expected a value of uint32_t 1:4294967295"),
            ([f"{scheduler}=ns3::DeficitRoundRobin[Quantum="],
             f"{scheduler}: found 'ns3::DeficitRoundRobin[Quantum=', {form}"),
            ([f"{scheduler}=[ns3::DeficitRoundRobin"],
             f"{scheduler}: found '[ns3::DeficitRoundRobin', {form}"),
            (["--out="], "--out: found '', expected a text"),
            (["--out= "], "--out: found ' ', expected a text"),
            (["--scheme= "], "--scheme: found ' ', expected a text"),
            (["--ns3::EthernetSwitch::Xoff=18446744073709551615"],
             "--ns3::EthernetSwitch::Xoff: found '18446744073709551615', expected a value of "
             "uint64_t 0:1000000000000"),
            (["--ns3::EthernetSwitch::Xoff=-1"],
             "--ns3::EthernetSwitch::Xoff: found '-1', expected a value of uint64_t "
             "0:1000000000000"),
            (["--xoff=2TB"],
             "--xoff: found '2TB', expected bytes, 0 to 1000000000000, such as 2000000 or 2MB"),
            (["--ns3::Node::DeviceList=x"],
             "--ns3::Node::DeviceList: found 'x', expected no value: it can only be read"),
            (["--bursts=4294967295"],
             "bursts: found 4294967295 of 16 senders, which is about 68719476720 flows, expected "
             "at most 20000000 flows"),
        ):
            with self.subTest(options=options):
                self.assert_error("incast", options, error)
        self.assert_error(
            "incast", [], "NS_LOG: found 'foo', expected a log component, or * for all",
            env=dict(os.environ, NS_LOG="foo"),
        )
        result = self.run_study("fat-tree", "--duration=1000s")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr,
            r"\Aerror: duration: found 1000s at a load of 0\.\d+ of 16 hosts, which is about \d+ "
            r"flows, expected at most 20000000 flows\n\Z",
        )
        # A flow for as long as the run, of less than a byte.
        self.assert_error(
            "mercury-victim", ["--sender-rate=1kb/s", "--stop=1us"],
            "traffic: found flow 0 of 0 bytes, expected at least 1: a longer time or a higher rate",
        )

    def test_globals(self):
        self.assert_error(
            "incast",
            ["--SchedulerType=ns3::RdmaHw"],
            "--SchedulerType: found 'ns3::RdmaHw', expected a class derived from ns3::Scheduler",
        )

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


class FilesTest(StudyTest):
    def test_each_study_writes_its_folder(self):
        for study, options in SHORT.items():
            with self.subTest(study=study):
                self.check_folder(study, self.results(study, *options, "--sample=10us", out=study))

    def check_folder(self, study, folder):
        summary = json.loads((folder / "summary.json").read_text())
        self.assertEqual(summary["study"], study)
        self.assertEqual(summary["scheme"], "dcqcn")
        self.assertIsInstance(summary["parameters"], dict)
        self.assertRegex(summary["ns3_version"], r"^3[.-]")
        for field in ("seed", "peak_rss_kb", "events", "packet_hops", "flows", "flows_completed",
                      "drops", "pause_frames", "packets_ce", "packets_ue"):
            self.assertIs(type(summary[field]), int, field)
        for field in ("simulated_s", "cpu_s", "wall_s", "hops_per_cpu_s", "pause_time_s",
                      "achieved_load"):
            self.assertIsInstance(summary[field], (int, float), field)
        self.assertEqual(summary["flows"], summary["flows_completed"])
        self.assertEqual(summary["drops"], 0)

        rows = self.table(folder / "flows.csv", FLOW_COLUMNS)
        self.assertEqual(len(rows), summary["flows"])
        self.assertEqual([int(row["flow"]) for row in rows], list(range(len(rows))))
        for row in rows:
            self.assertNotEqual(row["src"], row["dst"])
            self.assertAlmostEqual(
                float(row["slowdown"]), float(row["fct_s"]) / float(row["ideal_fct_s"]), places=12
            )
            # The ideal is exact for a flow alone in the network, so nothing is faster.
            self.assertGreaterEqual(float(row["slowdown"]), 1)
        self.assertEqual(sum(int(row["packets_ce"]) for row in rows), summary["packets_ce"])

        # Nearest rank; the bins hold each flow once.
        slowdowns = sorted(float(row["slowdown"]) for row in rows)
        total = summary["slowdown"]["all"]
        self.assertEqual(total["n"], len(rows))
        self.assertEqual(total["p50"], slowdowns[(len(rows) + 1) // 2 - 1])
        self.assertEqual(total["p99"], slowdowns[-(-99 * len(rows) // 100) - 1])
        bins = summary["slowdown"]["bins"]
        self.assertEqual(sum(b["n"] for b in bins), len(rows))
        for b in bins:
            self.assertEqual(
                b["n"], sum(b["lo"] < int(row["size_bytes"]) <= b["hi"] for row in rows)
            )

        ports = self.table(folder / "ports.csv", PORT_COLUMNS)
        self.assertGreater(len(ports), 0)
        # Samples at 10 us, 20 us, ... up to the end.
        times = sorted({float(row["time_s"]) for row in ports})
        self.assertEqual(len(times), int(summary["simulated_s"] * 1e5 + 1e-6))
        self.table(folder / "pfc.csv", PFC_COLUMNS)
        self.table(folder / "states.csv", STATE_COLUMNS)
        self.table(folder / "rates.csv", RATE_COLUMNS)

    def table(self, path, columns):
        with open(path, newline="") as file:
            self.assertEqual(file.readline(), columns + "\n")
        with open(path, newline="") as file:
            return list(csv.DictReader(file))

    def test_time_series_are_those_of_the_nodes_asked_for(self):
        folder = self.results("incast", *SHORT["incast"], "--sample=10us", "--sample-nodes=h0,switch")
        ports = self.table(folder / "ports.csv", PORT_COLUMNS)
        self.assertEqual({row["node"] for row in ports}, {"h0", "switch"})
        # Each frame is marked CE by the switch's port to the receiver alone, and not again.
        flows = self.table(folder / "flows.csv", FLOW_COLUMNS)
        received = sum(int(row["packets_ce"]) for row in flows)
        last = {row["port"]: row for row in ports if row["node"] == "switch"}
        self.assertEqual(int(last["8"]["marked_ce"]), received)
        self.assertGreater(received, 0)
        self.assertEqual({row["marked_ue"] for row in ports}, {"0"})
        # The first cut of each of the 8 flows halves its rate (alpha is 1).
        rates = self.table(folder / "rates.csv", RATE_COLUMNS)
        first = {row["flow"]: row["rate_bps"] for row in reversed(rates)}
        self.assertEqual(first, {str(flow): "50000000000" for flow in range(8)})

    def test_a_later_run_without_samples_leaves_none(self):
        folder = self.results("incast", *SHORT["incast"], "--sample=10us")
        self.assertTrue((folder / "states.csv").exists())
        self.results("incast", *SHORT["incast"])
        self.assertEqual([name for name in ("ports.csv", "states.csv", "rates.csv")
                          if (folder / name).exists()], [])

    def test_pauses_add_up(self):
        folder = self.results("incast", *SHORT["incast"], "--scheme=none")
        summary = json.loads((folder / "summary.json").read_text())
        since, paused = {}, 0.0
        for row in self.table(folder / "pfc.csv", PFC_COLUMNS):
            queue = (row["node"], row["port"], row["priority"])
            if row["pause"] == "1":
                self.assertNotIn(queue, since)
                since[queue] = float(row["time_s"])
            else:
                paused += float(row["time_s"]) - since.pop(queue)
        self.assertGreater(paused, 0)
        self.assertEqual(since, {})
        # The sum of decimals of 1 ns and the double differ by rounding only.
        self.assertAlmostEqual(summary["pause_time_s"], paused, delta=1e-12)

    def test_victims_are_counted_if_asked_for(self):
        options = ["--case=single", "--scheme=dcqcn:tcd21"]
        plain = self.results("tcd-congestion-points", *options, out="plain")
        self.assertIsNone(json.loads((plain / "summary.json").read_text())["victims"])
        counted = self.results(
            "tcd-congestion-points", *options, "--count-victims=true", out="counted"
        )
        victims = json.loads((counted / "summary.json").read_text())["victims"]
        self.assertEqual(
            list(victims),
            ["marks", "marks_by_pauses", "notifications", "notifications_by_pauses",
             "flows_marked", "victim_flows_marked"],
        )
        # Each frame is marked once and arrives. P3 marks culprits, P2 victims; ECN notifies nobody.
        received = sum(
            int(row["packets_ce"]) for row in self.table(counted / "flows.csv", FLOW_COLUMNS)
        )
        self.assertEqual(victims["marks"], received)
        self.assertGreater(victims["marks_by_pauses"], 0)
        self.assertGreater(victims["marks"], victims["marks_by_pauses"])
        self.assertEqual(victims["notifications"], 0)
        self.assertGreater(victims["victim_flows_marked"], 0)
        self.assertGreater(victims["flows_marked"], victims["victim_flows_marked"])
        # Counting changes nothing else.
        for path in plain.glob("*.csv"):
            self.assertEqual(path.read_bytes(), (counted / path.name).read_bytes(), path.name)
        result = self.run_study("incast", *SHORT["incast"], "--count-victims=true", "--out=table")
        self.assertRegex(
            result.stdout,
            r"\n  victims     0 of [1-9]\d* marks and 0 of 0 notifications came of pauses alone; "
            r"0 of 8 marked flows are victims\n",
        )

    def test_incast_takes_the_receivers_line(self):
        # 8 x 200 frames of 1062 B and 20 B of preamble and gap at 100 Gb/s take 138.496 us; the
        # last data frame then needs 2 us and 86.56 ns to the end, its ACK about 2 us more.
        folder = self.results("incast", *SHORT["incast"], "--scheme=none")
        rows = self.table(folder / "flows.csv", FLOW_COLUMNS)
        last = max(float(row["fct_s"]) for row in rows)
        self.assertGreater(last, 138.496e-6 + 4e-6)
        self.assertLess(last, 138.496e-6 + 5e-6)

    def test_unfinished_flows(self):
        result = self.run_study("incast", "--scheme=none", "--stop=700us", "--out=out")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"unfinished +\d+ flows: the run ended at --stop=700us")
        summary = json.loads((self.work / "out/summary.json").read_text())
        self.assertLess(summary["flows_completed"], 16)
        self.assertEqual(summary["simulated_s"], 700e-6)
        rows = self.table(self.work / "out/flows.csv", FLOW_COLUMNS)
        self.assertEqual(len(rows), 16)
        self.assertEqual(sum(row["fct_s"] != "" for row in rows), summary["flows_completed"])

    def test_capture(self):
        folder = self.results("incast", *SHORT["incast"], "--pcap=h3,switch")
        self.assertTrue((folder / "h3-0.pcap").stat().st_size > 24)
        self.assertEqual(len(list(folder.glob("switch-*.pcap"))), 9)
        self.assertEqual(len(list(folder.glob("*.pcap"))), 10)
        result = self.run_study("incast", "--pcap=h33", "--out=x")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\Aerror: --pcap: found 'h33', expected a node such as 'h3'")
        self.assert_error(
            "incast", ["--sample=1us", "--sample-nodes=h0,swich"],
            "--sample-nodes: found 'swich', expected a node such as 'switch'",
        )

    def test_no_flow_waits_for_a_timeout_without_loss(self):
        # The windows of both shrink while frames are under way that asked for no acknowledgement.
        for scheme in "mercury+timely", "hpcc":
            folder = self.results(
                "incast", "--senders=32", "--bytes=50KB", f"--scheme={scheme}",
                "--ns3::RdmaHw::AckInterval=4", out=f"out-{scheme}",
            )
            summary = json.loads((folder / "summary.json").read_text())
            self.assertEqual((summary["flows_completed"], summary["drops"]), (32, 0))
            # 32 x 50 frames of 1082 B at 100 Gb/s take 0.138 ms, a timeout 67 ms.
            self.assertLess(summary["simulated_s"], 0.0003)

    def test_intervals_of_years_are_switched_off(self):
        attributes = (
            ("dcqcn", "Dcqcn::IncreaseTimer"), ("dcqcn", "RdmaHw::RetransmissionTimeout"),
            ("dcqcn", "RdmaHw::CnpInterval"), ("rocc", "Rocc::RecoveryTimer"),
            ("pacc", "PaccDetector::Period"), ("mercury", "MercuryDetector::CnpInterval"),
            ("dcqcn+tcd", "TcdDetector::TrendPeriod"), ("hpcc", "Hpcc::BaseRtt"),
        )
        for scheme, attribute in attributes:
            flows = [
                (self.results(
                    "incast", "--senders=8", "--bytes=100KB", "--xoff=50000", f"--scheme={scheme}",
                    f"--ns3::{attribute}={time}", out=f"{scheme}-{attribute}-{time}",
                ) / "flows.csv").read_text()
                # A hundred seconds are as good as never here.
                for time in ("100s", "10000000s", "9223372036s")
            ]
            self.assertEqual(flows[1:], flows[:1] * 2, attribute)

    def test_static_threshold(self):
        folder = self.results("incast", *SHORT["incast"], "--xoff=20000", "--scheme=none")
        parameters = json.loads((folder / "summary.json").read_text())["parameters"]
        self.assertEqual(parameters["threshold"], "Static")
        self.assertEqual((parameters["xoff"], parameters["xon"]), (20000, 18000))
        folder = self.results("incast", "--senders=4", "--bytes=10000")
        parameters = json.loads((folder / "summary.json").read_text())["parameters"]
        self.assertEqual(parameters["threshold"], "Dynamic")
        # 16 MB for each 50 Gb/s
        self.assertEqual(parameters["buffer"], 32000000)

    def test_attributes_override_the_scheme(self):
        folder = self.results(
            "incast", *SHORT["incast"], "--ns3::EcnDetector::Kmin=999999999",
            "--ns3::EcnDetector::Kmax=1999999999",
        )
        summary = json.loads((folder / "summary.json").read_text())
        self.assertEqual(summary["packets_ce"], 0)
        self.assertEqual(summary["parameters"]["detector"]["Kmin"], 999999999)
        self.assertEqual(
            summary["parameters"]["attributes"]["ns3::EcnDetector::Kmin"], 999999999
        )

    def test_attributes_reach_a_controller_within_a_controller(self):
        folder = self.results(
            "incast", *SHORT["incast"], "--scheme=mercury", "--ns3::Dcqcn::InitialAlpha=0.25"
        )
        summary = json.loads((folder / "summary.json").read_text())
        controller = summary["parameters"]["controller"]
        self.assertEqual(controller["type"], "ns3::MercuryWindow")
        self.assertRegex(
            controller["Controller"], r"\Ans3::Dcqcn\[Variant=Paper\|InitialAlpha=0\.25\|.*\]\Z"
        )
        for controller, found, expected in (
            ("ns3::Foo", "'ns3::Foo'", "a class derived from ns3::RateController"),
            ("ns3::Dcqcn[Foo=1]", "attribute 'Foo'", "one of ns3::Dcqcn"),
        ):
            self.assert_error(
                "incast",
                ["--scheme=mercury", f"--ns3::MercuryWindow::Controller={controller}"],
                f"--ns3::MercuryWindow::Controller: found {found}, expected {expected}",
            )

    def test_flow_file_takes_node_ids(self):
        # Hosts may come after switches; flows.csv names the nodes as the files do.
        topology = self.file("t.txt", "3 1 2\n0\n1 0 100Gbps 1us 0\n2 0 100Gbps 1us 0\n")
        flows = self.file("f.txt", "1\n2 1 3 100 5000 0.001\n")
        folder = self.results("from-file", f"--topology={topology}", f"--flows={flows}")
        (row,) = self.table(folder / "flows.csv", FLOW_COLUMNS)
        self.assertEqual((row["src"], row["dst"], row["start_s"]), ("2", "1", "0.001000000"))


# Some seconds, unless it is ended.
LONG = ["--scheme=none", "--senders=64", "--bytes=50MB"]
# A pause that does not hold the senders: a frame of a lossless priority would be lost.
FAILING = [
    "--scheme=none",
    "--buffer=1MB",
    "--ns3::QbbNetDevice::PauseTime=1",
    "--ns3::QbbNetDevice::RefreshInterval=1s",
]


def no_room(limit):
    """For preexec_fn: no file gets longer than limit, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


class FolderTest(StudyTest):
    """A folder passes as a whole run only if it is that, and one run."""

    def names(self, folder):
        return sorted(
            str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()
        )

    def earlier_run(self, *options):
        """A folder with a run, its figures, and a file of the user's."""
        folder = self.results("incast", *SHORT["incast"], "--sample=10us", "--pcap=h0", *options)
        (folder / "slowdown.png").write_text("a figure")
        (folder / "queue.png").write_text("a figure")
        (folder / "mine.csv").write_text("the user's")
        (folder / "mine-0.pcap").write_text("the user's")
        return folder

    def assert_incomplete(self, folder):
        self.assertFalse((folder / "summary.json").exists())
        with self.assertRaisesRegex(run_folder.InputError, "summary.json: found no such file"):
            run_folder.read_run(folder)

    def long_run(self, *options, writes="pfc.csv"):
        """A run that goes on, and has begun with a file; its folder is out."""
        process = subprocess.Popen(
            [Path(BIN) / "lossless-incast", *LONG, "--out=out", *options],
            cwd=self.work,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + 30
        while not list((self.work / "out").glob(f"**/{writes}.part")):
            self.assertLess(time.monotonic(), until)
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process

    def test_a_failed_run_leaves_nothing_that_passes_as_whole(self):
        folder = self.earlier_run()
        result = self.run_study("incast", *FAILING, "--out=out")
        self.assertEqual(result.returncode, 1)
        self.assertIn("would lose a frame", result.stderr)
        self.assertEqual(
            self.names(folder), [".lossless-run", "mine-0.pcap", "mine.csv", "pfc.csv.part"]
        )
        self.assert_incomplete(folder)
        # The next run finds nothing of it.
        self.results("incast", *SHORT["incast"])
        self.assertEqual(
            self.names(folder),
            [".lossless-run", "flows.csv", "mine-0.pcap", "mine.csv", "pfc.csv", "summary.json"],
        )
        self.assertEqual(len(run_folder.read_run(folder)), 1)

    def test_a_killed_run_leaves_nothing_that_passes_as_whole(self):
        folder = self.earlier_run()
        for number in (signal.SIGKILL, signal.SIGTERM):
            process = self.long_run("--sample=100us", writes="rates.csv")
            process.send_signal(number)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, -number)
            self.assert_incomplete(folder)
            self.assertEqual(
                self.names(folder),
                [".lossless-run", "mine-0.pcap", "mine.csv", "pfc.csv.part", "ports.csv.part",
                 "rates.csv.part", "states.csv.part"],
            )
        # Its lock is no obstacle.
        self.results("incast", *SHORT["incast"])

    def test_wrong_input_leaves_an_earlier_run_alone(self):
        folder = self.earlier_run()
        before = {name: (folder / name).read_bytes() for name in self.names(folder)}
        for option in ("--senders=0", "--buffer=300KB", "--pcap=h99"):
            self.assertEqual(self.run_study("incast", option, "--out=out").returncode, 1)
        self.assertEqual({name: (folder / name).read_bytes() for name in self.names(folder)}, before)

    def test_a_second_run_at_once_is_refused(self):
        process = self.long_run()
        listed = self.names(self.work / "out")
        result = self.run_study("incast", *SHORT["incast"], "--out=out")
        self.assertIsNone(process.poll(), "the first run ended before the second")
        self.assertEqual(
            (result.returncode, result.stdout, result.stderr),
            (1, "", "error: --out: found out in use by another run or plot, expected a folder that "
             "no other uses now\n"),
        )
        self.assertEqual(self.names(self.work / "out"), listed)
        process.kill()
        process.communicate()

    def test_a_part_of_a_run_that_goes_on_is_refused(self):
        process = self.long_run("--scheme=none,dcqcn")
        result = self.run_study("incast", *SHORT["incast"], "--out=out/dcqcn")
        self.assertIsNone(process.poll(), "the first run ended before the second")
        self.assertEqual(result.returncode, 1)
        self.assertIn("found out/dcqcn in use by another run or plot", result.stderr)
        process.kill()
        process.communicate()
        self.assert_incomplete(self.work / "out")
        self.assert_incomplete(self.work / "out/dcqcn")

    def test_schemes_of_an_earlier_run_are_not_mixed_in(self):
        folder = self.earlier_run("--scheme=none,dcqcn,timely")
        (folder / "timely/mine").touch()
        self.results("incast", *SHORT["incast"], "--scheme=dcqcn,hpcc")
        run = [".lossless-run", "flows.csv", "pfc.csv", "summary.json"]
        self.assertEqual(
            self.names(folder),
            sorted([".lossless-run", "mine-0.pcap", "mine.csv", "summary.json", "timely/mine",
                    *[f"dcqcn/{name}" for name in run], *[f"hpcc/{name}" for name in run]]),
        )
        self.results("incast", *SHORT["incast"])
        self.assertEqual(
            self.names(folder), sorted([*run, "mine-0.pcap", "mine.csv", "timely/mine"])
        )
        self.assertFalse((folder / "dcqcn").exists())

    def test_a_list_that_is_no_runs_is_obeyed_with_care(self):
        folder = self.earlier_run()
        (self.work / "outside").touch()
        (folder / ".lossless-run").write_text("../outside\n..\n/\n\n../\n./\nmine.csv\n")
        self.results("incast", *SHORT["incast"])
        self.assertTrue((self.work / "outside").exists())
        self.assertFalse((folder / "mine.csv").exists())
        self.assertTrue((folder / "mine-0.pcap").exists())

    def test_a_program_without_a_summary_clears_the_folder_too(self):
        folder = self.earlier_run()
        self.results("tcd-max-ton")
        self.assertEqual(
            self.names(folder),
            [".lossless-run", "max-ton.csv", "mine-0.pcap", "mine.csv", "ton.csv"],
        )

    def test_a_full_disk_is_told_of_with_the_file(self):
        too_large = os.strerror(27)  # EFBIG: what a limit gives instead of ENOSPC
        for limit, options, file in (
            (500, [], "flows.csv.part"),
            (2000, ["--sample=1us"], "ports.csv.part"),
        ):
            result = self.run_study(
                "incast", *SHORT["incast"], "--scheme=none", *options, "--out=out",
                preexec_fn=lambda: no_room(limit),
            )
            self.assertEqual(
                (result.returncode, result.stderr),
                (1, f"error: --out: found that out/{file} cannot be written ({too_large}), "
                 "expected a writable folder\n"),
            )
            self.assert_incomplete(self.work / "out")
        result = self.run_study(
            "incast", *SHORT["incast"], "--pcap=h0", "--out=out", preexec_fn=lambda: no_room(10000)
        )
        self.assertEqual(
            (result.returncode, result.stderr),
            (1, "error: --pcap: found that h0-0.pcap cannot be written, "
             "expected room on the disk\n"),
        )
        self.assert_incomplete(self.work / "out")

    def test_more_captures_than_open_files(self):
        result = self.run_study(
            "incast", *SHORT["incast"], "--pcap=all,switch", "--out=out",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12)),
        )
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr,
            r"\Aerror: --out: found that out/\S+\.pcap\.part cannot be written "
            r"\(Too many open files\), expected a writable folder\n\Z",
        )

    def test_a_folder_that_cannot_be_taken(self):
        self.file("taken", "")
        for out in ("taken", "taken/below"):
            result = self.run_study("incast", *SHORT["incast"], f"--out={out}")
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertRegex(
                result.stderr, rf"\Aerror: --out: found that {out}\S* cannot be (made|written) .*\n\Z"
            )
        (self.work / "out/flows.csv").mkdir(parents=True)
        result = self.run_study("incast", *SHORT["incast"], "--out=out")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            "error: --out: found that out/flows.csv of an earlier run cannot be removed "
            "(Is a directory), expected a writable folder\n",
        )


class OutputTest(StudyTest):
    """Standard output that cannot be written."""

    def check(self, study, options, expected, **kwargs):
        result = subprocess.run(
            [Path(BIN) / f"lossless-{study}", *options], cwd=self.work, stderr=subprocess.PIPE,
            text=True, timeout=120, **kwargs,
        )
        self.assertEqual((result.returncode, result.stderr), expected)

    def test_a_closed_pipe_is_no_error(self):
        read, write = os.pipe()
        os.close(read)
        self.addCleanup(os.close, write)
        self.check("incast", ["--help"], (128 + signal.SIGPIPE, ""), stdout=write)
        self.check("tcd-max-ton", ["--out=ton"], (128 + signal.SIGPIPE, ""), stdout=write)
        self.check(
            "incast", [*SHORT["incast"], "--scheme=none,dcqcn", "--out=out"],
            (128 + signal.SIGPIPE, ""), stdout=write,
        )
        # The run is complete all the same.
        self.assertEqual(len(run_folder.read_run(self.work / "out")), 2)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_one_is_said(self):
        expected = (1, "error: standard output cannot be written (No space left on device)\n")
        with open("/dev/full", "w") as full:
            self.check("incast", ["--help"], expected, stdout=full)
            self.check("incast", [*SHORT["incast"], "--out=out"], expected, stdout=full)
            self.check("tcd-max-ton", ["--out=ton"], expected, stdout=full)
        self.assertEqual(len(run_folder.read_run(self.work / "out")), 1)

    def test_a_closed_one_is_said(self):
        for options in (["--help"], SHORT["incast"]):
            self.check(
                "incast", options, (1, "error: standard output is closed\n"),
                preexec_fn=lambda: os.close(1),
            )
        self.assertFalse((self.work / "results").exists())

    def test_no_result_gets_the_number_of_a_closed_stream(self):
        self.check(
            "incast", [*SHORT["incast"], "--out=out"], (0, ""), stdout=subprocess.DEVNULL,
            preexec_fn=lambda: (os.close(0), os.close(2)),
        )
        self.check(
            "incast", [*FAILING, "--out=bad"], (1, ""), stdout=subprocess.DEVNULL,
            preexec_fn=lambda: (os.close(0), os.close(2)),
        )
        for path in (self.work / "bad").iterdir():
            self.assertNotIn(b"error", path.read_bytes(), path)


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


class DeterminismTest(StudyTest):
    def content(self, folder):
        """The files of a folder; of the summaries, what does not depend on the machine."""
        files = {}
        for path in sorted(folder.rglob("*")):
            if path.name == "summary.json":
                summaries = json.loads(path.read_text())
                for summary in summaries if isinstance(summaries, list) else [summaries]:
                    for field in MACHINE_FIELDS:
                        del summary[field]
                files[path.relative_to(folder)] = summaries
            elif path.is_file():
                files[path.relative_to(folder)] = path.read_bytes()
        return files

    def test_a_run_is_a_function_of_parameters_and_seed(self):
        for study, options in SHORT.items():
            with self.subTest(study=study):
                options = [*options, "--sample=20us"]
                first = self.content(self.results(study, *options, out=f"{study}-1"))
                second = self.content(self.results(study, *options, out=f"{study}-2"))
                self.assertEqual(first, second)

    def test_the_machine_fields_alone_differ(self):
        texts = []
        for out in ("1", "2"):
            text = (self.results("incast", *SHORT["incast"], out=out) / "summary.json").read_text()
            texts.append([line for line in text.splitlines()
                          if not re.match(rf' *"({"|".join(MACHINE_FIELDS)})"', line)])
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(len(text.splitlines()) - len(texts[1]), len(MACHINE_FIELDS))

    def test_another_seed_gives_other_flows(self):
        one = self.results("fat-tree", *SHORT["fat-tree"], out="1") / "flows.csv"
        two = self.results("fat-tree", *SHORT["fat-tree"], "--seed=2", out="2") / "flows.csv"
        run = self.results("fat-tree", *SHORT["fat-tree"], "--RngRun=2", out="3") / "flows.csv"
        self.assertNotEqual(one.read_text(), two.read_text())
        self.assertEqual(two.read_text(), run.read_text())

    def test_the_scheduler_changes_nothing(self):
        flows = [
            self.results(
                "fat-tree", *SHORT["fat-tree"], f"--SchedulerType=ns3::{kind}Scheduler", out=kind
            ) / "flows.csv"
            for kind in ("Map", "PriorityQueue")
        ]
        self.assertEqual(flows[0].read_text(), flows[1].read_text())

    def test_schemes_of_one_run_have_the_same_flows(self):
        folder = self.results("fat-tree", *SHORT["fat-tree"], "--scheme=dcqcn:hpcc,none")
        summaries = json.loads((folder / "summary.json").read_text())
        self.assertEqual([s["scheme"] for s in summaries], ["dcqcn:hpcc", "none"])
        tables = []
        for name in ("dcqcn-hpcc", "none"):
            with open(folder / name / "flows.csv", newline="") as file:
                tables.append([
                    [row[c] for c in ("flow", "src", "dst", "size_bytes", "start_s", "ideal_fct_s")]
                    for row in csv.DictReader(file)
                ])
        self.assertGreater(len(tables[0]), 10)
        self.assertEqual(tables[0], tables[1])
        # And a scheme's results do not depend on those that ran before it.
        alone = self.results("fat-tree", *SHORT["fat-tree"], "--scheme=none", out="alone")
        self.assertEqual(self.content(folder / "none"), self.content(alone))

    def test_progress_on_a_terminal_changes_nothing(self):
        options = ["--workload=Hadoop", "--duration=500us", "--k=8", "--load=0.8"]
        quiet = self.content(self.results("fat-tree", *options, out="quiet"))
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal: {error}")
        process = subprocess.Popen(
            [Path(BIN) / "lossless-fat-tree", *options, "--out=shown"],
            cwd=self.work,
            stdout=subprocess.DEVNULL,
            stderr=slave,
        )
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(master)
        self.assertEqual(process.wait(), 0)
        self.assertRegex(shown.decode(), r"fat-tree dcqcn  [\d.]+ ms simulated  \d+ of \d+ flows")
        self.assertEqual(quiet, self.content(self.work / "shown"))


if __name__ == "__main__":
    unittest.main()
