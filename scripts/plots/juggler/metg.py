#!/usr/bin/env python3
"""Juggler: efficiency against task duration, and the METG(50 %) of every scheduler.

What they are says gridloom/juggler/metg.py. The values go to standard output as well.
"""

import gridloom_datasets.endings  # noqa: F401

import sys

import matplotlib.pyplot as plt

from gridloom.charts import (
    INTERVALS,
    draw_curve,
    family_handles,
    frame,
    left_out_note,
    legend_below,
)
from gridloom.figure import main
from gridloom.juggler.data import METHODS, NAMES, POLICIES, machine_of, read_results
from gridloom.juggler.metg import curves, graph_runs
from gridloom.metg import LEVEL, metg, metg_text
from gridloom.style import use_style
from gridloom.text import duration, span
from gridloom_datasets.errors import say


def panels_of(found):
    """{title: methods}: Juggler's policies, and the others, without empty panels."""
    own = [method for method in found if method in POLICIES]
    others = [method for method in found if method not in [*POLICIES, "serial"]]
    named = {"policies of the runtime": own, "without the runtime": others}
    return {title: methods for title, methods in named.items() if methods}


def draw_panel(axes, found, methods):
    for method in methods:
        points = found[method]
        lengths, middle = ([point[k] for point in points] for k in (0, 1))
        text = metg_text(lengths, middle)
        say(f"  {method:<14} {text}")
        draw_curve(axes, f"{NAMES.get(method, method)}: {text}", points, METHODS.line(method))
        value = metg(lengths, middle)
        if value is not None and min(middle) < LEVEL:
            colour = METHODS.line(method)["color"]
            axes.plot([value, value], [0, LEVEL], color=colour, lw=0.7, linestyle=":")
    axes.axhline(LEVEL, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: duration(value))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.set_xlabel("task duration")
    legend_below(axes, title="METG(50 %), at the dotted lines", title_fontsize=8, ncols=2)


def draw(runs):
    found, rows = curves(runs), graph_runs(runs)
    panels = panels_of(found)
    use_style()
    figure, [axes_of] = plt.subplots(
        1, len(panels), figsize=(5 * len(panels), 4), layout="constrained", squeeze=False,
        sharey=True,
    )  # fmt: skip
    say(f"METG(50 %), {machine_of(rows)}")
    for axes, (title, methods) in zip(axes_of, panels.items(), strict=True):
        draw_panel(axes, found, methods)
        axes.set_title(title)
    axes_of[0].set_ylabel("efficiency: least time of any schedule / time")
    axes_of[0].set_ylim(bottom=0)
    workers = span([int(n) for n in rows["workers"] if n > 1] or [1], lambda n: f"{n:,}")
    graph = f"{rows['input'][0]}, {int(rows['tasks'][0]):,} tasks"
    notes = [
        INTERVALS,
        f"Graph: {graph}, at most {int(rows['widest_wave'][0]):,} at once. Workers: {workers}.",
        *left_out_note(runs.only(app="graph"), "method"),
    ]
    families = {METHODS.family(method) for methods in panels.values() for method in methods}
    title = "Juggler: efficiency and METG(50 %)"
    frame(figure, title, machine_of(rows), notes, family_handles(families))
    return figure


if __name__ == "__main__":
    sys.exit(main("juggler_metg", __doc__, draw, read=read_results))
