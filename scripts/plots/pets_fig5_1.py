#!/usr/bin/env python3
"""PETS: run time against the number of tasks, a line an implementation (fig. 5.1 of Messina).

Left levels, ranks and order, that is entry discovery, metrics and sort; right the whole schedule.
The thesis shows the run time of rectangular_vectorised alone. Graphs of a row differ in size and
seed only; how many levels they have stands on the upper axis, since a level costs a step.
"""

import sys

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullFormatter

from gridloom_plots import PlotError, joined, main, si, use_style
from pets_data import (
    Results,
    by_size,
    draw_curve,
    elapsed_ms,
    finish_notes,
    levels_by_size,
    order_ms,
    style_of,
    sweeps_of,
)


def draw_panel(axes, curves, title, levels):
    for name, points in curves.items():
        draw_curve(axes, name, points, style_of(name, curves))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("tasks")
    axes.set_ylabel("ms")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: si(value)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_title(title, fontsize=9)
    draw_levels(axes, levels)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, fontsize=7)


def draw_levels(axes, levels):
    """The depth of the graphs on an axis above the tasks."""
    top = axes.secondary_xaxis("top")
    top.set_xticks(list(levels), list(levels.values()), fontsize=7, rotation=30, ha="left")
    top.set_xticks([], minor=True)
    top.xaxis.set_minor_formatter(NullFormatter())
    top.spines["top"].set_visible(True)
    top.set_xlabel("levels", fontsize=8)


def draw(results, algorithm="pets_append"):
    sweeps, notes = sweeps_of(results, algorithm)
    rows = joined([own for *_, own in sweeps])
    use_style()
    figure, grid = plt.subplots(
        len(sweeps), 2, figsize=(10.5, 0.6 + 5.0 * len(sweeps)), layout="constrained",
        squeeze=False,
    )  # fmt: skip
    parts = [("levels, ranks and order", order_ms), (f"whole schedule ({algorithm})", elapsed_ms)]
    for panels, (setting, family, own) in zip(grid, sweeps, strict=True):
        for axes, (part, value) in zip(panels, parts, strict=True):
            curves = by_size(own, value)
            if not curves:
                raise PlotError(f"no rows with status ok of {algorithm} for {part}")
            title = f"{part}\n{setting.title}\n{family}"
            draw_panel(axes, curves, title, levels_by_size(own))
    figure.suptitle("PETS: run time against the number of tasks (fig. 5.1)", fontweight="bold")
    notes.append("Without making a layout, copying it to the device and the schedule back.")
    finish_notes(figure, rows, notes)
    return figure


OPTIONS = {"algorithm": {"default": "pets_append", "help": "default: %(default)s"}}

if __name__ == "__main__":
    sys.exit(main("pets_fig5_1", __doc__, draw, more=OPTIONS, read=Results))
