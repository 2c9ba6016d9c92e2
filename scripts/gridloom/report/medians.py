"""The results of one run: medians by configuration, with plain names of columns."""

import numpy as np

from gridloom.report.html import prose, table
from gridloom.report.names import column, described
from gridloom.results import PlotError, read_runs
from gridloom.results_file import read_results
from gridloom.statistics import median_interval
from gridloom.text import NONE, number, si
from gridloom_datasets.hdf5_text import plain


def shown_median(samples):
    """The median of the measured values of a column, with its interval if there is one."""
    samples = samples[~np.isnan(samples)]
    if len(samples) == 0:
        return NONE
    median, low, high = map(number, median_interval(samples))
    return median if low == high == median else f"{median} [{low}, {high}]"


def median_rows(runs, wanted):
    """[({column: value}, number of samples, [medians as text])], one per combination of columns."""
    # Counting accesses slows the program down, so only rows without counters have meaningful times.
    timed = runs.only(counters=0) if "counters" in runs else runs
    columns = [*(name for name in wanted.group if name != "counters"), "status"]
    for key, group in timed.groups(columns):
        if key.get("status", "ok") != "ok":  # the time of a failed run is no result
            yield key, len(group), [NONE] * (len(wanted.values) + bool(wanted.per_second))
            continue
        cells = [shown_median(np.asarray(group[name], dtype=float)) for name in wanted.values]
        if wanted.per_second:
            rate = group[wanted.per_second] / (group["elapsed_ms"] * 1e-3)
            cells.append(si(median_interval(rate)[0]))
        yield key, len(group), cells


def in_order(rows):
    """Groups rows by the first column. Numbers ascend, and texts keep their order."""
    found = {name: dict.fromkeys(key[name] for key, *_ in rows) for name in rows[0][0]}
    places = {}
    for name, values in found.items():
        are_numbers = all(isinstance(value, int | float) for value in values)
        ordered = sorted(values) if are_numbers else values
        places[name] = {value: place for place, value in enumerate(ordered)}
    return sorted(rows, key=lambda row: [places[name][value] for name, value in row[0].items()])


def key_text(value):
    if isinstance(value, int):
        return f"{value:,}"
    return number(value) if isinstance(value, float) else str(value)


def attributes_of(path, table_name):
    """{column: (unit, description)} from the file."""

    def read(file):
        return {
            name: tuple(plain(data.attrs.get(key, "")) for key in ("unit", "description"))
            for name, data in file[table_name].items()
        }

    return read_results(path, read, PlotError)


def explained(names, attributes):
    """Explains columns in the words of the file."""
    known = [
        (column(name, attributes[name][0]), described(attributes[name][1]))
        for name in names
        if name in attributes
    ]
    items = "".join(
        f"<dt>{prose(title)}</dt><dd>{prose(text)}</dd>"
        for title, text in known
        if text not in ("", title)
    )
    return f'<dl class="columns">{items}</dl>\n' if items else ""


def medians(path, wanted):
    """The table of medians. The values that all rows share stand before it."""
    rows = list(median_rows(read_runs(path, wanted.rows), wanted))
    attributes = attributes_of(path, wanted.rows)
    if not rows:
        return '<p class="none">No rows.</p>\n'
    rows = in_order(rows)
    first = rows[0][0]

    def title(name):
        return column(name, attributes.get(name, ("",))[0])

    names = [name for name in first if name != "status"]
    if any(key.get("status", "ok") != "ok" for key, _, _ in rows):
        names.append("status")
    varying = [name for name in names if len({key[name] for key, _, _ in rows}) > 1]
    shared = [name for name in names if name not in varying]
    text = "; ".join(f"{title(name)}: {key_text(first[name])}" for name in shared)
    heads = [*map(title, varying), "samples", *map(title, wanted.values)]
    if wanted.per_second:
        heads.append(f"{wanted.per_second} per second")
    cells = [
        [*(key_text(key[name]) for name in varying), f"{samples:,}", *own]
        for key, samples, own in rows
    ]
    numbers = [k for k, name in enumerate(varying) if isinstance(first[name], int | float)]
    numbers += range(len(varying), len(heads))
    return (
        (f'<p class="shared">All rows: {prose(text)}.</p>\n' if text else "")
        + table(heads, cells, numbers, "medians")
        + explained([*names, *wanted.values], attributes)
    )


def run_section(run, path):
    try:
        return medians(path, run.table)
    except PlotError as error:
        return f'<p class="failed">{prose(str(error))}</p>\n'
