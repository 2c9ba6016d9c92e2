"""Graphs of a million tasks: with one lane per task, from a results file of `wavefront`, and FR4
with blocks, from the part `large` of schedulers.h5 beside it."""

import pandas as pd

from gridloom.results import read_runs
from gridloom.schedulers.data import cases, read_part
from gridloom.statistics import geometric_mean
from gridloom.text import number, table

RIVALS = "waves_"  # begins the names of rivals by level


def lane_times(path):
    """{graph: the fastest run of ours and of the rivals in ms}."""
    runs = pd.DataFrame(read_runs(path).only(experiment="lanes", status="ok"))
    runs["rival"] = runs["algorithm"].str.startswith(RIVALS)
    key = ["input", "algorithm", "rival", "threads"]
    medians = runs.groupby(key)["elapsed_ms"].median()
    best = medians.groupby(["input", "rival"]).min().unstack()
    return {file.removesuffix(".h5"): (own[False], own[True]) for file, own in best.iterrows()}


def texts_of(path):
    lanes, rows, ratios = lane_times(path), [], []
    found = cases(read_part(path.with_name("schedulers.h5"), "large"))
    for graph, own in found.groupby("graph", sort=False):
        name = graph.partition(":")[0]
        blocks = own.set_index(["scheduler", "work_ns"])["elapsed_ms"]
        ours, rival = lanes[name]
        ratios.append(rival / ours)
        tasks, depth = own["tasks"].iloc[0], own["depth"].iloc[0]
        rows.append([name, f"{tasks:,}", f"{depth:,}", *map(number, [ours, rival, rival / ours]),
                     number(tasks / blocks["fr4", 0] / 1e3),
                     number(blocks["graph", 10000] / blocks["fr4", 10000])])  # fmt: skip
    heads = ["graph", "tasks", "depth", "lanes: best ours, ms", "best rival by level, ms",
             "ours: times as fast", "FR4, million tasks a second",
             "10 µs: FR4, times as fast as `graph`"]  # fmt: skip
    return {
        "large": table(heads, rows),
        "lanes-mean": number(geometric_mean(ratios)),
        "lanes-least": number(min(ratios)),
    }
