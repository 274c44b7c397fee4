# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The form that is kept in doc/: reproduction.md with a part for each paper, each of which can be
renewed by itself, and the figures in reproduction/."""

import re

from files import write_atomically
from reproduction import report
from run_folder import InputError

NAME = "reproduction.md"
FIGURES = "reproduction"


def read_parts(folder, papers):
    """The parts of the file that is there: paper -> text from its heading on.

    @throws InputError if it is not a file that write() made of these papers
    """
    path = folder / NAME
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise InputError(f"{path}: found {error}, expected text in UTF-8") from None
    top, *parts = split(text)
    if not top.startswith(f"# {report.TITLE}\n") or not parts:
        raise InputError(
            f"{path}: found another text, expected '# {report.TITLE}' and a part '## PAPER' for "
            "each paper"
        )
    found = {}
    for part in parts:
        paper = part.split("\n", 1)[0].removeprefix("## ")
        if paper not in papers or paper in found:
            count = "the second part" if paper in found else "a part"
            raise InputError(
                f"{path}: found {count} '## {paper}', expected one for each of: "
                + "; ".join(papers)
            )
        found[paper] = part
    return found


def split(text):
    """Cuts a text before each line that starts with ##, those in blocks of code aside."""
    pieces, code = [[]], False
    for line in text.split("\n"):
        code ^= line.startswith("```")
        if line.startswith("## ") and not code:
            pieces.append([])
        pieces[-1].append(line)
    # All but the last line of all ended with a newline.
    return ["\n".join(piece) + "\n" * (piece is not pieces[-1]) for piece in pieces]


def write(folder, outcomes, version, papers):
    """Renews the parts and figures of the outcomes' papers and leaves the others as they are.

    @param outcomes all those of each paper concerned @param papers all there are, in order
    """
    parts = {paper: text.rstrip("\n") + "\n" for paper, text in read_parts(folder, papers).items()}
    for paper, found in report.by_paper(outcomes).items():
        parts[paper] = report.markdown_part(found, version, f"{FIGURES}/")
    ordered = [parts[paper] for paper in papers if paper in parts]
    text = "\n".join([report.markdown_top(fast=False), *ordered])

    figures = folder / FIGURES
    figures.mkdir(parents=True, exist_ok=True)
    for outcome in outcomes:
        write_atomically(figures / outcome.figure.name, outcome.figure.read_bytes())
    write_atomically(folder / NAME, text)
    shown = set(re.findall(rf"\]\({FIGURES}/([^)]*)\)", text))
    for figure in figures.glob("*.png"):
        if figure.name not in shown:  # of a target that is no more
            figure.unlink()
