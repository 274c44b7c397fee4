# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the tests of the study programs share.

LOSSLESS_BIN names the folder of the programs; without it the tests are skipped.
"""

import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

BIN = os.environ.get("LOSSLESS_BIN")
FLOW_COLUMNS = (
    "flow,src,dst,priority,size_bytes,start_s,fct_s,ideal_fct_s,slowdown,"
    "packets,packets_ce,packets_ue,cnp_ce,cnp_ue,path_hops"
)
PORT_COLUMNS = "time_s,node,port,priority,queue_bytes,tx_bytes,state,paused,marked_ce,marked_ue"
STATE_COLUMNS = "time_s,node,port,priority,old,new"
RATE_COLUMNS = "time_s,flow,rate_bps"
PFC_COLUMNS = "time_s,node,port,priority,pause"
# A fraction of a second each.
SHORT = {
    "fat-tree": ["--workload=Hadoop", "--duration=100us"],
    "leaf-spine": ["--workload=Hadoop", "--duration=100us"],
    "incast": ["--senders=8", "--bytes=200000", "--buffer=1MB"],
    "from-file": ["--flows=two-racks"],
}


@unittest.skipUnless(BIN, "LOSSLESS_BIN names no folder of programs")
class StudyTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = Path(temporary.name)

    def run_study(self, study, *options, **kwargs):
        """Runs a study in the temporary folder."""
        return subprocess.run(
            [Path(BIN) / f"lossless-{study}", *options],
            cwd=self.work,
            capture_output=True,
            text=True,
            timeout=120,
            **kwargs,
        )

    def results(self, study, *options, out="out"):
        """The folder of a run that must succeed."""
        result = self.run_study(study, *options, f"--out={out}")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return self.work / out

    def assert_error(self, study, options, error, **kwargs):
        """One line on stderr, exit code 1, nothing simulated or written."""
        result = self.run_study(study, *options, **kwargs)
        self.assertEqual(result.stderr.rstrip("\n"), "error: " + error)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertFalse((self.work / "results").exists(), "a folder of results was made")

    def file(self, name, text):
        (self.work / name).write_text(text)
        return name

    def table(self, path, columns):
        """The rows of a file, whose columns must be these."""
        with open(path, newline="") as file:
            self.assertEqual(file.readline(), columns + "\n")
        with open(path, newline="") as file:
            return list(csv.DictReader(file))
