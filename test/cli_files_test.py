#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the study programs as users call them: what is in the files that they write."""

import json
import unittest

from study_case import (
    FLOW_COLUMNS, PFC_COLUMNS, PORT_COLUMNS, RATE_COLUMNS, SHORT, STATE_COLUMNS, StudyTest,
)  # fmt: skip


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
            ("ns3::Pcn[Foo=1]", "attribute 'Foo'",
             "one of ns3::Pcn, which has WMin, WMax, MinRate"),
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


if __name__ == "__main__":
    unittest.main()
