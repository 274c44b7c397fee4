# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The look of all figures: colours, fonts, units, and files that come out the same each time."""

import math

import files
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402

# Okabe and Ito, "Color Universal Design" (2008): told apart by colour-blind readers too.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES = ["-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5))]
GREY = "#555555"

WIDTH = 7.2  # inches: the text width of a two-column paper
HALF = 4.4


def apply():
    """Sets the look, whatever the user's own matplotlibrc says."""
    matplotlib.rcdefaults()
    matplotlib.use("Agg")
    pyplot.rcParams.update(
        {
            "figure.dpi": 200,
            "savefig.dpi": 200,
            "font.size": 8,
            "axes.labelsize": 8.5,
            "axes.titlesize": 8.5,
            "xtick.labelsize": 7.5,
            "ytick.labelsize": 7.5,
            "legend.fontsize": 7.5,
            "legend.frameon": False,
            "legend.handlelength": 2.2,
            "lines.linewidth": 1.3,
            "lines.markersize": 3.6,
            "axes.linewidth": 0.7,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "grid.color": "#DDDDDD",
            "grid.linewidth": 0.5,
            "xtick.major.width": 0.7,
            "ytick.major.width": 0.7,
            "xtick.minor.width": 0.5,
            "ytick.minor.width": 0.5,
        }
    )


def line_style(index, marker=False):
    """Colour, dash and marker of the index-th line: different also in grey print."""
    style = {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": DASHES[(index + index // len(COLOURS)) % len(DASHES)],
    }
    if marker:
        style["marker"] = MARKERS[index % len(MARKERS)]
        style["markeredgewidth"] = 0
    return style


def save(figure, path):
    """Writes a PNG without a date or a version: the same figure gives the same bytes."""
    with files.written_whole(path) as partial:
        figure.savefig(partial, format="png", metadata={"Software": None})
    pyplot.close(figure)


def caption(figure, schemes):
    """Says above the figure what was run."""
    summary = schemes[0].summary
    parameters = summary.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    parts = [str(summary.get("study", ""))]
    parts += [schemes[0].name] if len(schemes) == 1 else []
    parts += [str(parameters["workload"])] if "workload" in parameters else []
    parts += [f"load {parameters['load']}"] if "load" in parameters else []
    parts += [f"seed {summary['seed']}"] if "seed" in summary else []
    text = ", ".join(part for part in parts if part)
    if text:
        figure.suptitle(text, fontsize=7.5, color=GREY)


def heading(figure, title, lines=(), reduced=False):
    """Says what a paper's figure is above it, and lines about it below.

    @param reduced whether it was made at a smaller scale than the paper's, which is said
    """
    if reduced:
        figure.suptitle(f"REDUCED SCALE  {title}", fontsize=8.5, color="#B00020")
    else:
        figure.suptitle(title, fontsize=8.5)
    if lines:
        figure.supxlabel("\n".join(lines), fontsize=6.5, color=GREY, linespacing=1.35)


def size_text(size):
    """A flow size as papers write it: 700 B, 10 KB, 1.7 MB (K = 1000)."""
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        # 999.6 KB would be written as 1000 KB.
        if size >= 0.9995 * factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} B"


def bytes_unit(largest):
    """The unit for an axis of bytes: its factor and name."""
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if largest >= 2 * factor:
            return factor, unit
    return 1.0, "B"


def time_unit(largest):
    """The unit for an axis of time given in seconds: its factor and name."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if largest >= 2 * factor:
            return factor, unit
    return 1e-9, "ns"


def time_text(seconds):
    """A time with its unit: 2 ns, 35.7 µs, 1.2 ms."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= 0.9995 * factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def log_ticks(axis, low, high, text):
    """Ticks 1, 2, 5, 10, ... on a log axis, fewer of them over many decades."""
    decades = math.log10(high / low)
    subs = (1, 2, 5) if decades <= 2.3 else (1,)
    axis.set_major_locator(ticker.LogLocator(subs=subs, numticks=20))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: text(value)))
    axis.set_minor_locator(ticker.LogLocator(subs=range(1, 10), numticks=20))
    axis.set_minor_formatter(ticker.NullFormatter())
