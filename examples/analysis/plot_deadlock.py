#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""The figure of the manual's chapter on PFC deadlock, from runs of the bundled ring.

    plot_deadlock.py OUT.png NONE DROP FORWARD ACYCLIC

takes the folders of the four runs that the chapter names, sampled at switch s10.
"""

import csv
import math
import sys
from pathlib import Path

import plot_style
from matplotlib import pyplot
from matplotlib.patches import Circle, FancyArrowPatch

SWITCHES = 5
END_MS = 2.0
PORT = ("s10", "2", "3")  # node, port and priority of the queue that is drawn
RED = plot_style.COLOURS[1]
BLUE = plot_style.COLOURS[0]


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def of_port(folder, name):
    return [r for r in rows(Path(folder) / name) if (r["node"], r["port"], r["priority"]) == PORT]


def pauses(folder):
    """When the port was OFF [ms]: (begin, length)."""
    spans, begin = [], None
    for row in of_port(folder, "pfc.csv"):
        time = float(row["time_s"]) * 1e3
        if row["pause"] == "1":
            begin = time
        else:
            spans.append((begin, time - begin))
            begin = None
    return spans + ([(begin, END_MS - begin)] if begin is not None else [])


def completions(folder):
    """When flows completed [ms], in order."""
    done = [float(r["start_s"]) + float(r["fct_s"])
            for r in rows(Path(folder) / "flows.csv") if r["fct_s"]]
    return sorted(time * 1e3 for time in done)


def draw_ring(axes):
    """The switches, their hosts, and which port waits for which."""
    axes.set_aspect("equal")
    axes.axis("off")
    place = [(math.sin(2 * math.pi * i / SWITCHES), math.cos(2 * math.pi * i / SWITCHES))
             for i in range(SWITCHES)]
    for i, (x, y) in enumerate(place):
        for side in (-0.13, 0.13):
            angle = math.atan2(x, y) + side
            hx, hy = 1.5 * math.sin(angle), 1.5 * math.cos(angle)
            axes.plot([x, hx], [y, hy], color=plot_style.GREY, linewidth=0.7, zorder=1)
            axes.add_patch(Circle((hx, hy), 0.115, facecolor="white", linewidth=0.7,
                                  edgecolor=plot_style.GREY, zorder=2))
            host = 2 * i + (side > 0)
            axes.text(hx, hy, f"h{host}", ha="center", va="center", fontsize=5.5, zorder=3)
        axes.add_patch(Circle((x, y), 0.23, facecolor="#EEEEEE", edgecolor="black",
                              linewidth=0.8, zorder=2))
        axes.text(x, y, f"s{10 + i}", ha="center", va="center", fontsize=8, zorder=3)
        axes.add_patch(FancyArrowPatch((x, y), place[(i + 1) % SWITCHES], color=RED, shrinkA=11,
                                       shrinkB=11, arrowstyle="-|>", mutation_scale=9,
                                       linewidth=1.6, zorder=1))
    axes.text(0, 0, "each port is OFF\nuntil the next\none sends", ha="center", va="center",
              fontsize=7, color=RED)
    axes.set_xlim(-1.72, 1.72)
    axes.set_ylim(-1.6, 1.72)
    axes.set_title("(a) the cycle in which the ports wait", pad=2)


def draw_queue(axes, folder, title):
    samples = of_port(folder, "ports.csv")
    axes.broken_barh(pauses(folder), (0, 235), facecolor=RED, alpha=0.16, linewidth=0)
    axes.plot([float(r["time_s"]) * 1e3 for r in samples],
              [float(r["queue_bytes"]) / 1e3 for r in samples], color=BLUE, linewidth=1)
    done = completions(folder)
    axes.plot(done, [-14] * len(done), "^", color=plot_style.COLOURS[2], clip_on=False,
              markersize=4, markeredgewidth=0, zorder=5)
    axes.set_xlim(0, END_MS)
    axes.set_ylim(-24, 235)
    axes.set_yticks([0, 100, 200])
    axes.set_title(title, loc="left", pad=3)


def main(out, *folders):
    plot_style.apply()
    figure = pyplot.figure(figsize=(plot_style.WIDTH, 4.6))
    draw_ring(figure.add_axes((0.005, 0.2, 0.37, 0.72)))
    grid = figure.add_gridspec(4, 1, left=0.46, right=0.98, top=0.945, bottom=0.15, hspace=0.42)
    last = [completions(folder)[-1:] for folder in folders]
    titles = [
        f"(b) no watchdog: {len(completions(folders[0]))} of 10 flows ever complete",
        f"(c) watchdog, Drop: all complete, the last at {last[1][0]:.1f} ms",
        f"(d) watchdog, Forward: all complete, the last at {last[2][0]:.2f} ms",
        f"(e) static routes without a cycle: the last at {last[3][0]:.2f} ms",
    ]
    first = None
    for i, (folder, title) in enumerate(zip(folders, titles)):
        axes = figure.add_subplot(grid[i], sharex=first)
        first = first or axes
        draw_queue(axes, folder, title)
        axes.tick_params(labelbottom=i == len(folders) - 1)
    axes.set_xlabel("time [ms]")
    handles = [
        pyplot.Line2D([], [], color=BLUE, linewidth=1, label="queue at s10 to s11 [KB]"),
        pyplot.Rectangle((0, 0), 1, 1, facecolor=RED, alpha=0.16, label="the port is OFF"),
        pyplot.Line2D([], [], color=plot_style.COLOURS[2], marker="^", linestyle="", markersize=4,
                      label="a flow completes"),
    ]
    figure.legend(handles=handles, loc="lower right", ncol=3, bbox_to_anchor=(0.99, 0))
    plot_style.save(figure, Path(out))


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
