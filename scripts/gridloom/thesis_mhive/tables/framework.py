"""The tables of mhive-overhead, mhive-generic and mhive-dynamic, made from stored results alone."""

import itertools

import numpy as np

from gridloom.results import find_table, read_runs
from gridloom.statistics import median_interval
from gridloom.text import NONE, interval, number, si, table

SCHEDULERS = [
    "time_sliced", "megakernel", "megakernel_1024", "megakernel_1536", "device_controller",
    "resident_controller", "graph",
]  # fmt: skip
DYNAMIC = [
    "time_sliced", "megakernel", "device_controller", "resident_controller", "level_launches",
    "level_loop", "device_launches", "serial",
]  # fmt: skip
FORMS = ["enqueue", "individual", "grouped", "phases"]
DEPENDENCIES = {"phases": "`phases`", "individual": "`individual`", "launches": NONE}
COMPILED = {
    "registers": "registers",
    "local_bytes": "local bytes",
    "blocks_per_multiprocessor": "blocks",
}


def cell(rows, by=None, scale=1):
    """Median and interval of the elapsed time per thing counted, or a dash."""
    times = rows["elapsed_ms"] * scale / (rows[by] if by else 1)
    return interval(median_interval(times)) if len(rows) else NONE


def compiled(rows):
    return [str(rows[column][0]) for column in COMPILED]


def cost_table(runs):
    """ns per task for wide layers, µs per layer for layers of one task."""
    lines = []
    for scheduler in SCHEDULERS:
        own = runs.only(scheduler=scheduler, worker_size=32, status="ok")
        forms = ["graph", "", "", ""] if scheduler == "graph" else FORMS
        cells = [cell(own.only(experiment="queue"), "tasks", 1e6)]
        for experiment, by, scale in (("throughput", "tasks", 1e6), ("latency", "layers", 1e3)):
            cells += [cell(own.only(experiment=experiment, form=f), by, scale) for f in forms]
        lines.append([f"`{scheduler}`", *cells])
    heads = ["scheduler", "`queue` ns", *(f"`{form}` ns" for form in FORMS)]
    return table([*heads, *(f"one task per layer, `{form}` µs" for form in FORMS)], lines)


def registers_table(runs):
    """Registers, local bytes and blocks per multiprocessor."""
    own = runs.only(experiment="throughput", worker_size=32, status="ok")
    lines = []
    for scheduler in SCHEDULERS[:-1]:
        parts = [own.only(scheduler=scheduler, form=form) for form in FORMS]
        lines.append(
            [f"`{scheduler}`", *(", ".join(compiled(p)) if len(p) else NONE for p in parts)]
        )
    return table(["scheduler", *(f"`{form}`" for form in FORMS)], lines)


def generic_tables(runs):
    """The execution trees of Figs. 7.1 and 7.2: milliseconds, and what the compiler made of the
    kernels."""
    trees = sorted(set(runs["tree"]))
    times, kernels = [], []
    for scheduler in SCHEDULERS:
        for kind, label in DEPENDENCIES.items():
            own = runs.only(scheduler=scheduler, dependencies=kind, status="ok")
            if len(own):
                cells = [cell(own.only(tree=tree)) for tree in trees]
                times.append([f"`{scheduler}`", label, *cells])
                kernels.append([f"`{scheduler}`", label, *compiled(own)])
    heads = ["scheduler", "dependencies"]
    sizes = [f"{t}, {int(runs.only(tree=t)['instances'][0]):,} instances, ms" for t in trees]
    return {
        "generic": table([*heads, *sizes], times, left=2),
        "generic-registers": table([*heads, *COMPILED.values()], kernels, left=2),
    }


def dynamic_table(runs):
    """Each search by each method, with the batch that is fastest there. Nodes per second are those
    of the median time."""
    lines = []
    for search in dict.fromkeys(runs["search"]):
        found = runs.only(search=search, status="ok")
        label = f"`{search}`, {int(found['nodes'].max()):,} nodes"
        launches = found.only(scheduler="level_launches")["elapsed_ms"].median()
        for scheduler in (name for name in DYNAMIC if name in set(found["scheduler"])):
            parts = [part for _, part in found.only(scheduler=scheduler).groups(["batch"])]
            best = min(parts, key=lambda rows: rows["elapsed_ms"].median())
            batch, ms = int(best["batch"][0]), best["elapsed_ms"].median()
            cells = [str(batch) if batch > 0 else NONE, cell(best), si(best["nodes"][0] / ms * 1e3)]
            cells += [number(launches / ms), number(best["setup_ms"].median())]
            lines.append([label, f"`{scheduler}`", *cells])
            label = ""
    heads = ["search", "method", "batch", "ms", "nodes/s", "over `level_launches`", "set-up, ms"]
    return table(heads, lines, left=2)


def groups_table(runs):
    """How many times as fast a layer of tasks is released in groups as one by one, by the size of
    workers and of groups."""
    runs = runs.only(status="ok")
    sizes, lines = sorted(set(runs.only(form="grouped")["group"])), []
    for scheduler, worker in itertools.product(SCHEDULERS[:-1], sorted(set(runs["worker_size"]))):
        own = runs.only(scheduler=scheduler, worker_size=worker)
        times = own.groupby("group")["elapsed_ms"].median()  # one by one: -1
        ratios = [times.get(-1, np.nan) / times.get(size, np.nan) for size in sizes]
        if len(own):
            cells = [NONE if np.isnan(ratio) else number(ratio) for ratio in ratios]
            lines.append([f"`{scheduler}`", str(worker), *cells])
    return table(["scheduler", "worker", *(f"{size:,} tasks" for size in sizes)], lines)


def task_times_table(trace):
    """How many times as long tasks of a node take as under the CUDA graph, by arm."""
    times = (trace["end_ns"] - trace["begin_ns"]).groupby([trace["arm"], trace["name"]])
    medians = times.median().unstack()
    ratios = medians / medians.loc["graph, launches"]
    lines = [
        [f"`{arm}`", number(np.exp(np.log(row).mean())), number(row.max()), f"`{row.idxmax()}`"]
        for arm, row in ratios.reindex(dict.fromkeys(trace["arm"])).iterrows()
        if arm != "graph, launches"
    ]
    return table(["arm", "mean", "most", "task"], lines)


def texts_of(path):
    trace = find_table(path, "trace", ["arm", "name", "begin_ns", "end_ns"])
    if trace is not None:
        return {"task-times": task_times_table(trace)}
    runs = read_runs(path)
    if "search" in runs:
        return {"dynamic": dynamic_table(runs)}
    if "tree" in runs:
        return generic_tables(runs)
    if "throughput" not in set(runs["experiment"]):
        return {"groups": groups_table(runs)}
    return {"cost": cost_table(runs), "registers": registers_table(runs)}
