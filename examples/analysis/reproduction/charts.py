# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Pieces that the figures of several targets share."""

import math

from matplotlib import pyplot
from matplotlib.patches import Patch

import plot_figures
import plot_style as style
from reproduction import measure

STATE_COLOURS = {
    "non-congestion": "#E3F1EA",
    "undetermined": "#FBE9B7",
    "congestion": "#F6C7BE",
}
CE, UE = style.COLOURS[1], style.COLOURS[4]


def panels(rows, columns=1, height=1.7, heights=None, sharex=True):
    """A figure and its axes, as a list of rows."""
    heights = heights or [height] * rows
    figure, axes = pyplot.subplots(
        rows,
        columns,
        figsize=(style.WIDTH, sum(heights) + 0.9),
        sharex=sharex,
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
        constrained_layout=True,
    )
    return figure, axes


def queue(axis, folder, port, zero):
    """Queue length over time in ms since `zero`."""
    series = folder.port(port)
    axis.plot(
        [1e3 * (time - zero) for time in series.times],
        [length / 1e3 for length in series.queue],
        color=style.COLOURS[0],
        linewidth=0.9,
    )
    axis.margins(x=0.01)
    axis.set_ylim(bottom=0)
    axis.set_ylabel("Queue length (KB)")


def states(axis, folder, port, zero):
    """The state of a port as the colour behind its queue."""
    for period in folder.periods(port):
        axis.axvspan(
            1e3 * (period.start - zero),
            1e3 * (period.end - zero),
            color=STATE_COLOURS[period.state],
            linewidth=0,
            zorder=0,
        )


def state_legend(axis):
    handles = [Patch(color=colour, label=state) for state, colour in STATE_COLOURS.items()]
    axis.legend(handles=handles, loc="center right", fontsize=6.5, frameon=True, framealpha=0.9)


def marks(axis, folder, port, zero, width=20e-6, undetermined=True):
    """The share of a port's frames that it marks, in windows of `width` seconds."""
    series = folder.port(port)
    step = max(1, round(width / (series.times[1] - series.times[0])))
    kinds = [("CE", series.ce, CE)] + ([("UE", series.ue, UE)] if undetermined else [])
    for label, counts, colour in kinds:
        axis.plot(
            [1e3 * (time - zero) for time in series.times[step::step]],
            [(b - a) / (width * 1e6) for a, b in zip(counts[::step], counts[step::step])],
            color=colour,
            label=label,
            linewidth=0.8,
        )
    axis.set_ylim(bottom=0)
    axis.set_ylabel("Marked\n(frames/µs)")
    axis.legend(loc="center right", fontsize=6.5, frameon=True, framealpha=0.9, ncol=2)


def rate(axis, folder, port, zero, width=20e-6):
    """What a port sends."""
    times, rates = measure.throughput(folder.port(port), width)
    axis.plot(
        [1e3 * (time - zero) for time in times],
        [value / 1e9 for value in rates],
        color=style.COLOURS[0],
        linewidth=0.9,
    )
    axis.set_ylim(bottom=0)
    axis.set_ylabel("Sending rate (Gb/s)")


def error_line(axis, x, intervals, label, index, factor=1.0):
    """Means over an axis with their confidence intervals."""
    axis.errorbar(
        x,
        [factor * found.mean for found in intervals],
        yerr=[0.0 if math.isnan(found.half) else factor * found.half for found in intervals],
        label=label,
        capsize=2,
        elinewidth=0.8,
        **style.line_style(index, marker=True),
    )


def legend_on_the_left(axes):
    """One legend for all panels, in that whose lines are lowest on the left."""

    def height(axis):
        left, right = axis.get_xlim()
        found = [
            y
            for line in axis.lines
            for x, y in zip(line.get_xdata(), line.get_ydata())
            if x < (left + right) / 2
        ]
        return max(found, default=0) / axis.get_ylim()[1]

    min(axes, key=height).legend(loc="upper left", ncol=2)


def dots(axis, means, errors, label, index):
    """Means in rows from above, which rows() names. @param errors as matplotlib's xerr"""
    axis.errorbar(
        means,
        range(len(means)),
        xerr=errors,
        label=label,
        fmt=style.MARKERS[index],
        color=style.COLOURS[index],
        elinewidth=0.8,
        capsize=2,
    )


def rows(axis, names):
    """Names the rows of dots()."""
    axis.set_yticks(range(len(names)))
    axis.set_yticklabels(names)
    axis.invert_yaxis()


def grouped_bars(axis, groups, series):
    """@param groups names on the axis @param series (label, interval of each group)"""
    width = 0.8 / len(series)
    for index, (label, intervals) in enumerate(series):
        axis.bar(
            [i - 0.4 + (index + 0.5) * width for i in range(len(groups))],
            [found.mean for found in intervals],
            width * 0.92,
            yerr=[0.0 if math.isnan(found.half) else found.half for found in intervals],
            error_kw={"elinewidth": 0.8, "capsize": 2},
            color=style.COLOURS[index],
            label=label,
        )
    axis.set_xticks(range(len(groups)))
    axis.set_xticklabels(groups)
    axis.tick_params(axis="x", length=0)
    axis.grid(False, axis="x")
    axis.legend(loc="best")


def slowdown_row(axes, title, flows_of, shown=plot_figures.PERCENTILES):
    """A panel for each percentile of the slowdown against the flow size.

    @param flows_of completed flows of each scheme, by its name
    """
    edges = plot_figures.size_bins([f.size for flows in flows_of.values() for f in flows])
    for axis, percent in zip(axes, shown):
        for index, (name, flows) in enumerate(flows_of.items()):
            bins = measure.in_bins([(f.size, f.slowdown) for f in flows], [e + 1 for e in edges])
            points = [
                (measure.mean(f.size for f in flows if low < f.size <= high), values)
                for low, high, values in zip([0, *edges], edges, bins)
                if values
            ]
            axis.plot(
                [size for size, _ in points],
                [measure.percentile(values, percent) for _, values in points],
                label=name,
                **style.line_style(index, marker=True),
            )
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_title(f"{title}, {percent}th percentile")
        axis.set_xlabel("Flow size")
        axis.xaxis.set_major_formatter(lambda value, _: style.size_text(value))
        axis.xaxis.set_minor_formatter(lambda value, _: "")
        axis.tick_params(axis="x", rotation=40)
        style.log_ticks(axis.yaxis, *axis.get_ylim(), text="{:g}".format)
    axes[0].set_ylabel("FCT slowdown")
    axes[0].legend(loc="best")
