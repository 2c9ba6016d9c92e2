#!/usr/bin/env python3
"""Tiled QR: which worker executed which operation when, a panel a scheduler, by --trace."""

import gridloom_datasets.endings  # noqa: F401

import sys

import matplotlib.pyplot as plt
import numpy as np

from gridloom.charts import frame
from gridloom.figure import main
from gridloom.results import PlotError, machine_names, read_meta, read_table
from gridloom.style import use_style
from gridloom.tiled_qr.data import COLOURS, NAMES, OPERATIONS

COLUMNS = ["arm", "worker", "task", "type", "begin_ns", "end_ns"]
WRITER = "tiled-qr --trace"
MOST_TASKS, MOST_ARMS = 20_000, 8


def read(path):
    """(tasks, where they were executed). Raises PlotError."""
    tasks = read_table(path, "trace", COLUMNS, WRITER)
    meta = read_meta(path)
    backend = str(meta.get("backend", "host"))
    return tasks, f"{machine_names(meta, path)[backend == 'cuda']}, {backend}"


def draw_arm(axes, tasks, scale):
    workers = sorted(set(tasks["worker"]))
    rows = {worker: row for row, worker in enumerate(workers)}
    begin, length = tasks["begin_ns"] * scale, (tasks["end_ns"] - tasks["begin_ns"]) * scale
    for number, operation in enumerate(OPERATIONS):
        own = np.flatnonzero(tasks["type"] == number)
        for worker in set(tasks["worker"][own]):
            at = own[np.asarray(tasks["worker"][own] == worker)]
            axes.broken_barh(
                list(zip(begin[at], length[at], strict=True)), (rows[worker] - 0.45, 0.9),
                facecolors=COLOURS[operation], linewidth=0,
            )  # fmt: skip
    axes.set_ylim(len(workers) - 0.5, -0.5)
    few = len(workers) <= 8
    axes.set_yticks(range(len(workers)) if few else [], workers if few else [])
    axes.set_ylabel("worker" if few else f"{len(workers)} workers")
    axes.grid(visible=False, axis="y")
    busy = float(length.sum() / (len(workers) * (begin + length).max()))
    name = NAMES.get(str(tasks["arm"][0]), str(tasks["arm"][0]))
    axes.set_title(f"{name}: workers execute {100 * busy:.0f} % of the time", fontsize=9)


def draw(stored):
    tasks, machine = stored
    if len(tasks) > MOST_TASKS:
        raise PlotError(f"expected at most {MOST_TASKS:,} tasks, got {len(tasks):,}")
    arms = list(tasks.groups(["arm"]))
    if len(arms) > MOST_ARMS:
        raise PlotError(f"expected at most {MOST_ARMS} schedulers, got {len(arms)}")
    use_style()
    longest = float(tasks["end_ns"].max())
    unit, scale = ("ms", 1e-6) if longest > 1e6 else ("µs", 1e-3)
    figure, panels = plt.subplots(
        len(arms), 1, sharex=True, squeeze=False, layout="constrained",
        figsize=(8, 1.3 * len(arms) + 0.3),
    )  # fmt: skip
    for axes, (_, own) in zip(panels.flat, arms, strict=True):
        draw_arm(axes, own, scale)
    panels.flat[-1].set_xlabel(f"time, {unit}")
    handles = [
        plt.Rectangle((0, 0), 1, 1, facecolor=COLOURS[operation], label=operation.upper())
        for operation in OPERATIONS
    ]
    count = len(arms[0][1])
    notes = ["Boxes: tasks on their workers. FR3's scheduler is none of them."]
    title = f"Tiled QR: {count:,} tasks on their workers"
    frame(figure, title, machine, notes, handles)
    return figure


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by tiled-qr --trace"}
    sys.exit(main("qr_timeline", __doc__, draw, read=read, files=file))
