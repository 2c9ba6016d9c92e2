#!/usr/bin/env python3
"""The tables of pets/README.md, made from stored results so that no number is typed by hand.

scripts/tables/pets.py RESULTS.h5 [--prefix NAME-] [--write README | --check README]
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "plots"))

import numpy as np  # noqa: E402
from readme_tables import main, number, table  # noqa: E402

from gridloom_plots import PlotError, median_interval, read_meta, read_runs  # noqa: E402

COLUMNS = ["makespan", "slr", "speedup", "efficiency"]
ALGORITHMS = [
    "pets_insertion", "pets_append", "pets_literal",
    "heft_insertion", "heft_append", "cpop_insertion", "cpop_append",
]  # fmt: skip


def schedules_of(runs):
    """{graph: {algorithm: values of COLUMNS}}: what a schedule is like, which no repetition
    changes."""
    found = {}
    for key, own in runs.groups(["graph", "graph_seed", "processors", "algorithm"]):
        if set(own["status"]) != {"ok"} or any(len(set(own[c])) != 1 for c in COLUMNS):
            raise PlotError(f"{key['graph']}, {key['algorithm']}: no one right schedule")
        graph = (key["graph"], key["graph_seed"], key["processors"])
        found.setdefault(graph, {})[key["algorithm"]] = [own[column][0] for column in COLUMNS]
    return found


def quality_table(found):
    """A row a graph and algorithm."""
    rows = []
    for (graph, *_), schedules in found.items():
        for algorithm in (name for name in ALGORITHMS if name in schedules):
            makespan, *others = schedules[algorithm]
            cells = [f"{makespan:,}", *(f"{value:.3f}" for value in others)]
            rows.append([f"`{graph}`", f"`{algorithm}`", *cells])
    return table(["graph", "algorithm", "makespan", "SLR", "speedup", "efficiency"], rows, left=2)


def comparison_table(found):
    """A row an algorithm: means over all graphs, and on how many none of the others is shorter."""
    algorithms = [name for name in ALGORITHMS if all(name in own for own in found.values())]
    values = np.array([[own[name] for name in algorithms] for own in found.values()])
    best = values[:, :, 0] == values[:, :, 0].min(axis=1, keepdims=True)
    rows = []
    for i, name in enumerate(algorithms):
        means = [f"{values[:, i, column].mean():.3f}" for column in (1, 2, 3)]
        rows.append([f"`{name}`", *means, f"{100 * best[:, i].mean():.1f} %"])
    return table(["algorithm", "SLR", "speedup", "efficiency", "best or as good"], rows)


def peers_table(runs):
    """A row a graph of scripts/pets_saga.py: medians, and how many times as fast ours is, by that
    time of SAGA's that is the less favourable: its time on a processor, or with what came between.
    """
    rows = []
    for key, own in runs.groups(["tasks", "edges", "processors"]):
        if set(own["status"]) != {"ok"}:
            raise PlotError(f"{key['tasks']} tasks: no schedule, or a wrong one")
        saga, ours = (own.where(peer=name) for name in ("saga", "pets"))
        times = [median_interval(column) for column in
                 (saga["elapsed_ms"], saga["cpu_ms"], ours["elapsed_ms"])]  # fmt: skip
        makespans = [set(peer["makespan"].tolist()) for peer in (saga, ours)]
        if any(len(values) != 1 for values in makespans):
            raise PlotError(f"{key['tasks']} tasks: no one schedule")
        rows.append(
            [f"{key[name]:,}" for name in ("tasks", "edges", "processors")]
            + [f"{number(middle)} [{number(low)}, {number(high)}]" for middle, low, high in times]
            + [number(min(times[0][0], times[1][0]) / times[2][0])]
            + [f"{values.pop():,}" for values in makespans]
        )
    heads = ["tasks", "edges", "processors", "SAGA ms", "on a processor", "`heft_insertion` ms"]
    return table([*heads, "times as fast", "SAGA's makespan", "ours"], rows, left=0)


def peers_texts(path, runs):
    meta = read_meta(path)
    about = {"version": "saga", "python": "saga_python", "cores": "logical_cores"}
    return {"peers": peers_table(runs)} | {name: str(meta[key]) for name, key in about.items()}


def tables(path):
    runs = read_runs(path)
    if "peer" in runs:
        return peers_texts(path, runs)
    found = schedules_of(runs)
    texts = {"comparison": comparison_table(found), "graphs": f"{len(found):,}"}
    if len(found) == 1:
        texts["quality"] = quality_table(found)
    return texts


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
