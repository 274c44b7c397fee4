# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Writes what reproduce found: report.json for programs, report.md and report.html for readers."""

import base64
import html
import json
import math
import os
import re

from reproduction.engine import write_atomically

REDUCED = (
    "REDUCED SCALE (--fast): fewer seeds, shorter runs, smaller networks. These numbers show that "
    "everything works; they do not judge the papers."
)
VERDICTS = {True: "in band", False: "OUTSIDE", None: "no band"}
COLUMNS = ["", "paper", "ours", "band", "verdict", "reading and remarks"]


# ------------------------------------------------------------------------------------- json --


def number(value):
    """JSON has no NaN."""
    return None if value is None or math.isnan(value) else value


def entries(outcome):
    """What report.json says of a target: an entry for each number, or one with the error."""
    common = {
        "scale": "fast" if outcome.fast else "full",
        "seeds": outcome.seeds,
        "cpu_s": round(outcome.cpu_s, 3),
        "peak_rss_kb": outcome.peak_rss_kb,
    }
    empty = dict.fromkeys(["metric", "paper", "ours", "low", "high"])
    if outcome.error:
        yield {
            "target": outcome.target.name, **empty, "in_band": False, **common,
            "error": outcome.error,
        }  # fmt: skip
    for metric in outcome.metrics:
        yield {
            "target": outcome.target.name,
            "metric": metric.name,
            "paper": number(metric.paper),
            "ours": number(metric.ours),
            "low": metric.low,
            "high": metric.high,
            "in_band": metric.in_band,
            **common,
            "unit": metric.unit,
            "paper_says": metric.says,
            "reading": metric.reading,
            "note": metric.note,
        }


def write_json(path, outcomes):
    content = [entry for outcome in outcomes for entry in entries(outcome)]
    write_atomically(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


# ------------------------------------------------------------------- what both reports say --


def cells(metric):
    remarks = [metric.reading, metric.note]
    return [
        metric.name,
        metric.paper_text,
        metric.text(metric.ours),
        metric.band_text,
        VERDICTS[metric.in_band],
        "; ".join(text for text in remarks if text),
    ]


def verdict(outcome):
    """One for the whole target: 3 of 4 in band."""
    if outcome.error:
        return "failed"
    judged = [m.in_band for m in outcome.metrics if m.in_band is not None]
    return f"{sum(judged)} of {len(judged)} in band" if judged else "no band"


def memory(outcome):
    return f"{outcome.peak_rss_kb / 1024:.0f} MiB" if outcome.peak_rss_kb else "–"


def cost(outcome):
    runs = f"{len(outcome.runs)} run" + "s" * (len(outcome.runs) != 1)
    if not outcome.seeds:
        return f"{runs}." if outcome.error else f"{runs}, no simulation."
    seeds = f"{outcome.seeds} seed" + "s" * (outcome.seeds != 1)
    return f"{runs}, {seeds}: {outcome.cpu_s:.1f} s of CPU, at most {memory(outcome)} for a run."


def commands(runs):
    """The runs' commands, those that differ in the seed alone together."""
    seeds = {}
    for run in runs:
        rest = " ".join(word for word in run.command.split() if not word.startswith("--seed="))
        seeds.setdefault(rest, []).append(run.seed)
    for rest, found in seeds.items():
        more = f"   # and with --seed={', '.join(map(str, found[1:]))}" if len(found) > 1 else ""
        yield rest + (f" --seed={found[0]}" if found != [1] else "") + more


def machine():
    """The processor, which the times depend on."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    except OSError:
        model = None
    return f"{os.cpu_count()} cores" + (f", {model[1].strip()}" if model else "")


def introduction(outcomes, version):
    ns3 = next((outcome.ns3_version for outcome in outcomes if outcome.ns3_version), "")
    judged = [m.in_band for o in outcomes for m in o.metrics if m.in_band is not None]
    failed = sum(bool(outcome.error) for outcome in outcomes)
    words = [
        f"What the papers show, made again with lossless {version}"
        + (f" and ns-3 {ns3}" if ns3 else "")
        + f" on a machine with {machine()}.",
        f"{sum(judged)} of {len(judged)} numbers are in their bands"
        + (f"; {failed} of {len(outcomes)} targets failed." if failed else "."),
        "A band is where a re-implementation that knows neither the seeds nor all parameters of a "
        "paper is credible; it was chosen before our numbers were known.",
        "Times and memory are those of the runs of a target; a run that several targets need is "
        "made once and counted for each. A command lossless-X is the same as ./lossless run X.",
    ]
    return " ".join(words)


# --------------------------------------------------------------------------------- markdown --


def table_row(values):
    return "| " + " | ".join(str(v).replace("|", "\\|") for v in values) + " |"


def markdown(outcomes, version, figures):
    """@param figures where the figures are, seen from the file"""
    lines = ["# Reproduction of the papers", ""]
    if outcomes[0].fast:
        lines += [f"**{REDUCED}**", ""]
    lines += [introduction(outcomes, version), ""]
    lines += [table_row(["target", "what", "verdict", "CPU", "memory"]), table_row(["---"] * 5)]
    for outcome in outcomes:
        name = outcome.target.name
        lines.append(
            table_row([
                f"[{name}](#{name})", outcome.target.title, verdict(outcome),
                f"{outcome.cpu_s:.1f} s", memory(outcome),
            ])
        )  # fmt: skip
    for paper in dict.fromkeys(outcome.target.paper for outcome in outcomes):
        lines += ["", f"## {paper}"]
        for outcome in outcomes:
            if outcome.target.paper == paper:
                lines += markdown_section(outcome, figures)
    return "\n".join(lines) + "\n"


def markdown_section(outcome, figures):
    target = outcome.target
    reduced = " (REDUCED SCALE)" if outcome.fast else ""
    lines = ["", f"### {target.name}", "", f"**{target.title}**{reduced}", ""]
    lines += [f"The paper: {target.shows}", "", f"Here: {target.setup}", ""]
    if outcome.error:
        lines += ["This target failed:", "", "```", outcome.error, "```", ""]
    if outcome.figure:
        lines += [f"![{target.title}]({figures}{outcome.figure.name})", ""]
    if outcome.metrics:
        lines += [table_row(COLUMNS), table_row(["---"] * len(COLUMNS))]
        lines += [table_row(cells(metric)) for metric in outcome.metrics] + [""]
    lines += [cost(outcome), "", "```", *commands(outcome.runs), "```"]
    return lines


# ------------------------------------------------------------------------------------- html --

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 62em; margin: 2em auto;
       padding: 0 1em; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.5em; } h3 { margin-top: 2em; }
table { border-collapse: collapse; width: 100%; font-size: 0.88em; }
th, td { text-align: left; vertical-align: top; padding: 0.35em 0.7em;
         border-bottom: 1px solid #ddd; }
th { color: #555; font-weight: 600; }
img { max-width: 100%; } pre { background: #f4f4f4; padding: 0.7em; overflow-x: auto;
      font-size: 0.8em; }
.reduced { background: #b00020; color: #fff; padding: 0.6em 1em; font-weight: 600; }
.good { color: #00694a; font-weight: 600; } .bad { color: #b00020; font-weight: 600; }
.plain { color: #666; } summary { cursor: pointer; color: #555; }
"""
COLOURS = {True: "good", False: "bad", None: "plain"}


def escaped(text):
    return html.escape(str(text))


def html_table(header, rows):
    """@param rows of cells that are HTML already"""
    head = "".join(f"<th>{escaped(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in rows
    )
    return f"<table>\n<tr>{head}</tr>\n{body}</table>"


def marked(text, judgement):
    return f'<span class="{COLOURS[judgement]}">{escaped(text)}</span>'


def overall(outcome):
    """True, False or None, as of a metric."""
    judged = [m.in_band for m in outcome.metrics if m.in_band is not None]
    if outcome.error:
        return False
    return all(judged) if judged else None


def html_page(outcomes, version):
    """One file with everything in it."""
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f"<title>Reproduction of the papers</title>\n<style>{STYLE}</style>\n</head>\n<body>",
        "<h1>Reproduction of the papers</h1>",
    ]
    if outcomes[0].fast:
        parts.append(f'<p class="reduced">{escaped(REDUCED)}</p>')
    parts.append(f"<p>{escaped(introduction(outcomes, version))}</p>")
    rows = [
        [
            f'<a href="#{outcome.target.name}">{outcome.target.name}</a>',
            escaped(outcome.target.title),
            marked(verdict(outcome), overall(outcome)),
            f"{outcome.cpu_s:.1f} s",
            memory(outcome),
        ]
        for outcome in outcomes
    ]
    parts.append(html_table(["target", "what", "verdict", "CPU", "memory"], rows))
    for paper in dict.fromkeys(outcome.target.paper for outcome in outcomes):
        parts.append(f"<h2>{escaped(paper)}</h2>")
        parts += [html_section(o) for o in outcomes if o.target.paper == paper]
    return "\n".join([*parts, "</body>\n</html>\n"])


def html_section(outcome):
    target = outcome.target
    reduced = ' <span class="bad">REDUCED SCALE</span>' if outcome.fast else ""
    parts = [
        f'<h3 id="{target.name}">{target.name}: {escaped(target.title)}{reduced}</h3>',
        f"<p><b>The paper:</b> {escaped(target.shows)}</p>",
        f"<p><b>Here:</b> {escaped(target.setup)}</p>",
    ]
    if outcome.error:
        parts.append(f'<p class="bad">This target failed:</p><pre>{escaped(outcome.error)}</pre>')
    if outcome.figure:
        data = base64.b64encode(outcome.figure.read_bytes()).decode()
        parts.append(
            f'<p><img alt="{escaped(target.title)}" src="data:image/png;base64,{data}"></p>'
        )
    if outcome.metrics:
        rows = []
        for metric in outcome.metrics:
            row = [escaped(cell) for cell in cells(metric)]
            row[4] = marked(VERDICTS[metric.in_band], metric.in_band)
            rows.append(row)
        parts.append(html_table(COLUMNS, rows))
    listed = escaped("\n".join(commands(outcome.runs)))
    parts.append(
        f"<details><summary>{cost(outcome)} Commands</summary><pre>{listed}</pre></details>"
    )
    return "\n".join(parts)


def write(out, outcomes, version):
    """report.json, report.md and report.html."""
    write_json(out / "report.json", outcomes)
    write_atomically(out / "report.md", markdown(outcomes, version, ""))
    write_atomically(out / "report.html", html_page(outcomes, version))


def commit(folder, outcomes, version):
    """reproduction.md and reproduction/*.png: the form that is kept in doc/."""
    figures = folder / "reproduction"
    figures.mkdir(parents=True, exist_ok=True)
    for old in figures.glob("*.png"):
        old.unlink()
    for outcome in outcomes:
        (figures / outcome.figure.name).write_bytes(outcome.figure.read_bytes())
    write_atomically(
        folder / "reproduction.md", markdown(outcomes, version, "reproduction/")
    )
