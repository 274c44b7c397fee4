#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Runs the studies with options, attributes, global values and environments that nobody means.

LOSSLESS_BIN names the folder with the built programs, which tell themselves what options and
attributes they have. A run ends well, or with exit code 1, one `error:` line and no results.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import fuzz_cases  # noqa: E402

LIMIT_S = 60  # of a run; all end early by --stop
SMALL = {  # so that the run is small; a case may change them
    "incast": ["--senders=3", "--bytes=20KB"],
    "fat-tree": ["--flows-max=5"],
    "leaf-spine": ["--flows-max=5"],
    "from-file": ["--flows-max=5"],
    "mercury-workload": ["--flows-max=5"],
}
# What makes a run that is merely large, and right
LARGE = re.compile(r"^--(senders|k|flows-max|bursts|leaves|spines|hosts\S*|bytes|cases)=\d{3,8}$")
# Words of ns-3 and the standard library that say nothing to users
INSIDE = re.compile(
    r"terminate called|std::|basic_string|_M_\w+|what\(\)|NS_\w+\(|assert|msg=|cond=|file=/|"
    r"Traceback|runtime error:|AddressSanitizer|LeakSanitizer"
)
ENVIRONMENTS = {
    "NS_LOG": ["", "x", "*", "***", "EthernetSwitch", "EthernetSwitch=x", "=", ":",
               "RdmaHw=level_all"],
    # But for RngRun=x, which ends in ns-3's own library before any program begins
    "NS_GLOBAL_VALUE": ["", "x", "RngRun=0", "SchedulerType=ns3::MapScheduler", "SchedulerType=x",
                        ";", "="],
    "NS_ATTRIBUTE_DEFAULT": ["", "x", "ns3::Dcqcn::MinRate=1Mb/s", "ns3::Dcqcn::MinRate=x", ";",
                             "ns3::EthernetSwitch::Xoff=-1"],
    "LOSSLESS_DATA": ["", "/", "/nowhere"],
    "LC_ALL": ["C", "C.UTF-8", "de_DE.UTF-8", "x"],
}  # fmt: skip


class Study:
    """What one program says of itself."""

    def __init__(self, program):
        self.program = program
        self.name = program.name.removeprefix("lossless-")
        self.options = re.findall(r"^    --([\w-]+):", self.tell("--help"), re.M)
        self.globals = re.findall(r"^    --(\w+)=", self.tell("--PrintGlobals"), re.M)
        self.attributes = {}  # --ns3::Class::Name -> default
        types = re.findall(r"^    (ns3::\S+)", self.tell("--PrintGroup=Lossless"), re.M)
        for name in types + ["ns3::DefaultSimulatorImpl", "ns3::RateErrorModel"]:
            told = self.tell(f"--PrintAttributes={name}")
            for attribute, default in re.findall(r"^    (--\S+)=\[(.*)\]$", told, re.M):
                if attribute.startswith(f"--{name}::"):
                    self.attributes[attribute] = default
        self.types = types

    def tell(self, option):
        return subprocess.run([self.program, option], capture_output=True, text=True).stdout


def studies():
    """The studies among the built programs."""
    folder = os.environ.get("LOSSLESS_BIN")
    if not folder:
        sys.exit("error: LOSSLESS_BIN does not name the folder with the built programs")
    found = []
    for program in sorted(Path(folder).glob("lossless-*")):
        if re.search(r"lossless-(fuzz|unit|test|bench|write)", program.name):
            continue
        found.append(Study(program))
    if not found:
        sys.exit(f"error: {folder} holds no study")
    return found


def value(choice, study, near=""):
    """Something for an option or attribute, now and then near to what it is by default."""
    kind = choice.random()
    if near and kind < 0.3:
        text = list(near)
        if kind < 0.1:
            text.insert(choice.randrange(len(text) + 1), choice.choice("0.-[]|=:, e9xA\u00e9"))
        elif kind < 0.2:
            del text[choice.randrange(len(text))]
        else:
            # Digits of the same number of places: often legal
            text = [choice.choice("0123456789") if c.isdigit() else c for c in text]
        return "".join(text)
    if kind < 0.4:
        return choice.choice(study.types)
    if kind < 0.45:
        type_name = choice.choice(study.types)
        name = choice.choice(list(study.attributes)).rpartition("::")[2]
        text = f"{type_name}[{name}={fuzz_cases.odd(choice)}"[:2000]
        return text + choice.choice(["]", "", "|", "]]"])
    return fuzz_cases.odd(choice)


def argument(choice, study):
    """One argument."""
    kind = choice.random()
    if kind < 0.35 and study.options:
        option = choice.choice(study.options)
        return None if option in ("out", "stop") else f"--{option}={value(choice, study)}"
    if kind < 0.85 and study.attributes:
        name = choice.choice(list(study.attributes))
        return f"{name}={value(choice, study, study.attributes[name])}"
    if kind < 0.93:
        return f"--{choice.choice(study.globals)}={value(choice, study)}"
    if kind < 0.95:
        return f"--stop={value(choice, study)}"
    name = choice.choice(list(study.attributes) or ["--x"])
    return choice.choice([
        fuzz_cases.odd(choice), f"-{name}", name, "--", "-", "---x=1",
        f"--{fuzz_cases.odd(choice)}", "--=", "--=1", f"{name}x=1",
        name.rpartition("::")[0] + "=1", "--ns3::x::y=1", "--seed", "--Seed=1",
        "--RngRun", "--stop=", "-stop=1us", name.replace("ns3", "ns4") + "=1",
    ])  # fmt: skip


def check(result, out, chatty):
    """The properties of one run."""
    code, errors = result.returncode, result.stderr.decode(errors="replace")
    last = errors.strip()[-300:]
    fuzz_cases.require(code >= 0, f"ended by signal {-code}: {last}")
    fuzz_cases.require(code in (0, 1), f"exit code {code}: {last}")
    lines = [line for line in errors.split("\n") if line and not line.startswith("warning: ")]
    told = [line for line in lines if line.startswith("error: ")]
    if chatty:  # the user asked for a log
        fuzz_cases.require(len(told) == code, f"exit code {code}, error lines {len(told)}: {last}")
        return
    if code == 0:
        fuzz_cases.require(not lines, f"exit code 0 with stderr: {last}")
        return
    fuzz_cases.require(len(lines) == 1 and told, f"exit code 1 with {len(lines)} lines: {last}")
    fuzz_cases.require(not INSIDE.search(errors), f"what users do not know: {last}")
    fuzz_cases.require(len(errors) < 4000, f"a message of {len(errors)} bytes: {errors[:200]}")
    control = re.search(r"[\x00-\x08\x0b-\x1f\x7f]", errors)
    fuzz_cases.require(not control, f"control characters: {last!r}")
    left = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    # Only wrong input is found before anything is simulated.
    left = [name for name in left if ", expected " in errors or name.endswith("summary.json")]
    fuzz_cases.require(not left, f"files after an error ({last}): {left[:5]}")


def make_case(_):
    known = studies()

    def run(choice):
        study = choice.choice(known)
        given = [argument(choice, study) for _ in range(choice.choice([1, 1, 1, 2, 3]))]
        given = [word for word in given if word and "\0" not in word and not LARGE.match(word)]
        env = dict(os.environ)
        changed = {}
        if choice.random() < 0.1:
            name = choice.choice(list(ENVIRONMENTS))
            changed[name] = choice.choice(ENVIRONMENTS[name])
        env.update(changed)
        with tempfile.TemporaryDirectory(prefix="lossless-fuzz-") as work:
            out = Path(work) / "out"
            command = [str(study.program), *SMALL.get(study.name, []), "--stop=50us"]
            command += [f"--out={out}", *given]
            shown = shlex.join([f"{name}={text}" for name, text in changed.items()] + command)
            shown = f"\n    {shown[:1000]}"
            try:
                result = subprocess.run(
                    command,
                    env=env,
                    cwd=work,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=LIMIT_S,
                )
                check(result, out, "NS_LOG" in changed)
            except subprocess.TimeoutExpired:
                raise fuzz_cases.Violation(f"takes more than {LIMIT_S} s{shown}") from None
            except fuzz_cases.Violation as violation:
                raise fuzz_cases.Violation(f"{violation}{shown}") from None
        return "runs refused" if result.returncode else "runs accepted"

    return run


if __name__ == "__main__":
    cores = len(os.sched_getaffinity(0))
    sys.exit(fuzz_cases.main(__file__, __doc__.splitlines()[0], make_case, jobs=cores))
