"""Tables and values of pets' stored runs, each if the file has its rows."""

import numpy as np

from gridloom.pets import data, times
from gridloom.pets import quality as by_quality
from gridloom.pets.batches import Batches
from gridloom.pets.data import ALGORITHMS, PARAMETERS, Results, schedules_of, shares_of_best
from gridloom.pets.headlines import headline_texts
from gridloom.pets.peers import peers_texts
from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.text import interval, si, table

MOST_GRAPHS = 40  # most graphs in a table that has rows for each graph


# --- quality -------------------------------------------------------------------------------


def quality_table(found):
    """One row per graph and algorithm."""
    rows = []
    for (graph, *_), schedules in found.items():
        for algorithm in (name for name in ALGORITHMS if name in schedules):
            makespan, *others = schedules[algorithm]
            cells = [f"{makespan:,}", *(f"{value:.3f}" for value in others)]
            rows.append([f"`{graph}`", f"`{algorithm}`", *cells])
    return table(["graph", "algorithm", "makespan", "SLR", "speedup", "efficiency"], rows, left=2)


def common_algorithms(found):
    return [name for name in ALGORITHMS if all(name in own for own in found.values())]


def comparison_table(found):
    """One row per algorithm: means over all graphs, and for how many graphs no other schedule is
    shorter."""
    algorithms = common_algorithms(found)
    values = np.array([[own[name] for name in algorithms] for own in found.values()])
    best = shares_of_best(values[:, :, 0])
    rows = []
    for i, name in enumerate(algorithms):
        means = [f"{values[:, i, column].mean():.3f}" for column in (1, 2, 3)]
        rows.append([f"`{name}`", *means, f"{100 * best[:, i].mean():.1f} %"])
    return table(["algorithm", "SLR", "speedup", "efficiency", "best or as good"], rows)


def effects_table(quality):
    """One row per value of a parameter: the mean SLR of each algorithm, and how often it is
    best."""
    rows = []
    for name in quality.varying():
        for value in quality.values_of(name):
            graphs, means = quality.means(name, value)
            cells = [f"{own[0]:.3f} ({own[3]:.0f} %)" for own in means]
            rows.append([PARAMETERS[name], si(value), f"{graphs:,}", *cells])
    heads = ["parameter", "value", "graphs", *(f"`{name}`" for name in quality.algorithms)]
    return table(heads, rows)


# --- all -----------------------------------------------------------------------------------


def run_tables(results):
    runs = results.table("runs")
    found = schedules_of(runs, strict=True)
    texts = {"graphs": f"{len(found):,}"}
    if found and common_algorithms(found):
        texts["comparison"] = comparison_table(found)
    if len(found) == 1:
        texts["quality"] = quality_table(found)
    if len(times.graph_labels(runs)) <= MOST_GRAPHS:
        texts["times"] = times.times_table(runs)
    texts |= times.time_values(runs)
    if results.has("memory"):
        rates = {}
        for backend in ("cuda", "host"):
            memory = results.table("memory")
            samples = data.machine_gb_per_s(memory, runs["bench"][0], backend)
            rates |= {backend: median_interval(samples)} if len(samples) else {}
        # The algorithm whose rows are used for the steps that PETS's algorithms share.
        there = set(runs.mask(runs["metrics_ms"] >= 0).only(status="ok")["algorithm"])
        known = (name for name in ["pets_append", *ALGORITHMS] if name in there)
        own = runs.only(algorithm=next(known, None))
        few = len(own) and len(times.graph_labels(own)) <= MOST_GRAPHS
        if few and (bandwidth := times.bandwidth_table(own, rates)):
            texts["bandwidth"] = bandwidth
            texts |= {f"copy-{backend}": interval(rate) for backend, rate in rates.items()}
        if few:
            texts |= times.layouts_texts(own)
    texts |= headline_texts(runs)
    return texts | quality_texts(results)


def quality_texts(results):
    """The texts of quality; empty if the file has too few graphs to compare parameters."""
    if not results.has("graphs") or "random" not in set(results.table("graphs")["kind"]):
        return {}
    try:
        quality = by_quality.Quality(results)
    except PlotError:
        return {}
    if not quality.varying() or len(quality.algorithms) < 2:
        return {}
    texts = {"effects": effects_table(quality), "algorithm-times": by_quality.times_table(quality)}
    return texts | by_quality.values(quality)


def texts_of(path):
    results = Results(path)
    if not any(map(results.has, ("runs", "batches"))):
        raise PlotError(f"{path}: no rows in a table /runs or /batches, which pets writes")
    if results.has("runs") and "peer" in results.table("runs"):
        return peers_texts(path, results.table("runs"))
    texts = run_tables(results) if results.has("runs") else {}
    if results.has("batches"):
        batches = Batches(results.table("batches"))
        texts |= {"batches": batches.table()} | batches.values()
    return texts
