"""Tables and values of the schedulers' runs: the same tile operations under every scheduler."""

import numpy as np

from gridloom.results import PlotError, find_table, read_runs
from gridloom.statistics import median_interval
from gridloom.text import NONE, interval, number, table
from gridloom.text import size as size_text
from gridloom.tiled_qr import data
from gridloom.tiled_qr.tables import time_of_a_task

METHODS = list(dict.fromkeys(method for methods in data.SCHEDULERS.values() for method in methods))
# The settings that all runs of a sweep share, even failed runs.
SETTINGS = ("rows", "cols", "tile", "workers", "threads", "priority")
# On a GPU these have one block per task, unless a number of workers was asked for.
STEPS = ("launches", "graph", "graph_pdl")
ORDERS = ("factorisations-first", "fifo")
# Columns of /operations and how the page calls them.
OPERATIONS = ("operation", "precision", "threads", "registers", "local_bytes", "shared_bytes",
              "blocks_per_multiprocessor", "occupancy")  # fmt: skip
OPERATION_HEADS = {name: name.replace("_", " ") for name in OPERATIONS}
OPERATION_HEADS["local_bytes"] = "spilled bytes"


def grid(curves, head, name, statuses=None):
    """One row per method, one column per value of its sweep. `curves` is {method: [(value,
    *samples)]}.

    `statuses` is {(method, value): text} for cells of runs that did not end well."""
    values = sorted({point[0] for points in curves.values() for point in points})
    rows = []
    for method in (method for method in METHODS if method in curves):
        cells = {value: interval(numbers) for value, *numbers in curves[method]}
        absent = {value: (statuses or {}).get((method, value), NONE) for value in values}
        rows.append([f"`{method}`", *(cells.get(value, absent[value]) for value in values)])
    return table([head, *map(name, values)], rows)


def statuses_of(runs, sweep_of, *columns):
    """{(method, value of the first column): status} of runs that did not end well but would be
    points of the method's sweep. A sweep is {method: {value: rows}}."""
    same = [name for name in SETTINGS if name not in columns]
    found = {}
    for key, _ in runs.mask((runs["status"] != "ok").to_numpy()).groups(
        ["method", "status", *columns[:1], *same]
    ):
        points = sweep_of.get(key["method"], {})
        if any(all(own[name].iloc[0] == key[name] for name in same) for own in points.values()):
            found[key["method"], key[columns[0]]] = f"`{key['status']}`"
    return found


def has_given_blocks(runs):
    """Whether a number of workers was requested, as far as rows show this. Then their process has
    several numbers, or on a GPU a number other than one per multiprocessor."""
    given = data.varied(runs, "workers")
    if "multiprocessors" not in runs:
        return given
    expected = runs["multiprocessors"].where(~runs["method"].isin(STEPS), data.MISSING)
    counted = (runs["backend"] == "cuda") & ~runs["method"].isin(["fr1", *data.ON_HOST])
    odd = counted & (runs["workers"] != expected)
    return given | data.by_process(runs, odd, "any").to_numpy()


def plain(runs):
    """Rows with tiles for which only the size was varied; all rows if there are none."""
    runs = runs.mask(runs["tile"] > 0)
    other = [has_given_blocks(runs), *(data.varied(runs, name) for name in ("priority", "weight"))]
    kept = ~np.any(other, axis=0)
    return data.usual(runs.mask(kept) if kept.any() else runs)


def times_of(runs):
    """{method: {size: rows}} of square matrices, for which only the size was varied."""
    every = plain(runs)
    return data.sweeps(every.mask(every["rows"] == every["cols"]), "rows", "cols")


def by_workers(runs):
    """{(rows, columns): {method: {number of workers: rows}}}, from runs with --blocks."""
    found = {}
    for key, own in data.usual(runs.mask(data.varied(runs, "workers"))).groups(["rows", "cols"]):
        curves = {m: points for m, points in data.sweeps(own, "workers").items() if len(points) > 1}
        if curves:
            found[int(key["rows"]), int(key["cols"])] = curves
    return dict(sorted(found.items()))


def most_workers(runs):
    """{method: {number of workers: rows}} of the size with most numbers of workers; among several,
    the largest."""
    sizes = by_workers(runs)
    counts = {size: len({n for own in m.values() for n in own}) for size, m in sizes.items()}
    return sizes[max(sizes, key=lambda size: (counts[size], size))] if sizes else {}


def by_weight(runs):
    """(rows of the matrix, {method: run time by weight}, {method: rows of measured weights})."""
    runs = runs.mask(data.varied(runs, "weight"))
    first = runs.only(precision="double", input="random", priority=ORDERS[0], status="ok")
    asked = np.isnan(first["single_us"].to_numpy(dtype=float))
    given = data.sweeps(first.mask(asked), "weight")
    given = {method: points for method, points in given.items() if len(points) > 1}
    size = max((int(own["rows"][0]) for p in given.values() for own in p.values()), default=0)
    measured = first.mask(~asked & (first["rows"] == size).to_numpy())
    found = {method: data.medians(points) for method, points in given.items()}
    return size, found, {key["method"]: own for key, own in measured.groups(["method"])}


def weight_texts(runs):
    """FR3's time with each weight, one row per size and order. Values: the best of the largest
    size, in all and per task."""
    runs = runs.mask(data.varied(runs, "weight"))
    runs = runs.only(method=data.PUBLISHED, precision="double", input="random", status="ok")
    given = runs["weight"].map("weight {:g}".format)
    runs = runs.assign(given=given.where(runs["single_us"].isna(), "measured"))
    heads = sorted(set(runs["given"]), key=lambda head: (head == "measured", head))
    rows, largest = [], []
    places = ["rows", "cols", "priority"]
    for key, own in runs.sort_values(places).groups(places):
        arms = {one["given"]: arm for one, arm in own.groups(["given"])}
        cells = {head: interval(median_interval(arm["elapsed_ms"])) for head, arm in arms.items()}
        own_size = size_text(key["rows"], key["cols"])
        rows.append([own_size, key["priority"], *(cells.get(head, NONE) for head in heads)])
        if key["rows"] == runs["rows"].max():
            largest += arms.values()
    best = min(largest, key=lambda arm: np.median(arm["elapsed_ms"]))
    return {
        "by-weight": table(["size", "order", *heads], rows, left=2),
        "best": f"{number(float(np.median(best['elapsed_ms'])))} ms",
        "best-a-task": time_of_a_task(best),
    }


def by_order(runs):
    """{method: how many times as fast "factorisations first" is as "first in, first out"}."""
    every = runs.mask(data.varied(runs, "priority")).only(precision="double", input="random")
    weight = every["weight"].to_numpy(dtype=float)
    every = every.mask(np.isnan(weight) | (weight == data.WEIGHT))
    every = every.mask(every["rows"] == every["cols"])
    first, other = (
        data.sweeps(every.mask(every["priority"] == order), "rows", "cols") for order in ORDERS
    )
    curves = {method: data.ratios(other.get(method, {}), first[method]) for method in first}
    return {method: points for method, points in curves.items() if points}


def measured_table(measured):
    heads = ["method", "single task, µs", "double task, µs", "weight", "run, ms"]
    rows = []
    for method in (method for method in METHODS if method in measured):
        own = measured[method]
        cells = [number(float(np.median(own[c]))) for c in ("single_us", "double_us", "weight")]
        rows.append([f"`{method}`", *cells, interval(median_interval(own["elapsed_ms"]))])
    return table(heads, rows)


def operation_table(path):
    """One row per kernel of one operation, and the kernel that has all; None if none were
    stored."""
    names = list(OPERATION_HEADS)
    found = find_table(path, "operations", names, "tiled-qr --operations")
    if found is None:
        return None
    rows = []
    for _, one in found[names].drop_duplicates().iterrows():
        operation = one["operation"]
        name = operation if " " in operation else f"`{operation}`"
        counts = [f"{int(one[column]):,}" for column in names[2:-1]]
        rows.append([name, one["precision"], *counts, f"{number(100 * one['occupancy'])} %"])
    return table(list(OPERATION_HEADS.values()), rows, left=2)


def worker_tables(runs):
    """One table per size, or None if the number of workers was not varied."""
    sizes = by_workers(runs)
    every = data.usual(runs.mask(data.varied(runs, "workers")))
    tables = []
    for (rows, cols), curves in sizes.items():
        head = f"Gflop/s, {size_text(rows, cols)}" if len(sizes) > 1 else "Gflop/s"
        points = {method: data.medians(own, "gflops") for method, own in curves.items()}
        stopped = statuses_of(every.only(rows=rows, cols=cols), curves, "workers")
        tables.append(grid(points, head, lambda count: f"by {count:,}", stopped))
    return "\n\n".join(tables) or None


def texts_of(path):
    runs = data.single(read_runs(path))
    times = times_of(runs)
    if data.PUBLISHED not in times:
        raise PlotError(f"{path}: no run of {data.PUBLISHED} ended well")
    _, weights, measured = by_weight(runs)
    by_size = {method: data.medians(points) for method, points in times.items()}
    # Why cells have no number.
    stopped = statuses_of(plain(runs), times, "rows", "cols")

    def square(rows):
        return size_text(rows, rows)

    texts = {"schedulers": grid(by_size, "ms", square, stopped)}
    if (lists := times.get("static_lists")) is not None:
        texts["static_lists-a-task"] = time_of_a_task(lists[max(lists)])
    if (workers := worker_tables(runs)) is not None:
        texts["workers"] = workers
    for name, curves, head, column in (
        ("weights", weights, "ms", lambda weight: f"weight {weight:g}"),
        ("orders", by_order(runs), "times as fast", square),
    ):
        if curves:
            texts[name] = grid(curves, head, column)
    if set(times) == {data.PUBLISHED} and data.PUBLISHED in weights:
        texts |= weight_texts(runs)
    if measured:
        texts["measured-weights"] = measured_table(measured)
    if (operations := operation_table(path)) is not None:
        texts["operations"] = operations
    return texts
