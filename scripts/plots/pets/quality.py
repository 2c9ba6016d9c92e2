#!/usr/bin/env python3
"""PETS, HEFT and CPOP: how good the schedules are, against the parameters of random graphs.

A row a measure, a column a parameter, a line an algorithm: means over all graphs that have the
value, whatever their other parameters are. The mean SLR is shown over that of heft_insertion,
where that is in the file, since the lines would lie on each other. Best: on how many graphs no
other algorithm's schedule is shorter. Parameters come from the table /graphs; those of one value
have no column.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

from gridloom.charts import family_handles, frame, left_out_note, plain
from gridloom.figure import main
from gridloom.pets.data import PARAMETERS, Results
from gridloom.pets.drawing import QUALITY, SYMBOLS
from gridloom.pets.quality import Quality
from gridloom.results import PlotError
from gridloom.style import use_style
from gridloom.text import si

SLR = "SLR: makespan over the least time of a critical path."
OVER = "heft_insertion"
TITLES = ["SLR", "speedup", "efficiency", "best or as good, %"]


def draw_panel(axes, quality, name, measure):
    levels = quality.values_of(name)
    means = np.array([quality.means(name, value)[1][:, measure] for value in levels])
    if measure == 0 and OVER in quality.algorithms:
        own = quality.algorithms.index(OVER)
        means = means / means[:, own : own + 1]
    for index, algorithm in enumerate(quality.algorithms):
        style = plain(QUALITY.line(algorithm))
        axes.plot(range(len(levels)), means[:, index], label=algorithm, **style)
    # Steps of equal width: the values are neither even nor even in their logarithms.
    axes.set_xticks(range(len(levels)), [si(value) for value in levels])
    axes.set_xlim(-0.3, len(levels) - 0.7)


def draw(results, kind="random"):
    quality = Quality(results, kind)
    names = quality.varying()
    if not names:
        raise PlotError(f"no parameter of the {kind} graphs has several values in /graphs")
    use_style()
    figure, grid = plt.subplots(
        len(TITLES), len(names), figsize=(1 + 1.9 * len(names), 7), layout="constrained",
        squeeze=False, sharey="row",
    )  # fmt: skip
    for measure, (row, title) in enumerate(zip(grid, TITLES, strict=True)):
        for axes, name in zip(row, names, strict=True):
            draw_panel(axes, quality, name, measure)
        is_ratio = measure == 0 and OVER in quality.algorithms
        row[0].set_ylabel("SLR over that\nof heft_insertion" if is_ratio else title)
    for axes, name in zip(grid[-1], names, strict=True):
        axes.set_xlabel(PARAMETERS[name])
    notes = [
        f"Does not vary: {PARAMETERS[name]} = {si(values[0])}"
        for name in PARAMETERS
        if len(values := quality.values_of(name)) == 1
    ]
    notes += [f"Graphs left out, {why}: {n}" for why, n in quality.left_out.items() if n]
    notes = ["Means over all graphs that have the value. " + SLR, SYMBOLS, *notes]
    notes += left_out_note(quality.runs, "algorithm")
    counts = " or ".join(map(str, quality.processors))
    title = "PETS, HEFT and CPOP: quality of schedules"
    shared = f"{len(quality):,} {kind} graphs on {counts} processors; the same on every machine"
    handles, _ = grid[0][0].get_legend_handles_labels()
    handles += family_handles({QUALITY.family(name) for name in quality.algorithms})
    frame(figure, title, shared, notes, handles, columns=5)
    return figure


OPTIONS = {"kind": {"default": "random", "help": "kind of graphs in /graphs; default: %(default)s"}}

if __name__ == "__main__":
    sys.exit(main("pets_quality", __doc__, draw, more=OPTIONS, read=Results))
