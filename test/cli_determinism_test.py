#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the study programs as users call them: a run is a function of parameters and seed."""

import csv
import json
import os
import pty
import re
import subprocess
import unittest
from pathlib import Path

from fingerprints import MACHINE_FIELDS, of_folder
from study_case import BIN, SHORT, StudyTest


class DeterminismTest(StudyTest):
    def test_a_run_is_a_function_of_parameters_and_seed(self):
        for study, options in SHORT.items():
            with self.subTest(study=study):
                options = [*options, "--sample=20us"]
                first = of_folder(self.results(study, *options, out=f"{study}-1"))
                second = of_folder(self.results(study, *options, out=f"{study}-2"))
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
        self.assertEqual(of_folder(folder / "none"), of_folder(alone))

    def test_progress_on_a_terminal_changes_nothing(self):
        options = ["--workload=Hadoop", "--duration=500us", "--k=8", "--load=0.8"]
        quiet = of_folder(self.results("fat-tree", *options, out="quiet"))
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
        self.assertEqual(quiet, of_folder(self.work / "shown"))


if __name__ == "__main__":
    unittest.main()
