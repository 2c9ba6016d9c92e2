#!/usr/bin/env python3
"""PETS and its rivals on published task graphs: how far schedules are from the known optimum.

The upper row shows the mean over the graphs of the makespan over its bound, against the number of
processors. The bound is the optimum (Standard Task Graphs) or a lower bound (workflows). The lower
row shows how often no other schedule is shorter. There is one column per family of graphs, one line
per algorithm."""

from gridloom.charts import family_handles, frame, panel_grid, plain
from gridloom.figure import main
from gridloom.pets.drawing import QUALITY
from gridloom.pets.workflows import BOUNDS, FAMILIES, Workflows

LEFT_OUT = "pets_literal"  # its line coincides with that of pets_append
ROWS = ["makespan over\nthe optimum or bound", "best or as good, %"]


def draw_family(panels, study, family):
    counts = study.processors(family)
    for k, name in enumerate(study.algorithms):
        if name == LEFT_OUT:
            continue
        style = plain(QUALITY.line(name))
        means = [study.ratios[family, p].mean(axis=0)[k] for p in counts]
        best = [100 * study.best[family, p].mean(axis=0)[k] for p in counts]
        for axes, values in zip(panels, (means, best), strict=True):
            axes.plot(range(len(counts)), values, label=name, **style)
    for axes in panels:
        axes.set_xticks(range(len(counts)), counts)
    panels[0].set_title(f"{FAMILIES[family]},\n{study.graphs(family)} graphs", fontsize=9)
    panels[-1].set_xlabel("processors")


def draw(study):
    count = len(study.families)
    size = (1 + 2.7 * count, 5)
    figure, grid = panel_grid(len(ROWS), count, size, sharex="col", sharey="row")
    for family, panels in zip(study.families, grid.T, strict=True):
        draw_family(panels, study, family)
    for axes, title in zip(grid[:, 0], ROWS, strict=True):
        axes.set_ylabel(title)
    notes = [f"{FAMILIES[family]}: over {BOUNDS[family]}." for family in study.families]
    if LEFT_OUT in study.algorithms:
        notes.append(f"Not drawn, but in the tables: {LEFT_OUT}.")
    notes.append("Lower bound: critical path with least costs, or least costs shared evenly.")
    handles, _ = grid[0][0].get_legend_handles_labels()
    handles += family_handles({QUALITY.family(name) for name in study.algorithms})
    shared = "means over the graphs; a schedule is the same on every machine"
    return frame(
        figure, "List schedulers on published task graphs", shared, notes, handles, columns=4
    )


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by scripts/pets_workflows.py"}
    main("pets_workflows", __doc__, draw, read=Workflows, files=file)
