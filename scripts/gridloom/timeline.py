"""Timelines: which worker executed which task when, one panel per arm, from a table /trace."""

import matplotlib.pyplot as plt
import numpy as np

from gridloom.charts import frame, panel_grid
from gridloom.results import PlotError, machine_of, read_table

COLUMNS = ["arm", "worker", "task", "type", "begin_ns", "end_ns"]
MOST_TASKS, MOST_ARMS, FEW = 20_000, 8, 8


def read(path, writer):
    """(tasks, where they were executed). Raises PlotError."""
    tasks = read_table(path, "trace", COLUMNS, writer)
    if len(tasks) > MOST_TASKS:
        raise PlotError(f"{path}: expected at most {MOST_TASKS:,} tasks, got {len(tasks):,}")
    arms = len(set(tasks["arm"]))
    if arms > MOST_ARMS:
        raise PlotError(f"{path}: expected at most {MOST_ARMS} methods, got {arms}")
    return tasks, machine_of(path)


def draw_arm(axes, tasks, colours, scale, first):
    """Draws a box per task and returns (the share of the time that tasks take, the end)."""
    workers = sorted(set(tasks["worker"]))
    rows = {worker: row for row, worker in enumerate(workers)}
    begin = (tasks["begin_ns"] - first) * scale
    length = (tasks["end_ns"] - tasks["begin_ns"]) * scale
    for number, colour in enumerate(colours):
        own = np.flatnonzero(tasks["type"] == number)
        for worker in set(tasks["worker"][own]):
            at = own[np.asarray(tasks["worker"][own] == worker)]
            axes.broken_barh(
                list(zip(begin[at], length[at], strict=True)), (rows[worker] - 0.45, 0.9),
                facecolors=colour, linewidth=0,
            )  # fmt: skip
    axes.set_ylim(len(workers) - 0.5, -0.5)
    few = len(workers) <= FEW
    axes.set_yticks(range(len(workers)) if few else [], workers if few else [])
    axes.set_ylabel("worker" if few else f"{len(workers)} workers")
    axes.grid(visible=False, axis="y")
    end = float((begin + length).max())
    return float(length.sum() / (len(workers) * end)), end


def draw(stored, arms, names, kinds, title, notes, from_first=False):
    """The figure. `arms`: their order; `names`: what titles call them; `kinds`: {label: colour} by
    the number of the type. `from_first`: time begins with the arm's first task, and the panel
    marks its end."""
    tasks, machine = stored
    found = [tasks.only(arm=arm) for arm in arms]
    firsts = [own["begin_ns"].min() if from_first else 0 for own in found]
    longest = max(float(own["end_ns"].max() - at) for own, at in zip(found, firsts, strict=True))
    unit, scale = ("ms", 1e-6) if longest > 1e6 else ("µs", 1e-3)
    figure, panels = panel_grid(
        len(arms), 1, (8, (1.7 if from_first else 1.3) * len(arms) + 0.3), sharex=True
    )
    for axes, arm, own, first in zip(panels.flat, arms, found, firsts, strict=True):
        busy, end = draw_arm(axes, own, kinds.values(), scale, first)
        of = f"{end:.3g} {unit}" if from_first else "the time"
        name = names.get(arm, arm)
        axes.set_title(f"{name}: workers execute {100 * busy:.0f} % of {of}", fontsize=9)
        if from_first:
            axes.axvline(end, color="black", linewidth=0.8, linestyle=":")
    panels.flat[-1].set_xlabel(
        f"time from the first task, {unit}" if from_first else f"time, {unit}"
    )
    handles = [
        plt.Rectangle((0, 0), 1, 1, facecolor=colour, label=kind) for kind, colour in kinds.items()
    ]
    return frame(figure, title.format(len(found[0])), machine, notes, handles)
