#!/usr/bin/env python3
"""PETS, HEFT and CPOP: how good the schedules are, against the parameters of random graphs.

A row a measure, a column a parameter, a line an algorithm: means over all graphs that have the
value, whatever their other parameters are. Best: on how many graphs no other algorithm's schedule
is shorter. Parameters come from the table /graphs; those of one value have no column.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

from gridloom_plots import PlotError, line_style, main, si, use_style
from pets_data import (
    ALGORITHMS,
    GRAPH,
    MEASURES,
    PARAMETERS,
    Results,
    finish_notes,
    in_order,
    parameters_for,
    parameters_of,
    schedules_of,
    shares_of_best,
)

TITLES = ["SLR", "speedup", "efficiency", "best or as good, %"]


class Quality:
    """Graphs of one kind on which every algorithm has a schedule, with their parameters.

    `values`: graph × algorithm × (SLR, speedup, efficiency, 100 if best else 0).
    """

    def __init__(self, results, kind="random"):
        self.runs = results.table("runs")
        parameters = parameters_of(results.table("graphs"))
        found = schedules_of(self.runs)
        of = {key: parameters_for(parameters, dict(zip(GRAPH, key, strict=True))) for key in found}
        there = {key: own for key, own in found.items() if of[key]["kind"] == kind}
        if not there:
            kinds = ", ".join(sorted({own["kind"] for own in of.values()}))
            raise PlotError(f"no schedules of {kind} graphs with status ok, kinds: {kinds or None}")
        self.algorithms = in_order({name for own in there.values() for name in own}, ALGORITHMS)
        whole = [key for key, own in there.items() if len(own) == len(self.algorithms)]
        if not whole:
            raise PlotError("no graph has schedules of all algorithms")
        self.kind = kind
        self.left_out = {
            f"of other kinds than {kind}": len(found) - len(there),
            "without schedules of all algorithms": len(there) - len(whole),
        }
        made = np.array([[there[key][name] for name in self.algorithms] for key in whole], float)
        best = 100.0 * shares_of_best(made[:, :, 0])
        self.values = np.concatenate([made[:, :, 1 : len(MEASURES)], best[:, :, None]], axis=2)
        self.processors = sorted({key[GRAPH.index("processors")] for key in whole})
        self.parameters = {name: np.array([of[key][name] for key in whole]) for name in PARAMETERS}

    def __len__(self):
        return len(self.values)

    def varying(self):
        """Names of the parameters of several values."""
        return [name for name, own in self.parameters.items() if len(self.values_of(name)) > 1]

    def values_of(self, name):
        own = self.parameters[name]
        return np.unique(own[own != -1])

    def means(self, name, value):
        """(graphs, algorithm × measure) of the graphs that have the value."""
        keep = self.parameters[name] == value
        return int(keep.sum()), self.values[keep].mean(axis=0)


def draw_panel(axes, quality, name, measure):
    levels = quality.values_of(name)
    means = np.array([quality.means(name, value)[1][:, measure] for value in levels])
    for index, algorithm in enumerate(quality.algorithms):
        style = line_style(ALGORITHMS.index(algorithm) if algorithm in ALGORITHMS else index)
        style.pop("capsize")
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
        len(TITLES), len(names), figsize=(2.5 + 2.5 * len(names), 9), layout="constrained",
        squeeze=False, sharey="row",
    )  # fmt: skip
    for measure, (row, title) in enumerate(zip(grid, TITLES, strict=True)):
        for axes, name in zip(row, names, strict=True):
            draw_panel(axes, quality, name, measure)
        row[0].set_ylabel(title)
    for axes, name in zip(grid[-1], names, strict=True):
        axes.set_xlabel(PARAMETERS[name])
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper")
    counts = " or ".join(map(str, quality.processors))
    title = f"Quality of schedules: {len(quality):,} {kind} graphs on {counts} processors"
    figure.suptitle(title, fontweight="bold")
    notes = [
        f"Does not vary: {PARAMETERS[name]} = {si(values[0])}"
        for name in PARAMETERS
        if len(values := quality.values_of(name)) == 1
    ]
    notes += [f"Graphs left out, {why}: {n}" for why, n in quality.left_out.items() if n]
    first = "Means over all graphs that have the value."
    arms = quality.runs.columns | {"implementation": quality.runs["algorithm"]}
    finish_notes(figure, type(quality.runs)(arms), notes, first)
    return figure


OPTIONS = {"kind": {"default": "random", "help": "kind of graphs in /graphs; default: %(default)s"}}

if __name__ == "__main__":
    sys.exit(main("pets_quality", __doc__, draw, more=OPTIONS, read=Results))
