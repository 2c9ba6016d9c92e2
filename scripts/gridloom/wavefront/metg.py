"""Efficiency of the wavefront schedulers with equal tasks, one block each, and their METG(50 %).

Efficiency is the requested work over the time of all units: tasks × duration / (units × elapsed),
or the longest path over the time, if that is longer."""

import numpy as np

from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.wavefront.data import CONFIGURATION


def efficiency(rows):
    spread = rows["work_total_ms"] / rows["units"]
    return np.maximum(spread, rows["work_path_ms"]) / rows["elapsed_ms"]


def equal_tasks(runs, experiment="metg"):
    """The rows on a lattice with tasks of one duration, one block per task."""
    wanted = {"width": "block", "graph": "lattice", "durations": "constant"}
    rows = runs.only(experiment=experiment, counters=0, status="ok", **wanted)
    return rows.mask(rows["work_ns"] > 0)


def curves(runs):
    """[(durations, efficiencies)] of equal_tasks(), one per arm and setting, by duration."""
    rows = equal_tasks(runs)
    if len(rows) == 0:
        raise PlotError("no rows of experiment 'metg' with tasks of one duration, a block each")
    # A process that measures several durations names them in its arms.
    rows = rows.assign(arm=rows["arm"].str.replace(r" \d+ ns.*", "", regex=True))
    result = []
    for _, group in rows.groups(CONFIGURATION):
        points = efficiency(group).groupby(group["work_ns"]).apply(median_interval)
        result.append((np.array(points.index), [middle for middle, _, _ in points]))
    return result
