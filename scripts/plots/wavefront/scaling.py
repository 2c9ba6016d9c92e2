#!/usr/bin/env python3
"""Wavefront throughput against the number of blocks and against the size of the graph.

Each panel shows every arm and varies one parameter. The left one has the graph with most block
counts, the right one the block count with most graphs."""

import numpy as np

from gridloom import charts
from gridloom.figure import main
from gridloom.labels import MACHINE, split_labels
from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.style import GREY
from gridloom.wavefront import data

SIZE = ("graph", "rows", "cols", "planes", "tasks")


def size_of(config):
    return tuple(config.get(name) for name in SIZE)


def sweep(points, fixed, varied):
    """The points that share one value of `fixed`: the value with most values of `varied`. Among
    several, the largest."""
    seen = {}
    for config, _ in points:
        seen.setdefault(fixed(config), set()).add(varied(config))
    best = max(seen, key=lambda value: (len(seen[value]), value))
    return [point for point in points if fixed(point[0]) == best]


def series(rows):
    """{(arm, machine, backend, threads): [(config, throughput samples)]}"""
    lines = {}
    for config, group in rows.groups(data.CONFIGURATION):
        key = tuple(config.get(n) for n in ("arm", "machine", "backend", "threads"))
        lines.setdefault(key, []).append((config, data.throughput(group)))
    return lines


def draw_panel(axes, lines, x_of, fixed, xlabel):
    """`fixed` has the parts that are constant along a line. They are in the legend if lines differ
    in them."""
    firsts = [points[0][0] for points in lines]
    shared, own = split_labels(firsts, MACHINE | fixed)
    for points, text in zip(lines, own, strict=True):
        first = points[0][0]
        curve = [(x_of(config), *median_interval(samples)) for config, samples in points]
        label = first["arm"] + (f"  [{text}]" if text else "")
        charts.draw_curve(axes, label, sorted(curve), data.line_of(first))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(xlabel)
    axes.set_title(shared, fontsize=8.5, color=GREY, fontweight="normal")


def draw(runs):
    every = runs.only(experiment="scaling", counters=0)
    rows = every.only(status="ok")
    if len(rows) == 0:
        raise PlotError("no rows with experiment 'scaling' and status 'ok'")
    lines = series(rows).values()
    figure, [(left, right)] = charts.panel_grid(1, 2, (9.6, 4.2))
    by_blocks = [sweep(p, size_of, lambda c: c["workers"]) for p in lines]
    by_size = [sweep(p, lambda c: c["workers"], size_of) for p in lines]
    draw_panel(
        left, by_blocks, lambda c: c["workers"], data.GRAPH | data.THREADS, "blocks (workers)"
    )
    draw_panel(right, by_size, lambda c: c["tasks"], data.SHAPE, "tasks in the graph")
    left.set_ylabel("tasks per second")
    counts = sorted({config["workers"] for points in by_blocks for config, _ in points})
    apart = [c for c, after in zip(counts, [*counts[1:], np.inf], strict=True) if after > 1.3 * c]
    left.set_xticks(apart, [f"{count:,}" for count in apart], minor=False)
    left.set_xticks([], minor=True)
    for axes in (left, right):
        charts.legend_below(axes)
    families = {data.ALGORITHMS.family(points[0][0]["arm"].split()[0]) for points in lines}
    notes = [charts.INTERVALS, *charts.left_out_note(every)]
    return charts.frame(figure, "Wavefront: scaling", "", notes, charts.family_handles(families))


if __name__ == "__main__":
    main("wavefront_scaling", __doc__, draw)
