#!/usr/bin/env python3
"""PETS: run time against the number of tasks, one line per implementation (fig. 5.1 of Messina).

The left column has levels, ranks and order (entry discovery, metrics and sort), the right column
the whole schedule. The thesis only shows the run time of rectangular_vectorised. Graphs of a row
differ only in size and seed. The upper axis has their numbers of levels, because each level costs a
step."""

from gridloom.charts import INTERVALS, draw_curve, frame, left_out_note, legend_below, panel_grid
from gridloom.figure import main
from gridloom.pets.data import Results, by_size, elapsed_ms, levels_by_size, order_ms, sweeps_of
from gridloom.pets.drawing import ALGORITHM_OPTION, ARMS, draw_levels, handles_of, shared_title
from gridloom.results import PlotError, joined
from gridloom.text import si


def draw_panel(axes, curves, title, levels):
    for name, points in curves.items():
        draw_curve(axes, name, points, ARMS.line(name))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("tasks")
    axes.set_ylabel("ms")
    axes.xaxis.set_major_formatter(lambda value, _: si(value))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_title(title, fontsize=9)
    draw_levels(axes, levels)
    legend_below(axes, ncols=3, fontsize=7.5)


def draw(results, algorithm="pets_append"):
    sweeps, notes = sweeps_of(results, algorithm)
    rows = joined([own for *_, own in sweeps])
    figure, grid = panel_grid(len(sweeps), 2, (9.6, 4.0 * len(sweeps)))
    drawn = set()
    parts = [("levels, ranks and order", order_ms), (f"whole schedule ({algorithm})", elapsed_ms)]
    shared, panel_title = shared_title(sweeps)
    for panels, (setting, family, own) in zip(grid, sweeps, strict=True):
        for axes, (part, value) in zip(panels, parts, strict=True):
            curves = by_size(own, value)
            if not curves:
                raise PlotError(f"no rows with status ok of {algorithm} for {part}")
            drawn |= set(curves)
            title = f"{part}\n{panel_title(setting, family)}".strip()
            draw_panel(axes, curves, title, levels_by_size(own))
    notes = [
        INTERVALS,
        "Without set-up and copies.",
        *notes,
        *left_out_note(rows, "implementation"),
    ]
    title = "PETS: run time against the number of tasks (Fig. 5.1)"
    return frame(figure, title, shared, notes, handles_of(drawn))


if __name__ == "__main__":
    main("pets_fig5_1", __doc__, draw, more=ALGORITHM_OPTION, read=Results)
