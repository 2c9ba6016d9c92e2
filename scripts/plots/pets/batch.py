#!/usr/bin/env python3
"""PETS: task graphs per second of batches, against the tasks of a graph and the graphs of a batch.

There is one line per implementation and its steps: levels, ranks and order ("priorities"), or the
whole schedule. The right panel appears if a specification was run with several numbers of
graphs."""

from collections import Counter

from matplotlib.ticker import LogLocator

from gridloom import charts
from gridloom.figure import main
from gridloom.pets.batches import IMPLEMENTATIONS, SPECIFICATION, Point
from gridloom.pets.data import Results, ok, require
from gridloom.style import Arms, line_style
from gridloom.text import in_order, si

WHAT = "priorities: levels, ranks and order; whole: with the selection of processors"
FAMILIES = Arms(ours=["batch"], reference=IMPLEMENTATIONS[1:])
ARM = ["bench", "machine", "backend", "implementation", "steps", "processors"]


def arms_of(batches):
    """{arm as a tuple over ARM: [point]}"""
    require(batches, *ARM, *SPECIFICATION, "workers", "threads", "elapsed_ms", "status")
    found = {}
    for key, rows in ok(batches).groups(ARM + SPECIFICATION):
        found.setdefault(tuple(key[name] for name in ARM), []).append(Point(rows))
    order = {
        name: in_order({key[ARM.index(name)] for key in found}, known)
        for name, known in (("implementation", IMPLEMENTATIONS), ("steps", ["priorities", "whole"]))
    }
    place = {name: ARM.index(name) for name in order}
    return dict(
        sorted(found.items(), key=lambda a: [order[n].index(a[0][place[n]]) for n in order])
    )


def labels_of(arms):
    """Labels with implementation, steps, and other differences between arms. A machine's name
    includes its backend."""
    columns = dict(zip(ARM, zip(*arms, strict=True), strict=True))
    varying = [name for name in ("machine", "processors") if len(set(columns[name])) > 1]
    if len(set(columns["backend"])) > len(set(columns["machine"])):
        varying.append("backend")
    labels = []
    for own in (dict(zip(ARM, arm, strict=True)) for arm in arms):
        parts = (f"{own[n]} processors" if n == "processors" else str(own[n]) for n in varying)
        labels.append(", ".join([f"{own['implementation']}: {own['steps']}", *parts]))
    return labels


def by_tasks(points):
    """(for each number of tasks the point with most graphs, number of other points of that
    size)."""
    found, others = {}, set()
    for point in sorted(points, key=lambda p: -p.graphs):
        kept = found.setdefault(point.tasks, point)
        if kept.graph != point.graph:
            others.add(point.graph)
    return [found[tasks] for tasks in sorted(found)], others


def most_counted(arms):
    """The specification that an arm ran with most numbers of graphs. None if all ran with one
    number each. The reference may have had fewer graphs than the others."""
    counts = {}
    for arm, points in arms.items():
        for point in points:
            counts.setdefault((point.graph, arm), set()).add(point.graphs)
    best = max(counts, key=lambda key: len(counts[key]))
    return best[0] if len(counts[best]) > 1 else None


def draw_panel(axes, arms, labels, chosen, x_of, xlabel):
    numbers = Counter()  # a colour stands for a family, a symbol for an arm
    for label, (arm, every) in zip(labels, arms.items(), strict=True):
        family = FAMILIES.family(arm[ARM.index("implementation")])
        if points := chosen(every):
            curve = [(x_of(point), *point.rate) for point in points]
            charts.draw_curve(axes, label, curve, line_style(family, numbers[family]))
        numbers[family] += 1
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(xlabel)
    axes.set_ylabel("graphs per second")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: si(value))
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    charts.legend_below(axes, fontsize=7.5)


def draw(results):
    batches = results.table("batches")
    arms = arms_of(batches)
    labels = labels_of(arms)
    counted = most_counted(arms)
    count = 2 if counted else 1
    figure, grid = charts.panel_grid(1, count, (1.4 + 4.6 * count, 4.6))
    left = grid[0][0]
    draw_panel(
        left, arms, labels, lambda own: by_tasks(own)[0], lambda p: p.tasks, "tasks of a graph"
    )
    drawn = [point for own in arms.values() for point in by_tasks(own)[0]]
    graphs = dict.fromkeys([min(p.graphs for p in drawn), max(p.graphs for p in drawn)])
    left.set_title(f"batches of {' to '.join(f'{n:,}' for n in graphs)} graphs", fontsize=9)
    if counted:

        def chosen(points):
            return sorted((p for p in points if p.graph == counted), key=lambda p: p.graphs)

        draw_panel(grid[0][1], arms, labels, chosen, lambda p: p.graphs, "graphs of a batch")
        grid[0][1].set_title(counted, fontsize=9)
    columns = dict(zip(ARM, zip(*arms, strict=True), strict=True))
    shared = [f"{n} processors" for n in dict.fromkeys(columns["processors"])]
    machines = [f"{arm[1]} ({arm[2]})" for arm in arms]
    shared = dict.fromkeys(machines) | dict.fromkeys(shared if len(shared) == 1 else [])
    notes = []
    if any(point.shapes > 1 for points in arms.values() for point in points):
        notes.append("Of several launch shapes the fastest.")
    if others := {name for own in arms.values() for name in by_tasks(own)[1]}:
        notes.append(f"Not drawn, of the size of another: {', '.join(sorted(others))}")
    notes = [charts.INTERVALS, WHAT, *notes, *charts.left_out_note(batches, "implementation")]
    families = {FAMILIES.family(name) for name in columns["implementation"]}
    title = "PETS: batches of task graphs"
    return charts.frame(
        figure, title, ", ".join(map(str, shared)), notes, charts.family_handles(families)
    )


if __name__ == "__main__":
    main("pets_batch", __doc__, draw, read=Results)
