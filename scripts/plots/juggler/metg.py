#!/usr/bin/env python3
"""Juggler: efficiency against task duration, and the METG(50 %) of every scheduler.

gridloom/juggler/metg.py defines both. The values are also printed."""

from gridloom.charts import INTERVALS, draw_metg, family_handles, frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.juggler.data import METHODS, NAMES, POLICIES, machine_of
from gridloom.juggler.metg import curves, graph_runs
from gridloom.metg import metg_text
from gridloom.text import span
from gridloom_datasets.errors import say


def panels_of(found):
    """{title: methods}: Juggler's policies, and the other methods, without empty panels."""
    own = [method for method in found if method in POLICIES]
    others = [method for method in found if method not in [*POLICIES, "serial"]]
    named = {"policies of the runtime": own, "without the runtime": others}
    return {title: methods for title, methods in named.items() if methods}


def line_of(method, points):
    say(f"  {method:<14} {metg_text(*zip(*(point[:2] for point in points), strict=True))}")
    return NAMES.get(method, method), points, METHODS.line(method)


def draw(runs):
    found, rows = curves(runs), graph_runs(runs)
    panels = panels_of(found)
    figure, [axes_of] = panel_grid(1, len(panels), (5 * len(panels), 4), sharey=True)
    say(f"METG(50 %), {machine_of(rows)}")
    for axes, (title, methods) in zip(axes_of, panels.items(), strict=True):
        lines = [line_of(method, found[method]) for method in methods]
        draw_metg(axes, lines, "task duration", ncols=2)
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
    return frame(figure, title, machine_of(rows), notes, family_handles(families))


if __name__ == "__main__":
    main("juggler_metg", __doc__, draw)
