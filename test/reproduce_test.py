#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of ./lossless reproduce: the engine with programs that are shell scripts, the report, the
statistics, and one real target."""

import contextlib
import fcntl
import io
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ANALYSIS = ROOT / "examples" / "analysis"
BIN = os.environ.get("LOSSLESS_BIN")
sys.path.insert(0, str(ANALYSIS))
sys.dont_write_bytecode = True

import files  # noqa: E402
import reproduce  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from reproduction import engine, find_targets, measure, presets, progress, report  # noqa: E402
from reproduction.targets import Metric, Run, Table, Target, run, statement  # noqa: E402

# A program that notes each call in $LOG and does what its options say.
STUB = """#!/bin/sh
for word; do
    case "$word" in
        --out=*) out=${word#--out=} ;;
        --value=*) value=${word#--value=} ;;
        --wait-for=*) other=${word#--wait-for=} ;;
        --fail) fail=1 ;;
        --sleep) sleep=1 ;;
    esac
done
echo "start $value" >> LOG
if [ "$other" ]; then
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q "start $other" LOG && break
        [ $i = 20 ] && echo "alone" && exit 3
        sleep 0.25
    done
fi
if [ "$sleep" ]; then
    echo $$ > "$out/pid"
    exec sleep 60
fi
if [ "$fail" ]; then
    echo "error: --fail: found it, expected none" >&2
    exit 7
fi
cat > "$out/summary.json" <<END
{"seed": 1, "cpu_s": 0.25, "peak_rss_kb": 2048, "simulated_s": 0.001, "ns3_version": "3.37",
 "value": $value}
END
echo "end $value" >> LOG
"""
FIELDS = {"target", "metric", "paper", "ours", "low", "high", "in_band", "scale", "seeds", "cpu_s"}


def evaluate(results):
    """A metric for each run: its value, which the paper has as 2, credible from 1 to 3."""
    return [Metric(f"value of {key}", results[key].summary["value"], 2, 1, 3) for key in results]


def draw(results):
    figure, axis = pyplot.subplots()
    axis.plot([results[key].summary["value"] for key in results])
    return figure


def target(name, *runs, **changes):
    fields = {
        "title": f"Figure of {name}",
        "paper": "A paper",
        "shows": "something <important>",
        "setup": "as the paper",
        "runs": lambda fast: {f"run {i}": r for i, r in enumerate(runs)},
        "evaluate": evaluate,
        "draw": draw,
    }
    return Target(name, **{**fields, **changes})


class EngineTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = Path(temporary.name)
        self.out = self.work / "out"
        self.log = self.work / "log"
        self.program = self.work / "lossless-stub"
        self.write_program()

    def write_program(self, more=""):
        self.program.write_text(STUB.replace("LOG", str(self.log)) + more)
        self.program.chmod(0o755)

    def reproduce(self, targets, *arguments):
        """Exit code, output and errors of reproduce with these targets."""
        out, err = io.StringIO(), io.StringIO()
        words = [f"--program=stub={self.program}", f"--out={self.out}", *arguments]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = reproduce.start(words, {t.name: t for t in targets})
        return code, out.getvalue(), err.getvalue()

    def calls(self):
        """What the programs noted since the last call."""
        text = self.log.read_text() if self.log.exists() else ""
        self.log.unlink(missing_ok=True)
        return text.splitlines()

    def entries(self):
        return json.loads((self.out / "report.json").read_text())


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


class Report(EngineTest):
    def make(self, *arguments):
        def metrics(results):
            return [
                *evaluate(results),
                Metric("undefined", math.nan, 1.5, 1, 2, "x", reading="one", note="two"),
                Metric("without a band", 4.0, unit="KB", says="a | b"),
                statement("holds", True),
            ]

        def tables(results):
            rows = [[key, str(results[key].summary["value"]), "–", "a <b>"] for key in results]
            return [Table("Values & more", ["run", "value (%)", "none", "text"], rows)]

        targets = [
            target(
                "t", run("stub", "--value=2"), run("stub", "--value=4"), evaluate=metrics,
                tabulate=tables,
            ),
            target("u", run("stub", "--value=2", "--seed=2"), run("stub", "--value=2", "--seed=5")),
        ]
        self.assertEqual(self.reproduce(targets, *arguments)[0], 0)

    def test_json(self):
        self.make()
        entries = self.entries()
        for entry in entries:
            self.assertLessEqual(FIELDS, set(entry))
            self.assertEqual(entry["scale"], "full")
            for field in ("paper", "ours", "low", "high"):
                self.assertIsInstance(entry[field], (int, float, type(None)), field)
            self.assertIn(entry["in_band"], (True, False, None))
            self.assertEqual(entry["cpu_s"], 0.5)  # two runs of 0.25 s
        first = {key: entries[0][key] for key in FIELDS}
        self.assertEqual(
            first,
            {"target": "t", "metric": "value of run 0", "paper": 2, "ours": 2, "low": 1, "high": 3,
             "in_band": True, "scale": "full", "seeds": 1, "cpu_s": 0.5},
        )  # fmt: skip
        self.assertEqual([e["in_band"] for e in entries[:5]], [True, False, False, None, True])
        self.assertEqual((entries[2]["ours"], entries[3]["low"]), (None, None))
        self.assertEqual([e["seeds"] for e in entries], [1, 1, 1, 1, 1, 2, 2])

    def test_markdown(self):
        self.make()
        text = (self.out / "report.md").read_text()
        self.assertNotIn("REDUCED", text)
        self.assertIn("4 of 6 numbers are in their bands.", text)
        self.assertIn("| [t](#t) | Figure of t | 2 of 4 in band | 0.5 s | 2 MiB |", text)
        self.assertIn("| value of run 1 | 2 | 4 | 1 to 3 | OUTSIDE |  |", text)
        self.assertIn("| undefined | 1.5x | – | 1 to 2x | OUTSIDE | one; two |", text)
        self.assertIn("| without a band | a \\| b | 4 KB | – | no band |  |", text)
        self.assertIn("| holds | yes | yes | yes | in band |  |", text)
        self.assertIn("![Figure of t](t.png)", text)
        self.assertIn("lossless-stub --value=2 --seed=2   # and with --seed=5\n", text)
        self.assertIn("2 runs, 2 seeds: 0.5 s of CPU, at most 2 MiB for a run.", text)

    def test_tables(self):
        self.make()
        self.assertIn(
            "| holds | yes | yes | yes | in band |  |\n\nValues & more:\n\n"
            "| run | value (%) | none | text |\n| --- | ---: | ---: | --- |\n"
            "| run 0 | 2 | – | a <b> |\n| run 1 | 4 | – | a <b> |\n\n2 runs, 1 seed",
            (self.out / "report.md").read_text(),
        )
        text = (self.out / "report.html").read_text()
        self.assertIn("<p>Values &amp; more:</p>\n<table>\n<tr><th>run</th>", text)
        self.assertIn('<th class="number">value (%)</th>', text)
        self.assertIn(
            '<tr><td>run 1</td><td class="number">4</td><td class="number">–</td>'
            "<td>a &lt;b&gt;</td></tr>",
            text,
        )

    def test_a_table_that_fails_fails_its_target(self):
        broken = target("t", run("stub", "--value=1"), tabulate=lambda results: results["none"])
        self.assertEqual(self.reproduce([broken])[0], 1)
        self.assertIn("KeyError: 'none'", self.entries()[0]["error"])

    def test_html_needs_nothing_else(self):
        self.make()
        text = (self.out / "report.html").read_text()
        sources = re.findall(r'(?:src|href)="([^"]*)"', text)
        self.assertEqual(
            [s[:22] for s in sources], ["#t", "#u"] + ["data:image/png;base64,"] * 2
        )
        self.assertNotRegex(text, r"https?://|<script|<link|@import|url\(")
        self.assertIn("something &lt;important&gt;", text)

    def test_fast_is_labelled(self):
        self.make("--fast")
        self.assertEqual({entry["scale"] for entry in self.entries()}, {"fast"})
        for name in ("report.md", "report.html"):
            self.assertIn("REDUCED SCALE (--fast)", (self.out / name).read_text())
        full = (self.out / "t.png").read_bytes()
        self.make()
        self.assertNotEqual((self.out / "t.png").read_bytes(), full)  # its title

    def test_committed_form(self):
        doc = self.work / "doc"
        (doc / "reproduction").mkdir(parents=True)
        (doc / "reproduction/gone.png").touch()
        self.make(f"--commit-to={doc}")
        text = (doc / "reproduction.md").read_text()
        self.assertEqual(
            text.replace("](reproduction/", "]("), (self.out / "report.md").read_text()
        )
        self.assertEqual(re.findall(r"\]\((.*\.png)\)", text),
                         ["reproduction/t.png", "reproduction/u.png"])
        self.assertEqual(
            sorted(p.name for p in (doc / "reproduction").iterdir()), ["t.png", "u.png"]
        )


class Committed(EngineTest):
    """--commit-to for targets of three papers, each with a part of its own."""

    def setUp(self):
        super().setUp()
        self.doc = self.work / "doc"
        self.path = self.doc / "reproduction.md"

    def commit(self, *words, values=(1, 2, 3), second="b-fig2"):
        targets = [
            target(name, run("stub", f"--value={value}"), paper=f"Paper {name[0].upper()}")
            for name, value in zip(("a-fig1", "b-fig1", second, "c-fig1"), (*values, 4))
        ]
        return self.reproduce(targets, f"--commit-to={self.doc}", *words)

    def renew(self, *words, **changes):
        """Exit code 0; then top and parts of the text, and the figures' bytes by name."""
        code, _, errors = self.commit(*words, **changes)
        self.assertEqual((code, errors), (0, ""))
        figures = {p.name: p.read_bytes() for p in (self.doc / "reproduction").iterdir()}
        top, *parts = self.path.read_bytes().split(b"\n## ")
        return [top, *(b"## " + part for part in parts)], figures

    def assert_refused(self, message, *words):
        before = self.path.read_bytes() if self.path.exists() else None
        code, output, errors = self.commit(*words)
        self.assertEqual((code, output), (1, ""))
        self.assertEqual(errors, f"error: {message}\n")
        self.assertEqual(self.calls(), [])  # before anything is simulated
        self.assertEqual(self.path.read_bytes() if self.path.exists() else None, before)

    def test_parts_are_in_the_targets_order(self):
        for words, papers in (("c", "C"), ("a", "AC"), ("b", "ABC"), ("c", "ABC")):
            (top, *parts), _ = self.renew(words)
            self.assertTrue(top.startswith(b"# Reproduction of the papers\n\nWhat the papers "))
            self.assertEqual([p.split(b"\n")[0].decode() for p in parts],
                             [f"## Paper {paper}" for paper in papers])  # fmt: skip
        one_by_one = self.path.read_bytes()
        self.path.unlink()
        self.renew()
        self.assertEqual(self.path.read_bytes(), one_by_one)

    def test_a_part_stands_by_itself(self):
        (_, part, _, _), _ = self.renew(values=(1, 2, 9))
        (_, _, part, _), _ = self.renew(values=(1, 2, 9))
        self.assertRegex(
            part.decode(),
            r"\A## Paper B\n\nMade with lossless \S+ and ns-3 3\.37 on a machine with .*\. "
            r"1 of 2 numbers are in their bands\.\n\n"
            r"\| target \| what \| verdict \| CPU \| memory \|\n.*\n"
            r"\| \[b-fig1\]\(#b-fig1\) \| Figure of b-fig1 \| 1 of 1 in band "
            r"\| 0\.2 s \| 2 MiB \|\n"
            r"\| \[b-fig2\]\(#b-fig2\) .*\n\n### b-fig1\n",
        )

    def test_other_parts_stay_as_they_are(self):
        self.renew()
        # Not what would be written: it must be kept and not made again.
        text = self.path.read_text()
        self.path.write_text(
            text.replace("Figure of a-fig1", "Words by hand µ  ")
            .replace("lossless-stub --value=4", "## in a block of code\nlossless-stub")
        )
        kept = self.doc / "reproduction" / "a-fig1.png"
        kept.write_bytes(b"kept")
        _, a, b, c = self.path.read_bytes().split(b"\n## Paper ")
        (_, *parts), figures = self.renew("b", values=(1, 8, 9))
        self.assertEqual(len(parts), 4)  # the second half of C, which is code, too
        self.assertEqual(parts[0], b"## Paper " + a)
        self.assertEqual(parts[2] + b"\n" + parts[3], b"## Paper " + c)
        self.assertNotEqual(parts[1], b"## Paper " + b)
        self.assertIn(b"| value of run 0 | 2 | 8 |", parts[1])
        self.assertEqual(figures.pop("a-fig1.png"), b"kept")
        self.assertEqual(set(figures), {"b-fig1.png", "b-fig2.png", "c-fig1.png"})

    def test_figures_that_are_no_more_go(self):
        _, before = self.renew()
        _, after = self.renew("b", values=(1, 8, 9), second="b-fig3")
        self.assertEqual(set(after), {"a-fig1.png", "b-fig1.png", "b-fig3.png", "c-fig1.png"})
        self.assertEqual(after["a-fig1.png"], before["a-fig1.png"])
        self.assertNotEqual(after["b-fig1.png"], before["b-fig1.png"])

    def test_a_part_of_a_papers_targets_is_refused(self):
        message = "--commit-to is for all targets of a paper, also needed: b-fig2"
        self.assert_refused(message, "b-fig1")
        self.assert_refused(message, "a", "b-fig1")
        self.assert_refused(
            "--commit-to is for full scale, without --fast", "--fast"
        )

    def test_another_file_is_refused(self):
        self.doc.mkdir()
        other = (
            f"{self.path}: found another text, expected '# Reproduction of the papers' and a part "
            "'## PAPER' for each paper"
        )
        for text in ("", "# Notes\n\n## Paper A\n", "# Reproduction of the papers\n\nwords\n"):
            self.path.write_text(text)
            self.assert_refused(other)
        each = "expected one for each of: Paper A; Paper B; Paper C"
        for part, found in (("## Paper D", "a part"), ("## Paper A", "the second part")):
            self.path.write_text(f"# Reproduction of the papers\n\n## Paper A\n\n{part}\n")
            self.assert_refused(f"{self.path}: found {found} '{part}', {each}")
        self.path.write_bytes(b"# Reproduction of the papers\n\n## \xff\n")
        code, _, errors = self.commit()
        self.assertEqual(code, 1)
        self.assertRegex(errors, r"\Aerror: \S+: found 'utf-8' .*, expected text in UTF-8\n\Z")
        self.assertEqual(self.calls(), [])

    def test_nothing_is_written_if_a_target_fails(self):
        self.renew()
        before = self.path.read_bytes()
        code, _, _ = self.commit("b", values=(1, 8, '9"'))  # no JSON
        self.assertEqual((code, self.path.read_bytes()), (1, before))


class Statistics(unittest.TestCase):
    def test_confidence_interval(self):
        # 1 .. 5: standard deviation sqrt(2.5), t of 4 degrees of freedom 2.776:
        # 2.776 * 1.581139 / sqrt(5) = 1.962928.
        found = measure.interval([1, 2, 3, 4, 5])
        self.assertEqual((found.mean, found.n), (3, 5))
        self.assertAlmostEqual(found.half, 1.962928, places=5)
        self.assertTrue(math.isnan(measure.interval([7]).half))
        # Two values: t of 1 degree of freedom is 12.706; 12.706 * (1 / sqrt 2) / sqrt 2 = 6.353.
        self.assertAlmostEqual(measure.interval([1, 2]).half, 6.353, places=3)
        self.assertEqual(
            measure.interval_text(measure.interval([1, 2, 3, 4, 5]), "%"),
            "95 % interval 1.04 to 4.96 % over 5 seeds",
        )

    def test_bins_hold_what_is_below_their_edges(self):
        pairs = [(1, "a"), (9, "b"), (10, "c"), (11, "d"), (100, "e")]
        self.assertEqual(
            measure.in_bins(pairs, [10, 100]), [["a", "b"], ["c", "d"], ["e"]]
        )

    def test_percentile(self):
        self.assertEqual(measure.percentile([3, 1, 2], 50), 2)
        self.assertEqual(measure.percentile(range(1, 101), 99), 99)
        self.assertTrue(math.isnan(measure.percentile([], 50)))

    def test_bands(self):
        self.assertIsNone(Metric("m", 1).in_band)
        self.assertTrue(Metric("m", 1, low=1).in_band)
        self.assertFalse(Metric("m", 0.999, low=1, high=2).in_band)
        self.assertFalse(Metric("m", 1, high=0, low=0).in_band)
        self.assertFalse(Metric("m", math.nan, high=1).in_band)
        self.assertFalse(statement("m", []).in_band)

    def test_throughput(self):
        # 1000 B in each 1 us: 8 Gb/s; nothing in the second half.
        times = [i * 1e-6 for i in range(1, 22)]
        sent = [1000 * min(i, 10) for i in range(21)]
        series = measure.Series(times, [], sent, [], [], [])
        middles, rates = measure.throughput(series, 5e-6)
        for found, wanted in zip(rates, [8e9, 8e9, 0, 0]):
            self.assertAlmostEqual(found, wanted, delta=1)
        self.assertEqual([round(t * 1e7) for t in middles], [35, 85, 135, 185])

    def test_durations(self):
        self.assertEqual(
            [progress.duration(s) for s in (3.6, 60, 125, 3725)], ["4 s", "1:00", "2:05", "1:02:05"]
        )


class FolderTest(unittest.TestCase):
    def test_reads_a_run(self):
        with tempfile.TemporaryDirectory() as work:
            path = Path(work)
            (path / "summary.json").write_text(
                '{"simulated_s": 0.01, "parameters": {"ports": {"P2": "L0,2"}}}'
            )
            (path / "states.csv").write_text(
                "time_s,node,port,priority,old,new\n"
                "0.001,L0,1,3,non-congestion,congestion\n"
                "0.002,L0,2,3,non-congestion,undetermined\n"
                "0.005,L0,2,3,undetermined,congestion\n"
            )
            (path / "pfc.csv").write_text(
                "time_s,node,port,priority,pause\n"
                "0.002,L0,2,3,1\n0.003,L0,2,3,1\n0.003,L0,1,3,1\n0.004,L0,2,3,0\n0.009,L0,2,3,1\n"
            )
            folder = measure.Folder(path)
            self.assertEqual(
                folder.periods("P2"),
                [("non-congestion", 0, 0.002), ("undetermined", 0.002, 0.005),
                 ("congestion", 0.005, 0.01)],
            )  # fmt: skip
            self.assertEqual(folder.pauses("P2"), [(0.002, 0.004), (0.009, 0.01)])
            self.assertEqual(folder.pauses("L0,1"), [(0.003, 0.01)])
            with self.assertRaisesRegex(measure.InputError, "found no port P5"):
                folder.pauses("P5")
            with self.assertRaisesRegex(measure.InputError, "flows.csv: found no such file"):
                folder.flows


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class Targets(unittest.TestCase):
    def setUp(self):
        presets.use(f"{BIN}/lossless-{presets.PROGRAM}")
        self.addCleanup(presets.use, None)

    def test_papers_by_year_then_what_is_no_papers(self):
        papers = list(dict.fromkeys(found.paper for found in find_targets().values()))
        self.assertEqual(
            [paper.split()[0] for paper in papers], ["TCD", "Mercury", "All"]
        )

    def test_ask_for_programs_that_exist(self):
        for name, found in find_targets().items():
            for fast in (False, True):
                runs = found.runs(fast)
                self.assertTrue(runs, name)
                for one in runs.values():
                    self.assertIsInstance(one, Run)
                    self.assertTrue((ROOT / f"examples/{one.program}.cc").exists(), one.command)
                    names = [word.split("=")[0] for word in one.options]
                    self.assertEqual(len(names), len(set(names)), one.command)
                    self.assertFalse({"--out"} & set(names))

    def test_the_committed_report_has_their_commands(self):
        text = (ROOT / "doc/reproduction.md").read_text(encoding="utf-8")
        sections = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", text, re.M | re.S))
        self.assertEqual(set(sections), set(find_targets()))
        for name, found in find_targets().items():
            runs = dict.fromkeys(found.runs(False).values())
            printed = re.findall(r"^```\n(.*?)\n```$", sections[name], re.M | re.S)[-1]
            self.assertEqual(printed.split("\n"), list(report.commands(runs)), name)
            self.assertIn(found.setup, sections[name])

    def test_fast_takes_less(self):
        for name, found in find_targets().items():
            def cost(fast):
                return sum(one.cost for one in set(found.runs(fast).values()))

            self.assertLessEqual(cost(True), cost(False), name)
            self.assertLess(cost(True), 60, name)

    def test_one_of_them(self):
        with tempfile.TemporaryDirectory() as work:
            figures = []
            for out in ("one", "two"):
                result = subprocess.run(
                    [
                        sys.executable, "-B", ANALYSIS / "reproduce.py", "tcd-fig8", "--fast",
                        f"--program=tcd-max-ton={BIN}/lossless-tcd-max-ton",
                        f"--out={work}/{out}",
                    ],
                    capture_output=True,
                    text=True,
                    env={**os.environ, "PYTHONHASHSEED": "random"},
                )  # fmt: skip
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                figures.append((Path(work) / out / "tcd-fig8.png").read_bytes())
            self.assertEqual(figures[0], figures[1])
            entries = json.loads((Path(work) / "one/report.json").read_text())
            found = {entry["metric"]: entry for entry in entries}
            # Section 4.3 of the paper: epsilon 0.05, MTU 1000 B, 1 us.
            for rate, value in (("40", 34.4), ("100", 26.96), ("200", 24.48)):
                entry = found[f"max(Ton) at {rate} Gb/s"]
                self.assertEqual((entry["paper"], entry["in_band"]), (value, True))
                self.assertAlmostEqual(entry["ours"], value, delta=0.01)


if __name__ == "__main__":
    unittest.main()
