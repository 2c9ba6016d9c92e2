#!/usr/bin/env python3
"""The real bodies of wavefront: how many times as fast as the best rival, one row per input.

The files are from wavefront-sptrsv, wavefront-sw and wavefront-kba, one each, or some of them.
Rivals have their best setting for each input; ours have one setting for all inputs of a program."""

from textwrap import fill

from gridloom import charts
from gridloom.figure import main
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_ratio
from gridloom.wavefront import bodies
from gridloom.wavefront.data import median

OURS = ("strips", "in_order", "in_order_ticket")
NAME_WIDTH = 44  # width in letters


def chosen(rows, method, settings):
    own = rows.only(method=method)
    return bodies.with_setting(own, settings[method]) if method in OURS else bodies.best(own)


def rows_of(runs):
    """(input, the rival of the ratios, {method: (ratio, low, high)})."""
    body = bodies.body_of(runs)
    inputs = bodies.inputs_of(body, runs)
    settings = {method: bodies.common_setting(inputs, method) for method in OURS}
    for config, rows in inputs:
        names = [n for n in dict.fromkeys(rows["method"]) if n in bodies.METHODS.places]
        found = {name: chosen(rows, name, settings) for name in names}
        found = {name: own for name, own in found.items() if own is not None and len(own)}
        rivals = {n: own for n, own in found.items() if bodies.METHODS.family(n) == "rivals"}
        if not rivals:
            continue
        rival = min(rivals, key=lambda name: median(rivals[name]))
        base = rivals[rival]["elapsed_ms"]
        ratios = {n: median_ratio(base, own["elapsed_ms"]) for n, own in found.items()}
        yield f"{bodies.input_text(body, config)} ({rival})", body, ratios


def draw(parts):
    lines = [line for runs in parts for line in rows_of(runs)]
    if not lines:
        raise PlotError("no input with a rival and a method of ours")
    figure, [[axes]] = charts.panel_grid(1, 1, (8.6, 1.1 + 0.3 * len(lines)))
    drawn = {}
    for y, (_, _, ratios) in enumerate(lines):
        for method, values in ratios.items():
            on_top = {"zorder": 4 if method in OURS else 3}
            charts.draw_dot(axes, y, values, bodies.METHODS.dot(method) | on_top, None)
            drawn.setdefault(method, bodies.METHODS.dot(method))
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("times as fast as the best rival of the input, in brackets")
    charts.name_rows(axes, [fill(name, NAME_WIDTH) for name, _, _ in lines])
    titles = ", ".join(dict.fromkeys(body.title for _, body, _ in lines))
    machines = ", ".join(dict.fromkeys(m for runs in parts for m in runs["machine"]))
    handles = charts.entries({m: drawn[m] for m in sorted(drawn, key=bodies.METHODS.place)})
    handles += charts.family_handles({bodies.METHODS.family(method) for method in drawn})
    return charts.frame(figure, f"Wavefront: {titles}", machines, [charts.INTERVALS], handles)


if __name__ == "__main__":
    main("wavefront_bodies", __doc__, draw, read=lambda paths: [*map(read_runs, paths)])
