"""The quality of schedules by the parameters of their graphs."""

import numpy as np

from gridloom.pets import data
from gridloom.results import PlotError
from gridloom.text import in_order, number, table


class Quality:
    """Random graphs for which every algorithm has a schedule, with their parameters.

    `values`: graph × algorithm × (SLR, speedup, efficiency, 100 if best else 0)."""

    def __init__(self, results):
        self.runs = results.table("runs")
        parameters = data.parameters_of(results.table("graphs"))
        found = data.schedules_of(self.runs)
        of = {
            key: data.parameters_for(parameters, dict(zip(data.GRAPH, key, strict=True)))
            for key in found
        }
        there = {key: own for key, own in found.items() if of[key]["kind"] == "random"}
        if not there:
            kinds = ", ".join(sorted({own["kind"] for own in of.values()}))
            raise PlotError(f"no schedules of random graphs with status ok, kinds: {kinds or None}")
        self.algorithms = in_order(
            {name for own in there.values() for name in own}, data.ALGORITHMS
        )
        whole = [key for key, own in there.items() if len(own) == len(self.algorithms)]
        if not whole:
            raise PlotError("no graph has schedules of all algorithms")
        self.left_out = {
            "of other kinds than random": len(found) - len(there),
            "without schedules of all algorithms": len(there) - len(whole),
        }
        made = np.array([[there[key][name] for name in self.algorithms] for key in whole], float)
        best = 100.0 * data.shares_of_best(made[:, :, 0])
        self.values = np.concatenate([made[:, :, 1 : len(data.MEASURES)], best[:, :, None]], axis=2)
        self.processors = sorted({key[data.GRAPH.index("processors")] for key in whole})
        self.parameters = {
            name: np.array([of[key][name] for key in whole]) for name in data.PARAMETERS
        }

    def __len__(self):
        return len(self.values)

    def varying(self):
        """Names of the parameters that have several values."""
        return [name for name, own in self.parameters.items() if len(self.values_of(name)) > 1]

    def values_of(self, name):
        own = self.parameters[name]
        return np.unique(own[own != -1])

    def times_us(self, algorithm, size):
        """All runs on graphs with `size` tasks."""
        keep = self.runs["tasks"] == size
        rows = self.runs.mask(keep).only(algorithm=algorithm, status="ok")
        return 1e3 * np.asarray(rows["elapsed_ms"], dtype=float)

    def means(self, name, value):
        """(graphs, algorithm × measure) of the graphs with this value of a parameter."""
        keep = self.parameters[name] == value
        return int(keep.sum()), self.values[keep].mean(axis=0)


def times_table(quality):
    """One row per size: the times of the algorithms."""
    rows = []
    for size in quality.values_of("v"):
        medians = (np.median(quality.times_us(name, size)) for name in quality.algorithms)
        rows.append([f"{size:,.0f}", *map(number, medians)])
    heads = ["tasks", *(f"`{name}`" for name in quality.algorithms)]
    return table(heads, rows, left=0)


def values(quality):
    """The sizes for which PETS has shorter schedules with insertion."""
    pair = ["pets_insertion", "heft_insertion"]
    if not set(pair) <= set(quality.algorithms):
        return {}
    pets, heft = map(quality.algorithms.index, pair)
    sizes = [
        f"{size:,.0f}"
        for size in quality.values_of("v")
        if quality.means("v", size)[1][pets, 0] < quality.means("v", size)[1][heft, 0]
    ]
    return {"pets-ahead-at": ", ".join(sizes) or "no"}
