#!/usr/bin/env python3
"""METG(50 %) where durations are drawn, and from which mean duration on who is ahead of whom.

    scripts/tables/wavefront/uneven.py RESULTS.h5 [--prefix NAME-]

RESULTS.h5 is of `wavefront --experiment metg --durations ...`, with --width block or lane or both;
runs of `wavefront --work-ns ... --workers ...` beside them are the same with other blocks.
"""

import gridloom_datasets.endings  # noqa: F401

import sys

import numpy as np

from gridloom.readme import NONE, main, table
from gridloom.results import read_runs
from gridloom.text import duration, number
from gridloom.wavefront.data import ALGORITHMS
from gridloom.wavefront.metg import DURATIONS, metg_text, uneven
from gridloom.wavefront.rows import KIND, RUNS_A_TASK

OURS = ("in_order", "in_order_ticket", "ticket_queue")
PLACE = ["graph", "a task runs on", "blocks × threads"]
STATIC, DEALT = "in_order", ("in_order_ticket", "ticket_queue", "multi_queue")


def graph_text(config):
    if config["input"]:
        return config["input"].removesuffix(".h5")
    return f"{config['rows']:,} × {config['cols']:,}"


def place(config):
    """What the rows of one graph, width and grid say of themselves."""
    shape = f"{config['blocks']} × {config['threads']}"
    return [graph_text(config), RUNS_A_TASK[config["width"]], shape]


def kinds_of(found):
    return [kind for kind in DURATIONS if any(kind in own for own in found.values())]


def algorithm(config):
    return config["arm"].split()[0]


def metg_table(found):
    kinds, lines = kinds_of(found), []
    for own in found.values():
        names = {algorithm(config) for curves in own.values() for config, _, _ in curves}
        names = sorted(names, key=list(ALGORITHMS.places).index)
        for first, name in enumerate(names):
            cells, config = [], None
            for kind in kinds:
                one = [curve for curve in own.get(kind, []) if algorithm(curve[0]) == name]
                cells.append(metg_text(one[0][1], [p[0] for p in one[0][2]]) if one else NONE)
                config = one[0][0] if one else config
            begin = place(config) if first == 0 else [""] * len(PLACE)
            lines.append([*begin, f"`{name}`", *cells])
    return table([*PLACE, "algorithm", *kinds], lines, left=4)


def by_duration(curves):
    """{mean duration: {algorithm: efficiency}}."""
    found = {}
    for config, durations, points in curves:
        for length, (middle, _, _) in zip(durations, points, strict=True):
            found.setdefault(int(length), {})[algorithm(config)] = middle
    return dict(sorted(found.items()))


def is_rival(name):
    return name not in KIND


def ahead(lengths, name, is_other=is_rival):
    """From which duration on the algorithm is ahead of all others, and its gain at the longest."""
    first, gain = None, None
    for length in reversed(lengths):
        own = lengths[length].get(name)
        rivals = [e for other, e in lengths[length].items() if is_other(other)]
        if own is None or not rivals:
            break
        ratio = own / max(rivals)
        gain = ratio if gain is None else gain
        if ratio <= 1:
            break
        first = length
    if gain is None:
        return NONE
    start = f"from {duration(first)}" if first else "never"
    return f"{start} ({number(gain)} × at {duration(max(lengths))})"


def ahead_table(found):
    lines = []
    for own in found.values():
        for first, (kind, curves) in enumerate(own.items()):
            lengths = by_duration(curves)
            longest = lengths[max(lengths)]
            rivals = {name: e for name, e in longest.items() if name not in KIND}
            best = f"`{max(rivals, key=rivals.get)}`" if rivals else NONE
            begin = place(curves[0][0]) if first == 0 else [""] * len(PLACE)
            lines.append([*begin, kind, best, *(ahead(lengths, name) for name in OURS)])
    heads = [*PLACE, "durations", "best rival with the longest tasks"]
    return table([*heads, *(f"`{name}` is ahead" for name in OURS)], lines, left=5)


def queues_table(found):
    """What is dealt while tasks run against the static deal: from where on it pays."""
    lines = []
    for own in found.values():
        for first, (kind, curves) in enumerate(own.items()):
            lengths = by_duration(curves)
            begin = place(curves[0][0]) if first == 0 else [""] * len(PLACE)
            texts = (ahead(lengths, name, STATIC.__eq__) for name in DEALT)
            lines.append([*begin, kind, *texts])
    heads = [*PLACE, "durations"]
    return table([*heads, *(f"`{name}` is ahead of `{STATIC}`" for name in DEALT)], lines, left=4)


def tables(path):
    found = uneven(read_runs(path))
    least = min(
        np.min(d) for own in found.values() for curves in own.values() for _, d, _ in curves
    )
    return {
        "uneven-metg": metg_table(found),
        "uneven-ahead": ahead_table(found),
        "uneven-queues": queues_table(found),
        "uneven-shortest": duration(int(least)),
    }


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
