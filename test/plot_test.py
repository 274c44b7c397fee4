#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Tests of examples/analysis: what the figures show, and the errors of wrong folders."""

import fcntl
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ANALYSIS = Path(__file__).resolve().parent.parent / "examples" / "analysis"
sys.path.insert(0, str(ANALYSIS))
sys.dont_write_bytecode = True

import plot_figures  # noqa: E402
import plot_run  # noqa: E402
import plot_style  # noqa: E402
import run_folder  # noqa: E402

FLOWS = (
    "flow,src,dst,priority,size_bytes,start_s,fct_s,ideal_fct_s,slowdown,"
    "packets,packets_ce,packets_ue,cnp_ce,cnp_ue,path_hops\n"
)
PORTS = "time_s,node,port,priority,queue_bytes,tx_bytes,state,paused\n"
PFC = "time_s,node,port,priority,pause\n"
PNGS = ["fct-cdf.png", "pauses.png", "queue.png", "slowdown.png"]


def flow_lines(count, slowdown=1.0):
    """Flows of 1, 2, 3, ... KB; the i-th takes i µs; slowdowns 1, 2, ..., 10, 1, 2, ..."""
    return FLOWS + "".join(
        f"{i},0,1,3,{1000 * (i + 1)},0,{(i + 1) * 1e-6:.9f},1e-6,{slowdown * (1 + i % 10)},"
        "1,0,0,0,0,2\n"
        for i in range(count)
    )


def write_run(folder, scheme="dcqcn", flows=None, ports=None, pfc=None):
    """Writes the files of one scheme but for summary.json, whose content it returns."""
    folder.mkdir(exist_ok=True)
    (folder / "flows.csv").write_text(flow_lines(200) if flows is None else flows)
    if ports is not None:
        (folder / "ports.csv").write_text(PORTS + ports)
    if pfc is not None:
        (folder / "pfc.csv").write_text(PFC + pfc)
    return {"study": "test", "scheme": scheme, "seed": 1, "parameters": {}, "simulated_s": 0.01}


def png_chunks(path):
    """The kinds and contents of a PNG's chunks."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks = []
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return chunks


class FolderTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name) / "run"
        self.folder.mkdir()
        plot_style.apply()

    def summary(self, content):
        """Writes that of the folder, and those of the sub-folders if it is a list."""
        (self.folder / "summary.json").write_text(json.dumps(content))
        for one in content if isinstance(content, list) else []:
            (self.folder / one["scheme"] / "summary.json").write_text(json.dumps(one))

    def plot(self, *options, hash_seed="0", **more):
        return subprocess.run(
            [sys.executable, "-B", ANALYSIS / "plot_run.py", self.folder, *options],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            **more,
        )

    def pngs(self):
        return sorted(path.name for path in self.folder.glob("*.png"))


class Program(FolderTest):
    def full_run(self):
        ports = "0,20,1,3,0,0,0,0\n1e-6,20,1,3,5000,0,0,0\n0,20,2,3,0,0,0,0\n"
        self.summary(write_run(self.folder, ports=ports, pfc="1e-3,5,1,3,1\n2e-3,5,1,3,0\n"))

    def test_writes_all_figures_at_200_dpi(self):
        self.full_run()
        result = self.plot()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.pngs(), PNGS)
        self.assertEqual(sorted(Path(line).name for line in result.stdout.split("\n")[:-1]), PNGS)
        for name in PNGS:
            chunks = dict(png_chunks(self.folder / name))
            # pHYs counts pixels for a metre: 200 / 0.0254.
            self.assertEqual(struct.unpack(">IIB", chunks[b"pHYs"]), (7874, 7874, 1))

    def test_writes_the_same_bytes_again(self):
        self.full_run()
        self.plot(hash_seed="1")
        first = {name: (self.folder / name).read_bytes() for name in PNGS}
        self.plot(hash_seed="2")
        for name in PNGS:
            self.assertEqual((self.folder / name).read_bytes(), first[name])
            kinds = {kind for kind, _ in png_chunks(self.folder / name)}
            self.assertFalse(kinds & {b"tEXt", b"iTXt", b"zTXt", b"tIME"})

    def test_reads_a_sub_folder_for_each_scheme(self):
        schemes = ["none", "dcqcn+tcd"]
        pfc = "1e-3,5,1,3,1\n"
        self.summary([write_run(self.folder / name, name, pfc=pfc) for name in schemes])
        result = self.plot("--size-axis=log", "--ports=2")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.pngs(), ["fct-cdf.png", "pauses.png", "slowdown.png"])
        self.assertEqual([s.name for s in run_folder.read_run(self.folder)], schemes)

    def test_leaves_no_figure_of_an_earlier_run(self):
        self.summary(write_run(self.folder, flows=FLOWS + "0,0,1,3,1000,0,,1e-6,,1,0,0,0,0,2\n"))
        (self.folder / "queue.png").write_text("old")
        (self.folder / "slowdown.png").write_text("old")
        result = self.plot()
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.pngs(), [])

    def expect_error(self, message):
        result = self.plot()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "error: " + message.format(self.folder) + "\n")
        self.assertEqual(self.pngs(), [])

    def test_names_a_missing_or_broken_summary(self):
        self.expect_error(
            "{0}/summary.json: found no such file, expected that of a complete run; one that failed, "
            "was ended or still goes on has none"
        )
        (self.folder / "summary.json").write_text('{\n"scheme": \n')
        self.expect_error(
            "{0}/summary.json:3: found Expecting value: line 3 column 1 (char 13), "
            "expected a summary in JSON"
        )
        self.summary({"seed": 1})
        self.expect_error(
            '{0}/summary.json: found a summary without a scheme, expected "scheme": NAME'
        )
        self.summary([])
        self.expect_error(
            "{0}/summary.json: found an empty list, expected a summary for each scheme"
        )
        (self.folder / "summary.json").unlink()
        self.folder.rmdir()
        self.expect_error("{0}: found no such folder, expected the folder of a run")

    def test_names_a_wrong_file_and_line(self):
        good = flow_lines(3)
        cases = [
            ({"flows": good.replace("slowdown", "slow")},
             "flows.csv:1: found columns '" + FLOWS.strip().replace("slowdown", "slow")
             + "', expected also slowdown"),
            ({"flows": ""}, "flows.csv:1: found columns '', expected also size_bytes"),
            ({"flows": good + "3,0,1\n"},
             "flows.csv:5: found 3 fields, expected 15: " + FLOWS.strip()),
            ({"flows": good.replace(",2000,", ",big,")},
             "flows.csv:3: found size_bytes 'big', expected a number of at least 1"),
            ({"flows": good.replace("0.000002000", "nan")},
             "flows.csv:3: found fct_s 'nan', expected a number of at least 0"),
            ({"ports": "0,20,1,3,-5,0,0,0\n"},
             "ports.csv:2: found queue_bytes '-5', expected a number of at least 0"),
            ({"ports": "0,,1,3,5,0,0,0\n"},
             "ports.csv:2: found no node, expected its name or number"),
            ({"pfc": "0,5,1,3,on\n"}, "pfc.csv:2: found pause 'on', expected 0 or 1"),
            ({"pfc": "0.2,5,1,3,1\n0.1,5,1,3,0\n"},
             "pfc.csv:3: found time_s 0.1 after 0.2, expected order"),
        ]  # fmt: skip
        for files, message in cases:
            with self.subTest(message):
                for path in self.folder.iterdir():
                    path.unlink()
                self.summary(write_run(self.folder, **files))
                self.expect_error("{0}/" + message)
        (self.folder / "flows.csv").unlink()
        self.expect_error(
            "{0}/flows.csv: found no readable file (No such file or directory), "
            "expected the run's file"
        )


    def test_a_full_disk_is_told_of_with_the_file(self):
        self.full_run()
        (self.folder / "slowdown.png").write_text("old")
        result = self.plot(
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        )
        # EFBIG: what a limit gives instead of ENOSPC.
        self.assertEqual(
            (result.returncode, result.stdout, result.stderr),
            (1, "", f"error: {self.folder}/slowdown.png: {os.strerror(27)}\n"),
        )
        # No figure is there in part.
        self.assertEqual((self.folder / "slowdown.png").read_text(), "old")
        self.assertEqual(sorted(self.folder.glob("*.part")), [])

    def test_a_folder_in_use_is_left_alone(self):
        self.full_run()
        with open(self.folder / ".lossless-run", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.expect_error("{0}: in use by another run or plot")
        self.assertEqual(self.plot().returncode, 0)

    def test_a_later_run_in_a_schemes_folder_is_refused(self):
        summaries = [write_run(self.folder / name, name) for name in ("none", "dcqcn")]
        self.summary(summaries)
        later = self.folder / "dcqcn/summary.json"
        later.write_text(json.dumps({**summaries[1], "seed": 2}))
        self.expect_error("{0}/dcqcn: found a later run, expected that of {0}/summary.json")
        later.unlink()
        self.expect_error(
            "{0}/dcqcn/summary.json: found no such file, expected that of a complete run; one that "
            "failed, was ended or still goes on has none"
        )

    def test_a_table_that_was_cut_is_refused(self):
        summary = write_run(self.folder, flows=flow_lines(3))
        self.summary({**summary, "flows": 4})
        self.expect_error("{0}/flows.csv: found 3 flows, expected the 4 of summary.json")
        self.summary({**summary, "flows": 3})
        self.assertEqual(self.plot().returncode, 0)

    def test_no_content_ends_in_a_traceback(self):
        good = write_run(self.folder)
        for name, content in (
            ("summary.json", b"[" * 100000),
            ("summary.json", b"\xff\xfe"),
            ("summary.json", b"9" * 5000),
            ("flows.csv", FLOWS.encode() + b"1,0,1,3," + b"9" * 200000 + b"\n"),
            ("flows.csv", FLOWS.encode() + b"\0\n"),
            ("flows.csv", FLOWS.encode() + b"\xff\n"),
            ("flows.csv", FLOWS.encode() + b"\x1b[31m,0,1\n"),
            ("flows.csv", b"[" * 100000),
            ("pfc.csv", PFC.encode() + b"0,5,1,3,\x1b[31m\n"),
            ("pfc.csv", b"\0"),
            ("ports.csv", PORTS.encode() + b"0,20,1,3,1e308,0,0,0\n1,20,1,3,1e308,0,0,0\n"),
            ("ports.csv", PORTS.encode() + b"0,20,1e300,3,1,0,0,0\n"),
            ("flows.csv", flow_lines(3, slowdown=1e308).encode()),
        ):
            with self.subTest(name=name, content=content[:20]):
                self.summary(good)
                write_run(self.folder)
                for table in ("pfc.csv", "ports.csv"):
                    (self.folder / table).unlink(missing_ok=True)
                (self.folder / name).write_bytes(content)
                try:
                    plot_run.draw(self.folder, "percentile", 4)
                except run_folder.InputError as error:
                    self.assertTrue(str(error).isprintable(), error)
                    self.assertLess(len(str(error)), 1200)


class Figures(FolderTest):
    def read(self, **files):
        self.summary(write_run(self.folder, **files))
        return run_folder.read_run(self.folder)

    def test_percentile_is_a_value_that_so_many_do_not_exceed(self):
        values = list(range(1, 101))
        self.assertEqual(plot_figures.percentile(values, 50), 50)
        self.assertEqual(plot_figures.percentile(values, 99), 99)
        self.assertEqual(plot_figures.percentile(values, 100), 100)
        self.assertEqual(plot_figures.percentile([1, 2, 3], 50), 2)
        self.assertEqual(plot_figures.percentile([7], 99), 7)

    def test_size_bins_hold_equally_many_flows(self):
        # 1000 flows: 20 bins of 50; 999: 10 bins, as 20 would hold fewer than 50 each.
        self.assertEqual(plot_figures.size_bins(range(1, 1001)), list(range(50, 1001, 50)))
        self.assertEqual(len(plot_figures.size_bins(range(1, 1000))), 10)
        self.assertEqual(plot_figures.size_bins(range(1, 50)), [49])
        # Half of the flows have one size and stay in one bin.
        self.assertEqual(
            plot_figures.size_bins([5] * 500 + list(range(6, 506))), [5] + list(range(55, 506, 50))
        )
        self.assertEqual(plot_figures.size_bins([1000] * 90 + [64] * 900), [64, 1000])

    def test_slowdown_shows_the_percentiles_of_each_bin(self):
        # 1000 flows in 20 bins of 50, each with slowdowns 1..10 five times over: the 50th
        # percentile is 5, the 95th and the 99th are 10.
        figure = plot_figures.slowdown(self.read(flows=flow_lines(1000)))
        lines = figure.axes[0].get_lines()
        self.assertEqual([line.get_label()[:2] for line in lines], ["50", "95", "99"])
        for line, value in zip(lines, (5, 10, 10)):
            self.assertEqual(list(line.get_ydata()), [value] * 20)
            self.assertEqual(list(line.get_xdata()), [2.5 + 5 * i for i in range(20)])
        self.assertEqual(figure.axes[0].get_ylabel(), "FCT slowdown")
        labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
        self.assertEqual(labels[:3] + labels[-1:], ["100 KB", "200 KB", "300 KB", "1 MB"])

    def test_slowdown_compares_schemes(self):
        names = ["none", "dcqcn"]
        self.summary(
            [
                write_run(self.folder / name, name, flows=flow_lines(200, slowdown=2 - i))
                for i, name in enumerate(names)
            ]
        )
        figure = plot_figures.slowdown(run_folder.read_run(self.folder))
        self.assertEqual([axis.get_title()[:4] for axis in figure.axes], ["50th", "95th", "99th"])
        for axis, value in zip(figure.axes, (5, 10, 10)):
            none, dcqcn = axis.get_lines()
            self.assertEqual((none.get_label(), dcqcn.get_label()), tuple(names))
            self.assertEqual(set(none.get_ydata()), {2 * value})
            self.assertEqual(set(dcqcn.get_ydata()), {value})

    def test_slowdown_of_one_size_is_shown_as_bars(self):
        flows = FLOWS + "".join(
            f"{i},{i},9,3,1000000,0,1e-3,1e-4,{i + 1},1,0,0,0,0,2\n" for i in range(16)
        )
        figure = plot_figures.slowdown(self.read(flows=flows))
        heights = [bar.get_height() for bar in figure.axes[0].patches]
        self.assertEqual(heights, [8, 16, 16])
        self.assertEqual(figure.axes[0].get_xlabel(), "Flows of 1 MB")

    def test_cdf_ends_at_one(self):
        figure = plot_figures.fct_cdf(self.read(flows=flow_lines(4)))
        (line,) = figure.axes[0].get_lines()
        self.assertEqual(list(line.get_xdata()), [1e-6, 1e-6, 2e-6, 3e-6, 4e-6])
        self.assertEqual(list(line.get_ydata()), [0, 0.25, 0.5, 0.75, 1])

    def test_queue_shows_the_queues_that_grew_longest(self):
        ports = "".join(
            f"{t * 1e-3},{node},0,3,{t * 1000 * node},0,0,0\n"
            for t in range(4)
            for node in (7, 30, 10, 2)
        )
        figure = plot_figures.queue_length(self.read(ports=ports), ports=2)
        lines = figure.axes[0].get_lines()
        self.assertEqual(
            [line.get_label() for line in lines],
            ["node 10, port 0, prio. 3", "node 30, port 0, prio. 3"],
        )
        self.assertEqual(list(lines[1].get_ydata()), [0, 30, 60, 90])
        self.assertEqual(list(lines[1].get_xdata()), [0, 1, 2, 3])
        self.assertEqual(figure.axes[0].get_ylabel(), "Queue length (KB)")
        self.assertEqual(figure.axes[-1].get_xlabel(), "Time (ms)")

    def test_pauses_last_from_off_to_on(self):
        # A refresh (a second pause) changes nothing; a resume alone is no pause; a pause that is
        # on at the end lasts until the end of the run, 10 ms.
        pfc = (
            "1e-3,10,1,3,1\n2e-3,10,1,3,1\n3e-3,10,1,3,0\n4e-3,10,1,4,0\n5e-3,9,0,3,1\n"
            "6e-3,10,1,3,1\n6e-3,10,1,3,0\n"
        )
        schemes = self.read(pfc=pfc)
        queue9 = run_folder.Queue("9", 0, 3)
        queue10 = run_folder.Queue("10", 1, 3)
        self.assertEqual(
            schemes[0].pauses, {queue10: [(1e-3, 3e-3), (6e-3, 6e-3)], queue9: [(5e-3, 1e-2)]}
        )
        figure = plot_figures.pause_timeline(schemes)
        axis = figure.axes[0]
        self.assertEqual(
            [label.get_text() for label in axis.get_yticklabels()], [str(queue9), str(queue10)]
        )
        self.assertEqual([len(bars.get_paths()) for bars in axis.collections], [1, 2])

    def test_pauses_keep_the_longest_when_there_are_many(self):
        pfc = "".join(f"{i * 1e-5},{i},0,3,1\n" for i in range(100))
        figure = plot_figures.pause_timeline(self.read(pfc=pfc))
        self.assertEqual(len(figure.axes[0].collections), plot_figures.MAX_PAUSE_ROWS)
        self.assertEqual(figure.axes[0].get_title("left"), "dcqcn (the 32 paused longest of 100)")
        # Later pauses are shorter: all last until the end.
        last = figure.axes[0].get_yticklabels()[31].get_text()
        self.assertEqual(last, "node 31, port 0, prio. 3")

    def test_no_pauses_are_shown_as_such(self):
        figure = plot_figures.pause_timeline(self.read(pfc=""))
        self.assertEqual(figure.axes[0].texts[0].get_text(), "no pauses")

    def test_units(self):
        self.assertEqual(plot_style.size_text(700), "700 B")
        self.assertEqual(plot_style.size_text(999700), "1 MB")
        self.assertEqual(plot_style.size_text(1711250), "1.71 MB")
        self.assertEqual(plot_style.time_text(1e-3), "1 ms")
        self.assertEqual(plot_style.time_text(2e-9), "2 ns")
        self.assertEqual(plot_style.time_text(35.7e-6), "35.7 µs")


if __name__ == "__main__":
    unittest.main()
