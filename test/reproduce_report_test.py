#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of ./lossless reproduce: the report, and the form of it that is kept in doc/."""

import math
import re
import unittest

# First, as it knows where the others are
from reproduce_case import FIELDS, EngineTest, evaluate, target

from reproduction.targets import Metric, Table, run, statement


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


if __name__ == "__main__":
    unittest.main()
