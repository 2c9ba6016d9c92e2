#!/usr/bin/env python3
"""METG(50 %) of every scheduler by pattern, for equal and for uneven durations.

METG is the mean duration of a task from which on a scheduler is at least half as fast as the larger
of work over units and critical path."""

from matplotlib.lines import Line2D

from gridloom.charts import family_handles, frame, name_rows, panel_grid, plain
from gridloom.figure import main
from gridloom.results import PlotError, machine_of
from gridloom.schedulers import data
from gridloom.text import duration, in_order

LAWS_SHOWN = 2
NAMED = 4  # so many schedulers of each family have their own symbols


def read(path):
    found = data.read_metg(path, "metg")
    # A cluster is judged by its own few workers.
    return found[found["scheduler"] != "barriers-cluster"], machine_of(path)


def is_named(name):
    return name in data.ARMS.places and data.ARMS.place(name)[1] < NAMED


def draw_panel(axes, found, patterns):
    for name, own in found.groupby("scheduler", sort=False):
        family = data.FAMILY[own["by"].iloc[0]]
        style = data.ARMS.dot(name) if is_named(name) else {"color": data.ARMS.dot(name)["color"]}
        shift = {"published": -0.22, "rivals": 0.0, "ours": 0.22}[family]
        heights = [patterns.index(pattern) + shift for pattern in own["pattern"]]
        if not is_named(name):
            style |= {"marker": ".", "markersize": 3, "linestyle": ""}
        axes.plot(own["metg_ns"], heights, **plain(style), alpha=0.9)
        for (_, row), height in zip(own.iterrows(), heights, strict=True):
            if row["bound"] == "> ":
                spot, ink = (row["metg_ns"], height), style["color"]
                axes.annotate("→", spot, (3, 0), textcoords="offset points", va="center", color=ink)
    axes.set_xscale("log")
    axes.set_xlim(data.LEAST_NS / 1.3, data.MOST_NS * 1.3)
    axes.xaxis.set_major_formatter(lambda value, _: duration(value))
    axes.set_xlabel("METG(50 %), shorter is better")
    name_rows(axes, patterns)


def draw(found, shape):
    found, machine = found
    found = found[found["shape"] == shape]
    if len(found) == 0:
        raise PlotError(f"/metg has no {shape} graphs")
    laws = in_order(found["durations"], data.LAWS)[:LAWS_SHOWN]
    patterns = list(dict.fromkeys(found["pattern"]))
    size = (9.4, 0.9 + 0.36 * len(patterns))
    figure, [panels] = panel_grid(1, len(laws), size, sharey=True)
    for axes, law in zip(panels, laws, strict=True):
        draw_panel(axes, found[found["durations"] == law], patterns)
        axes.set_title(f"durations: {data.LAW_TITLES[law]}")
    handles = [
        Line2D([], [], label=name, **plain(data.ARMS.dot(name)))
        for name in in_order(found["scheduler"], data.ARMS.places)
        if is_named(name)
    ]
    threads = ", ".join(str(one) for one in sorted(set(found["threads"])))
    notes = [
        "Small dots: further schedulers of the family with this colour.",
        "Arrows: the search ended, because runs took too long.",
    ]
    title = f"How short a task may be, {shape} graphs"
    families = family_handles({data.FAMILY[by] for by in found["by"]})
    subtitle = f"{machine}, {threads} threads per task"
    return frame(figure, title, subtitle, notes, [*handles, *families], columns=5)


if __name__ == "__main__":
    shape = {"default": "square", "choices": data.SHAPES, "help": "default: %(default)s"}
    main("schedulers_metg", __doc__, draw, read=read, more={"shape": shape}, files={"nargs": None})
