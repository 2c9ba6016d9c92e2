#!/usr/bin/env python3
"""Juggler: how many times as fast as global barriers, against the size of the tiles.

Tiles that take longer hide the cost of a scheduler. So this shows from which size on a scheduler
pays."""

from matplotlib.ticker import NullLocator

from gridloom.charts import INTERVALS, draw_curve, entries, frame, wrapped_panels
from gridloom.figure import main
from gridloom.juggler import data
from gridloom.juggler.panels import ratio_axis
from gridloom.results import PlotError
from gridloom.text import in_order

COLUMNS = 4
# LRR and LF are far below the others, whatever the tiles; serial versions far above.
LEFT_OUT = ["lrr", "lf", "serial", data.BARRIERS]


def series_of(cases):
    """{experiment and application: its cases}, for those with several tiles."""
    found = {}
    for case in cases:
        if data.BARRIERS in case.methods:
            found.setdefault((case.experiment, case.app), []).append(case)
    found = {key: own for key, own in found.items() if len({int(c.key["tile"]) for c in own}) > 1}
    if not found:
        raise PlotError("no application was run with barriers in tiles of several sizes")
    experiment = in_order({name for name, _ in found}, list(data.EXPERIMENTS))[0]
    apps = in_order({app for name, app in found if name == experiment}, list(data.APPS))
    return experiment, {app: found[experiment, app] for app in apps}


def draw_app(axes, cases, methods):
    axes.axhline(1, color="black", linewidth=0.8, linestyle=":")
    for method in methods:
        own = [case for case in cases if method in case.methods]
        points = [(int(case.key["tile"]), *case.ratio(data.BARRIERS, method)) for case in own]
        if points:
            draw_curve(axes, None, points, data.METHODS.line(method))
    axes.set_xscale("log", base=2)
    tiles = sorted({int(case.key["tile"]) for case in cases})
    axes.set_xticks(tiles, [str(tile) for tile in tiles])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_title(data.APPS[cases[0].app])


def draw(runs):
    experiment, series = series_of(data.cases_of(runs))
    shown = [case for own in series.values() for case in own]
    methods = [method for method in data.methods_of(shown) if method not in LEFT_OUT]
    figure, grid = wrapped_panels(
        len(series), COLUMNS, lambda columns, rows: (2.6 * columns + 0.8, 2.4 * rows + 0.4),
        sharey=True,
    )  # fmt: skip
    for axes, own in zip(grid.flat, series.values(), strict=False):
        draw_app(axes, own, methods)
    for axes in grid[:, 0]:
        ratio_axis(axes)
        axes.set_ylabel("times as fast")
    for axes in grid[-1]:
        axes.set_xlabel("rows of a tile")
    notes = [
        INTERVALS,
        f"Run alone; {data.EXPERIMENTS[experiment]}. "
        "Dotted: global barriers, one launch per level.",
        "Left out: LRR and LF, which are below the others, and the serial version.",
    ]
    handles = entries({data.NAMES.get(m, m): data.METHODS.line(m) for m in methods})
    title = "Juggler: speed beside global barriers, by the size of the tiles"
    return frame(figure, title, data.machine_of(runs), notes, handles, columns=4)


if __name__ == "__main__":
    main("juggler_tiles", __doc__, draw)
