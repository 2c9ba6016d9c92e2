#!/usr/bin/env python3
"""Juggler, figure 7: the time of JACOBI against the number of tasks, with a line through it."""

from gridloom import charts
from gridloom.figure import main
from gridloom.juggler.data import METHODS, NAMES, machine_of
from gridloom.juggler.scaling import curves, fit_of
from gridloom.text import number, span


def draw(runs):
    found = curves(runs)
    rows = runs.only(experiment="scaling", app="jacobi")
    figure, [[axes]] = charts.panel_grid(1, 1, (7, 4.2))
    for method, points in found.items():
        fit = fit_of(points)
        style = METHODS.line(method) | {"linestyle": ""}
        name = NAMES.get(method, method)
        label = f"{name}: {number(1e3 * fit.per_task_us)} ns per task, R² = {fit.r_squared:.4f}"
        charts.draw_curve(axes, label, points, style)
        ends = [points[0][0], points[-1][0]]
        axes.plot(
            ends, [fit.first_ms + 1e-3 * fit.per_task_us * x for x in ends],
            color=style["color"], linewidth=0.9, linestyle=METHODS.line(method)["linestyle"],
        )  # fmt: skip
    ticks = sorted({point[0] for points in found.values() for point in points})
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("tasks, by the number of time steps")
    axes.set_ylabel("ms, run alone")
    charts.legend_below(axes, ncols=2)
    size = span([int(n) for n in rows["rows"]], lambda n: f"{n:,}²")
    tile = span([int(n) for n in rows["tile"]], str)
    notes = [
        charts.INTERVALS,
        f"Fields of {size} in tiles of {tile}. Lines: least squares through the medians.",
        *charts.left_out_note(rows, "method"),
    ]
    families = {METHODS.family(method) for method in found}
    title = "Juggler: JACOBI against its number of tasks"
    return charts.frame(figure, title, machine_of(rows), notes, charts.family_handles(families))


if __name__ == "__main__":
    main("juggler_fig7", __doc__, draw)
