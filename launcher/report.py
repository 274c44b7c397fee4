# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the tests tell."""

from console import say


class Report:
    """Counts over all parts of the tests."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, part, passed, failed, skipped, output=""):
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        if failed and output:
            say(output.rstrip())
        words = [f"{passed} passed", f"{failed} failed"] + ([f"{skipped} skipped"] * bool(skipped))
        say(f"{part}: {', '.join(words)}")

    def total(self):
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        say(f"{self.passed} passed, {self.failed} failed{skipped}")
        return 1 if self.failed or not self.passed else 0
