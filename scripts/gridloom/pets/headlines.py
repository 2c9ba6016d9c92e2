"""PETS compared with one host thread: first the thesis's implementations, then ours.

Device-resident times begin with the graph in the machine's memory and end with the schedule in that
memory. End to end adds the set-up (memory, layouts, their copies to the device) and the copy of the
schedule to the host. The order (levels, ranks and order) is never copied back by itself, so with
set-up it ends on the device."""

import numpy as np

from gridloom.pets import data
from gridloom.pets.times import Columns, arms_of, host_median
from gridloom.statistics import median_interval
from gridloom.text import NONE, duration, number, table

WHAT = {
    data.REFERENCE: "rival: one host thread",
    "host_4": "rival: four host threads, one selects",
    "host_all": "rival: all host threads, one selects",
    **dict.fromkeys(data.LAYOUTS, "published"),
    "csr": "beyond: the published loop over compressed rows",
    "hand_over": "beyond: one launch, any numbers",
    "in_order": "beyond: one launch, ascending numbers only",
}


def set_up_ms(rows):
    """Set-up of one arm: memory, layouts, copies to the device; 0 on the host. This is the median
    of its samples, of which there may be fewer than runs."""
    samples = np.asarray(rows["setup_ms"], dtype=float)
    samples = samples[np.isfinite(samples)]
    copies = data.step_ms(rows, "copy_in_ms") if "copy_in_ms" in rows else 0
    return copies + (float(np.median(samples)) if len(samples) else 0)


def order_with_set_up_ms(rows):
    return data.order_ms(rows) + set_up_ms(rows)


def end_to_end_ms(rows):
    return set_up_ms(rows) + data.elapsed_ms(rows) + data.step_ms(rows, "copy_out_ms")


VALUES = {
    "order": data.order_ms,
    "order-with-set-up": order_with_set_up_ms,
    "whole": data.elapsed_ms,
    "end-to-end": end_to_end_ms,
}


# --- tables --------------------------------------------------------------------------------


def compared(graph, own, value):
    """[median, how many times as fast as one host thread] of one implementation, as texts."""
    samples, host = data.numbers(value(own)), host_median(graph, value)
    if not len(samples):
        return [NONE, NONE]
    median = float(np.median(samples))
    return [number(median), NONE if host is None else number(host / median)]


def headlines_table(graph):
    """One row per implementation on one graph, medians in ms."""
    rows = []
    for _, name, own in arms_of(graph.only(status="ok")):
        cells = [cell for value in VALUES.values() for cell in compared(graph, own, value)]
        rows.append([f"`{name}`", WHAT.get(name, NONE), *cells])
    parts = ["order", "order with set-up", "whole", "end to end"]
    heads = [head for part in parts for head in (f"{part}, ms", "×")]
    return table(["implementation", "what", *heads], rows, left=2)


def end_to_end_table(runs):
    """One row per graph and implementation: medians of set-up, copies and the total."""
    columns = Columns(runs, algorithm=False)
    rows = []
    for _, graph in runs.groups(data.GRAPH):
        for _, _, own in arms_of(graph.only(status="ok")):
            parts = [np.median(set_up_ms(own)), np.median(data.step_ms(own, "copy_out_ms"))]
            cells = [number(part) if part > 0 else NONE for part in parts]
            cells += compared(graph, own, order_with_set_up_ms)
            cells += compared(graph, own, end_to_end_ms)
            rows.append([*columns.cells(own), *cells])
    heads = ["set-up", "copy back", "order with set-up, ms", "× `host`", "end to end, ms"]
    return columns.table([*heads, "× `host`"], rows)


# --- values --------------------------------------------------------------------------------


def ahead_from(runs, implementation, value):
    """Number of tasks from which on the implementation is faster than one host thread on all larger
    graphs, or None. It is faster if the intervals of the medians do not overlap."""
    sizes, tasks = sorted(set(runs["tasks"].tolist()), reverse=True), None
    if len(sizes) < len(list(runs.groups(data.GRAPH))):
        return None
    for size in sizes:
        graph = runs.only(tasks=size, status="ok")
        ours, host = (
            data.numbers(value(graph.only(implementation=name)))
            for name in (implementation, data.REFERENCE)
        )
        if not len(ours) or not len(host):
            break
        if median_interval(ours)[2] >= median_interval(host)[1]:
            break
        tasks = size
    return tasks


def step_values(graph):
    """Time per level and per selected task on one graph, for implementations that wait after
    each."""
    found = {}
    for _, name, own in arms_of(graph.only(status="ok")):
        # Other implementations' time per level depends on the tasks of the level.
        if name in ("csr", "hand_over", "in_order"):
            metrics_ns = 1e6 * np.median(own["metrics_ms"])
            found[f"{name}-a-level"] = duration(metrics_ns / own["depth"][0])
        if "device" in set(own["selection"]):
            selection_ns = 1e6 * np.median(own["selection_ms"])
            found["select-a-task"] = duration(selection_ns / own["tasks"][0])
    return found


def headline_texts(runs):
    """All tables and values of this module from one file."""
    own = runs.only(algorithm="pets_append")
    if (device := own["backend"] == "cuda").any():  # the reference and the device's rows
        own = own.mask(own["implementation"].isin(data.HOSTS) | device)
    if not len(own.only(status="ok")) or set(own["implementation"]) <= {data.REFERENCE}:
        return {}
    graph = data.chosen_graph(own)
    good = graph.only(status="ok")
    if host_median(graph, data.elapsed_ms) is None:
        return {}
    texts = {"headlines": headlines_table(graph), "end-to-end": end_to_end_table(own)}
    for _, name, rows in arms_of(good):
        ratios = {part: compared(graph, rows, value)[1] for part, value in VALUES.items()}
        texts |= {f"{name}-{part}-speedup": r for part, r in ratios.items() if r != NONE}
        for part in ("whole", "end-to-end"):
            if name != data.REFERENCE and (tasks := ahead_from(own, name, VALUES[part])):
                texts[f"{name}-{part}-ahead-from"] = f"{tasks:,}"
    texts |= step_values(graph)
    return texts
