#!/usr/bin/env python3
"""PETS, HEFT and CPOP: how good the schedules are, against the parameters of random graphs.

Each measure has two rows, one for algorithms that fill gaps and one for those that append. There is
one column per parameter and one line per algorithm. A point is the mean over all graphs with this
value, whatever their other parameters are. The mean SLR is shown over that of heft_insertion, if
the file has it, because the lines would overlap. Best: for how many graphs no other schedule is
shorter. Efficiency is drawn if graphs have different numbers of processors; otherwise it is
proportional to the speedup. Parameters come from the table /graphs. Those with one value have no
column."""

import numpy as np

from gridloom.charts import family_handles, frame, left_out_note, panel_grid, plain
from gridloom.figure import main
from gridloom.pets.data import PARAMETERS, Results
from gridloom.pets.drawing import QUALITY, SYMBOLS
from gridloom.pets.quality import Quality
from gridloom.results import PlotError
from gridloom.text import si

SLR = "SLR: makespan over the least time of a critical path."
OVER = "heft_insertion"
OVER_TITLE = f"SLR over that\nof {OVER}"
TITLES = ["SLR", "speedup", "efficiency", "best or as good, %"]
INSERTS = "_insertion"  # end of the names of algorithms that fill gaps


def rows_of(quality):
    """[(measure, whether the algorithms fill gaps)], for algorithms in the file."""
    measures = [k for k in range(len(TITLES)) if k != 2 or len(quality.processors) > 1]
    ways = {name.endswith(INSERTS) for name in quality.algorithms}
    return [(k, inserts) for k in measures for inserts in (True, False) if inserts in ways]


def draw_panel(axes, quality, name, measure, inserts):
    levels = quality.values_of(name)
    means = np.array([quality.means(name, value)[1][:, measure] for value in levels])
    if measure == 0 and OVER in quality.algorithms:
        own = quality.algorithms.index(OVER)
        means = means / means[:, own : own + 1]
    for index, algorithm in enumerate(quality.algorithms):
        if algorithm.endswith(INSERTS) == inserts:
            style = plain(QUALITY.line(algorithm))
            axes.plot(range(len(levels)), means[:, index], label=algorithm, **style)
    # Steps of equal width: the values are neither even nor even in their logarithms.
    axes.set_xticks(range(len(levels)), [si(value) for value in levels])
    axes.set_xlim(-0.3, len(levels) - 0.7)


def share_heights(rows, grid):
    """Gives the panels of a measure the same axis, so that both ways can be compared."""
    for measure in {measure for measure, _ in rows}:
        panels = [ax for (k, _), own in zip(rows, grid, strict=True) if k == measure for ax in own]
        bounds = np.array([axes.get_ylim() for axes in panels])
        for axes in panels:
            axes.set_ylim(bounds[:, 0].min(), bounds[:, 1].max())
            axes.tick_params(labelleft=axes in grid[:, 0])


def draw(results):
    quality = Quality(results)
    names = quality.varying()
    if not names:
        raise PlotError("no parameter of the random graphs has several values in /graphs")
    rows = rows_of(quality)
    figure, grid = panel_grid(
        len(rows), len(names), (1 + 1.9 * len(names), 1.45 * len(rows)), sharex="col"
    )
    for (measure, inserts), panels in zip(rows, grid, strict=True):
        for axes, name in zip(panels, names, strict=True):
            draw_panel(axes, quality, name, measure, inserts)
        title = OVER_TITLE if measure == 0 and OVER in quality.algorithms else TITLES[measure]
        panels[0].set_ylabel(f"{title}\n({'insertion' if inserts else 'append'})")
    share_heights(rows, grid)
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
    shared = f"{len(quality):,} random graphs on {counts} processors; the same on every machine"
    handles = [handle for axes in grid[:2, 0] for handle in axes.get_legend_handles_labels()[0]]
    handles += family_handles({QUALITY.family(name) for name in quality.algorithms})
    return frame(figure, title, shared, notes, handles, columns=5)


if __name__ == "__main__":
    main("pets_quality", __doc__, draw, read=Results)
