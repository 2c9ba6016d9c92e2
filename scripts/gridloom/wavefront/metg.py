"""Efficiency of the wavefront schedulers, and their METG(50 %).

Efficiency is the requested work over the time of all units: tasks × duration / (units × elapsed).
The longest path may take longer than all work spread over the units, with drawn durations or with
one lane per task. Then its time replaces the work."""

import numpy as np

from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.text import in_order
from gridloom.wavefront.data import CONFIGURATION
from gridloom.wavefront.rows import OURS

GRID = ["blocks", "threads"]
DURATIONS = ["constant", "uniform", "exponential", "rare-long"]


def efficiency(rows):
    if "work_total_ms" in rows:
        spread = rows["work_total_ms"] / rows["units"]
        return np.maximum(spread, rows["work_path_ms"]) / rows["elapsed_ms"]
    work_ns = rows["tasks"].astype(float) * rows["work_ns"]
    return work_ns / (rows["units"] * rows["elapsed_ms"] * 1e6)


def measured(runs, experiments=("metg",)):
    """The rows of the experiments. Raises PlotError if there are none."""
    rows = runs.only(counters=0, status="ok")
    rows = rows.mask(rows["experiment"].isin(experiments) & (rows["work_ns"] > 0))
    if len(rows) == 0:
        raise PlotError("no rows with experiment 'metg', work_ns above 0 and status 'ok'")
    return rows


def curves_of(rows):
    """[(config, durations, [(median, low, high)])], one per arm and setting, with ascending
    durations."""
    result = []
    for config, group in rows.groups([*CONFIGURATION, "width", "durations"]):
        points = efficiency(group).groupby(group["work_ns"]).apply(median_interval)
        result.append((config, np.array(points.index), list(points)))
    return result


def equal_tasks(rows):
    """The rows on a lattice with tasks of one duration and one block per task."""
    rows = rows.only(width="block", graph="lattice")
    return rows.only(durations="constant") if "durations" in rows else rows


def curves(runs):
    """The curves of equal_tasks()."""
    rows = equal_tasks(measured(runs))
    if len(rows) == 0:
        raise PlotError("no rows of experiment 'metg' with tasks of one duration, a block each")
    return curves_of(rows)


def drawn(runs):
    """The rows with drawn durations: those of the experiment, and those of --work-ns with other
    grids, whose arms name the mean. Raises PlotError if there are none."""
    rows = measured(runs, ("metg", "custom"))
    if "durations" not in rows or set(rows["durations"]) <= {"constant"}:
        raise PlotError("no rows of experiment 'metg' with durations that are drawn")
    rows["arm"] = rows["arm"].str.replace(r" \d+ ns\b", "", regex=True)
    return rows


def graph_of(key):
    return key["input"] or (key["rows"], key["cols"])


def uneven(runs):
    """{(graph, what runs a task, blocks, threads): {distribution of durations: curves}}, for each
    grid of ours with drawn durations. Raises PlotError if there are none."""
    found = {}
    for key, own in drawn(runs).groups(["input", "rows", "cols", "width", *GRID]):
        kinds = in_order(own["durations"], DURATIONS)
        if kinds != ["constant"] and own["algorithm"].isin(OURS).any():
            by_kind = {kind: curves_of(own.only(durations=kind)) for kind in kinds}
            found[graph_of(key), key["width"], key["blocks"], key["threads"]] = by_kind
    if not found:
        raise PlotError("no rows of ours with durations that are drawn")
    return found


def best_grids(runs):
    """{(graph, what runs a task): {distribution of durations: {mean: {algorithm: runs per ms}}}},
    with the best of all tried grids. Means for which ours had fewer grids than others are left
    out."""
    found, rows = {}, drawn(runs)
    rows["ours"] = rows["algorithm"].isin(OURS)
    for key, own in rows.groups(["input", "rows", "cols", "width"]):
        if len(own.groupby(GRID)) == 1:
            continue
        for kind in in_order(own.only(ours=True)["durations"], DURATIONS):
            alike = own.only(durations=kind)
            grids = alike.only(ours=True).drop_duplicates(["work_ns", *GRID])
            grids = grids["work_ns"].value_counts()
            alike = alike.mask(alike["work_ns"].isin(grids.index[grids == grids.max()]))
            by_mean = found.setdefault((graph_of(key), key["width"]), {}).setdefault(kind, {})
            arms = alike.groupby(["work_ns", "algorithm", *GRID])
            for (mean, name, *_), ms in arms["elapsed_ms"].median().items():
                rates = by_mean.setdefault(int(mean), {})
                rates[name] = max(1 / ms, rates.get(name, 0))
    return found
