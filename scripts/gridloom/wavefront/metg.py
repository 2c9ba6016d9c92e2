"""Efficiency of the wavefront schedulers, and their METG(50 %).

Efficiency is the work asked for over the time paid: tasks × duration / (units × elapsed). The
METG(50 %), the minimum effective task granularity, is the task duration from which on half of the
machine's time is work; it is read off between the measured durations by linear interpolation in
their logarithm.
"""

import numpy as np

from gridloom.results import PlotError
from gridloom.statistics import log_crossing, median_interval
from gridloom.text import duration
from gridloom.wavefront.data import CONFIGURATION

LEVEL = 0.5


def efficiency(rows):
    work_ns = rows["tasks"].astype(float) * rows["work_ns"]
    return work_ns / (rows["units"] * rows["elapsed_ms"] * 1e6)


def curves(runs):
    """[(config, durations, [(median, low, high)])], one an arm and setting, durations ascending."""
    rows = runs.only(experiment="metg", counters=0, status="ok")
    rows = rows.mask(rows["work_ns"] > 0)
    if len(rows) == 0:
        raise PlotError("no rows with experiment 'metg', work_ns above 0 and status 'ok'")
    result = []
    for config, group in rows.groups(CONFIGURATION):
        points = efficiency(group).groupby(group["work_ns"]).apply(median_interval)
        result.append((config, np.array(points.index), list(points)))
    return result


def metg_text(durations, medians):
    """METG(50 %) as text, with the sign that says when it lies outside what was measured."""
    value = log_crossing(durations, medians, LEVEL)
    if value is None:
        return f"> {duration(durations[-1])}"
    within = min(medians) < LEVEL
    return duration(value) if within else f"≤ {duration(value)}"
