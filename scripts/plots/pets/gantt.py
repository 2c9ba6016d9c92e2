#!/usr/bin/env python3
"""Gantt charts of one task graph, a panel a list scheduler, from the schedules that pets stores."""

import argparse
import sys

import h5py
import matplotlib.pyplot as plt
import numpy as np

from gridloom.figure import save
from gridloom.results import PlotError, read_column
from gridloom.style import FILLS, use_style

COLUMNS = [
    "graph", "graph_seed", "processors", "algorithm",
    "task", "name", "processor", "start", "finish",
]  # fmt: skip
MOST = 400  # tasks that can be told apart


def read_schedules(path):
    """/schedules as a dict of columns. Raises PlotError."""
    try:
        with h5py.File(path, "r") as file:
            group = file.get("schedules")
            if not isinstance(group, h5py.Group):
                raise PlotError(f"{path}: no table /schedules; pets writes it")
            if lacking := [name for name in COLUMNS if name not in group]:
                raise PlotError(f"{path}: no /schedules/{lacking[0]}")
            columns = {name: np.asarray(read_column(group[name])) for name in COLUMNS}
    except OSError as error:
        raise PlotError(f"{path}: {error}") from None
    if not len(columns["task"]):
        raise PlotError(f"{path}: /schedules has no rows")
    return columns


def draw_schedule(axes, schedule, unique):
    for name, processor, start, finish in zip(
        *(schedule[c] for c in ("name", "processor", "start", "finish")), strict=True
    ):
        axes.barh(
            processor, finish - start, left=start, height=0.8, color=FILLS[unique],
            edgecolor="black", linewidth=0.6,
        )  # fmt: skip
        axes.annotate(
            str(name), ((start + finish) / 2, processor), ha="center", va="center", fontsize=7
        )
    processors = int(schedule["processors"][0])
    axes.set_yticks(range(processors), [f"P{p}" for p in range(processors)])
    axes.set_ylim(processors - 0.5, -0.5)
    axes.grid(visible=False, axis="y")


def draw(columns, wanted=None):
    """The figure of the first graph, or of the one called `wanted`. Raises PlotError."""
    names = list(dict.fromkeys(columns["graph"].tolist()))
    if wanted is not None and wanted not in names:
        raise PlotError(f"no schedule of {wanted}, only of {', '.join(map(str, names))}")
    graph = wanted if wanted is not None else names[0]
    keep = columns["graph"] == graph
    for name in ("graph_seed", "processors"):
        keep &= columns[name] == columns[name][keep][0]
    own = {name: values[keep] for name, values in columns.items()}
    algorithms = list(dict.fromkeys(own["algorithm"].tolist()))
    if len(set(own["task"].tolist())) > MOST:
        raise PlotError(f"{graph}: expected at most {MOST} tasks")
    use_style()
    figure, panels = plt.subplots(
        len(algorithms), 1, sharex=True, squeeze=False, layout="constrained",
        figsize=(8, 1.3 * len(algorithms) + 0.8),
    )  # fmt: skip
    for axes, algorithm in zip(panels.flat, algorithms, strict=True):
        rows = own["algorithm"] == algorithm
        once = np.unique(own["task"][rows], return_index=True)[1]  # appended runs say it again
        schedule = {name: values[rows][once] for name, values in own.items()}
        draw_schedule(axes, schedule, 1 % len(FILLS))
        axes.set_title(f"{algorithm}: {schedule['finish'].max():,}", fontsize=9)
    panels.flat[-1].set_xlabel("time in units of the graph")
    figure.suptitle(str(graph), fontsize=10)
    return figure


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="pets_gantt.py", description=__doc__.splitlines()[0])
    parser.add_argument("results", metavar="RESULTS.h5", help="written by pets")
    parser.add_argument("--graph", help="default: the first of the file")
    parser.add_argument("--output-dir", default="figures", help="default: %(default)s")
    options = parser.parse_args(arguments)
    try:
        figure = draw(read_schedules(options.results), options.graph)
        for path in save(figure, "pets_gantt", options.output_dir):
            print(path)
    except PlotError as error:
        print(f"pets_gantt: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
