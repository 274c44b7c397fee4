# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The command test."""

import os

from console import Failure

from launcher.arguments import one_option
from launcher.build import alone
from launcher.checkout import programs
from launcher.fuzzers import (
    FUZZED_STUDIES,
    FUZZERS,
    SANITIZED_SHARE,
    read_duration,
    test_fuzzers,
)
from launcher.own_tree import OwnTree
from launcher.packages import ALONE, COMPILING, need
from launcher.report import Report
from launcher.suites import (
    test_own_tree,
    test_scripts,
    test_suites_alone,
    test_units,
    test_user_tree,
)
from launcher.user_tree import user_tree


def test_sanitized(report, seconds):
    """Unit tests, suites and fuzzers under AddressSanitizer and UndefinedBehaviorSanitizer."""
    set_sanitizers()
    fuzzers = [name for name in FUZZERS if not name.endswith(".py")]
    build = alone("sanitize", ["lossless-unit", "lossless-test-runner", *fuzzers, *FUZZED_STUDIES])
    test_units(report, build)
    test_suites_alone(report, build)
    test_fuzzers(report, build, seconds, SANITIZED_SHARE)


def set_sanitizers():
    """Sets what sanitized programs do on an error: one ends them."""
    os.environ["ASAN_OPTIONS"] = "abort_on_error=1:detect_leaks=1:detect_stack_use_after_return=1"
    os.environ["UBSAN_OPTIONS"] = "abort_on_error=1:print_stacktrace=1"


def test(arguments):
    """Runs the tests that the arguments ask for. @returns the exit code"""
    fuzz, rest = one_option(arguments, "fuzz")
    seconds = None if fuzz is None else read_duration(fuzz)
    quick, sanitize = "--quick" in rest, "--sanitize" in rest
    unknown = [word for word in rest if word not in ("--quick", "--sanitize")]
    if unknown:
        raise Failure(f"test knows only --quick, --sanitize and --fuzz=TIME, not {unknown[0]}")
    report = Report()
    user = user_tree()
    need(*(COMPILING if user else ALONE), "libgtest-dev",
         *([] if quick else ["tshark", "python3-matplotlib"]))

    def attempt(part, action):
        try:
            return action()
        except Failure as failure:
            report.add(part, 0, 1, 0, str(failure))
            return None

    if sanitize:
        if user:
            raise Failure("--sanitize needs Debian's ns-3, not the tree of NS3_DIR")
        attempt("build", lambda: test_sanitized(report, seconds))
        return report.total()
    if seconds is not None:
        checked = attempt("build", lambda: alone("test", ["all"], user))
        if checked:
            test_fuzzers(report, checked, seconds)
        return report.total()
    if user:
        with user.ready():
            attempt("build of the tree", lambda: user.compile("test-runner", *programs()))
    targets = ["lossless-unit", "lossless-test-runner", *FUZZED_STUDIES]
    targets += [name for name in FUZZERS if not name.endswith(".py")]
    checked = attempt("build", lambda: alone("test", targets if quick else ["all"], user))
    if checked:
        test_units(report, checked)
        test_fuzzers(report, checked)
    # The programs are those that ./lossless run builds.
    users = None if quick else attempt("build for run", lambda: alone("run", ["all"], user))
    test_scripts(report, users and users / "bin")
    if quick:
        if checked:
            test_suites_alone(report, checked)
    else:
        if user:
            attempt("user's tree", lambda: test_user_tree(report, user))
        else:
            for tree in OwnTree("release"), OwnTree("debug"):
                attempt(f"ns-3 ({tree.profile})", lambda: test_own_tree(report, tree))
    return report.total()
