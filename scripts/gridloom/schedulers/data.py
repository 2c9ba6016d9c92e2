"""Results of gridloom-schedulers: the schedulers and how they are drawn, the cases, and METG.

A case is a graph with durations of its tasks and a number of threads per task. The column
`experiment` names the part of scripts/schedulers that measured a row."""

import numpy as np
import pandas as pd

from gridloom.results import PlotError, read_runs, read_table
from gridloom.style import Arms

# Known schedulers in the order of their symbols. Others get symbols after them.
ARMS = Arms(
    published=["multi-queue", "juggler-grr", "mhive-mk", "fr4", "juggler-lf", "juggler-lrr",
               "single-queue", "scanning", "mhive-tsk", "mhive-pdc", "mhive-phases"],
    rivals=["graph-pdl", "graph", "barriers", "static-lists", "launches", "ticket",
            "graph-conditional", "barriers-cluster"],
    ours=["in-order", "juggler-chains", "in-order-ticket", "mhive-resident", "juggler-lts",
          "heft-plan", "pets-plan", "ticket-queue"],
)  # fmt: skip
FAMILY = {"published": "published", "ours": "ours", "rival": "rivals"}
INSIDE = ("published", "ours")  # schedulers that run inside the GPU, by their column `by`
PLANS = ["heft-plan", "pets-plan"]  # know the duration of each task, so they stand apart
LISTS = ["ticket", "static-lists"]  # rivals that need no end of a level, `by` "lists"
AGAINST = [*INSIDE, "lists"]  # what is compared with the rivals by level
LAWS = ["constant", "graph", "uniform", "exponential", "rare-long"]
LAW_TITLES = {
    "constant": "equal", "graph": "costs of kernels", "uniform": "uniform",
    "exponential": "exponential", "rare-long": "rare and long",
}  # fmt: skip
SHAPES = ["wide", "square", "narrow"]
CASE = ["graph", "durations", "work_ns", "threads"]
FACTS = ["tasks", "edges", "depth", "widest_level", "critical_path_ns"]
STEEP = 4  # how many times as wide as deep a wide graph is
LEAST_NS, MOST_NS = 30, 10**6  # the range in which the program looks for METG(50 %)


def read_part(path, *parts):
    """The successful runs of these parts of the measurement."""
    rows = read_runs(path)
    rows = rows.mask(rows["experiment"].isin(parts) & (rows["status"] == "ok"))
    if len(rows) == 0:
        raise PlotError(f"{path}: no successful runs of {' or '.join(parts)}")
    return rows


def cases(rows):
    """One row per case and scheduler: medians, with the facts of the case."""
    kept = [*CASE, "scheduler", "by", *FACTS]
    times = ["elapsed_ms", "setup_ms", "bytes_per_task", "least_ms", "workers"]
    found = pd.DataFrame(rows).groupby(kept, sort=False)[times].median().reset_index()
    found["family"] = [graph.partition(":")[0] for graph in found["graph"]]
    return found


def fastest(found, key=CASE, value="elapsed_ms"):
    """{by: the fastest scheduler of each case}, as frames indexed by the case."""
    best = {}
    for by, own in found.groupby("by"):
        least = own.loc[own.groupby(key)[value].idxmin()]
        best[by] = least.set_index(key)
    return best


def shape_of(row):
    """Whether a graph is wide, square or narrow, by its depth and its mean width."""
    width = row["tasks"] / row["depth"]
    if width >= STEEP * row["depth"]:
        return "wide"
    return "narrow" if row["depth"] >= STEEP * width else "square"


def read_metg(path, *parts):
    """The table /metg of these parts, with `metg_ns` in the range of the search, and `bound`: "≤"
    or ">" where the true value lies outside. Schedulers without a value are left out."""
    found = pd.DataFrame(read_table(path, "metg", writer="gridloom-schedulers --metg"))
    found = found[found["experiment"].isin(parts)].reset_index(drop=True)
    bounds = {"reached": "", "below range": "≤ ", "not reached": "> "}
    found = found[found["status"].isin(list(bounds))].reset_index(drop=True)
    if len(found) == 0:
        raise PlotError(f"{path}: /metg has no values of {' or '.join(parts)}")
    found["bound"] = found["status"].map(bounds)
    limits = np.where(found["status"] == "not reached", found["lower_ns"], LEAST_NS)
    found["metg_ns"] = np.where(found["bound"] == "", found["metg_ns"], limits)
    found["shape"] = found.apply(shape_of, axis=1)
    found["pattern"] = [graph.partition(":")[0] for graph in found["graph"]]
    return found


def mean_ratio(values):
    """The geometric mean."""
    return float(np.exp(np.log(np.asarray(values, dtype=float)).mean()))


def ratios_of(rows):
    """One row per case and `by` of AGAINST: the case, `by`, `scheduler`, `rival`, and `ratio`, how
    many times as fast as the fastest rival by level."""
    table, found = cases(rows), []
    table = table[~table["scheduler"].isin(PLANS)]
    best = fastest(table.assign(by=table["by"].mask(table["scheduler"].isin(LISTS), "lists")))
    if "rival" not in best or not set(INSIDE) & set(best):
        raise PlotError("expected rivals and schedulers inside the GPU in the same file")
    for by in (by for by in AGAINST if by in best):
        rivals = best["rival"][["elapsed_ms", "scheduler"]]
        own = best[by].join(rivals, rsuffix="_rival", how="inner").reset_index()
        own = own.rename(columns={"scheduler_rival": "rival"})
        found.append(own.assign(ratio=own["elapsed_ms_rival"] / own["elapsed_ms"]))
    return pd.concat(found, ignore_index=True)
