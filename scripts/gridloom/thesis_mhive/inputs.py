"""The properties of a program's matrices beside those of the thesis (tables 8.1, 8.2 and 8.4)."""

import numpy as np

from gridloom import charts
from gridloom.style import dot_style
from gridloom.text import counted, si
from gridloom.thesis_mhive.rcm import short
from gridloom.thesis_mhive.series import draw_series, name_series_rows
from gridloom_datasets.manifest import read_manifest

MEASURED, THESIS = dot_style("ours"), dot_style("published")
PROPERTIES = {"rows": 0, "entries": 1, "entries per row": 2}


def with_mean(rows, entries):
    return rows, entries, entries / rows


def entry_of(number):
    """A number that has no interval, for draw_series()."""
    return number, np.array([number])


def sizes_of(runs):
    """{matrix: (rows, entries, entries per row)} of a results file."""
    firsts = runs.drop_duplicates("matrix")
    sizes = zip(firsts["matrix"], firsts["rows"], firsts["entries"], strict=True)
    return {short(matrix): with_mean(int(n), int(entries)) for matrix, n, entries in sizes}


def draw(runs, table, title, more=()):
    """Draws one row per matrix. `table` is that of the thesis. `more` has further panels: (title,
    [(label, {matrix: number}, style)])."""
    own = sizes_of(runs)
    theirs = {
        matrix.name: with_mean(matrix.n, matrix.entries)
        for matrix in read_manifest().values()
        if table in matrix.tables
    }
    rows = []
    for heading, names in (("measured here", own), (f"only in table {table}", theirs.keys() - own)):
        sizes = own | theirs
        rows += [(f"{heading}: {counted(names)}", [])] if names else []
        rows += [(name, [name]) for name in sorted(names, key=lambda name: (sizes[name], name))]
    sources = [("measured here", own, MEASURED), ("thesis", theirs, THESIS)]
    panels = [
        (what, [(label, column(sizes, at), style) for label, sizes, style in sources])
        for what, at in PROPERTIES.items()
    ]
    panels += more
    size = (2.2 + 2.3 * len(panels), 0.9 + 0.19 * len(rows))
    figure, grid = charts.panel_grid(1, len(panels), size, sharey=True)
    for axes, (what, series) in zip(grid[0], panels, strict=True):
        entries = [
            (label, {name: entry_of(number) for name, number in found.items()}, style)
            for label, found, style in series
        ]
        draw_series(axes, rows, entries, 0.4)
        axes.xaxis.set_major_formatter(lambda value, _: si(value))
        axes.set_title(what)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="y", linestyle=":")
    name_series_rows(grid[0][0], rows)
    for axes in (grid[0][0], *grid[0][len(PROPERTIES) :]):
        charts.legend_below(axes, inches=0.3, fontsize=7.5)
    machine = ", ".join(sorted(set(runs["machine"] + " (" + runs["backend"] + ")")))
    notes = ["The thesis's numbers are those of the collection's index (datasets/manifest.toml)."]
    return charts.frame(figure, title, machine, notes)


def column(sizes, at):
    return {name: values[at] for name, values in sizes.items()}
