#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of ./lossless reproduce: the engine with programs that are shell scripts, and its command
line."""

import fcntl
import os
import signal
import subprocess
import sys
import time
import unittest

# First, as it knows where the others are
from reproduce_case import ANALYSIS, ROOT, EngineTest, target

import files
import reproduce
from reproduction import engine, find_targets, report
from reproduction.targets import run


class Running(EngineTest):
    def test_runs_side_by_side(self):
        # Each waits until the other has started.
        one = run("stub", "--value=1", "--wait-for=2")
        two = run("stub", "--value=2", "--wait-for=1")
        code, _, errors = self.reproduce([target("t", one, two)], "--jobs=2")
        self.assertEqual((code, errors), (0, ""))

    def test_longest_first_and_no_more_than_jobs(self):
        runs = [run("stub", f"--value={cost}", cost=cost) for cost in (1, 3, 2)]
        self.assertEqual(self.reproduce([target("t", *runs)], "--jobs=1")[0], 0)
        self.assertEqual(
            self.calls(), ["start 3", "end 3", "start 2", "end 2", "start 1", "end 1"]
        )

    def test_targets_share_equal_runs(self):
        # The order of the options does not matter.
        a = target("a", run("stub", "--value=1", "--x=1"))
        b = target("b", run("stub", "--x=1", "--value=1"))
        code, output, _ = self.reproduce([a, b])
        self.assertEqual(code, 0)
        self.assertEqual(self.calls(), ["start 1", "end 1"])
        self.assertEqual([entry["target"] for entry in self.entries()], ["a", "b"])
        self.assertRegex(output, r"(?m)^run 1 of 1, \d s: lossless-stub --value=1 --x=1$")

    def test_skips_what_is_up_to_date(self):
        targets = [target("t", run("stub", "--value=1"), run("stub", "--value=2"))]
        self.reproduce(targets)
        self.assertEqual(len(self.calls()), 4)
        report = (self.out / "report.json").read_bytes()
        figure = (self.out / "t.png").read_bytes()

        code, output, _ = self.reproduce(targets)
        self.assertEqual((code, self.calls()), (0, []))
        self.assertIn("2 of 2 runs are up to date\n", output)
        self.assertEqual((self.out / "report.json").read_bytes(), report)
        self.assertEqual((self.out / "t.png").read_bytes(), figure)

        # Written anew with the same bytes, as by another build.
        self.write_program()
        self.reproduce(targets)
        self.assertEqual(self.calls(), [])

        # Another program.
        self.write_program(more="# changed\n")
        self.reproduce(targets)
        self.assertEqual(len(self.calls()), 4)

        # A stamp is missing: that run was interrupted.
        folder = self.out / "runs" / run("stub", "--value=2").name
        (folder / engine.STAMP).unlink()
        (folder / "left over").touch()
        self.reproduce(targets)
        self.assertEqual(self.calls(), ["start 2", "end 2"])
        self.assertFalse((folder / "left over").exists())

    def test_a_run_that_was_changed_is_made_again(self):
        targets = [target("t", run("stub", "--value=1"), run("stub", "--value=2"))]
        self.reproduce(targets)
        self.calls()
        folder = self.out / "runs" / run("stub", "--value=2").name
        summary = folder / "summary.json"

        def again():
            self.assertEqual(self.reproduce(targets)[0], 0)
            return self.calls()

        (folder / "slowdown.png").touch()  # as by ./lossless plot
        self.assertEqual(again(), [])
        summary.write_text(summary.read_text().replace("1", "3"))  # another run in its folder
        self.assertEqual(again(), ["start 2", "end 2"])
        (folder / "more.csv").touch()
        self.assertEqual(again(), ["start 2", "end 2"])
        summary.unlink()
        self.assertEqual(again(), ["start 2", "end 2"])
        self.assertEqual(again(), [])

    def test_two_at_once_into_one_folder(self):
        targets = [target("t", run("stub", "--value=1"))]
        self.reproduce(targets)
        self.calls()
        report = (self.out / "report.json").read_bytes()
        with open(self.out / files.LOCK) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            ended = self.reproduce(targets)
        self.assertEqual(ended, (1, "", f"error: {self.out}: in use by another run or plot\n"))
        self.assertEqual((self.out / "report.json").read_bytes(), report)
        self.assertEqual(self.reproduce(targets)[0], 0)

    def test_a_failing_run_fails_its_target_alone(self):
        bad = target("bad", run("stub", "--value=1", "--fail"))
        good = target("good", run("stub", "--value=2"))
        for _ in range(2):  # and it is run again the next time
            code, output, errors = self.reproduce([bad, good])
            self.assertEqual(code, 1)
            self.assertEqual(
                errors, f"error: failed: bad; see {self.out / 'report.md'}\n"
            )
            self.assertIn("start 1", self.calls())
        said = (
            "lossless-stub --fail --value=1: exit code 7\nerror: --fail: found it, expected none"
        )
        self.assertIn("failed: " + said, output)
        self.assertIn(said, (self.out / "report.md").read_text())
        self.assertIn(said, (self.out / "report.html").read_text())
        first, second = self.entries()
        self.assertEqual((first["target"], first["error"]), ("bad", said))
        self.assertEqual((first["metric"], first["in_band"]), (None, False))
        self.assertEqual((second["target"], second["in_band"]), ("good", True))
        self.assertFalse((self.out / "bad.png").exists())
        self.assertTrue((self.out / "good.png").exists())

    def test_an_evaluation_that_fails_is_reported(self):
        def broken(results):
            return [results["run 0"].summary["nothing"]]

        targets = [target("t", run("stub", "--value=1"), evaluate=broken)]
        code, _, errors = self.reproduce(targets)
        self.assertEqual(code, 1)
        self.assertRegex(
            self.entries()[0]["error"], r"^KeyError: 'nothing' \(reproduce_test.py:\d+\)$"
        )

    def test_an_interrupt_ends_the_programs(self):
        driver = self.work / "driver.py"
        driver.write_text(
            f"import sys; sys.path[:0] = [{str(ANALYSIS)!r}, {str(ROOT / 'test')!r}]\n"
            "import reproduce, reproduce_test as t\n"
            "one = t.target('t', t.run('stub', '--value=1', '--sleep'), t.run('stub'))\n"
            f"sys.exit(reproduce.start(['--program=stub={self.program}', '--out={self.out}'],"
            " {'t': one}))\n"
        )
        # A report beside figures that it does not know would be taken for theirs.
        self.out.mkdir()
        for name in report.FILES:
            (self.out / name).touch()
        process = subprocess.Popen(
            [sys.executable, "-B", driver],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        folder = self.out / "runs" / run("stub", "--value=1", "--sleep").name
        until = time.monotonic() + 30
        while not (folder / "pid").exists() or not (folder / "pid").read_text().strip():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("interrupted; what was finished is kept", errors)
        self.assertNotIn("Traceback", errors)
        with self.assertRaises(ProcessLookupError):
            os.kill(int((folder / "pid").read_text()), 0)
        self.assertFalse((folder / engine.STAMP).exists())
        self.assertEqual(list(self.out.glob("report.*")), [])

    def test_the_stamp_comes_last_and_at_once(self):
        path = self.work / "stamp"
        path.write_text("old")
        with self.assertRaises(UnicodeEncodeError):
            engine.write_atomically(path, "\ud800")  # cannot be written
        self.assertEqual(path.read_text(), "old")


class CommandLine(EngineTest):
    def test_unknown_target(self):
        result = subprocess.run(
            [sys.executable, "-B", ANALYSIS / "reproduce.py", "--needs", "tdc-fig8"],
            capture_output=True,
            text=True,
        )
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(
            result.stderr, r"\Aerror: no target tdc-fig8; did you mean tcd-fig8\?\ntargets .*:\n"
        )
        for name in find_targets():
            self.assertRegex(result.stderr, rf"(?m)^  {name} ")

    def test_a_start_of_names_stands_for_all_of_them(self):
        targets = {name: target(name) for name in ("a-fig1", "a-fig16", "b-fig1")}
        names = lambda *words: [t.name for t in reproduce.choose(words, targets)]  # noqa: E731
        self.assertEqual(names("a"), ["a-fig1", "a-fig16"])
        self.assertEqual(names("b-fig1", "a-fig1"), ["a-fig1", "b-fig1"])  # a name is that name
        self.assertEqual(names(), ["a-fig1", "a-fig16", "b-fig1"])

    def test_wrong_options(self):
        targets = [target("t", run("stub", "--value=1")), target("u", run("other"))]
        for arguments, message in (
            (["--jobs=0"], "--jobs: found 0, expected at least 1"),
            (["--commit-to=doc", "--fast"], "--commit-to is for full scale, without --fast"),
            (
                ["--commit-to=doc", "t"],
                "--commit-to is for all targets of a paper, also needed: u",
            ),
            (["u"], "no program for other: use --program=NAME=PATH"),
        ):
            code, output, errors = self.reproduce(targets, *arguments)
            self.assertEqual((code, output, errors), (1, "", f"error: {message}\n"))
        self.assertEqual(self.calls(), [])

    def test_needs_and_list(self):
        targets = [target("t", run("stub")), target("u", run("other"), run("stub", "--x=1"))]
        self.assertEqual(self.reproduce(targets, "--needs")[:2], (0, "other\nstub\n"))
        self.assertEqual(self.reproduce(targets, "--needs", "t")[:2], (0, "stub\n"))
        self.assertIn("  u  Figure of u\n", self.reproduce(targets, "--list")[1])


if __name__ == "__main__":
    unittest.main()
