# SPDX-License-Identifier: GPL-2.0-only
# Copyright (c) 2026 The lossless authors
"""Writes what reproduce found: report.json for programs, report.md and report.html for readers."""

import base64
import html
import json
import math
import os
import re

from files import write_atomically

REDUCED = (
    "REDUCED SCALE (--fast): fewer seeds, shorter runs, smaller networks. These numbers show that "
    "everything works; they do not judge the papers."
)
VERDICTS = {True: "in band", False: "OUTSIDE", None: "no band"}
FILES = ("report.json", "report.md", "report.html")
TITLE = "Reproduction of the papers"
INTRODUCTION = (
    "What the papers show, made again with lossless. A band is where a re-implementation that "
    "knows neither the seeds nor all parameters of a paper is credible; it was chosen before our "
    "numbers were known. Times and memory are those of the runs of a target; a run that several "
    "targets need is made once and counted for each. A command lossless-X is the same as "
    "./lossless run X."
)
TARGET_COLUMNS = ["target", "what", "verdict", "CPU", "memory"]
METRIC_COLUMNS = ["", "paper", "ours", "band", "verdict", "reading and remarks"]
NUMBER = re.compile(r"–|-?\d+(\.\d+)?( %)?")


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


def json_text(outcomes):
    content = [entry for outcome in outcomes for entry in entries(outcome)]
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


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


def by_paper(outcomes):
    """Paper -> its outcomes, both in order."""
    papers = {}
    for outcome in outcomes:
        papers.setdefault(outcome.target.paper, []).append(outcome)
    return papers


def made_with(outcomes, version):
    """What a paper's outcomes were made with, and what came of them in sum."""
    ns3 = next((outcome.ns3_version for outcome in outcomes if outcome.ns3_version), "")
    judged = [m.in_band for o in outcomes for m in o.metrics if m.in_band is not None]
    failed = sum(bool(outcome.error) for outcome in outcomes)
    words = [
        f"Made with lossless {version}"
        + (f" and ns-3 {ns3}" if ns3 else "")
        + f" on a machine with {machine()}."
    ]
    if judged:
        words.append(f"{sum(judged)} of {len(judged)} numbers are in their bands.")
    if failed:
        words.append(f"{failed} of {len(outcomes)} targets failed.")
    return " ".join(words)


def numeric_columns(table):
    """The columns that hold numbers alone, or none at all; they are aligned to the right."""
    return {
        index
        for index, column in enumerate(zip(*table.rows))
        if all(NUMBER.fullmatch(cell) for cell in column)
    }


# --------------------------------------------------------------------------------- markdown --


def table_row(values):
    return "| " + " | ".join(str(v).replace("|", "\\|") for v in values) + " |"


def markdown_table(header, rows, numeric=()):
    """@param numeric columns that are aligned to the right"""
    rule = ["---:" if index in numeric else "---" for index in range(len(header))]
    return [table_row(row) for row in (header, rule, *rows)]


def markdown(outcomes, version):
    parts = [markdown_part(found, version, "") for found in by_paper(outcomes).values()]
    return "\n".join([markdown_top(outcomes[0].fast), *parts])


def markdown_top(fast):
    """What stands once, before the parts of the papers."""
    lines = [f"# {TITLE}", "", *([f"**{REDUCED}**", ""] if fast else []), INTRODUCTION]
    return "\n".join(lines) + "\n"


def markdown_part(outcomes, version, figures):
    """A paper's part, which stands by itself.

    @param outcomes of one paper
    @param figures where the figures are, seen from the file
    """
    rows = []
    for outcome in outcomes:
        name = outcome.target.name
        rows.append([
            f"[{name}](#{name})", outcome.target.title, verdict(outcome),
            f"{outcome.cpu_s:.1f} s", memory(outcome),
        ])  # fmt: skip
    lines = [f"## {outcomes[0].target.paper}", "", made_with(outcomes, version), ""]
    lines += markdown_table(TARGET_COLUMNS, rows)
    for outcome in outcomes:
        lines += markdown_section(outcome, figures)
    return "\n".join(lines) + "\n"


def markdown_section(outcome, figures):
    target = outcome.target
    reduced = " (REDUCED SCALE)" if outcome.fast else ""
    lines = ["", f"### {target.name}", "", f"**{target.title}**{reduced}", ""]
    if target.shows:
        lines += [f"The paper: {target.shows}", ""]
    lines += [f"Here: {target.setup}", ""]
    if outcome.error:
        lines += ["This target failed:", "", "```", outcome.error, "```", ""]
    if outcome.figure:
        lines += [f"![{target.title}]({figures}{outcome.figure.name})", ""]
    if outcome.metrics:
        lines += [*markdown_table(METRIC_COLUMNS, map(cells, outcome.metrics)), ""]
    for table in outcome.tables:
        lines += [f"{table.title}:", ""]
        lines += [*markdown_table(table.header, table.rows, numeric_columns(table)), ""]
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
.number { text-align: right; font-variant-numeric: tabular-nums; }
img { max-width: 100%; } pre { background: #f4f4f4; padding: 0.7em; overflow-x: auto;
      font-size: 0.8em; }
.reduced { background: #b00020; color: #fff; padding: 0.6em 1em; font-weight: 600; }
.good { color: #00694a; font-weight: 600; } .bad { color: #b00020; font-weight: 600; }
.plain { color: #666; } summary { cursor: pointer; color: #555; }
"""
COLOURS = {True: "good", False: "bad", None: "plain"}


def escaped(text):
    return html.escape(str(text))


def html_table(header, rows, numeric=()):
    """@param rows of cells that are HTML already @param numeric columns aligned to the right"""

    def html_row(tag, row):
        tags = [f'<{tag} class="number">' if i in numeric else f"<{tag}>" for i in range(len(row))]
        return "<tr>" + "".join(f"{t}{cell}</{tag}>" for t, cell in zip(tags, row)) + "</tr>\n"

    body = "".join(html_row("td", row) for row in rows)
    return f"<table>\n{html_row('th', [escaped(cell) for cell in header])}{body}</table>"


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
        f"<title>{TITLE}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
        f"<h1>{TITLE}</h1>",
    ]
    if outcomes[0].fast:
        parts.append(f'<p class="reduced">{escaped(REDUCED)}</p>')
    parts.append(f"<p>{escaped(INTRODUCTION)}</p>")
    parts += [html_part(found, version) for found in by_paper(outcomes).values()]
    return "\n".join([*parts, "</body>\n</html>\n"])


def html_part(outcomes, version):
    """@param outcomes of one paper"""
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
    parts = [
        f"<h2>{escaped(outcomes[0].target.paper)}</h2>",
        f"<p>{escaped(made_with(outcomes, version))}</p>",
        html_table(TARGET_COLUMNS, rows),
        *map(html_section, outcomes),
    ]
    return "\n".join(parts)


def html_section(outcome):
    target = outcome.target
    reduced = ' <span class="bad">REDUCED SCALE</span>' if outcome.fast else ""
    parts = [
        f'<h3 id="{target.name}">{target.name}: {escaped(target.title)}{reduced}</h3>',
        f"<p><b>The paper:</b> {escaped(target.shows)}</p>" if target.shows else "",
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
        parts.append(html_table(METRIC_COLUMNS, rows))
    for table in outcome.tables:
        rows = [[escaped(cell) for cell in row] for row in table.rows]
        parts.append(f"<p>{escaped(table.title)}:</p>")
        parts.append(html_table(table.header, rows, numeric_columns(table)))
    listed = escaped("\n".join(commands(outcome.runs)))
    parts.append(
        f"<details><summary>{cost(outcome)} Commands</summary><pre>{listed}</pre></details>"
    )
    return "\n".join(parts)


def remove(out):
    """Removes what write() has left."""
    for name in FILES:
        (out / name).unlink(missing_ok=True)


def write(out, outcomes, version):
    """report.json, report.md and report.html."""
    for name, text in zip(
        FILES, (json_text(outcomes), markdown(outcomes, version), html_page(outcomes, version))
    ):
        write_atomically(out / name, text)
