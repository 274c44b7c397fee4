#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Checks that a change which is to change no result changes none: the SHA-256 of all files that
short runs of all studies, schemes and topologies write.

  test/fingerprints.py BINDIR --record FILE    before the change
  test/fingerprints.py BINDIR --compare FILE   after it; exit code 1 if something differs

BINDIR has the programs, such as build/.../run/bin of the launcher's cache. Programs of other
compilers or releases of ns-3 may differ by themselves: FILE is for one machine.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples" / "analysis")]
sys.dont_write_bytecode = True

from launcher.suites import examples_to_run  # noqa: E402

LIMIT_S = 120  # of a run; each takes a fraction of a second
# What depends on the machine and its software, not on parameters and seed
MACHINE_FIELDS = ("cpu_s", "wall_s", "peak_rss_kb", "hops_per_cpu_s")
SOFTWARE_FIELDS = ("ns3_version",)
# Two switches with two links between them, one of which loses frames
TOPOLOGY = """6 2 6
4 5
0 4 100Gbps 1us 0
1 4 100Gbps 1us 0
2 5 40Gbps 500ns 0
3 5 100Gbps 1us 0
4 5 100Gbps 1us 0
4 5 100Gbps 1us 0.001
"""
FLOWS = "4\n0 2 3 100 300000 0\n1 3 3 100 200000 0\n1 2 4 100 200000 0.00001\n3 0 3 100 100000 0\n"
RING = "from-file --topology=ring --flows=ring --scheme=none --xoff=50000"
# What it is for, and the study with its options; an option may get another name.
OTHERS = {
    "own topology": "from-file --topology=own.txt --flows=own-flows.txt --sample=5us",
    "two racks": "from-file --topology=two-racks --flows=two-racks --scheme=timely",
    "deadlock": RING,
    "watchdog": f"{RING} --ns3::EthernetSwitch::WatchdogDetection=200us"
    " --ns3::RdmaHw::RetransmissionTimeout=500us",
    "static routes": "from-file --topology=ring-acyclic --flows=ring --scheme=none --xoff=50000",
    "leaf-spine": "leaf-spine --workload=Hadoop --duration=200us --leaves=3 --uplink-rate=40Gb/s"
    " --sample=10us",
    "320 hosts": "fat-tree --shape=mercury --workload=Hadoop --duration=20us --load=0.8"
    " --scheme=hpcc",
    "victims counted": "fat-tree --k=6 --workload=WebServer --duration=50us --seed=2"
    " --count-victims=true",
    "captures": "incast --senders=8 --bytes=50KB --pcap=h0,switch --mtu=1500",
    "deficit round robin": "incast --senders=8 --bytes=100KB --bursts=2"
    " --ns3::QbbNetDevice::Scheduler=ns3::DeficitRoundRobin",
    "one point, ECN": "tcd-congestion-points --case=single --stop=4ms --scheme=dcqcn:tcd21"
    " --count-victims=true",
    "two points, TCD": "tcd-congestion-points --case=multiple --stop=4ms --scheme=dcqcn+tcd",
    "covered trees": "tcd-congestion-trees --case=covered",
    "victims, TCD": "tcd-victims --burst-bytes=64000 --duration=5ms --scheme=timely+tcd",
    "first hop, Mercury": "mercury-incast --scheme=mercury",
    "victim, Mercury": "mercury-victim --stop=4ms --scheme=mercury --bursts=in-turn",
}


def example_runs():
    """The run of each study that ns-3's test.py makes."""
    for command in examples_to_run():
        program, *options = command.split()
        study = program.removeprefix("lossless-")
        options = [option for option in options if not option.startswith("--out=")]
        yield f"example {study}", " ".join([study, *options])


def schemes(binaries):
    """What the programs know of their schemes, as any of them prints it."""
    program = Path(binaries) / "lossless-incast"
    told = subprocess.run([program, "--list-schemes"], stdout=subprocess.PIPE, check=True)
    return json.loads(told.stdout)


def commands(binaries):
    """Name -> study and options, of all runs."""
    found = {**dict(example_runs()), **OTHERS}
    for scheme in schemes(binaries):
        name = scheme["name"]
        inputs = scheme.get("input_buffers")
        link, pauses = (" --link=infiniband", "") if inputs else ("", " --xoff=60000")
        found[f"fat-tree, {name}"] = (
            f"fat-tree --scheme={name} --workload=WebSearch --duration=300us --sample=10us{link}"
        )
        found[f"incast, {name}"] = (
            f"incast --scheme={name} --senders=12 --bytes=200KB{pauses}{link}"
        )
    return found


def digest(data):
    return hashlib.sha256(data).hexdigest()


def measured(path):
    """A summary.json, one or a list, without what depends on the machine. @returns summaries"""
    content = json.loads(path.read_text(encoding="utf-8"))
    summaries = content if isinstance(content, list) else [content]
    for summary in summaries:
        for field in (*MACHINE_FIELDS, *SOFTWARE_FIELDS):
            summary.pop(field, None)
    return summaries


def of_folder(folder):
    """The fingerprints of a folder of results. Parameters are apart from what was measured, as an
    attribute that gets another name changes them alone."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.name == "summary.json":
            summaries = measured(path)
            parameters = [summary.pop("parameters") for summary in summaries]
            found[name] = digest(json.dumps(summaries).encode())
            found[f"{name}, parameters"] = digest(json.dumps(parameters).encode())
        elif path.is_file() and path.name != ".lossless-run":
            found[name] = digest(path.read_bytes())
    return found


def of_run(binaries, command):
    """The fingerprints of what a run writes and says on stderr."""
    study, *options = shlex.split(command)
    env = {name: text for name, text in os.environ.items() if not name.startswith("NS_")}
    with tempfile.TemporaryDirectory(prefix="lossless-") as work:
        for name, text in (("own.txt", TOPOLOGY), ("own-flows.txt", FLOWS)):
            (Path(work) / name).write_text(text, encoding="utf-8")
        result = subprocess.run(
            [binaries / f"lossless-{study}", *options, "--out=out"],
            cwd=work,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=LIMIT_S,
        )
        said = f"exit code {result.returncode}\n".encode() + result.stderr
        return {"exit code and stderr": digest(said), **of_folder(Path(work) / "out")}


def fingerprints(binaries):
    """Name -> file -> SHA-256, of all runs."""
    binaries = Path(binaries).absolute()
    listed = commands(binaries)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = pool.map(lambda command: of_run(binaries, command), listed.values())
        return dict(zip(listed, found))


def differences(before, after):
    """One line for each run that differs, with the files that do."""
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            yield f"{name}: only {'before' if new is None else 'after'} the change"
            continue
        files = [file for file in sorted({*old, *new}) if old.get(file) != new.get(file)]
        if files:
            yield f"{name}: {'; '.join(files)}"


def main(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("binaries", metavar="BINDIR", type=Path)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--record", metavar="FILE", type=Path)
    action.add_argument("--compare", metavar="FILE", type=Path)
    options = parser.parse_args(arguments)
    before = json.loads(options.compare.read_text("utf-8")) if options.compare else None
    found = fingerprints(options.binaries)
    if before is None:
        options.record.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{len(found)} runs recorded in {options.record}")
        return 0
    lines = list(differences(before, found))
    print("\n".join([*lines, f"{len(lines)} of {len(found)} runs differ"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
