#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The schemes as the programs list them: --list-schemes, and the tables that readers have."""

import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples" / "analysis")]
sys.dont_write_bytecode = True

from study_case import BIN, StudyTest  # noqa: E402

from launcher.checkout import studies  # noqa: E402


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class SchemeListTest(StudyTest):
    def schemes(self):
        """Name -> what the list says of the scheme."""
        result = self.run_study("incast", "--list-schemes")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return {scheme["name"]: scheme for scheme in json.loads(result.stdout)}

    def test_what_it_tells(self):
        schemes = self.schemes()
        self.assertEqual(
            schemes["none"],
            {
                "name": "none",
                "alias_of": None,
                "description": "line rate, flow control alone",
                "input_buffers": False,
                "detector": None,
                "controller": {"type": "ns3::RateController"},
                "reaction_point": None,
                "rdma": {"SendCnp": False},
            },
        )
        aliases = {name: s["alias_of"] for name, s in schemes.items() if s["alias_of"]}
        self.assertEqual(aliases, {"dcqcn:sigcomm15": "dcqcn"})
        for part in ("detector", "controller", "rdma"):
            self.assertEqual(schemes["dcqcn"][part], schemes["dcqcn:sigcomm15"][part])

    def test_which_need_buffers_at_inputs(self):
        needing = [name for name, scheme in self.schemes().items() if scheme["input_buffers"]]
        markings = ("naive", "input", "input-output")
        responses = ("lipd", "fimd", "aimd")
        self.assertEqual(needing, [f"{m}+{r}" for r in responses for m in markings])
        self.assert_error(
            "incast", ["--scheme=input+lipd", "--senders=2"],
            "scheme input+lipd: found ns3::InputMarkingDetector over ethernet, whose switches have "
            "no buffers at their inputs, expected InfiniBand, whose switches have",
        )  # fmt: skip

    def test_is_what_runs(self):
        schemes = self.schemes()
        names = ("dcqcn+tcd", "mercury+hpcc", "timely", "ecm", "qcn")
        options = ("--senders=2", "--bytes=10000", f"--scheme={','.join(names)}")
        summaries = json.loads((self.results("incast", *options) / "summary.json").read_text())
        for name, summary in zip(names, summaries):
            for part in ("detector", "controller", "reaction_point"):
                self.assertEqual(summary["parameters"].get(part), schemes[name][part], name)
            ran = {"type": "ns3::RdmaHw", **schemes[name]["rdma"]}
            self.assertEqual(summary["parameters"]["rdma"], ran, name)

    def test_each_study_tells_the_same_and_does_nothing_else(self):
        told = {self.run_study(study, "--list-schemes").stdout for study in studies()}
        self.assertEqual(len(told), 1)
        result = self.run_study("fat-tree", "--load=wrong", "--list-schemes", "--out=out")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual({result.stdout}, told)
        self.assertEqual(list(self.work.iterdir()), [])
        self.assert_error("fat-tree", ["--list-schemes=x"], "option --list-schemes takes no value")
        self.assert_error(
            "fat-tree", ["--list-scheme=x"],
            "unknown option --list-scheme, did you mean --list-schemes?",
        )

    def test_the_tables_of_the_manual(self):
        text = (ROOT / "doc/lossless-schemes.rst").read_text(encoding="utf-8")
        classes, mercurys = text.split("``MercuryDetector`` and ``MercuryWindow``", 1)
        rows = re.findall(r"^``(\S+)`` +(\S+) +(line rate|\S+)", classes, re.M)
        schemes = self.schemes()
        for name, detector, controller in rows:
            self.assertIn(name, schemes)
            for told, part in ((detector, "detector"), (controller, "controller")):
                found = (schemes[name][part] or {}).get("type", "").removeprefix("ns3::")
                found = {"": "none", "RateController": "line rate"}.get(found, f"``{found}``")
                self.assertEqual(told, found, f"{part} of {name}")
        within = re.findall(r"^``(mercury\S*)`` +``(\S+)``", mercurys, re.M)
        for name, controller in within:
            self.assertEqual(schemes[name]["detector"]["type"], "ns3::MercuryDetector")
            self.assertEqual(schemes[name]["controller"]["type"], "ns3::MercuryWindow")
            self.assertTrue(
                schemes[name]["controller"]["Controller"].startswith(f"ns3::{controller}["), name
            )
        self.assertEqual(
            sorted([row[0] for row in rows] + [row[0] for row in within]), sorted(schemes)
        )

    def test_the_table_of_the_readme(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        table = text.split("| `--scheme` | detector |", 1)[1].split("\n\n", 1)[0]
        cells = re.findall(r"^\| (`.*?) \|", table, re.M)
        names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
        self.assertEqual(sorted(names), sorted(self.schemes()))


if __name__ == "__main__":
    unittest.main()
