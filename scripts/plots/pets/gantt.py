#!/usr/bin/env python3
"""Gantt charts of one task graph, one panel per list scheduler, from the schedules that pets
stores."""

from gridloom.charts import frame, panel_grid
from gridloom.figure import main
from gridloom.results import PlotError, read_table
from gridloom.style import FILLS
from gridloom.timeline import boxes, row_axis

COLUMNS = [
    "graph", "graph_seed", "processors", "algorithm",
    "task", "name", "processor", "start", "finish", "unit",
]  # fmt: skip
UNITS = {"us": "µs"}
MOST = 400  # more tasks could not be told apart


def read_schedules(path):
    return read_table(path, "schedules", COLUMNS, "pets")


def draw_schedule(axes, schedule):
    start, finish, processor = (schedule[name] for name in ("start", "finish", "processor"))
    style = {"facecolor": FILLS[0], "edgecolor": "black", "linewidth": 0.6}
    boxes(axes, start, finish, processor, 0.8, **style)
    for name, x, y in zip(schedule["name"], (start + finish) / 2, processor, strict=True):
        axes.annotate(str(name), (x, y), ha="center", va="center", fontsize=7)
    processors = int(schedule["processors"][0])
    row_axis(axes, processors, [f"P{p}" for p in range(processors)])


def draw(schedules):
    """Draws the first graph of the file. Raises PlotError."""
    graph = schedules["graph"][0]
    own = schedules.only(graph=graph)
    own = own.only(**{name: own[name][0] for name in ("graph_seed", "processors")})
    if own["task"].nunique() > MOST:
        raise PlotError(f"{graph}: expected at most {MOST} tasks")
    algorithms = list(own.groups(["algorithm"]))
    figure, panels = panel_grid(len(algorithms), 1, (8, 1.15 * len(algorithms) + 0.3), sharex=True)
    for axes, (key, schedule) in zip(panels.flat, algorithms, strict=True):
        once = schedule.drop_duplicates("task").sort_values("task")  # appended runs repeat it
        draw_schedule(axes, once.reset_index(drop=True))
        axes.set_title(f"{key['algorithm']}: {once['finish'].max():,}", fontsize=9)
    unit = own["unit"].iloc[0]
    time = "time in units of the graph" if unit == "1" else f"time, {UNITS.get(unit, unit)}"
    panels.flat[-1].set_xlabel(time)
    panels.flat[-1].set_xlim(left=0)
    notes = ["Boxes: tasks. Titles: makespans. Schedules do not depend on the machine."]
    shared = f"{graph}, {int(own['processors'][0])} processors"
    title = "List schedulers: one task graph, one schedule per algorithm"
    return frame(figure, title, shared, notes)


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by pets"}
    main("pets_gantt", __doc__, draw, read=read_schedules, files=file)
