# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Runs the fuzzers of test/fuzz."""

import os
import re

from console import Failure

from launcher.checkout import ROOT
from launcher.packages import PACKAGES
from launcher.process import PYTHON, captured, tail

# What a fuzzer runs for a test takes seconds. The seeds are those of every test, so that a failure
# stays.
FUZZERS = {
    "lossless-fuzz-wire": 200000,
    "lossless-fuzz-parsers": 50000,
    "lossless-fuzz-fabrics": 2000,
    "fuzz_options.py": 150,
    "fuzz_plots.py": 20,
}
SANITIZED_SHARE = 0.1  # of these cases, as each takes longer
FUZZED_STUDIES = ["lossless-incast", "lossless-from-file"]


def read_duration(text):
    """Seconds of 90s, 10min or 2h."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|min|h)", text)
    if not found or not float(found[1]):
        raise Failure(f"--fuzz: found '{text}', expected a time such as 90s, 10min or 2h")
    return float(found[1]) * {"s": 1, "min": 60, "h": 3600}[found[2]]


def test_fuzzers(report, build, seconds=None, share=1.0, env=None):
    """Runs the fuzzers: their share of the cases of every test, or new ones for a time in all."""
    env = dict(os.environ, LOSSLESS_BIN=str(build / "bin"), **(env or {}))
    has_plots = PACKAGES["python3-matplotlib"]()
    names = [name for name in FUZZERS if name != "fuzz_plots.py" or has_plots]
    for name in names:
        script = ROOT / "test/fuzz" / name
        command = [PYTHON, script] if script.exists() else [build / "bin" / name]
        if seconds is None:
            amount = [f"--cases={max(1, int(FUZZERS[name] * share))}"]
        else:
            time_given = f"{seconds / len(names):.0f}"
            unit = "" if script.exists() else "s"
            seed = int.from_bytes(os.urandom(3), "big")
            amount = [f"--seed={seed}", "--cases=1000000000", f"--time={time_given}{unit}"]
        code, output = captured([*command, *amount], env=env)
        counted = re.findall(r"^(\d+ cases from seed \d+)", output, re.M)
        told = f", {counted[-1]}" if counted else ""
        report.add(f"test/fuzz, {name.removeprefix('lossless-')}{told}", int(code == 0),
                   int(code != 0), 0, tail(output, 100))
