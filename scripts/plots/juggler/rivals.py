#!/usr/bin/env python3
"""Juggler: the speed of every method over that of the best, one panel per application."""

import numpy as np
from matplotlib.ticker import LogLocator, NullLocator

from gridloom import charts
from gridloom.figure import main
from gridloom.juggler import data
from gridloom.juggler.panels import sizes_notes
from gridloom.style import GREY
from gridloom.text import in_order

MARKERS = "os^Dv<>h"
COLUMNS = 4


def draw_app(axes, cases, methods, places):
    """`places` has the number of each case's panel, which selects the marker."""
    offsets = np.linspace(-0.2, 0.2, len(places)) if len(places) > 1 else [0]
    for case in cases:
        n = places[id(case)]
        best = case.fastest(data.methods_of([case]))
        for method in (m for m in methods if m in case.methods):
            own = {"marker": MARKERS[n % len(MARKERS)], "markersize": 4.5}
            style = data.METHODS.dot(method) | own
            y = methods.index(method) + offsets[n]
            charts.draw_dot(axes, y, case.ratio(best, method), style)
    axes.axvline(1, color="black", linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_title(data.APPS[cases[0].app])


def draw(runs):
    cases = data.cases_of(runs)
    panels = data.panels_of(cases)
    places = {id(case): n for n, own in enumerate(panels.values()) for case in own}
    apps = in_order({case.app for case in cases}, list(data.APPS))
    methods = data.methods_of(cases)
    height = 0.21 * len(methods) + 0.7
    figure, grid = charts.wrapped_panels(
        len(apps), COLUMNS, lambda columns, rows: (2.6 * columns + 1.4, height * rows), sharey=True
    )
    for axes, app in zip(grid.flat, apps, strict=False):
        draw_app(axes, [case for case in cases if case.app == app], methods, places)
    for axes in grid[:, 0]:
        charts.name_rows(axes, [data.NAMES.get(method, method) for method in methods], size=8)
    for axes in grid.flat:
        axes.grid(axis="y", linestyle=":")
        axes.tick_params(axis="y", length=0)
    for axes in grid[-1]:
        axes.set_xlabel("speed / speed of the best")
    families = {data.METHODS.family(method) for method in methods}
    notes = [
        charts.INTERVALS,
        "Run alone. Lists that need the graph alone are made before the run.",
        *sizes_notes(panels),
        *charts.left_out_note(runs.mask(~runs["experiment"].isin(data.APART)), "method"),
    ]
    style = {"linestyle": "", "color": GREY, "markersize": 5}
    markers = {title: {"marker": MARKERS[n % len(MARKERS)]} for n, title in enumerate(panels)}
    handles = charts.family_handles(families)
    handles += charts.entries({title: style | own for title, own in markers.items()})
    title = "Juggler: every scheduler beside the best"
    return charts.frame(figure, title, data.machine_of(runs), notes, handles)


if __name__ == "__main__":
    main("juggler_rivals", __doc__, draw)
