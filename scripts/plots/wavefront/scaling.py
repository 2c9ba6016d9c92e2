#!/usr/bin/env python3
"""Wavefront throughput against the number of blocks and against the size of the graph.

Each panel varies one thing: the left one shows every arm on the graph that was run with the most
block counts, the right one with the block count that was run on the most graphs.
"""

import sys

import matplotlib.pyplot as plt

from gridloom.charts import footnote
from gridloom.figure import main
from gridloom.labels import MACHINE, split_labels
from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.style import line_style, use_style
from gridloom.wavefront.data import CONFIGURATION, GRAPH, SHAPE, THREADS, throughput

SIZE = ("graph", "rows", "cols", "depth", "tasks")


def size_of(config):
    return tuple(config.get(name) for name in SIZE)


def sweep(points, fixed, varied):
    """The points that share the value of `fixed` with the most values of `varied`; larger wins."""
    seen = {}
    for config, _ in points:
        seen.setdefault(fixed(config), set()).add(varied(config))
    best = max(seen, key=lambda value: (len(seen[value]), value))
    return [point for point in points if fixed(point[0]) == best]


def series(rows):
    """{(arm, machine, backend, threads): [(config, throughput samples)]}"""
    lines = {}
    for config, group in rows.groups(CONFIGURATION):
        key = tuple(config.get(n) for n in ("arm", "machine", "backend", "threads"))
        lines.setdefault(key, []).append((config, throughput(group)))
    return lines


def draw_panel(axes, lines, x_of, fixed, xlabel):
    """`fixed`: parts that do not change along a line; they go to the legend where lines differ."""
    firsts = [points[0][0] for points in lines]
    shared, own = split_labels(firsts, MACHINE | fixed)
    for index, (points, text) in enumerate(zip(lines, own, strict=True)):
        points = sorted(points, key=lambda point: x_of(point[0]))
        statistics = [median_interval(samples) for _, samples in points]
        middle = [m for m, _, _ in statistics]
        spread = [[m - low for m, low, _ in statistics], [h - m for m, _, h in statistics]]
        label = points[0][0]["arm"] + (f"  [{text}]" if text else "")
        xs = [x_of(config) for config, _ in points]
        axes.errorbar(xs, middle, yerr=spread, label=label, **line_style(index))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(xlabel)
    axes.set_title(shared, fontsize=8.5, color="#444444")


def draw(runs):
    every = runs.only(experiment="scaling", counters=0)
    rows = every.only(status="ok")
    if len(rows) == 0:
        raise PlotError("no rows with experiment 'scaling' and status 'ok'")
    lines = series(rows).values()
    use_style()
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 5.2), layout="constrained")
    by_blocks = [sweep(p, size_of, lambda c: c["blocks"]) for p in lines]
    by_size = [sweep(p, lambda c: c["blocks"], size_of) for p in lines]
    draw_panel(left, by_blocks, lambda c: c["blocks"], GRAPH | THREADS, "blocks (workers)")
    draw_panel(right, by_size, lambda c: c["tasks"], SHAPE, "tasks in the graph")
    left.set_ylabel("tasks a second")
    counts = sorted({config["blocks"] for points in by_blocks for config, _ in points})
    left.set_xticks(counts, [f"{count:,}" for count in counts], minor=False)
    left.set_xticks([], minor=True)
    for axes in (left, right):
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.11), ncols=2)
    footnote(figure, every)
    figure.suptitle("Wavefront: scaling", fontweight="bold")
    return figure


if __name__ == "__main__":
    sys.exit(main("wavefront_scaling", __doc__, draw))
