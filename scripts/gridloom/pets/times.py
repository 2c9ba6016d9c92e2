"""Times and bandwidth of pets: its tables by implementation."""

import numpy as np

from gridloom.pets import data
from gridloom.statistics import median_interval
from gridloom.text import NONE, interval, number, table


def median_of(samples):
    """The median of the values above 0. A step that was skipped, or not timed separately, has
    none."""
    samples = data.numbers(np.asarray(samples, dtype=float))
    return float(np.median(samples)) if len(samples) else None


def median_text(samples):
    median = median_of(samples)
    return NONE if median is None else number(median)


def failures(rows):
    """The runs that did not end well, as in "2 timeout"; empty if there are none."""
    states = [str(state) for state in rows["status"] if state != "ok"]
    return ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))


def arms_of(rows):
    """[(backend, implementation, rows)], the reference first."""
    return [
        (key["backend"], name, own)
        for name in data.implementations_of(rows)
        for key, own in rows.only(implementation=name).groups(["backend"])
    ]


def graph_labels(runs):
    """{values of GRAPH: text}. The text has the seed if a specification has several seeds."""
    keys = [tuple(key.values()) for key, _ in runs.groups(data.GRAPH)]
    seeds = {}
    for graph, seed, _ in keys:
        seeds.setdefault(graph, set()).add(seed)
    return {
        key: f"`{key[0]}`" + (f", seed {key[1]}" if len(seeds[key[0]]) > 1 else "") for key in keys
    }


class Columns:
    """The columns before the numbers: the graph, and whatever else differs in the file."""

    def __init__(self, runs, algorithm=True):
        self.labels = graph_labels(runs)
        others = runs.mask(runs["implementation"] != data.REFERENCE)
        several = {
            "algorithm": algorithm and len(set(runs["algorithm"])) > 1,
            "processors": len(set(runs["processors"].tolist())) > 1,
            "backend": len(set(others["backend"])) > 1,
        }
        self.more = [name for name, there in several.items() if there]
        self.heads = ["graph", "implementation", *self.more]

    def cells(self, rows):
        key = tuple(rows[name][0] for name in data.GRAPH)
        own = [str(rows[name][0]) for name in self.more]
        return [self.labels[key], f"`{rows['implementation'][0]}`", *own]

    def table(self, heads, rows):
        return table([*self.heads, *heads], rows, left=len(self.heads))


def host_median(rows, value):
    """The reference's median on the graph of these rows, or None."""
    own = data.numbers(value(rows.only(implementation=data.REFERENCE, status="ok")))
    return float(np.median(own)) if len(own) else None


def times_table(runs):
    """One row per graph, algorithm and implementation: medians in ms, and how many times as fast as
    the reference the total is."""
    columns = Columns(runs)
    rows = []
    for _, graph in runs.groups([*data.GRAPH, "algorithm"]):
        host = host_median(graph, data.elapsed_ms)
        levels = f"{int(graph['depth'][0]):,}"
        for _, _, own in arms_of(graph):
            good, failed = own.only(status="ok"), failures(own)
            cells = [*(median_text(good[part]) for part in data.STEPS), failed, NONE]
            if len(good):
                whole = median_interval(data.elapsed_ms(good))
                cells[-2] = interval(whole) + (f"; {failed}" if failed else "")
                cells[-1] = NONE if host is None else number(host / whole[0])
            rows.append([*columns.cells(own), levels, *cells])
    heads = ["levels", "entries", "metrics", "sort", "selection", "whole, ms"]
    return columns.table([*heads, "× `host`"], rows)


def bandwidth_table(runs, rates):
    """One row per graph and implementation: bytes of entries and metrics over their time."""
    columns = Columns(runs, algorithm=False)
    rows = []
    for _, graph in runs.only(status="ok").groups(data.GRAPH):
        for backend, _, own in arms_of(graph):
            samples = data.numbers(data.gb_per_s(own))
            if not len(samples):
                continue
            rate = median_interval(samples)
            machine = rates.get(backend)
            share = NONE if machine is None else data.percent(rate[0] / machine[0])
            cells = [median_text(own["metrics_bytes"] / 1e6), median_text(data.metrics_ms(own))]
            rows.append([*columns.cells(own), *cells, interval(rate), share])
    heads = ["MB", "ms", "GB/s", "of the copy"]
    return columns.table(heads, rows) if rows else None


def on_gpu(runs):
    """[(graph, layout, rows on the GPU, rows on host threads, if any)] of the thesis's kernels."""
    found = []
    for _, graph in runs.only(status="ok").groups(data.GRAPH):
        for name in data.LAYOUTS:
            both = [graph.only(implementation=name, backend=on) for on in ("cuda", "host")]
            if len(data.numbers(data.order_ms(both[0]))):
                found.append((graph, name, *both))
    return found


def on_both(runs):
    """The same of the kernels that ran on both."""
    return [own for own in on_gpu(runs) if len(data.numbers(data.order_ms(own[3])))]


def layouts_texts(runs):
    """A table with one row per graph and layout: levels, ranks and order by the same kernels on the
    GPU and on all host threads, where measured, and by the serial program."""
    labels, rows = graph_labels(runs), []
    if not on_both(runs):
        return {}
    for graph, name, *both in on_gpu(runs):
        ms = [median_of(data.order_ms(own)) for own in both]
        ratio = ms[1] and ms[1] / ms[0]
        host = host_median(graph, data.order_ms)
        moved = [median_text(data.gb_per_s(own)) if len(own) else NONE for own in both]
        key = tuple(graph[part][0] for part in data.GRAPH)
        values = (both[0]["padding"][0], *ms, ratio, host and host / ms[0])
        cells = [NONE if value is None else number(value) for value in values]
        rows.append([labels[key], f"`{name}`", *cells, *moved])
    heads = [
        "graph", "layout", "stored over real edges", "GPU, ms", "host threads, ms",
        "GPU × host threads", "GPU × `host`", "GPU, GB/s", "host threads, GB/s",
    ]  # fmt: skip
    return {"layouts": table(heads, rows, left=2)}


def time_values(runs):
    """The sizes of the graph whose times are quoted, and how many times as many bytes rectangles
    move on it as the same loop over compressed rows."""
    own = runs.only(algorithm="pets_append")
    if not len(own.only(status="ok")):
        return {}
    own = data.chosen_graph(own)
    names = {"tasks": "tasks", "levels": "depth"}
    texts = {f"largest-{text}": f"{int(own[name][0]):,}" for text, name in names.items()}
    moved = [own.only(implementation=name, status="ok") for name in ("rectangular", "csr")]
    if all(map(len, moved)):
        both = [float(np.median(rows["metrics_bytes"])) for rows in moved]
        texts["rectangular-bytes-over-csr"] = number(both[0] / both[1])
    return texts
