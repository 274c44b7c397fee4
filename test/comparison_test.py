#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the comparison of all schemes: its tables on files made by hand, and its runs."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = os.environ.get("LOSSLESS_BIN")
sys.path.insert(0, str(ROOT / "examples" / "analysis"))
sys.dont_write_bytecode = True

from console import Failure  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from reproduction import comparison, measure, presets  # noqa: E402
from reproduction.mercury import fat_tree  # noqa: E402
from reproduction.mercury.paper import SCHEMES as MERCURYS_SCHEMES  # noqa: E402
from reproduction.targets import Results  # noqa: E402

SCHEMES = ("none", "dcqcn", "pcn", "pacc", "rocc", "mercury+hpcc")  # of the files made by hand
ROW = dict(src=0, dst=1, start_s=0, slowdown=1, packets=1, packets_ce=0, packets_ue=0)


class TableTest(unittest.TestCase):
    """Two seeds, as --fast has."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = Path(temporary.name)
        self.folders = {}
        for workload in fat_tree.WORKLOADS:
            for scheme in SCHEMES:
                for seed in (1, 2):
                    self.write(workload, scheme, seed)

    def write(self, workload, scheme, seed, fcts=((1000, 9.0), (200000, 90.0)), **summary):
        """A run's folder. @param fcts size in bytes and FCT in µs, None if not completed"""
        path = self.work / f"{workload}-{scheme}-{seed}"
        path.mkdir(exist_ok=True)
        victims = dict.fromkeys(
            ["marks", "marks_by_pauses", "notifications", "notifications_by_pauses",
             "flows_marked", "victim_flows_marked"], 0,
        )  # fmt: skip
        victims.update(summary.pop("victims", {}))
        content = {"pause_time_s": 0, "cpu_s": 1, "flows": 100, "victims": victims, **summary}
        (path / "summary.json").write_text(json.dumps(content))
        lines = ["flow,size_bytes,fct_s," + ",".join(ROW)]
        for flow, (size, fct) in enumerate(fcts):
            done = "" if fct is None else f"{fct * 1e-6:.9f}"
            lines.append(f"{flow},{size},{done}," + ",".join(map(str, ROW.values())))
        (path / "flows.csv").write_text("\n".join(lines) + "\n")
        self.folders[workload, scheme, seed] = measure.Folder(path)

    def results(self):
        return Results(self.folders, fast=True)

    def row(self, workload, scheme):
        tables = {table.title: table for table in comparison.tabulate(self.results())}
        self.assertEqual(list(tables), list(fat_tree.WORKLOADS))
        (found,) = [row for row in tables[workload].rows if row[0] == scheme]
        return dict(zip(tables[workload].header, found))

    def test_cells(self):
        # Short: 10, 20, 60 and one not completed: mean 30, median 20, largest 60; long: 1000.
        self.write(
            "Hadoop", "pcn", 1,
            [(100, 10), (149999, 20), (50000, 60), (300, None), (150000, 1000)],
            pause_time_s=0.001, cpu_s=2.0, flows=50,
            victims={"marks": 30, "marks_by_pauses": 3, "notifications": 10,
                     "notifications_by_pauses": 5, "flows_marked": 9, "victim_flows_marked": 2},
        )  # fmt: skip
        # Short: 40, 50 and 90: mean 60, median 50; long: 500 and 2000: mean 1250, median 500.
        self.write(
            "Hadoop", "pcn", 2,
            [(100, 40), (100, 50), (100, 90), (10**7, 2000), (10**6, 500)],
            pause_time_s=0.002, cpu_s=3.0, flows=150,
            victims={"marks": 60, "marks_by_pauses": 2, "flows_marked": 5,
                     "victim_flows_marked": 1},
        )  # fmt: skip
        self.assertEqual(
            self.row("Hadoop", "pcn"),
            {
                "scheme": "pcn",
                "short mean (µs)": "45.0", "short p50 (µs)": "35.0", "short p99 (µs)": "75.0",
                "long mean (µs)": "1125.0", "long p50 (µs)": "750.0", "long p99 (µs)": "1500.0",
                "pauses (ms)": "1.500",
                "victim marks (%)": "10.00",  # (3 + 5 + 2) of (30 + 10 + 60)
                "victim flows (%)": "1.50",  # (2 + 1) of (50 + 150)
                "CPU (s)": "2.5",
            },
        )  # fmt: skip
        self.assertEqual(self.row("WebSearch", "pcn")["short p99 (µs)"], "9.0")
        self.assertEqual(self.row("Hadoop", "rocc")["short p99 (µs)"], "9.0")

    def test_a_scheme_without_marks_and_flows(self):
        for seed in (1, 2):
            self.write("Hadoop", "none", seed, [(100, 10)])
        found = self.row("Hadoop", "none")
        for column in ("victim marks (%)", "victim flows (%)", "long mean (µs)", "long p99 (µs)"):
            self.assertEqual(found[column], "–", column)
        # Marks, none of them by pauses, are another thing.
        self.write("Hadoop", "none", 2, [(100, 10)], victims={"marks": 5, "flows_marked": 1})
        found = self.row("Hadoop", "none")
        self.assertEqual(found["victim marks (%)"], "0.00")
        self.assertEqual(found["victim flows (%)"], "0.00")

    def test_metrics_name_the_best(self):
        for seed, tail in ((1, 4.0), (2, 6.0)):
            self.write("WebServer", "rocc", seed, [(100, tail), (10**6, 900)])
        self.write("WebServer", "pacc", 1, [(100, 7.0), (10**6, 90)])
        metrics = {metric.name: metric for metric in comparison.evaluate(self.results())}
        self.assertEqual(len(metrics), 8)
        found = metrics["WebServer: lowest 99th percentile of the FCT of short flows"]
        self.assertAlmostEqual(found.ours, 5.0)
        self.assertEqual(found.note, "rocc; next pacc 8.0 µs; largest mercury+hpcc 9.0 µs")
        self.assertIsNone(found.in_band)
        found = metrics["WebServer: lowest mean FCT of long flows"]
        self.assertAlmostEqual(found.ours, 90.0)
        self.assertTrue(found.note.endswith("; largest rocc 900.0 µs"), found.note)

    def test_the_figure_shows_each_scheme(self):
        for workload, scheme, _ in list(self.folders):
            self.write(workload, scheme, 3)
        self.write("WebSearch", "rocc", 1, [(100, 6.0), (10**6, 900)])
        figure = comparison.draw(Results(self.folders, fast=False))
        self.addCleanup(pyplot.close, figure)
        for axis, workload in zip(figure.axes, fat_tree.WORKLOADS):
            self.assertEqual(axis.get_title(loc="left"), workload)
            low, high = sorted(axis.get_ylim())
            self.assertTrue(low < 0 and high > len(SCHEMES) - 1)
            self.assertGreater(*axis.get_ylim())  # the first is above
            named = [tick.get_text() for tick in axis.get_yticklabels()]
            if axis.get_subplotspec().is_first_col():
                self.assertEqual(named, list(SCHEMES))
            else:
                self.assertEqual(set(named), {""})
        # Short flows' markers come first, then the ends of their range and its line: 6 to 9 µs.
        (short, long) = figure.axes[2].containers
        rocc = SCHEMES.index("rocc")
        self.assertAlmostEqual(short.lines[0].get_xdata()[rocc], 8.0)
        self.assertAlmostEqual(long.lines[0].get_xdata()[rocc], 360.0)
        ends = short.lines[2][0].get_segments()[rocc]
        for found, wanted in zip(ends, (6.0, 9.0)):
            self.assertAlmostEqual(found[0], wanted)


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class RunsTest(unittest.TestCase):
    def setUp(self):
        presets.use(f"{BIN}/lossless-{presets.PROGRAM}")
        self.addCleanup(presets.use, None)

    def test_runs_are_those_of_mercurys_figures(self):
        load = {f"--load={comparison.LOAD / 100:g}"}
        shared = set(fat_tree.tree_runs(fat_tree.WORKLOADS)(False).values())
        at_load = {run for run in shared if load & set(run.options)}
        self.assertEqual(len(at_load), len(MERCURYS_SCHEMES) * 4 * 3)
        self.assertLessEqual(at_load, set(comparison.runs(False).values()))

    def test_a_real_run_tells_what_the_table_needs(self):
        run = fat_tree.tree("Hadoop", comparison.LOAD, "dcqcn", 1, True)
        with tempfile.TemporaryDirectory() as work:
            subprocess.run(
                [f"{BIN}/lossless-{run.program}", *run.options, f"--out={work}"],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            summary = measure.Folder(work).summary
        for _, value, _ in comparison.OF_SUMMARIES:
            self.assertGreaterEqual(value([summary]), 0)

    def test_has_each_scheme_once(self):
        for fast in (False, True):
            runs = comparison.runs(fast)
            found = {scheme for _, scheme, _ in runs}
            self.assertEqual(len(runs), len(set(runs.values())))
            listed = presets.listed(f"{BIN}/lossless-incast")
            names = {scheme["name"] for scheme in listed if not scheme["input_buffers"]}
            left_out = {"dcqcn:sigcomm15", *comparison.NOT_COMPARED}  # the first is dcqcn
            self.assertEqual(found, names - left_out)
            (target,) = comparison.TARGETS
            self.assertEqual(target.needs(fast), {run.program for run in runs.values()})


class PresetsTest(unittest.TestCase):
    def test_errors(self):
        with self.assertRaisesRegex(Failure, "no program for fat-tree"):
            presets.names()
        with self.assertRaisesRegex(Failure, "^/bin/false --list-schemes tells no schemes: "):
            presets.listed("/bin/false")
        with self.assertRaisesRegex(Failure, "^/bin/echo --list-schemes tells no schemes: "):
            presets.listed("/bin/echo")

    def test_what_to_build_is_known_before_there_is_a_program(self):
        (target,) = comparison.TARGETS
        self.assertEqual(target.needs(fast=True), {"fat-tree"})


if __name__ == "__main__":
    unittest.main()
