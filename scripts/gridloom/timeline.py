"""Timelines and loads: which worker executed which task when.

A figure of a table /trace has one panel per arm. Loads are computed from a `traced` arm. It has
the numbers `workers` and `makespan`, and the arrays `worker`, `begin` and `end` of all tasks.
"""

import heapq

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

from gridloom.charts import frame, panel_grid
from gridloom.results import PlotError, machine_of, read_table

COLUMNS = ["arm", "worker", "task", "type", "begin_ns", "end_ns"]
MOST_TASKS, MOST_ARMS, FEW = 20_000, 8, 8
MOST_ROWS = 125  # two pixels each
LABEL = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85}


def read(path, writer):
    """Returns (tasks, machine). Raises PlotError."""
    tasks = read_table(path, "trace", COLUMNS, writer)
    if len(tasks) > MOST_TASKS:
        raise PlotError(f"{path}: expected at most {MOST_TASKS:,} tasks, got {len(tasks):,}")
    arms = len(set(tasks["arm"]))
    if arms > MOST_ARMS:
        raise PlotError(f"{path}: expected at most {MOST_ARMS} methods, got {arms}")
    return tasks, machine_of(path)


def boxes(axes, begin, end, rows, height, **style):
    """One box per task in its row, without an outline: most are few pixels high or wide."""
    low, high = rows - height / 2, rows + height / 2
    corners = np.stack([[begin, low], [end, low], [end, high], [begin, high]]).transpose(2, 0, 1)
    axes.add_collection(PolyCollection(corners, **{"linewidth": 0} | style))
    axes.autoscale_view(scaley=False)


def row_axis(axes, rows, names=(), label=""):
    """Rows from 0 on, downwards."""
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylabel(label)
    axes.grid(visible=False, axis="y")


def draw_arm(axes, tasks, colours, scale, first):
    """Draws one box per task. Returns (share of the time that tasks take, the end)."""
    workers = sorted(set(tasks["worker"]))
    rows = {worker: row for row, worker in enumerate(workers)}
    begin = (tasks["begin_ns"] - first) * scale
    length = (tasks["end_ns"] - tasks["begin_ns"]) * scale
    for number, colour in enumerate(colours):
        own = np.flatnonzero(tasks["type"] == number)
        places = tasks["worker"][own].map(rows)
        boxes(axes, begin[own], (begin + length)[own], places, 0.9, facecolor=colour)
    few = len(workers) <= FEW
    label = "worker" if few else f"{len(workers)} workers"
    row_axis(axes, len(workers), workers if few else [], label)
    end = float((begin + length).max())
    return float(length.sum() / (len(workers) * end)), end


def draw(stored, arms, names, kinds, title, notes, from_first=False):
    """Draws the figure. `arms` is their order, `names` has their titles, and `kinds` is {label:
    colour} by the number of the type. If `from_first`, time begins with the arm's first task, and
    the panel marks its end."""
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


# --- tasks without workers: rows of a panel are packed ------------------------------------------


def pack(begin, end):
    """A row for each task, tasks sorted by begin: the row that has been free longest, else a new
    one. No two tasks of a row overlap, and there are as few rows as tasks at one moment."""
    rows = np.empty(len(begin), dtype=int)
    busy = []  # (end of its last task, row)
    for task, (first, last) in enumerate(zip(begin, end, strict=True)):
        row = heapq.heappop(busy)[1] if busy and busy[0][0] <= first else len(busy)
        heapq.heappush(busy, (last, row))
        rows[task] = row
    return rows


def busiest(begin, end):
    """When the most of these tasks run, the middle of the first such time."""
    order = np.argsort(np.concatenate([end, begin]), kind="stable")  # ends come first
    times = np.concatenate([end, begin])[order]
    running = np.cumsum(np.where(order < len(end), -1, 1))
    at = int(np.argmax(running))
    return (times[at] + times[min(at + 1, len(times) - 1)]) / 2


def draw_packed(axes, begin, end, kinds, names, fill_of):
    """One box per task, filled by its kind, in as few rows as there are tasks at one moment.

    Of many rows, each nth is drawn. A name stands where the most tasks of its kind run.
    """
    rows = pack(begin, end)
    count = int(rows.max()) + 1
    each = -(-count // MOST_ROWS)
    for kind in np.unique(kinds):
        every = kinds == kind
        mine = every & (rows % each == 0)
        fill = fill_of(int(kind))
        boxes(axes, begin[mine], end[mine], rows[mine] // each, 1, facecolor=fill, rasterized=True)
        # Among the kind's own rows, further down for each kind, so that names seldom meet.
        height = np.quantile(rows[every] / each, 0.08 + 0.84 * kind / max(1, len(names) - 1))
        at = busiest(begin[every], end[every]), height
        axes.text(*at, names[kind], ha="center", va="center", fontsize=7, bbox=LABEL)
    label = f"{count} workers" + (f", one in {each} drawn" if each > 1 else "")
    row_axis(axes, -(-count // each), label=label)
    axes.axvline(end.max(), color="black", linewidth=0.9, linestyle=":")


# --- load ---------------------------------------------------------------------------------------


def busy_between(begin, end, times):
    """Tasks at work on average between neighbouring times."""

    def passed(since):
        since = np.sort(since)
        before = np.searchsorted(since, times, side="right")
        return before * times - np.concatenate([[0.0], np.cumsum(since)])[before]

    return np.diff(passed(begin) - passed(end)) / np.diff(times)


def active(traced, bins):
    """(edges of the bins, tasks at work in each on average)."""
    edges = np.linspace(0, traced.makespan, bins + 1)
    return edges, busy_between(traced.begin, traced.end, edges)


def shares(traced, rows, bins):
    """Share of the time that workers are busy, by groups of neighbouring workers and by bins."""
    rows = min(rows, traced.workers)
    row_of = traced.worker * rows // traced.workers
    size = np.bincount(np.arange(traced.workers) * rows // traced.workers, minlength=rows)
    edges = np.linspace(0, traced.makespan, bins + 1)
    found = np.zeros((rows, bins))
    for row in range(rows):
        own = row_of == row
        found[row] = busy_between(traced.begin[own], traced.end[own], edges) / size[row]
    return found


def busy_share(traced):
    """The share of all workers' time that tasks take."""
    return float((traced.end - traced.begin).sum() / (traced.workers * traced.makespan))
