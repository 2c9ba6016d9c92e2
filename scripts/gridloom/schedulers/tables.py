"""Tables and values of docs/schedulers.md, from docs/schedulers.h5."""

from itertools import product

import numpy as np
import pandas as pd

from gridloom.results import PlotError
from gridloom.schedulers import data
from gridloom.schedulers.advice import advice_of
from gridloom.schedulers.data import CASE, LAW_TITLES, LAWS, PLANS, cases
from gridloom.statistics import geometric_mean
from gridloom.text import NONE, duration, in_order, number, table

KINDS = {"published": "published", "ours": "ours", "lists": "list", "rival": "rival by level"}
AHEAD = 1.02  # a smaller difference is a draw
RUNS = 100  # break-even picks the schedulers for so many runs of a graph


def best_cells(best, key, value, write):
    """The fastest scheduler of each family and its value, for one row of a table."""
    cells = []
    for by in KINDS:
        if by in best and key in best[by].index:
            own = best[by].loc[key]
            cells += [f"`{own['scheduler']}`", own.get("bound", "") + write(own[value])]
        else:
            cells += [NONE, NONE]
    return cells


def best_heads(value):
    return [text for kind in KINDS.values() for text in (f"best {kind}", value)]


def mean_metg(own):
    """The geometric mean of METG, with the bound of one graph before it if there is one. NONE if
    half of the graphs or more have only a lower bound."""
    if 2 * (own["bound"] == "> ").sum() >= len(own):
        return NONE
    bound = next((text for text in ("> ", "≤ ") if (own["bound"] == text).any()), "")
    return bound + duration(round(geometric_mean(own["metg_ns"])))


def best_metg(found, *key):
    """The scheduler of each family with the shortest METG over all patterns, by the key. A
    scheduler that some pattern keeps below the efficiency is not named."""
    # A cluster is judged by its own few workers, so its METG is short although its runs are long.
    found = data.with_kinds(found[found["scheduler"] != "barriers-cluster"])
    groups = found.groupby([*key, "by", "scheduler"])
    means = groups["metg_ns"].apply(geometric_mean).to_frame()
    means = means[~groups["bound"].apply(lambda own: (own == "> ").any())].reset_index()
    key = list(key) if len(key) > 1 else key[0]
    best = data.fastest(means, key, "metg_ns")
    return {case: best_cells(best, case, "metg_ns", lambda ns: duration(round(ns)))
            for case in means.set_index(key).index.unique()}  # fmt: skip


def metg_by_shape(found):
    best = best_metg(found, "durations", "shape")
    rows = [[LAW_TITLES[law], shape, *best[law, shape]]
            for law in LAWS for shape in data.SHAPES if (law, shape) in best]  # fmt: skip
    return table(["durations", "shape", *best_heads("METG")], rows, left=3)


def metg_by(found, column):
    """METG by the values of a column, over all graphs and durations of a part."""
    best = best_metg(found, column)
    rows = [[str(value), *best[value]] for value in sorted(best)]
    return table([column.removesuffix("_asked"), *best_heads("METG")], rows, left=2)


def where_row(law, graphs, work_ns, own):
    cells = [LAW_TITLES[law], graphs, duration(work_ns)]
    for by in data.AGAINST:
        values = own.loc[own["by"] == by, "ratio"]
        ahead = f"{(values > AHEAD).sum()} of {len(values)}"
        cells += [number(geometric_mean(values)), ahead] if len(values) else [NONE, NONE]
    return cells


def where(ratios):
    """How many times as fast as the fastest rival by level, and on how many graphs it is ahead:
    graphs with all distributions, then wide and narrow ones with the middle duration."""
    rows, common = [], data.with_all_laws(ratios)
    for law in in_order(common["durations"], LAWS):
        kind = "factorizations" if law == "graph" else "common"
        for work_ns, own in common[common["durations"] == law].groupby("work_ns"):
            rows.append(where_row(law, kind, work_ns, own))
    middle = sorted(set(ratios["work_ns"]))[len(set(ratios["work_ns"])) // 2]
    shapes = ratios["graph"].map(data.shape_of).mask(ratios["graph"].isin(common["graph"]))
    for law, shape in product(in_order(ratios["durations"], LAWS), ("wide", "narrow")):
        chosen = (ratios["durations"] == law) & (shapes == shape) & (ratios["work_ns"] == middle)
        if chosen.any():
            rows.append(where_row(law, shape, middle, ratios[chosen]))
    heads = [text for by in data.AGAINST for text in (f"best {by}: times as fast", "ahead on")]
    return table(["durations", "graphs", "mean duration", *heads], rows, left=3)


# These follow lists that were made before the run.
FROM_LISTS = ["juggler-chains", "in-order", "in-order-ticket"]


def near_ticket(found):
    """In how many cases no scheduler with queues of ready tasks is over 2 % faster than the ticket
    list."""
    others = found[found["by"].isin(data.INSIDE) & ~found["scheduler"].isin([*PLANS, *FROM_LISTS])]
    best = others.groupby(CASE)["elapsed_ms"].min()
    ticket = found[found["scheduler"] == "ticket"].set_index(CASE)["elapsed_ms"]
    return f"{(ticket <= AHEAD * best.reindex(ticket.index)).sum()}"


def makespans(rows):
    """How many times as long as predicted the runs of plans take, in the geometric mean."""
    rows = pd.DataFrame(rows).dropna(subset="predicted_ms")
    return f"{geometric_mean(rows['elapsed_ms'] / rows['predicted_ms']):.2f}" if len(rows) else NONE


def each(found, metg, again):
    """One row per scheduler: METG, speed, efficiency, set-up, memory. `again` has the set-ups."""
    apart = found["elapsed_ms"].mask(found["scheduler"].isin(PLANS))
    least = apart.groupby([found[name] for name in CASE]).transform("min")
    found = found.assign(speed=least / found["elapsed_ms"])
    longest = found[found["work_ns"] == found["work_ns"].max()]
    rows = []
    for name in in_order(set(found["scheduler"]) | set(metg["scheduler"]), data.ARMS.places):
        own = found[found["scheduler"] == name]
        grain = metg[(metg["scheduler"] == name) & (metg["shape"] == "square")]
        cells = [mean_metg(grain[grain["durations"] == law]) for law in ("constant", "rare-long")]
        far = longest[longest["scheduler"] == name]
        share = (far["least_ms"] / far["elapsed_ms"]).median()
        cells += [number(geometric_mean(own["speed"])) if len(own) else NONE,
                  f"{100 * share:.0f} %" if len(far) else NONE,
                  number(own["bytes_per_task"].median()) if len(own) else NONE]  # fmt: skip
        set_up = again.loc[again["scheduler"] == name, "setup_ms"].dropna()
        cells.append(number(geometric_mean(set_up)) if len(set_up) else NONE)
        by = (own if len(own) else grain)["by"].iloc[0]
        rows.append([f"`{name}`", by, *cells])
    heads = [
        "METG, equal",
        "METG, rare and long",
        "speed (the fastest has 1)",
        "efficiency, longest tasks",
        "bytes per task",
        "set-up in ms",
    ]
    return table(["scheduler", "from", *heads], rows, left=2)


def break_even(found):
    """The fastest scheduler inside the GPU beside the fastest rival by level, over so many runs
    with one set-up, and which one is ahead for how many runs."""
    found = found[found["setup_ms"].notna() & ~found["scheduler"].isin(PLANS)]
    inside = found["by"].isin(data.INSIDE) | found["scheduler"].isin(data.LISTS)
    found = found.assign(by=found["by"].mask(inside, "inside"),
                         total=found["setup_ms"] + RUNS * found["elapsed_ms"])  # fmt: skip
    best, rows = data.fastest(found, value="total"), []
    for case, own in best["inside"].iterrows() if {"inside", "rival"} <= set(best) else []:
        other = best["rival"].loc[case]
        gain = other["elapsed_ms"] - own["elapsed_ms"]
        more = own["setup_ms"] - other["setup_ms"]
        runs = more / gain if gain else 0
        if gain > 0:
            ahead = f"from run {max(1, int(np.ceil(runs)))}"
        else:
            ahead = f"to run {int(runs)}" if runs >= 1 else "never"
        graph, law, work_ns, _ = case
        rows.append([graph.partition(":")[0], LAW_TITLES[law], duration(work_ns),
                     f"`{own['scheduler']}`", f"`{other['scheduler']}`",
                     number(own["setup_ms"]), number(other["setup_ms"]), ahead])  # fmt: skip
    heads = ["graph", "durations", "mean", "inside the GPU", "rival", "its set-up in ms",
             "the rival's", "inside ahead"]  # fmt: skip
    return table(heads, rows, left=5)


def real(found):
    """Real graphs: the fastest scheduler of each family and its time."""
    best, rows = data.by_kind(found), []
    for case, own in found.groupby(CASE, sort=False):
        graph, law, work_ns, _ = case
        rows.append([graph.removesuffix(".h5"), f"{own['tasks'].iloc[0]:,}",
                     f"{own['depth'].iloc[0]:,}", f"{duration(work_ns)}, {LAW_TITLES[law]}",
                     *best_cells(best, case, "elapsed_ms", number)])  # fmt: skip
    return table(["graph", "tasks", "depth", "durations", *best_heads("ms")], rows, left=4)


def regret_values(path):
    advice = advice_of(path)
    mean, worst, count = advice.told
    equal, other, rule = advice.rule
    return {"rule-equal": f"`{equal}`", "rule-other": f"`{other}`", "rule-mean": f"{rule:.2f}",
            "regret-mean": f"{mean:.2f}", "regret-worst": f"{worst:.2f}",
            "regret-cases": f"{count}"}  # fmt: skip


def texts_of(path):
    """All texts. Those of a part that was not measured say so."""

    def matrix():
        return cases(data.read_part(path, "matrix"))

    def again():
        return cases(data.read_part(path, "break-even"))

    parts = {
        "metg": lambda: metg_by_shape(data.read_metg(path, "metg")),
        "where": lambda: where(data.ratios_of(data.read_part(path, "matrix"))),
        "each": lambda: each(matrix(), data.read_metg(path, "metg"), again()),
        "near-ticket": lambda: near_ticket(matrix()),
        "makespans": lambda: makespans(data.read_part(path, "break-even")),
        "break-even": lambda: break_even(again()),
        "real": lambda: real(cases(data.read_part(path, "real"))),
        "task-widths": lambda: metg_by(data.read_metg(path, "widths"), "threads"),
        "worker-sweep": lambda: metg_by(data.read_metg(path, "workers"), "workers_asked"),
        "cases": lambda: f"{len(matrix().drop_duplicates(CASE)):,}",
    }
    texts = regret_values(path)
    for name, make in parts.items():
        try:
            texts[name] = make()
        except PlotError:
            texts[name] = "Not measured yet."
    return texts
