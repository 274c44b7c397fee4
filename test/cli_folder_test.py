#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the study programs as users call them: the folder of results, and standard output."""

import os
import resource
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from study_case import BIN, SHORT, StudyTest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "analysis"))
sys.dont_write_bytecode = True

import run_folder  # noqa: E402

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


if __name__ == "__main__":
    unittest.main()
