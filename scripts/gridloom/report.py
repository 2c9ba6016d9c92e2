"""Writes the HTML report of scripts/reproduce: one file, figures embedded, no other resources."""

import base64
import os
from html import escape
from pathlib import Path

import numpy as np

from gridloom.results import PlotError, read_meta, read_runs
from gridloom.statistics import median_interval
from gridloom.text import si

STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; }
h1, h2 { font-weight: 600; } h2 { border-top: 1px solid #ccc; padding-top: 1em; }
figure { margin: 1.5em 0; } img { max-width: 100%; } figcaption { color: #555; font-size: 90%; }
table { border-collapse: collapse; font-size: 85%; margin: 1em 0; }
th, td { border-bottom: 1px solid #ddd; padding: .15em .7em; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td { overflow-wrap: anywhere; }
.failed { font-weight: 600; border-left: .3em solid #a00; padding-left: .6em; }
pre { background: #f4f4f4; padding: .7em; overflow-x: auto; }
"""


def table(header, rows):
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(cell(value) for value in row)}</tr>\n" for row in rows)
    return f"<table><tr>{head}</tr>\n{body}</table>\n"


def cell(value):
    kind = ' class="number"' if isinstance(value, int | float) else ""
    return f"<td{kind}>{escape(str(value))}</td>"


def shown_median(samples):
    """The median of what was measured of a column, with its interval where there is one."""
    samples = samples[~np.isnan(samples)]
    if len(samples) == 0:
        return "–"
    median, low, high = median_interval(samples)
    if len(samples) < 2:
        return f"{median:.4g}"
    return f"{median:.4g} ({low:.4g} to {high:.4g})"


def timed_rows(runs):
    """The rows whose times mean something: counting accesses slows the program."""
    return runs.only(counters=0) if "counters" in runs else runs


def grouping(wanted):
    """What makes a row of the table; `counters` is the same in all that are left."""
    return [*(name for name in wanted.group if name != "counters"), "status"]


def median_rows(runs, wanted):
    """One row a combination of the declared columns: status, number of samples, medians."""
    for key, group in timed_rows(runs).groups(grouping(wanted)):
        row = [*key.values(), len(group)]
        if key.get("status", "ok") != "ok":  # what such a run took is no result
            yield row + [""] * (len(wanted.values) + bool(wanted.per_second))
            continue
        row += [shown_median(np.asarray(group[name], dtype=float)) for name in wanted.values]
        if wanted.per_second:
            rate = group[wanted.per_second] / (group["elapsed_ms"] * 1e-3)
            row.append(f"{si(median_interval(rate)[0])}/s")
        yield row


def medians(runs, wanted):
    known = [name for name in grouping(wanted) if name in runs]
    header = [*known, "samples", *wanted.values]
    if wanted.per_second:
        header.append(f"{wanted.per_second} per second")
    return table(header, median_rows(runs, wanted))


def embedded(path):
    data = base64.b64encode(Path(path).read_bytes()).decode()
    return f"data:image/png;base64,{data}"


def run_section(run, path, named):
    """What one run measured, and on what."""
    if not path.is_file():
        return ""
    of = f" of {escape(run.name)}" if named else ""
    try:
        parts = [f"<h3>Medians{of}, with bootstrap 95 % intervals</h3>\n"]
        parts.append(medians(read_runs(path, run.table.rows), run.table))
        parts.append("<h3>About this run</h3>\n")
        parts.append(table(["attribute", "value"], sorted(read_meta(path).items())))
    except PlotError as error:
        return f'<p class="failed">{escape(str(error))}</p>\n'
    return "".join(parts)


def section(outcome):
    artifact = outcome.artifact
    parts = [f"<h2>{escape(artifact.name)}</h2>\n<p>{escape(artifact.title)}</p>\n"]
    parts += [f'<p class="failed">{escape(text)}</p>\n' for text in outcome.failures]
    for figure, path in outcome.figures:
        name, text = escape(figure.name), escape(figure.description)
        parts.append(f'<figure><img src="{embedded(path)}" alt="{text}">')
        parts.append(f"<figcaption>{name}: {text}</figcaption></figure>\n")
    if outcome.notes:
        parts.append(f"<pre>{escape(outcome.notes)}</pre>\n")
    for run, path in outcome.results:
        parts.append(run_section(run, path, named=len(outcome.results) > 1))
    parts.append(f"<p>{outcome.seconds:.1f} s in all.</p>\n")
    return "".join(parts)


def write_report(path, outcomes):
    """Writes beside the target and renames, so that a reader never sees half a report."""
    body = "".join(section(outcome) for outcome in outcomes)
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Gridloom report</title><style>{STYLE}</style></head>\n<body>"
        "<h1>Gridloom: smoke experiments</h1>\n<p>Short runs that show that everything works; the "
        "README of each artifact gives the commands of the full experiments.</p>\n"
        f"{body}</body></html>\n"
    )
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_text(page, encoding="utf-8")
    temporary.replace(path)
