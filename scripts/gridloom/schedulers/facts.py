"""What the advice needs to know of a DAG file: levels, edges, and the critical path."""

import numpy as np
import pandas as pd

from gridloom.csr_rows import column_of, read_rows
from gridloom.schedulers.advice import RARE, TIMES
from gridloom_datasets import hdf5
from gridloom_datasets.errors import InputError


def drawn(law, count, costs):
    """Durations with mean 1; the costs of the graph for `graph`."""
    random, usual = np.random.default_rng(1), 1 / (1 - RARE + RARE * TIMES)
    return {
        "graph": lambda: costs / costs.mean(),
        "uniform": lambda: random.uniform(0, 2, count),
        "exponential": lambda: random.exponential(size=count),
        "rare-long": lambda: usual * np.where(random.uniform(size=count) < RARE, TIMES, 1),
        "constant": lambda: np.ones(count),
    }[law]()


def read_graph(path, law):
    """(row offsets, columns, costs or None) of a DAG file."""

    def refused(words):
        return InputError(f"{path}: not a DAG file of gridloom-graph ({words})")

    def read(file):
        types = (np.uint64, np.uint32)
        (tasks, _), *rows = read_rows(file, "graph", "dag", ("n", "n"), refused, types)
        if law != "graph":
            return tasks, *rows, None
        if "costs" not in file["graph"]:
            raise InputError(f"{path}: --spread graph: expected costs of its tasks")
        costs = column_of(file["graph"], "costs", np.uint64, refused, dimensions=2)
        column_of(file["graph"], "weights", np.uint64, refused)
        if len(costs) != tasks or costs.shape[1] == 0:
            raise refused(f"expected {tasks} rows of at least one cost, got {costs.shape}")
        return tasks, *rows, costs[...][:, 0].astype(float)

    tasks, offsets, columns, costs = hdf5.read_file(path, read)
    if tasks < 1:
        raise InputError(f"{path}: expected a graph with tasks")
    edges = np.repeat(np.arange(tasks), np.diff(offsets)) * tasks + columns
    if len(np.unique(edges)) != len(edges):
        raise InputError(f"{path}: /graph/columns: expected no edge twice")
    if costs is not None and costs.sum() == 0:
        raise InputError(f"{path}: --spread graph: expected costs above 0")
    return offsets, columns, costs


def facts_of(path, law, mean_ns):
    """A table of one row with the columns that advice.features() reads."""
    offsets, columns, costs = read_graph(path, law)
    tasks = len(offsets) - 1
    lasts = drawn(law, tasks, costs) * mean_ns
    waits = np.bincount(columns, minlength=tasks)
    ready, ends = np.flatnonzero(waits == 0), np.zeros(tasks)
    levels = []
    while len(ready):
        levels.append((1, len(ready), lasts[ready].max()))
        ends[ready] += lasts[ready]
        counts = offsets[ready + 1] - offsets[ready]
        # Places of all edges of the level: each row's places one after the other.
        place = np.repeat(offsets[ready + 1] - np.cumsum(counts), counts) + np.arange(counts.sum())
        after = columns[place]
        np.maximum.at(ends, after, np.repeat(ends[ready], counts))
        # Only tasks that the level touches can become ready.
        touched, times = np.unique(after, return_counts=True)
        waits[touched] -= times
        ready = touched[waits[touched] == 0]
    levels = np.array(levels).reshape(-1, 3)
    if levels[:, 1].sum() != tasks:
        raise InputError(f"{path}: expected no cycle")
    return pd.DataFrame([{
        "tasks": tasks, "edges": len(columns), "depth": len(levels),
        "widest_level": int(levels[:, 1].max()), "critical_path_ns": ends.max(),
        "work_ns": mean_ns, "durations": law, "levels": levels, "deviation_ns": lasts.std(),
    }])  # fmt: skip
