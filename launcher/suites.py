# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The parts of the tests: units, suites, scripts, and those of an ns-3 tree."""

import fnmatch
import json
import os
import re
import tempfile
from pathlib import Path

from launcher.checkout import ROOT, cmake_list, programs
from launcher.process import PYTHON, captured, tail


def test_units(report, build):
    """GoogleTest of a build of the module alone."""
    with tempfile.TemporaryDirectory() as work:
        results = Path(work) / "units.json"
        code, output = captured(
            [build / "bin/lossless-unit", "--gtest_brief=1", f"--gtest_output=json:{results}"]
        )
        try:
            counts = json.loads(results.read_text())
        except (OSError, ValueError):  # it crashed; the full output tells in which test
            output = tail(captured([build / "bin/lossless-unit"])[1], 20)
            return report.add("GoogleTest", 0, 1, 0, output)
    cases = [case for suite in counts["testsuites"] for case in suite["testsuite"]]
    skipped = sum(case["result"] in ("SKIPPED", "SUPPRESSED") for case in cases)
    failed = sum("failures" in case for case in cases) or int(code != 0)
    report.add("GoogleTest", len(cases) - failed - skipped, failed, skipped, output)


def test_scripts(report, binaries):
    """Checks of the checkout and, unless None, of the programs as a user calls them."""
    env = dict(os.environ, LOSSLESS_ROOT=str(ROOT), LOSSLESS_BIN=str(binaries))
    scripts = sorted((ROOT / "test").glob("check*.py"))
    if binaries:
        scripts += sorted((ROOT / "test").glob("*.sh"))
    for script in scripts:
        command = [PYTHON, script] if script.suffix == ".py" else ["bash", script]
        code, output = captured(command, env=env, cwd=ROOT)
        skipped = code == 77
        report.add(f"test/{script.name}", int(code == 0), int(code != 0 and not skipped),
                   int(skipped), output)
    if binaries and list((ROOT / "test").glob("*_test.py")):
        code, output = captured(
            [PYTHON, "-B", "-m", "unittest", "discover", "-s", "test", "-p", "*_test.py"],
            env=env, cwd=ROOT,
        )
        ran = re.search(r"^Ran (\d+) tests?", output, re.M)
        counts = dict(re.findall(r"(failures|errors|skipped)=(\d+)", output.rsplit("\n\n", 1)[-1]))
        failed = int(counts.get("failures", 0)) + int(counts.get("errors", 0))
        failed = failed or int(code != 0)
        skipped = int(counts.get("skipped", 0))
        passed = max(0, int(ran[1]) - failed - skipped) if ran else 0
        report.add("test/*_test.py", passed, failed, skipped, output)


def test_suites_alone(report, build):
    """The ns-3 suites of a build of the module alone."""
    runner = build / "bin/lossless-test-runner"
    for name in captured([runner, "--print-test-name-list"])[1].split():
        code, output = captured([runner, f"--test-name={name}", "--verbose"])
        report.add(name, int(code == 0), int(code != 0), 0, tail(output, 100))


def test_py(report, tree, part, words):
    """Runs a tree's test.py; shows what failed in full."""
    code, output = captured([PYTHON, "test.py", "-n", *words], cwd=tree.path)  # -n: no build
    counts = re.search(
        r"\((\d+) passed, (\d+) skipped, (\d+) failed, (\d+) crashed, (\d+) valgrind errors\)",
        output,
    )
    if not counts:
        return report.add(part, 0, 1, 0, output)
    passed, skipped, *bad = [int(n) for n in counts.groups()]
    failed = sum(bad) or int(code != 0)
    if failed:
        for kind, name in re.findall(r"(?:FAIL|CRASH): (TestSuite|Example) (.*)", output):
            if kind == "TestSuite":
                command = [tree.runner(), f"--test-name={name}", "--verbose"]
            else:
                first, *rest = name.split()
                command = [tree.program(os.path.basename(first)), *rest]
            with tempfile.TemporaryDirectory() as work:
                cwd = tree.path if kind == "TestSuite" else work
                output += f"\n--- {name}\n" + tail(captured(command, cwd=cwd)[1], 100) + "\n"
    report.add(part, passed, failed, skipped, output)


def examples_to_run():
    """The examples that test.py is to run, with their arguments."""
    file = ROOT / "test/examples-to-run.py"
    names = {}
    if file.exists():
        exec(file.read_text(), names)
    return [entry[0] for entry in names.get("cpp_examples", [])]


def test_own_tree(report, tree):
    """The ns-3 suites and the examples in one of the launcher's own trees."""
    with tree.ready():
        tree.compile("test-runner", *programs())
        part = f"test.py, ns-3 {tree.profile}"
        if cmake_list("CMakeLists.txt", "lossless_test_sources"):
            test_py(report, tree, part, ["-s", "lossless*"])
        if examples_to_run():
            test_py(report, tree, f"{part}, examples", ["-c", "example"])


def test_user_tree(report, tree):
    """One suite and one example after the other: test.py before 3.37 knows no patterns."""
    with tree.ready():
        tree.compile("test-runner", *programs())
        suites = captured([tree.runner(), "--print-test-name-list"])[1].split()
        for suite in fnmatch.filter(suites, "lossless*"):
            test_py(report, tree, f"test.py, {suite}", ["-s", suite])
        for example in examples_to_run():
            test_py(report, tree, f"test.py, {example}", ["-e", example.split()[0]])
