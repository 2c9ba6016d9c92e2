#!/usr/bin/env python3
"""Juggler, figure 1: which worker executed which task of LUD when, barriers above Juggler."""

import gridloom_datasets.endings  # noqa: F401

import sys

import matplotlib.pyplot as plt
import numpy as np

from gridloom.charts import frame
from gridloom.figure import main
from gridloom.juggler.data import METHODS, NAMES
from gridloom.results import PlotError, machine_names, read_meta, read_table
from gridloom.style import FILLS, use_style
from gridloom.text import in_order

COLUMNS = ["arm", "worker", "task", "type", "begin_ns", "end_ns"]
WRITER = "juggler --trace"
KERNELS = ["lu0", "fwd", "bdiv", "bmod"]  # in the order of their numbers
COLOURS = (FILLS[3], FILLS[1], FILLS[4], FILLS[0])
MOST_TASKS, MOST_ARMS, FEW = 20_000, 8, 8


def read(path):
    """(tasks, where they were executed). Raises PlotError."""
    tasks = read_table(path, "trace", COLUMNS, WRITER)
    if len(tasks) > MOST_TASKS:
        raise PlotError(f"{path}: expected at most {MOST_TASKS:,} tasks, got {len(tasks):,}")
    if not set(tasks["type"]) <= set(range(len(KERNELS))):
        raise PlotError(f"{path}: expected tasks of the four kernels of lud, got others")
    meta = read_meta(path)
    backend = str(meta.get("backend", "host"))
    return tasks, f"{machine_names(meta, path)[backend == 'cuda']}, {backend}"


def busy_share(tasks):
    """The share of the workers' time, from the first task to the last, that tasks take."""
    begin, end = tasks["begin_ns"].astype(float), tasks["end_ns"].astype(float)
    span = end.max() - begin.min()
    return float((end - begin).sum() / (span * len(set(tasks["worker"]))))


def draw_arm(axes, tasks, scale):
    workers = sorted(set(tasks["worker"]))
    rows = {worker: row for row, worker in enumerate(workers)}
    first = tasks["begin_ns"].min()
    begin = (tasks["begin_ns"] - first) * scale
    length = (tasks["end_ns"] - tasks["begin_ns"]) * scale
    for number in range(len(KERNELS)):
        own = np.flatnonzero(tasks["type"] == number)
        for worker in set(tasks["worker"][own]):
            at = own[np.asarray(tasks["worker"][own] == worker)]
            axes.broken_barh(
                list(zip(begin[at], length[at], strict=True)), (rows[worker] - 0.45, 0.9),
                facecolors=COLOURS[number], linewidth=0,
            )  # fmt: skip
    axes.set_ylim(len(workers) - 0.5, -0.5)
    few = len(workers) <= FEW
    axes.set_yticks(range(len(workers)) if few else [], workers if few else [])
    axes.set_ylabel("worker" if few else f"{len(workers)} workers")
    axes.grid(visible=False, axis="y")
    end = float((begin + length).max())
    axes.axvline(end, color="black", linewidth=0.8, linestyle=":")
    name = NAMES.get(str(tasks["arm"][0]), str(tasks["arm"][0]))
    axes.set_title(f"{name}: workers execute {100 * busy_share(tasks):.0f} % of {end:.3g}",
                   fontsize=9)  # fmt: skip
    return end


def draw(stored):
    tasks, machine = stored
    arms = {str(key["arm"]): own for key, own in tasks.groups(["arm"])}
    if len(arms) > MOST_ARMS:
        raise PlotError(f"expected at most {MOST_ARMS} methods, got {len(arms)}")
    # The paper has the barriers above.
    names = sorted(in_order(arms, list(METHODS.places)), key=lambda arm: arm != "barriers")
    use_style()
    longest = max(float(own["end_ns"].max() - own["begin_ns"].min()) for own in arms.values())
    unit, scale = ("ms", 1e-6) if longest > 1e6 else ("µs", 1e-3)
    figure, grid = plt.subplots(
        len(arms), 1, sharex=True, squeeze=False, layout="constrained",
        figsize=(8, 1.7 * len(arms) + 0.3),
    )  # fmt: skip
    for axes, name in zip(grid.flat, names, strict=True):
        draw_arm(axes, arms[name], scale)
        axes.set_title(f"{axes.get_title()} {unit}", fontsize=9)
    grid.flat[-1].set_xlabel(f"time from the first task, {unit}")
    handles = [
        plt.Rectangle((0, 0), 1, 1, facecolor=colour, label=kernel)
        for kernel, colour in zip(KERNELS, COLOURS, strict=True)
    ]
    notes = [
        "Boxes: tasks on their workers; dotted: the end. A traced run takes longer than others.",
        "Workers of the barriers are the blocks of a launch, those of Juggler stay resident.",
    ]
    count = len(next(iter(arms.values())))
    title = f"Juggler: {count:,} tasks of LU decomposition on their workers"
    frame(figure, title, machine, notes, handles)
    return figure


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by juggler --experiment timeline --trace"}
    sys.exit(main("juggler_fig1", __doc__, draw, read=read, files=file))
