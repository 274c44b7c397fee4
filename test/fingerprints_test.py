#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of fingerprints.py with programs that are shell scripts."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test"))
sys.dont_write_bytecode = True

import fingerprints  # noqa: E402
# Below it, as it knows where the launcher is
from launcher.checkout import studies  # noqa: E402

# Writes what stands in files beside it, so that a test can change one.
STUB = """#!/bin/sh
here=$(dirname "$0")
[ "$1" = --list-schemes ] && exec cat "$here/schemes.json"
mkdir out
cp "$here/flows.csv" "$here/summary.json" out
cat "$here/warning" >&2
"""
SUMMARY = {
    "study": "incast", "cpu_s": 0.25, "wall_s": 0.5, "peak_rss_kb": 2048, "hops_per_cpu_s": 1e6,
    "ns3_version": "3.37", "events": 1000, "parameters": {"mtu": 1000},
}  # fmt: skip


class FingerprintsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = Path(temporary.name)
        self.binaries = self.work / "bin"
        self.binaries.mkdir()
        program = self.binaries / "lossless-incast"
        program.write_text(STUB)
        program.chmod(0o755)
        self.write("schemes.json", json.dumps([{"name": "a"}, {"name": "b"}]))
        self.write("flows.csv", "flow,fct_s\n0,0.000012345\n")
        self.write("warning", "")
        self.summary()
        # The stub is no other study.
        runs = mock.patch.object(fingerprints, "commands", lambda _: {"run": "incast --senders=2"})
        runs.start()
        self.addCleanup(runs.stop)

    def write(self, name, text):
        (self.binaries / name).write_text(text)

    def summary(self, **changes):
        self.write("summary.json", json.dumps({**SUMMARY, **changes}))

    def call(self, action):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = fingerprints.main([str(self.binaries), action, str(self.work / "recorded")])
        return code, out.getvalue()

    def assert_differs(self, line):
        self.assertEqual(self.call("--compare"), (1, f"run: {line}\n1 of 1 runs differ\n"))

    def test_the_same(self):
        self.assertEqual(self.call("--record")[0], 0)
        self.assertEqual(self.call("--compare"), (0, "0 of 1 runs differ\n"))

    def test_one_digit(self):
        self.call("--record")
        self.write("flows.csv", "flow,fct_s\n0,0.000012346\n")
        self.assert_differs("flows.csv")

    def test_what_depends_on_the_machine_is_left_out(self):
        self.call("--record")
        self.summary(cpu_s=9, wall_s=9, peak_rss_kb=9, hops_per_cpu_s=9, ns3_version="3.48")
        self.assertEqual(self.call("--compare")[0], 0)

    def test_parts_of_the_summary(self):
        self.call("--record")
        self.summary(events=1001)
        self.assert_differs("summary.json")
        self.summary(parameters={"mtu": 1001})
        self.assert_differs("summary.json, parameters")

    def test_a_warning(self):
        self.call("--record")
        self.write("warning", "warning: cyclic buffer dependency\n")
        self.assert_differs("exit code and stderr")

    def test_files_and_runs_that_come_and_go(self):
        before = {"a": {"flows.csv": "1"}, "b": {"flows.csv": "2", "pfc.csv": "3"}}
        after = {"b": {"flows.csv": "2"}, "c": {"flows.csv": "4"}}
        self.assertEqual(
            list(fingerprints.differences(before, after)),
            ["a: only before the change", "b: pfc.csv", "c: only after the change"],
        )


class RunsTest(unittest.TestCase):
    def test_each_study_has_a_run(self):
        with mock.patch.object(fingerprints, "schemes", lambda _: [{"name": "x"}]):
            commands = fingerprints.commands("").values()
        self.assertEqual({command.split()[0] for command in commands}, set(studies()))

    @unittest.skipUnless(os.environ.get("LOSSLESS_BIN"), "LOSSLESS_BIN names no folder of programs")
    def test_each_scheme_has_two_and_they_give_all_files(self):
        binaries = Path(os.environ["LOSSLESS_BIN"])
        commands = fingerprints.commands(binaries)
        for scheme in fingerprints.schemes(binaries):
            self.assertIn(f"--scheme={scheme['name']} ", commands[f"incast, {scheme['name']}"])
        found = fingerprints.of_run(binaries, commands["fat-tree, dcqcn+tcd"])
        self.assertEqual(
            list(found),
            ["exit code and stderr", "flows.csv", "pfc.csv", "ports.csv", "rates.csv",
             "states.csv", "summary.json", "summary.json, parameters"],
        )  # fmt: skip
        self.assertEqual(found["exit code and stderr"], fingerprints.digest(b"exit code 0\n"))


if __name__ == "__main__":
    unittest.main()
