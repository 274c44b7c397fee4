# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""What the fuzzers in Python share, as fuzz.h is for those in C++.

A case is a function of its seed: case number i of --seed=S is case 0 of --seed=S+i, so a failure is
run alone by --seed=ITS_SEED --cases=1.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import re
import time

# Values that have made programs fall.
ODD = [
    "", " ", "0", "1", "2", "-1", "-0", "+1", "00", "0x10", "1e3", "1e308", "1e400",
    "1e-308", "nan", "NaN",
    "inf", "-inf", "1.5", ".5", "5.", "1,5", "1e", "--1", "255", "256", "65535", "65536",
    "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
    "18446744073709551615", "18446744073709551616", "-9223372036854775808",
    "true", "false", "maybe",
    "0s", "1ns", "-1ns", "1us", "1ps", "0.5ns", "1fs", "9000000s", "9300000s", "10000000s",
    "300y", "1000000h", "0b/s", "1b/s", "1kb/s", "1Gb/s", "100Gb/s", "-1Gb/s", "400Tb/s",
    "18446744073Gb/s", "1Gb", "Gb/s", "1KB", "1GB", "1TB", "[", "]", "[]", "|", "=",
    "ns3::Node", "ns3::Dcqcn",
    "ns3::Dcqcn[", "ns3::Dcqcn[]", "ns3::Dcqcn[=]", "ns3::Dcqcn[MinRate=]", "ns3::Dcqcn[x=1]",
    "ns3::Dcqcn[MinRate=1Gb/s|]", "ns3::Dcqcn[MinRate=1Gb/s]]", "ns3::", "::", "ns3::x", "x", "all",
    "h0", "h0,h1", ",", ",,", "all,all", "dcqcn,dcqcn", "none,", "\u00b5s", "1\u00b5s",
    "\u2028", "\U0001f525",
    "\x1b[2J", "a\nb", "\t", "%s%n", "../x", "/", "/dev/null", "/dev/full", "/etc/passwd",
    "'", '"', "\\",
]  # fmt: skip


class Violation(Exception):
    """A property that does not hold."""


def require(holds, words):
    if not holds:
        raise Violation(words)


def odd(choice):
    """A value that is hardly any option's, overlong now and then."""
    if choice.random() < 0.02:
        return choice.choice("a1[.:\u00e9") * choice.choice([300, 5000, 50000])
    return choice.choice(ODD)


def signature(text):
    """The same for failures of one cause, but for numbers, names and values in it."""
    return re.sub(r"\d+|'[^']*'|ns3::\S+|--\S+|/\S+", "#", text)[:80]


def main(script, description, make_case, jobs=1):
    """Runs make_case(options)(random) for each seed and returns the exit code.

    A case returns its kind, for the figures, or raises, which is told, once for each cause.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--cases", type=int, default=100, help="number of cases, at most")
    parser.add_argument("--seed", type=int, default=1, help="of the first case, then the next")
    parser.add_argument("--time", type=float, default=0, help="seconds after which no case begins")
    options = parser.parse_args()
    case = make_case(options)
    end = time.monotonic() + (options.time or float("inf"))
    kinds, causes = collections.Counter(), collections.Counter()
    ran = 0

    def run(seed):
        if time.monotonic() >= end:
            return seed, None, None
        try:
            return seed, case(random.Random(seed)), None
        except Exception as error:  # whatever it is, it is the finding
            return seed, None, f"{type(error).__name__}: {error}"

    seeds = iter(range(options.seed, options.seed + options.cases))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        while chunk := list(itertools.islice(seeds, 64 * jobs)):
            for seed, kind, failure in pool.map(run, chunk) if jobs > 1 else map(run, chunk):
                ran += kind is not None or failure is not None
                if kind:
                    kinds[kind] += 1
                if failure:
                    causes[signature(failure)] += 1
                    if causes[signature(failure)] == 1:
                        name = os.path.basename(script)
                        print(f"FAIL {name} --seed={seed} --cases=1: {failure}", flush=True)
            if time.monotonic() >= end:
                break
    for kind, count in sorted(kinds.items()):
        print(count, kind)
    failed = sum(causes.values())
    causes_told = f" of {len(causes)} causes" if causes else ""
    print(f"{ran} cases from seed {options.seed}, {failed} failed{causes_told}")
    return 1 if failed else 0
