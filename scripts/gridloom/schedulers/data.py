"""Results of gridloom-schedulers: the schedulers and how they are drawn, the cases, and METG.

A case is a graph with durations of its tasks and a number of threads per task. The column
`experiment` names the part of schedulers/page.toml that measured a row."""

import re

import numpy as np
import pandas as pd

from gridloom.results import PlotError, read_runs, read_table
from gridloom.style import Arms

# Known schedulers in the order of their symbols. Others get symbols after them.
ARMS = Arms(
    published=["multi-queue", "juggler-grr", "mhive-mk", "fr4", "juggler-lf", "juggler-lrr",
               "single-queue", "scanning", "mhive-tsk", "mhive-pdc", "mhive-phases"],
    rivals=["graph-pdl", "graph", "ticket", "barriers", "static-lists", "launches",
            "graph-conditional", "barriers-cluster"],
    ours=["in-order", "juggler-chains", "in-order-ticket", "mhive-resident", "juggler-lts",
          "heft-plan", "pets-plan", "ticket-queue"],
)  # fmt: skip
FAMILY = {"published": "published", "ours": "ours", "rival": "rivals"}
INSIDE = ("published", "ours")  # by their column `by`
PLANS = ["heft-plan", "pets-plan"]  # know the duration of each task, so they stand apart
LISTS = ["ticket", "static-lists"]  # rivals that need no end of a level, `by` "lists"
AGAINST = [*INSIDE, "lists"]  # what is compared with the rivals by level
LAWS = ["constant", "graph", "uniform", "exponential", "rare-long"]
LAW_TITLES = {
    "constant": "equal", "graph": "costs of kernels", "uniform": "uniform",
    "exponential": "exponential", "rare-long": "rare and long",
}  # fmt: skip
SHAPES = ["wide", "square", "narrow"]
SQUARE = 128  # tasks per level of square patterns
CASE = ["graph", "durations", "work_ns", "threads"]
FACTS = ["tasks", "edges", "depth", "widest_level", "critical_path_ns"]
RELATED = {"stencil_1d_periodic": "stencil_1d", "random_nearest": "nearest"}  # one family each
LEAST_NS, MOST_NS = 30, 10**6  # the range in which the program looks for METG(50 %)


def read_part(path, *parts):
    """The successful runs of these parts of the measurement."""
    rows = read_runs(path)
    rows = rows.mask(rows["experiment"].isin(parts) & (rows["status"] == "ok"))
    if len(rows) == 0:
        raise PlotError(f"{path}: no successful runs of {' or '.join(parts)}")
    return rows


def cases(rows):
    """One row per case and scheduler: medians, with the facts of the case. A scheduler that ran
    in several ways counts with the fastest."""
    kept = [*CASE, "scheduler", "by", *FACTS, "workers_asked", "level_blocks"]
    times = ["elapsed_ms", "setup_ms", "bytes_per_task", "least_ms", "workers"]
    found = pd.DataFrame(rows).groupby(kept, sort=False)[times].median().reset_index()
    found = found.loc[found.groupby([*CASE, "scheduler"], sort=False)["elapsed_ms"].idxmin()]
    names = [graph.partition(":")[0] for graph in found["graph"]]
    found["family"] = [RELATED.get(name, name) for name in names]
    return found.reset_index(drop=True)


def fastest(found, key=CASE, value="elapsed_ms"):
    """{by: the fastest scheduler of each case}, as frames indexed by the case."""
    best = {}
    for by, own in found.groupby("by"):
        least = own.loc[own.groupby(key)[value].idxmin()]
        best[by] = least.set_index(key)
    return best


def shape_of(graph):
    """Whether a pattern is wide, square or narrow, by the width in its specification; "" for other
    graphs."""
    found = re.search(r"width=(\d+)", graph)
    if not found:
        return ""
    width = int(found[1])
    return "square" if width == SQUARE else "wide" if width > SQUARE else "narrow"


def read_metg(path, *parts):
    """The table /metg of these parts, with `metg_ns` in the range of the search, and `bound`: "≤"
    or ">" where the true value lies outside. Schedulers without a value are left out. Of rivals
    by level, the better of their two ways counts."""
    found = pd.DataFrame(read_table(path, "metg", writer="gridloom-schedulers --metg"))
    found = found[found["experiment"].isin(parts)].reset_index(drop=True)
    bounds = {"reached": "", "below range": "≤ ", "not reached": "> "}
    found = found[found["status"].isin(list(bounds))].reset_index(drop=True)
    if len(found) == 0:
        raise PlotError(f"{path}: /metg has no values of {' or '.join(parts)}")
    found["bound"] = found["status"].map(bounds)
    limits = np.where(found["status"] == "not reached", found["lower_ns"], LEAST_NS)
    found["metg_ns"] = np.where(found["bound"] == "", found["metg_ns"], limits)
    key = ["graph", "durations", "threads", "workers_asked", "scheduler"]
    # A value that was reached is better than a lower bound.
    better = found.assign(open=found["bound"] == "> ").sort_values(["open", "metg_ns"])
    found = found.loc[sorted(better.drop_duplicates(key).index)].reset_index(drop=True)
    found["shape"] = [shape_of(graph) for graph in found["graph"]]
    found["pattern"] = [graph.partition(":")[0] for graph in found["graph"]]
    return found


def with_all_laws(table):
    """The cases of graphs that ran with all random distributions, and those with costs of kernels.
    So distributions are compared on the same graphs."""
    laws = table.groupby("graph")["durations"].transform(
        lambda own: set(LAWS) - {"graph"} <= set(own)
    )
    return table[laws.astype(bool) | (table["durations"] == "graph")]


def ratios_of(rows):
    """One row per case and `by` of AGAINST: the case, `by`, `scheduler`, `rival`, and `ratio`, how
    many times as fast as the fastest rival by level."""
    best, found = by_kind(cases(rows)), []
    if "rival" not in best or not set(INSIDE) & set(best):
        raise PlotError("expected rivals and schedulers inside the GPU in the same file")
    rivals = best["rival"][["elapsed_ms", "scheduler"]]
    for by in (by for by in AGAINST if by in best):
        own = best[by].join(rivals, rsuffix="_rival", how="inner").reset_index()
        own = own.rename(columns={"scheduler_rival": "rival"})
        found.append(own.assign(ratio=own["elapsed_ms_rival"] / own["elapsed_ms"]))
    return pd.concat(found, ignore_index=True)


def by_kind(table):
    """The fastest of each kind, without plans; see fastest(). Lists are a kind of their own."""
    return fastest(with_kinds(table[~table["scheduler"].isin(PLANS)]))


def with_kinds(table):
    return table.assign(by=table["by"].mask(table["scheduler"].isin(LISTS), "lists"))
