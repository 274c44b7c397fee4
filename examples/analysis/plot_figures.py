# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Draws the figures of a run; each function takes the schemes and returns a figure or None."""

import bisect
import math

from matplotlib import pyplot
from matplotlib.patches import Patch

import plot_style as style

PERCENTILES = (50, 95, 99)
BIN_COUNTS = (20, 10, 5, 4, 2)
MIN_FLOWS_PER_BIN = 50
MAX_PAUSE_ROWS = 32


def percentile(ordered, percent):
    """The smallest value that at least so many percent of the sorted values do not exceed."""
    return ordered[max(0, math.ceil(len(ordered) * percent / 100 - 1e-9) - 1)]


def size_bins(sizes):
    """Upper edges of size bins that hold equally many flows: 20, or fewer for few flows.

    Flows of one size stay together, so that there are fewer bins when many have the same size.
    """
    ordered = sorted(sizes)
    bins = max([n for n in BIN_COUNTS if len(ordered) >= n * MIN_FLOWS_PER_BIN], default=1)
    if len(set(ordered)) <= bins:
        return sorted(set(ordered))
    return sorted({percentile(ordered, 100 * (i + 1) / bins) for i in range(bins)})


def binned_slowdowns(flows, edges):
    """The sorted slowdowns of each bin."""
    bins = [[] for _ in edges]
    for size, slowdown in zip(flows.sizes, flows.slowdowns):
        bins[bisect.bisect_left(edges, size)].append(slowdown)
    for slowdowns in bins:
        slowdowns.sort()
    return bins


def slowdown(schemes, size_axis="percentile"):
    """FCT slowdown against flow size: a panel for each percentile, or one for a single scheme."""
    sizes = sorted(size for scheme in schemes for size in scheme.flows.sizes)
    if not sizes:
        return None
    edges = size_bins(sizes)
    bins = [binned_slowdowns(scheme.flows, edges) for scheme in schemes]
    if len(edges) == 1:
        return _slowdown_bars(schemes, bins, sizes)

    single = len(schemes) == 1
    figure, axes = pyplot.subplots(
        1,
        1 if single else len(PERCENTILES),
        figsize=(style.HALF if single else style.WIDTH, 2.9),
        sharey=True,
        squeeze=False,
        constrained_layout=True,
    )
    for column, percent in enumerate(PERCENTILES):
        axis = axes[0][0 if single else column]
        for index, scheme in enumerate(schemes):
            look = style.line_style(column if single else index, marker=True)
            label = f"{percent}th percentile" if single else scheme.name
            filled = [i for i, values in enumerate(bins[index]) if values]
            x = _bin_positions(edges, sizes, size_axis)
            axis.plot(
                [x[i] for i in filled],
                [percentile(bins[index][i], percent) for i in filled],
                label=label,
                **look,
            )
        if not single:
            axis.set_title(f"{percent}th percentile")
    for axis in axes[0]:
        _size_axis(axis, edges, sizes, size_axis, narrow=not single)
    _slowdown_axis(axes[0][0], bins)
    axes[0][0].legend(loc="best")
    style.caption(figure, schemes)
    return figure


def _bin_positions(edges, sizes, size_axis):
    """Where the points of the bins are: the middle of their flows."""
    ranks = [0] + [bisect.bisect_right(sizes, edge) for edge in edges]
    middles = [(a + b) / 2 for a, b in zip(ranks, ranks[1:])]
    if size_axis == "log":
        return [sizes[int(middle)] for middle in middles]
    return [100 * middle / len(sizes) for middle in middles]


def _size_axis(axis, edges, sizes, size_axis, narrow):
    if size_axis == "log":
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter(lambda value, _: style.size_text(value))
        axis.xaxis.set_minor_formatter(lambda value, _: "")
        axis.tick_params(axis="x", rotation=40 if narrow else 0)
        axis.set_xlabel("Flow size")
        return
    # One tick at each edge, labels as many as there is room for.
    ticks = [100 * bisect.bisect_right(sizes, edge) / len(sizes) for edge in edges]
    shown = max(1, round(len(edges) / (5 if narrow else 10)))
    labelled = [i for i in range(len(edges)) if (i + 1) % shown == 0]
    axis.set_xlim(0, 100)
    axis.set_xticks([ticks[i] for i in labelled])
    labels = [style.size_text(edges[i]) for i in labelled]
    axis.set_xticklabels(labels, rotation=40, ha="right", rotation_mode="anchor")
    axis.set_xticks([0] + ticks, minor=True)
    equal = len(edges) in BIN_COUNTS and not narrow
    share = f" (a tick for every {100 / len(edges):g} % of the flows)" if equal else ""
    axis.set_xlabel("Flow size" + share)


def _slowdown_axis(axis, bins):
    top = max(values[-1] for scheme in bins for values in scheme if values)
    drawn = max(percentile(v, PERCENTILES[-1]) for scheme in bins for v in scheme if v)
    axis.set_yscale("log")
    axis.set_ylim(0.9, max(2.2, 1.35 * min(top, drawn)))
    style.log_ticks(axis.yaxis, *axis.get_ylim(), text="{:g}".format)
    axis.set_ylabel("FCT slowdown")


def _slowdown_bars(schemes, bins, sizes):
    """All flows in one bin: a group of bars for each percentile."""
    figure, axis = pyplot.subplots(figsize=(style.HALF, 2.7), constrained_layout=True)
    width = 0.8 / len(schemes)
    for index, scheme in enumerate(schemes):
        values = bins[index][0]
        if not values:
            continue
        heights = [percentile(values, percent) for percent in PERCENTILES]
        offsets = [i - 0.4 + (index + 0.5) * width for i in range(len(PERCENTILES))]
        bars = axis.bar(
            offsets,
            heights,
            width * 0.92,
            color=style.COLOURS[index % len(style.COLOURS)],
            label=scheme.name,
        )
        if len(schemes) <= 4:
            axis.bar_label(bars, fmt="%.3g", fontsize=6.5, padding=1.5)
    axis.set_xticks(range(len(PERCENTILES)))
    axis.set_xticklabels([f"{percent}th percentile" for percent in PERCENTILES])
    axis.tick_params(axis="x", length=0)
    axis.grid(False, axis="x")
    axis.set_ylabel("FCT slowdown")
    low, high = style.size_text(sizes[0]), style.size_text(sizes[-1])
    axis.set_xlabel(f"Flows of {low}" if low == high else f"Flows of {low} to {high}")
    axis.margins(y=0.14)
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    style.caption(figure, schemes)
    return figure


def fct_cdf(schemes):
    """The distribution of the flow completion times."""
    if not any(scheme.flows.fcts for scheme in schemes):
        return None
    figure, axis = pyplot.subplots(figsize=(style.HALF, 2.9), constrained_layout=True)
    for index, scheme in enumerate(schemes):
        values = sorted(scheme.flows.fcts)
        if not values:
            continue
        shares = [i / len(values) for i in range(len(values) + 1)]
        axis.plot(
            values[:1] + values,
            shares,
            drawstyle="steps-post",
            label=scheme.name,
            **style.line_style(index),
        )
    times = [fct for scheme in schemes for fct in scheme.flows.fcts if fct > 0]
    # Times of one order of magnitude would leave a log axis without ticks.
    if times and max(times) > 10 * min(times):
        axis.set_xscale("log")
        style.log_ticks(axis.xaxis, *axis.get_xlim(), text=style.time_text)
    else:
        factor, unit = style.time_unit(max(times, default=1.0))
        axis.xaxis.set_major_formatter(lambda value, _: f"{value / factor:.6g} {unit}")
        axis.locator_params(axis="x", nbins=6)
    axis.set_ylim(0, 1.02)
    axis.set_xlabel("Flow completion time")
    axis.set_ylabel("Fraction of flows")
    axis.legend(loc="lower right")
    style.caption(figure, schemes)
    return figure


def queue_length(schemes, ports=4):
    """Queue length over time for the queues that grew longest in any scheme."""
    sampled = [scheme for scheme in schemes if scheme.queues]
    if not sampled:
        return None
    peaks = {}
    for scheme in sampled:
        for queue, (_, lengths) in scheme.queues.items():
            peaks[queue] = max(peaks.get(queue, 0), max(lengths))
    busiest = sorted(peaks, key=lambda queue: (-peaks[queue], queue.sort_key()))[:ports]
    busiest = [queue for queue in busiest if peaks[queue] > 0] or busiest[:1]
    busiest.sort(key=lambda queue: queue.sort_key())
    size_factor, size_unit = style.bytes_unit(max(peaks.values()))
    last = max(times[-1] for scheme in sampled for times, _ in scheme.queues.values())
    time_factor, time_unit = style.time_unit(last)

    figure, axes = pyplot.subplots(
        len(sampled),
        1,
        figsize=(style.WIDTH, 0.9 + 1.6 * len(sampled)),
        sharex=True,
        sharey=True,
        squeeze=False,
        constrained_layout=True,
    )
    for (axis,), scheme in zip(axes, sampled):
        for index, queue in enumerate(busiest):
            times, lengths = scheme.queues.get(queue, ([], []))
            axis.plot(
                [time / time_factor for time in times],
                [length / size_factor for length in lengths],
                label=str(queue),
                linewidth=0.9,
                color=style.COLOURS[index],
            )
        axis.set_title(scheme.name, loc="left")
        axis.set_ylabel(f"Queue length ({size_unit})")
        axis.margins(x=0.01)
        axis.set_ylim(0, 1.05 * max(peaks.values()) / size_factor or 1.0)
    axes[-1][0].set_xlabel(f"Time ({time_unit})")
    axes[0][0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncol=min(2, len(busiest)))
    style.caption(figure, schemes)
    return figure


def pause_timeline(schemes):
    """When each priority of each port was paused: a row each, a bar for each pause."""
    traced = [scheme for scheme in schemes if scheme.pauses is not None]
    if not traced:
        return None
    rows = [_longest_paused(scheme.pauses, MAX_PAUSE_ROWS // len(traced)) for scheme in traced]
    spans = [span for scheme in traced for pauses in scheme.pauses.values() for span in pauses]
    factor, unit = style.time_unit(max((end for _, end in spans), default=1e-3))
    priorities = sorted({queue.priority for queues in rows for queue in queues})
    colours = {p: style.COLOURS[i % len(style.COLOURS)] for i, p in enumerate(priorities)}

    heights = [max(3, len(queues)) for queues in rows]
    figure, axes = pyplot.subplots(
        len(traced),
        1,
        figsize=(style.WIDTH, 0.8 + 0.35 * len(traced) + 0.16 * sum(heights)),
        sharex=True,
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
        constrained_layout=True,
    )
    for (axis,), scheme, queues in zip(axes, traced, rows):
        _draw_pauses(axis, scheme.pauses, queues, colours, factor)
        shown = f"the {len(queues)} paused longest of {len(scheme.pauses)}"
        more = len(scheme.pauses) > len(queues)
        axis.set_title(f"{scheme.name} ({shown})" if more else scheme.name, loc="left")
    if spans:
        first = min(start for start, _ in spans) / factor
        last = max(end for _, end in spans) / factor
        margin = 0.01 * (last - first) or 0.01 * (last or 1.0)
        axes[0][0].set_xlim(max(0.0, first - margin), last + margin)
    axes[-1][0].set_xlabel(f"Time ({unit})")
    axes[0][0].annotate(
        "total", (1, 1), (7, 4), "axes fraction", "offset points", fontsize=7, color=style.GREY
    )
    if len(priorities) > 1:
        axes[0][0].legend(
            handles=[Patch(color=colours[p], label=f"priority {p}") for p in priorities],
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncol=len(priorities),
            handlelength=1.0,
        )
    style.caption(figure, schemes)
    return figure


def _longest_paused(pauses, limit):
    """The queues paused longest in total, in the order of node, port and priority."""
    total = {queue: sum(end - start for start, end in spans) for queue, spans in pauses.items()}
    longest = sorted(total, key=lambda queue: (-total[queue], queue.sort_key()))[:limit]
    return sorted(longest, key=lambda queue: queue.sort_key())


def _draw_pauses(axis, pauses, queues, colours, factor):
    axis.grid(False, axis="y")
    if not queues:
        axis.set_yticks([])
        axis.text(0.5, 0.5, "no pauses", transform=axis.transAxes, ha="center", color=style.GREY)
        return
    for row, queue in enumerate(queues):
        axis.broken_barh(
            [(start / factor, (end - start) / factor) for start, end in pauses[queue]],
            (row - 0.36, 0.72),
            facecolor=colours[queue.priority],
            # A pause far shorter than a pixel would vanish without an edge.
            edgecolor=colours[queue.priority],
            linewidth=0.4,
        )
    axis.set_ylim(len(queues) - 0.5, -0.5)
    axis.set_yticks(range(len(queues)))
    axis.set_yticklabels([str(queue) for queue in queues], fontsize=6.5)
    axis.tick_params(axis="y", length=0)
    totals = axis.secondary_yaxis("right")
    totals.set_yticks(range(len(queues)))
    totals.set_yticklabels(
        [style.time_text(sum(end - start for start, end in pauses[queue])) for queue in queues],
        fontsize=6.5,
    )
    totals.tick_params(axis="y", length=0)
    totals.spines["right"].set_visible(False)
