#!/usr/bin/env python3
"""Load of the wavefront schedulers from --trace: running tasks, workers over time, balance.

Each arm has one row of panels. The first shows running tasks over time, the second how busy workers
are (dark is busy). The third shows the tasks of each worker and of each queue over their mean,
sorted."""

import matplotlib.pyplot as plt
import numpy as np

from gridloom.charts import frame, panel_grid
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.text import duration
from gridloom.timeline import active, busy_share, shares
from gridloom.wavefront.data import line_of
from gridloom.wavefront.load import read, tasks_of_queues, tasks_of_workers

MOST_ARMS, BINS, ROWS = 8, 200, 66
NOTES = [
    "Left: tasks at work. Middle: workers; dark: busy.",
    "Right: tasks per worker over the mean, most first; dashed: tasks per queue.",
]


def draw_balance(axes, traced, style):
    for counts, dash, name in (
        (tasks_of_workers(traced), "-", "worker"),
        (tasks_of_queues(traced), "--", "queue"),
    ):
        if counts is None:
            continue
        shares = np.sort(counts)[::-1] / counts.mean()
        ranks = np.linspace(0, 1, len(shares))
        axes.plot(ranks, shares, color=style["color"], linestyle=dash, label=name)
    axes.axhline(1, color="black", linewidth=0.7, zorder=1)
    axes.set_ylim(0, max(1.2, axes.get_ylim()[1]))  # room above a line at 1
    axes.set_xticks([0, 1], ["most", "least"])
    axes.set_ylabel("over the mean")


def draw_arm(panels, traced):
    style = line_of(traced.config)
    edges, tasks = active(traced, BINS)
    panels[0].stairs(tasks, edges, color=style["color"])
    panels[0].set_ylim(0, 1.05 * max(tasks))
    panels[0].set_ylabel("tasks at work")
    panels[0].set_title(traced.config["arm"], fontsize=9)
    panels[1].imshow(
        shares(traced, ROWS, BINS), aspect="auto", cmap="Greys", vmin=0, vmax=1,
        interpolation="nearest", extent=(0, traced.makespan, traced.workers - 0.5, -0.5),
    )  # fmt: skip
    panels[1].grid(visible=False)
    panels[1].set_ylabel(f"{traced.workers:,} workers")
    panels[1].set_title(f"busy {100 * busy_share(traced):.0f} % of the time", fontsize=9)
    for axes in panels[:2]:
        axes.xaxis.set_major_formatter(lambda value, _: duration(value) if value else "0")
        axes.xaxis.set_major_locator(plt.MaxNLocator(4))
    draw_balance(panels[2], traced, style)


def draw(stored):
    found, machine = stored
    if len(found) > MOST_ARMS:
        raise PlotError(f"expected at most {MOST_ARMS} arms, got {len(found)}")
    figure, panels = panel_grid(
        len(found), 3, (9.6, 1.7 * len(found) + 0.3), width_ratios=[1.2, 1.2, 0.8]
    )
    for own, traced in zip(panels, found, strict=True):
        draw_arm(own, traced)
    panels[-1][0].set_xlabel("time")
    panels[-1][1].set_xlabel("time")
    panels[-1][2].set_xlabel("workers or queues")
    title = f"Wavefront: load, {found[0].config['tasks']:,} tasks"
    return frame(figure, title, machine, NOTES)


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by wavefront --trace"}
    main("wavefront_load", __doc__, draw, read=read, files=file)
