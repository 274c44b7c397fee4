#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Draws the figures of a run into its folder.

slowdown.png  FCT slowdown against flow size: 50th, 95th and 99th percentile
fct-cdf.png   distribution of the flow completion times
queue.png     queue length over time of the queues that grew longest (if ports were sampled)
pauses.png    when PFC paused which priority of which port (if pfc.csv is there)
"""

import argparse
import sys
from pathlib import Path

import console
import files


def draw(folder, size_axis, ports):
    """Writes the figures and returns their paths; figures without data are not written."""
    # Not above, as importing matplotlib takes long and may fail.
    import plot_figures
    import plot_style
    import run_folder

    schemes = run_folder.read_run(folder)
    plot_style.apply()
    figures = {
        "slowdown.png": plot_figures.slowdown(schemes, size_axis),
        "fct-cdf.png": plot_figures.fct_cdf(schemes),
        "queue.png": plot_figures.queue_length(schemes, ports),
        "pauses.png": plot_figures.pause_timeline(schemes),
    }
    written = []
    for name, figure in figures.items():
        path = Path(folder) / name
        if figure is None:
            # A figure of an earlier run in this folder would be taken for this one's.
            path.unlink(missing_ok=True)
            continue
        plot_style.save(figure, path)
        written.append(path)
    return written


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", metavar="DIR", help="the folder of a run, with summary.json")
    parser.add_argument(
        "--size-axis",
        choices=("percentile", "log"),
        default="percentile",
        help="axis of the flow sizes: each bin equally wide, or logarithmic (default: %(default)s)",
    )
    parser.add_argument(
        "--ports",
        type=int,
        choices=range(1, 8),
        default=4,
        help="number of queues in queue.png (default: %(default)s)",
    )
    with console.printing():  # --help
        options = parser.parse_args()
    with files.held(Path(options.folder)):
        written = draw(options.folder, options.size_axis, options.ports)
    for path in written:
        console.say(path)
    return 0


if __name__ == "__main__":
    sys.exit(console.start(main))
