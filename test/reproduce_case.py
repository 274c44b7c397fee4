# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the tests of ./lossless reproduce share: a program that is a shell script, and targets
of it."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ANALYSIS = ROOT / "examples" / "analysis"
BIN = os.environ.get("LOSSLESS_BIN")
sys.path.insert(0, str(ANALYSIS))
sys.dont_write_bytecode = True

import reproduce  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from reproduction.targets import Metric, Target  # noqa: E402

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
