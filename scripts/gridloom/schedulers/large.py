"""Graphs of a million tasks: with one lane per task, from a results file of `wavefront`, and FR4
with blocks, from the part `large` of schedulers.h5 beside it."""

import numpy as np
import pandas as pd

from gridloom.results import read_runs
from gridloom.schedulers.data import cases, read_part
from gridloom.statistics import geometric_mean
from gridloom.text import number, table

RIVALS = "waves_"  # begins the names of rivals by level


def best_times(path, part, *key):
    """The fastest runs of ours and of the rivals by level in ms, two columns."""
    runs = pd.DataFrame(read_runs(path).only(experiment=part, status="ok"))
    runs["kind"] = np.where(runs["algorithm"].str.startswith(RIVALS), "rival", "ours")
    all_keys = dict.fromkeys([*key, "kind", "algorithm", "threads", "work_ns"])
    medians = runs.groupby(list(all_keys))["elapsed_ms"].median()
    return medians.groupby([*key, "kind"]).min().unstack()


def texts_of(path):
    lanes, rows, ratios = best_times(path, "lanes", "input"), [], []
    [blocks, *_] = best_times(path, "blocks", "work_ns", "threads").itertuples()
    found = cases(read_part(path.with_name("schedulers.h5"), "large"))
    for graph, own in found.groupby("graph", sort=False):
        name = graph.partition(":")[0]
        times = own.set_index(["scheduler", "work_ns"])["elapsed_ms"]
        ours, rival = lanes.loc[f"{name}.h5", ["ours", "rival"]]
        ratios.append(rival / ours)
        tasks, depth = own["tasks"].iloc[0], own["depth"].iloc[0]
        rows.append([name, f"{tasks:,}", f"{depth:,}", *map(number, [ours, rival, rival / ours]),
                     number(tasks / times["fr4", 0] / 1e3),
                     number(times["graph", 10000] / times["fr4", 10000])])  # fmt: skip
    heads = ["graph", "tasks", "depth", "lanes: best ours, ms", "best rival by level, ms",
             "ours: times as fast", "FR4, million tasks a second",
             "10 µs: FR4, times as fast as `graph`"]  # fmt: skip
    return {
        "large": table(heads, rows),
        "lanes-mean": number(geometric_mean(ratios)),
        "blocks": number(blocks.ours / blocks.rival),
    }
