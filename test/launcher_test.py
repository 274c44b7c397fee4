#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of the launcher and the programs of examples/analysis: from where they can be called, and
how they end after signals, with a standard output that cannot be written or a folder of somebody
else. A user sees one message and never a traceback."""

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ANALYSIS = ROOT / "examples" / "analysis"
LAUNCHER = ROOT / "lossless"
NOBODY = 65534

# The launcher with a study that needs no build: the shell script $STUDY.
DRIVER = f"""
import importlib.machinery, importlib.util, os, sys
from pathlib import Path
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("lossless", {str(LAUNCHER)!r})
lossless = importlib.util.module_from_spec(importlib.util.spec_from_loader("lossless", loader))
loader.exec_module(lossless)
import console
from launcher import build, commands
console.GRACE_S = 0.5
commands.need = lambda *packages: None
commands.alone = lambda *what: Path(os.environ["WORK"])
sys.exit(lossless.start())
"""
# Calls another program, and tells of both when they run.
SLEEPER = """#!/bin/sh
sleep 60 &
echo $$ $! > "$WORK/pids.part"
mv "$WORK/pids.part" "$WORK/pids"
"""


class LauncherTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = Path(temporary.name).resolve()
        self.env = {**os.environ, "LOSSLESS_CACHE": str(self.work / "cache"),
                    "WORK": str(self.work)}
        self.env.pop("NS3_DIR", None)

    def study(self, script):
        """Makes a shell script the study incast."""
        path = self.work / "bin/lossless-incast"
        path.parent.mkdir()
        path.write_text(script)
        path.chmod(0o755)

    def start(self, *words, **options):
        """The launcher with the study of study()."""
        return subprocess.Popen(
            [sys.executable, "-B", "-c", DRIVER, *words],
            **{"cwd": self.work, "env": self.env, "stdout": subprocess.PIPE,
               "stderr": subprocess.PIPE, "text": True, "preexec_fn": heed_signals, **options},
        )

    def lossless(self, *words, **options):
        return subprocess.run(
            [LAUNCHER, *words], cwd=self.work, env=self.env, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=60, **options,
        )


def heed_signals():
    """For preexec_fn: who runs the tests may ignore some, as nohup and a shell's `&` do."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def is_alive(pid):
    try:
        os.kill(pid, 0)
        # One that nobody has waited for yet is dead too.
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


class Places(LauncherTest):
    """The launcher finds its parts wherever it is called from."""

    def copy(self):
        """A copy of what the launcher consists of, in a folder with a blank in its name."""
        copy = self.work / "the copy"
        for part in ("launcher", "examples"):
            shutil.copytree(ROOT / part, copy / part,
                            ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        shutil.copy2(LAUNCHER, copy)
        return copy

    def ways(self, launcher):
        """Calls of a launcher: what is special about each, its words and its environment."""
        (self.work / "bin/absolute").symlink_to(launcher)
        (self.work / "bin/relative").symlink_to(os.path.relpath(launcher, self.work / "bin"))
        (self.work / "bin/twice").symlink_to("relative")
        (self.work / "checkout").symlink_to(launcher.parent)
        path = f"{self.work}/bin:{os.environ['PATH']}"
        yield "path", [launcher], {}
        yield "relative path", [os.path.relpath(launcher, self.work)], {}
        yield "link", ["bin/absolute"], {}
        yield "relative link", ["bin/relative"], {}
        yield "link to a link", ["bin/twice"], {}
        yield "linked checkout", ["checkout/lossless"], {}
        yield "PATH", ["sh", "-c", 'exec twice "$@"', "sh"], {"PATH": path}
        yield "sh", ["sh", launcher], {}

    def call(self, command, *words, **env):
        result = subprocess.run(
            [*command, *words], cwd=self.work, env={**self.env, **env}, capture_output=True,
            text=True, timeout=60,
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_any_way_to_call_it(self):
        # Not these, which lie where it is called and beside the links to it.
        (self.work / "bin").mkdir()
        for folder in self.work, self.work / "bin":
            for name in ("console.py", "files.py", "json.py", "launcher.py"):
                (folder / name).write_text("raise SystemExit('the wrong one')\n")
        tree = self.work / "tree"
        (tree / "src/core").mkdir(parents=True)
        (tree / "VERSION").write_text("3.37\n")
        link = tree / "contrib/lossless"
        copy = self.copy()
        for what, command, env in self.ways(copy / "lossless"):
            with self.subTest(what=what):
                self.assertIn("tcd-fig", self.call(command, "reproduce", "--list", **env))
                said = self.call(command, "link", "tree", **env)
                self.assertEqual(said.splitlines()[0], f"linked {link} to {copy} (ns-3 3.37)")
                self.assertIn("lossless-fat-tree --help", said)  # a study of that checkout
                self.assertEqual(os.readlink(link), str(copy))
                link.unlink()

    def test_without_the_programs_folder_on_pythons_path(self):
        self.assertIn("\n  incast ", self.call([LAUNCHER], "--help", PYTHONSAFEPATH="1"))

    def test_it_leaves_nothing_in_the_checkout(self):
        copy = self.copy()
        before = sorted(copy.rglob("*"))
        self.env.pop("PYTHONDONTWRITEBYTECODE", None)
        for words in (["--help"], ["reproduce", "--list"], ["run", "nothing"], ["plot", "nothing"]):
            subprocess.run([copy / "lossless", *words], cwd=self.work, env=self.env,
                           capture_output=True, timeout=60)
        self.assertEqual(sorted(copy.rglob("*")), before)


class Signals(LauncherTest):
    def end(self, number, script, **options):
        """Sends a signal once the study runs; returns exit code, errors, and who still lives."""
        self.study(script)
        process = self.start("run", "incast", **options)
        file = self.work / "pids"
        until = time.monotonic() + 30
        while not file.exists():
            self.assertLess(time.monotonic(), until, "the study did not start")
            time.sleep(0.02)
        pids = [int(word) for word in file.read_text().split()]
        file.unlink()
        (self.work / "bin/lossless-incast").unlink()
        (self.work / "bin").rmdir()
        try:
            process.send_signal(number)
            _, errors = process.communicate(timeout=30)
            until = time.monotonic() + 5
            while any(map(is_alive, pids)) and time.monotonic() < until:
                time.sleep(0.02)
            return process.returncode, errors, [pid for pid in pids if is_alive(pid)]
        finally:
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)

    def test_a_signal_ends_the_study_and_what_it_called(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                ended = self.end(number, SLEEPER + "wait\n")
                self.assertEqual(ended, (128 + number, "interrupted\n", []))

    def test_a_study_that_does_not_end_by_itself_is_killed(self):
        script = SLEEPER.replace("sleep", "trap '' TERM\nsleep", 1)
        ended = self.end(signal.SIGTERM, script + "while :; do sleep 0.1; done\n")
        # What it called ignores the signal as well.
        self.assertEqual(ended, (128 + signal.SIGTERM, "interrupted\n", []))

    def test_a_signal_that_is_ignored_stays_so(self):
        # As by nohup, whose children ignore it too: the launcher goes on to the study's end.
        code, errors, alive = self.end(
            signal.SIGHUP, SLEEPER + "kill $!\nsleep 0.5\nexit 3\n",
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        self.assertEqual((code, errors, alive), (3, "", []))

    def test_a_study_that_a_signal_ended(self):
        for name, code, error in (
            ("KILL", 1, "error: lossless-incast ended by signal 9 (Killed)\n"),
            ("TERM", 128 + signal.SIGTERM, "interrupted\n"),
        ):
            self.study(f"#!/bin/sh\nkill -{name} $$\n")
            process = self.start("run", "incast")
            _, errors = process.communicate(timeout=30)
            self.assertEqual((process.returncode, errors), (code, error))
            (self.work / "bin/lossless-incast").unlink()
            (self.work / "bin").rmdir()


class Output(LauncherTest):
    PROGRAMS = (
        [LAUNCHER, "--help"],
        [LAUNCHER, "run", "--help"],
        [LAUNCHER, "reproduce", "--list"],
        [sys.executable, "-B", ANALYSIS / "plot_run.py", "--help"],
        [sys.executable, "-B", ANALYSIS / "reproduce.py", "--list"],
        [sys.executable, "-B", ANALYSIS / "reproduce.py", "--help"],
    )

    def check(self, expected, **options):
        for program in self.PROGRAMS:
            with self.subTest(program=program):
                result = subprocess.run(
                    program, env=self.env, stderr=subprocess.PIPE, text=True, timeout=60, **options
                )
                self.assertEqual((result.returncode, result.stderr), expected)

    def test_a_closed_pipe_is_no_error(self):
        read, write = os.pipe()
        os.close(read)
        self.addCleanup(os.close, write)
        self.check((128 + signal.SIGPIPE, ""), stdout=write)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_one_is_said(self):
        with open("/dev/full", "w") as full:
            self.check(
                (1, "error: standard output cannot be written (No space left on device)\n"),
                stdout=full,
            )

    def test_a_closed_one_is_said(self):
        self.check((1, "error: standard output is closed\n"), preexec_fn=lambda: os.close(1))

    def test_all_may_be_closed(self):
        self.check((1, ""), preexec_fn=lambda: os.closerange(0, 3))

    def test_a_run_that_nobody_reads_is_complete(self):
        self.study("#!/bin/sh\nmkdir out\necho '{\"scheme\": 1}' > out/summary.json\nexit 141\n")
        read, write = os.pipe()
        os.close(read)
        process = self.start("run", "incast", "--out=out", stdout=write)
        os.close(write)
        _, errors = process.communicate(timeout=60)
        # It went on to draw.
        self.assertEqual(process.returncode, 1)
        self.assertEqual(
            errors, 'error: out/summary.json: found a summary without a scheme, expected "scheme": '
            "NAME\n"
        )


class Options(LauncherTest):
    def test_the_studys_folder_is_the_one_asked_for(self):
        self.study("#!/bin/sh\necho \"$@\"\n")
        for words, passed in (
            (["--senders=2"], "--senders=2 --out=results/incast"),
            (["--out=a", "--senders=2"], "--senders=2 --out=a"),
            (["-out=a"], "--out=a"),
            (["--out", "a"], "--out=a"),
            (["--out="], "--out="),  # which is the study's to refuse
            (["-help"], "-help"),
        ):
            output, errors = self.start("run", "incast", *words).communicate(timeout=30)
            self.assertEqual((output, errors), (passed + "\n", ""))


class Cache(LauncherTest):
    """plot needs the cache for matplotlib's settings, and builds nothing."""

    def refused(self, message, **options):
        result = self.lossless("plot", "results", **options)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, f"error: {message}\n")

    def other_user(self):
        """Options of a process that may not write what this one owns."""
        for path in (self.work, self.work / "cache"):
            path.chmod(path.stat().st_mode | stat.S_IRWXG & ~stat.S_IWGRP | 0o005)
        if os.geteuid() != 0:
            (self.work / "cache").chmod(0o555)
            self.addCleanup((self.work / "cache").chmod, 0o755)
            return {}
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        try:
            readable = subprocess.run(
                ["/bin/sh", "-c", f"test -r '{LAUNCHER}' && cd '{self.work}'"],
                stderr=subprocess.DEVNULL, **other,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self.skipTest(f"no other user: {error}")
        if readable.returncode:
            self.skipTest("another user cannot read the checkout")
        return other

    def test_a_file(self):
        (self.work / "cache").write_text("")
        self.refused(
            f"cannot make the cache folder {self.work}/cache (File exists); "
            "set LOSSLESS_CACHE to a folder that can be written"
        )
        self.env["LOSSLESS_CACHE"] += "/below"
        self.refused(
            f"cannot make the cache folder {self.work}/cache/below (Not a directory); "
            "set LOSSLESS_CACHE to a folder that can be written"
        )

    def test_somebody_elses(self):
        (self.work / "cache").mkdir()
        other = self.other_user()
        user = subprocess.getoutput("id -un")
        self.refused(
            f"cannot write to the cache folder {self.work}/cache of {user}; "
            "set LOSSLESS_CACHE to a folder that can be written",
            **other,
        )

    def test_a_build_folder_of_somebody_else(self):
        code = DRIVER.replace("commands.alone =", "build.call = build.succeed =")
        (self.work / "cache/build").mkdir(parents=True)
        (self.work / "cache/build").chmod(0o555)
        self.addCleanup((self.work / "cache/build").chmod, 0o755)
        options = self.other_user()
        (self.work / "cache").chmod(0o777)
        result = subprocess.run(
            [sys.executable, "-B", "-c", code, "run", "incast"], cwd=self.work, env=self.env,
            capture_output=True, text=True, timeout=60, **options,
        )
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(
            result.stderr,
            rf"\Aerror: cannot make the cache folder {self.work}/cache/build/\S+/run "
            r"\(Permission denied\); set LOSSLESS_CACHE to a folder that can be written\n\Z",
        )


if __name__ == "__main__":
    unittest.main()
