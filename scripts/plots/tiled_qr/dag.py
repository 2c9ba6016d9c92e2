#!/usr/bin/env python3
"""Tiled QR: the tasks of a small grid and their dependencies (report, II.C), from --dag."""

from matplotlib.collections import LineCollection

from gridloom.charts import frame, panel_grid
from gridloom.figure import main
from gridloom.results import PlotError, read_table
from gridloom.tiled_qr.data import COLOURS, OPERATIONS

SHAPES = dict(zip(OPERATIONS, "Dspo", strict=True))
WRITER = "tiled-qr --dag"
MOST = 120  # more tasks could not be told apart


def read(path):
    """(tasks, edges). Raises PlotError."""
    tasks = read_table(path, "dag_tasks", ["number", "operation", "k", "i", "j", "depth"], WRITER)
    edges = read_table(path, "dag_edges", ["from", "to"], WRITER)
    return tasks, edges


def places_of(tasks):
    """{number: (x, y)}. Deeper tasks are further down, and tasks of the same depth side by side."""
    places = {}
    for _, level in tasks.groups(["depth"]):
        ordered = level.sort_values(["k", "j", "i"])
        for at, (number, depth) in enumerate(zip(ordered["number"], ordered["depth"], strict=True)):
            places[number] = (at - (len(ordered) - 1) / 2, -depth)
    return places


def draw(stored):
    tasks, edges = stored
    if len(tasks) > MOST:
        raise PlotError(f"expected at most {MOST} tasks, got {len(tasks)}")
    places = places_of(tasks)
    depth = int(tasks["depth"].max())
    figure, [[axes]] = panel_grid(1, 1, (7.2, 0.42 * depth + 0.6))
    lines = [(places[a], places[b]) for a, b in zip(edges["from"], edges["to"], strict=True)]
    axes.add_collection(LineCollection(lines, colors="#9a9a9a", linewidths=0.7, zorder=1))
    for operation in OPERATIONS:
        own = tasks.only(operation=operation)
        if len(own) == 0:
            continue
        xs, ys = zip(*(places[number] for number in own["number"]), strict=True)
        axes.scatter(
            xs, ys, s=190, marker=SHAPES[operation], c=COLOURS[operation], edgecolors="black",
            linewidths=0.6, zorder=2, label=operation.upper(),
        )  # fmt: skip
    names = zip(*(tasks[c] for c in ("number", "operation", "i", "j")), strict=True)
    for number, operation, i, j in names:
        dark = operation in ("dgeqt2", "dtsqt2")
        axes.annotate(
            f"{i + 1}{j + 1}", places[number], ha="center", va="center", fontsize=6,
            color="white" if dark else "black", zorder=3,
        )  # fmt: skip
    axes.set_yticks(range(-depth, 0), [str(-y) for y in range(-depth, 0)])
    axes.set_ylabel("tasks on the longest path to here")
    axes.set_xticks([])
    axes.grid(visible=False, axis="x")
    handles, _ = axes.get_legend_handles_labels()
    rows, cols = int(tasks["i"].max()) + 1, int(tasks["j"].max()) + 1
    title = f"Tiled QR: {len(tasks)} tasks of {rows} × {cols} tiles"
    notes = ["The numbers are the row and the column of the tile that the task belongs to."]
    return frame(figure, title, "", notes, handles)


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by tiled-qr --dag"}
    main("qr_dag", __doc__, draw, read=read, files=file)
