#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Draws the figures of result folders that are damaged: they are drawn, or one error says why not.

LOSSLESS_BIN names the folder with the built programs, which make the whole folders.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "examples/analysis")]

import fuzz_cases  # noqa: E402
import plot_run  # noqa: E402
import plot_style  # noqa: E402
import run_folder  # noqa: E402
from matplotlib import pyplot  # noqa: E402


def whole_folders():
    """The files of some runs, by path within the folder."""
    program = Path(os.environ.get("LOSSLESS_BIN", "")) / "lossless-incast"
    if not program.exists():
        sys.exit("error: LOSSLESS_BIN does not name the folder with the built programs")
    common = [program, "--senders=6", "--bytes=30KB", "--xoff=30000", "--stop=200us"]
    runs = [["--sample=1us"], ["--scheme=none,dcqcn"], ["--scheme=timely", "--sample=10us"]]
    folders = []
    for options in runs:
        with tempfile.TemporaryDirectory() as work:
            command = [*common, *options, f"--out={work}/run"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            root = Path(work) / "run"
            paths = sorted(path for path in root.rglob("*") if path.is_file())
            folders.append({str(path.relative_to(root)): path.read_bytes() for path in paths})
    return folders


def odd_json(choice):
    return choice.choice([
        None, True, 0, -1, 1e308, float("nan"), float("inf"), 10**400, "", "x", "nan",
        "../x", "a\0b", [], {}, [[]],
    ])  # fmt: skip


def damage_json(choice, data):
    """One value of the summary changed, or left out."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):  # damaged before
        return data
    place = content
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return data
        key = choice.choice(keys)
        if not isinstance(place[key], (dict, list)) or choice.random() < 0.3:
            break
        place = place[key]
    if choice.random() < 0.3:
        del place[key]
    else:
        place[key] = odd_json(choice)
    return json.dumps(content).encode()


def damage_table(choice, data):
    """A field, a column or a row changed, or left out."""
    rows = [line.split(b",") for line in data.split(b"\n")]
    row = choice.choice(rows[:1] if choice.random() < 0.2 else rows)
    kind = choice.random()
    if kind < 0.6:
        row[choice.randrange(len(row))] = fuzz_cases.odd(choice).encode("utf-8", "surrogatepass")
    elif kind < 0.7:
        row.insert(choice.randrange(len(row) + 1), b"1")
    elif kind < 0.8:
        del row[choice.randrange(len(row))]
    elif kind < 0.9:
        column = choice.randrange(len(rows[0]) or 1)
        rows = [fields[:column] + fields[column + 1 :] for fields in rows]
    else:
        rows = rows[: choice.choice([0, 1, 2])]
    return b"\n".join(b",".join(fields) for fields in rows)


def damage(choice, files):
    """Files with one thing wrong."""
    name = choice.choice(sorted(files))
    data = files[name]
    kind = choice.random()
    if kind < 0.1:
        del files[name]
    elif kind < 0.2:
        files[name] = data[: choice.randrange(len(data) + 1)]
    elif kind < 0.3 and data:
        at = choice.randrange(len(data))
        files[name] = data[:at] + bytes([choice.randrange(256)]) + data[at + 1 :]
    elif kind < 0.33:
        files[name] = b""
    elif kind < 0.36:
        files[name] = b"[" * 100000
    else:
        files[name] = (damage_json if name.endswith(".json") else damage_table)(choice, data)


def make_case(_):
    folders = whole_folders()
    plot_style.apply()
    pyplot.rcParams["savefig.dpi"] = 20

    def run(choice):
        files = dict(choice.choice(folders))
        for _ in range(choice.choice([1, 1, 2, 3])):
            if files:
                damage(choice, files)
        with tempfile.TemporaryDirectory(prefix="lossless-fuzz-") as work:
            folder = Path(work) / "run"
            for name, data in files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            if choice.random() < 0.02 and files:
                path.unlink()
                path.mkdir()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    axis = choice.choice(["percentile", "log"])
                    plot_run.draw(folder, axis, choice.randrange(1, 8))
            except (run_folder.InputError, OSError) as error:  # plot_run.py prints these
                text = str(error)
                fuzz_cases.require(str(folder) in text, f"names no file: {text[:300]}")
                good = text.isprintable() and len(text) < 2000
                fuzz_cases.require(good, f"not one line: {text[:300]!r}")
                return "folders refused"
            except Exception as error:
                frame = error.__traceback__
                while frame.tb_next:
                    frame = frame.tb_next
                where = f"{Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}"
                what = f"{type(error).__name__} in {where}: {str(error)[:300]}"
                raise fuzz_cases.Violation(what) from error
            finally:
                pyplot.close("all")
        return "folders drawn"

    return run


if __name__ == "__main__":
    sys.exit(fuzz_cases.main(__file__, __doc__.splitlines()[0], make_case))
