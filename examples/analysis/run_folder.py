# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Reads the folder of a run: summary.json, flows.csv, ports.csv and pfc.csv.

A run of one scheme has its files in the folder itself and one object in summary.json. A run of
several schemes has a list in summary.json and a sub-folder for each scheme, named after it with "-"
for ":". summary.json is written last: without one a run failed, was ended or still goes on.
"""

import csv
import json
import math
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from console import Failure


class InputError(Failure):
    """A file that is missing or wrong; the message names file, line, found and expected."""

    def __init__(self, text):
        # What was found may be anything; the message is one line, and not a long one.
        text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
        super().__init__(text if len(text) <= 1000 else f"{text[:600]} ... {text[-300:]}")


@dataclass(frozen=True, order=True)
class Queue:
    """A priority of a port of a node."""

    node: str
    port: int
    priority: int

    def __str__(self):
        node = f"node {self.node}" if self.node.isdigit() else self.node
        return f"{node}, port {self.port}, prio. {self.priority}"

    def sort_key(self):
        """Orders node 2 before node 10."""
        return (not self.node.isdigit(), len(self.node), self.node, self.port, self.priority)


@dataclass
class Flows:
    """The completed flows: equally long lists; times in seconds."""

    sizes: list = field(default_factory=list)
    fcts: list = field(default_factory=list)
    slowdowns: list = field(default_factory=list)
    unfinished: int = 0


@dataclass
class Scheme:
    """What one scheme of a run left behind; None stands for a file that was not asked for."""

    name: str
    summary: dict
    flows: Flows
    queues: dict  # Queue -> (times in seconds, queue lengths in bytes)
    pauses: dict  # Queue -> [(start, end)] in seconds


def read_run(folder):
    """Returns the schemes of a run, in the order of summary.json."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: found no such folder, expected the folder of a run")
    path = folder / "summary.json"
    content = _read_summary(path)
    several = isinstance(content, list)
    schemes = []
    for summary in content if several else [content]:
        if not isinstance(summary, dict) or not isinstance(summary.get("scheme"), str):
            raise InputError(f"{path}: found a summary without a scheme, expected \"scheme\": NAME")
        place = folder / summary["scheme"].replace(":", "-") if several else folder
        if several and _read_summary(place / "summary.json") != summary:
            raise InputError(f"{place}: found a later run, expected that of {path}")
        schemes.append(_read_scheme(place, summary))
    if not schemes:
        raise InputError(f"{path}: found an empty list, expected a summary for each scheme")
    return schemes


def _read_summary(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path}: found no such file, expected that of a complete run; one that failed, was "
            "ended or still goes on has none"
        ) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise InputError(f"{path}:{line}: found {error}, expected a summary in JSON") from None


def _read_scheme(folder, summary):
    flows = _read_flows(folder / "flows.csv")
    found, expected = len(flows.sizes) + flows.unfinished, summary.get("flows")
    if isinstance(expected, int) and found != expected:
        raise InputError(
            f"{folder / 'flows.csv'}: found {found} flows, expected the {expected} of summary.json"
        )
    ports = folder / "ports.csv"
    pfc = folder / "pfc.csv"
    return Scheme(
        name=summary["scheme"],
        summary=summary,
        flows=flows,
        queues=_read_ports(ports) if ports.exists() else None,
        pauses=_read_pfc(pfc, summary.get("simulated_s")) if pfc.exists() else None,
    )


def _unreadable(path, error):
    return InputError(f"{path}: found no readable file ({error.strerror}), expected the run's file")


def _rows(path, columns):
    """Yields the line number and the named columns of each row."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            header = next(reader, [])
            missing = [name for name in columns if name not in header]
            if missing:
                raise InputError(
                    f"{path}:1: found columns '{','.join(header)}', expected also {missing[0]}"
                )
            indices = [header.index(name) for name in columns]
            for row in reader:
                if len(row) != len(header):
                    raise InputError(
                        f"{path}:{reader.line_num}: found {len(row)} fields, "
                        f"expected {len(header)}: {','.join(header)}"
                    )
                yield reader.line_num, [row[i] for i in indices]
    except OSError as error:
        raise _unreadable(path, error) from None
    except csv.Error as error:
        raise InputError(
            f"{path}:{reader.line_num + 1}: found {error}, expected comma-separated text"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: found binary data, expected comma-separated text") from None


def _number(path, line, name, text, minimum=0.0):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not minimum <= value < math.inf:
        raise InputError(
            f"{path}:{line}: found {name} '{text}', expected a number of at least {minimum:g}"
        )
    return value


def _queue(path, line, node, port, priority):
    if not node:
        raise InputError(f"{path}:{line}: found no node, expected its name or number")
    return Queue(
        node,
        int(_number(path, line, "port", port)),
        int(_number(path, line, "priority", priority)),
    )


def _read_flows(path):
    flows = Flows()
    for line, (size, fct, slowdown) in _rows(path, ["size_bytes", "fct_s", "slowdown"]):
        if not fct:
            flows.unfinished += 1
            continue
        flows.sizes.append(_number(path, line, "size_bytes", size, minimum=1))
        flows.fcts.append(_number(path, line, "fct_s", fct))
        flows.slowdowns.append(_number(path, line, "slowdown", slowdown))
    return flows


def _read_ports(path):
    """Queue -> (times, bytes), each in the order of the file."""
    queues = {}
    by_text = {}  # the same few queues come again and again
    columns = ["time_s", "node", "port", "priority", "queue_bytes"]
    for line, (time, node, port, priority, length) in _rows(path, columns):
        series = by_text.get((node, port, priority))
        if series is None:
            series = queues.setdefault(_queue(path, line, node, port, priority), ([], []))
            by_text[(node, port, priority)] = series
        series[0].append(_number(path, line, "time_s", time))
        series[1].append(_number(path, line, "queue_bytes", length))
    return queues


def _read_pfc(path, end):
    """Queue -> [(start, end)]; a pause still on at the end lasts to the end of the run."""
    pauses = defaultdict(list)
    since = {}
    last = 0.0
    columns = ["time_s", "node", "port", "priority", "pause"]
    for line, (time, node, port, priority, pause) in _rows(path, columns):
        queue = _queue(path, line, node, port, priority)
        time = _number(path, line, "time_s", time)
        if time < last:
            raise InputError(f"{path}:{line}: found time_s {time:g} after {last:g}, expected order")
        last = time
        if pause not in ("0", "1"):
            raise InputError(f"{path}:{line}: found pause '{pause}', expected 0 or 1")
        if pause == "1":
            since.setdefault(queue, time)
        elif queue in since:
            pauses[queue].append((since.pop(queue), time))
    end = max(last, end if isinstance(end, (int, float)) else 0.0)
    for queue, start in since.items():
        pauses[queue].append((start, end))
    return dict(pauses)
