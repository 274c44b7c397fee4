#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the study programs as users call them: options, attributes, global values and the
environment."""

import json
import os
import unittest

from study_case import StudyTest


class OptionsTest(StudyTest):
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
            r"\Aerror: unknown attribute Machine of ns3::Timely, which has Variant, EwmaGain, "
            r".*\n\Z",
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
                "ns3::Channel, ns3::EthernetSwitch, ns3::LosslessChannel, ns3::Node, "
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


if __name__ == "__main__":
    unittest.main()
