"""A small results file as gridloom-schedulers writes it, with times from a simple rule."""

from itertools import product

import numpy as np

from gridloom.results_file import Column, write

# name: (by, units, ns per level, ns per task)
SCHEDULERS = {
    "multi-queue": ("published", 528, 2000, 60),
    "juggler-grr": ("published", 264, 1500, 40),
    "in-order": ("ours", 528, 500, 8),
    "juggler-chains": ("ours", 264, 700, 5),
    "graph-pdl": ("rival", 2112, 900, 4),
    "barriers": ("rival", 1056, 1400, 4),
}
BY_LEVEL = ("graph-pdl", "barriers")
SPREAD = {"constant": 1.0, "uniform": 1.9, "exponential": 5.0, "rare-long": 30.0}
FAMILIES = ["stencil_1d", "fft", "nearest", "spread", "trivial", "random"]
SHAPES = [(2048, 8), (128, 128), (16, 500)]
META = {"schema_version": "2", "program": "gridloom-schedulers", "gpu": "Test GPU", "cpu": "c",
        "host": "h", "commit": "0" * 40, "dirty": "0", "date": "2026-01-02T03:04:05Z",
        "backend": "cuda", "argv": "gridloom-schedulers"}  # fmt: skip


def columns_of(row):
    kinds = {str: "text", int: "whole numbers", float: "reals"}
    return [
        Column(n, kinds[type(v)], "ms" if n.endswith("_ms") else "1", n) for n, v in row.items()
    ]


def run_rows(family, width, steps, law, work_ns, name, experiment):
    by, units, hop, own = SCHEDULERS[name]
    tasks, depth = width * steps, 1 if family == "trivial" else steps
    path = depth * work_ns * (1 if law == "constant" else 1.3)
    least = max(path, tasks * work_ns / units) * 1e-6
    wait = depth * work_ns * SPREAD[law] * 1e-6 if name in BY_LEVEL else 0
    ms = 0.004 + max(least, wait) + (depth * hop + tasks * own) * 1e-6
    noise = np.random.default_rng(tasks + work_ns)
    graph = f"{family}:width={width},steps={steps}"
    ways = {"shared": 1, "own": 3} if name == "graph-pdl" else {"": 1}
    for repetition, (way, slower) in product(range(2), ways.items()):
        yield {
            "experiment": experiment, "arm": name, "graph": graph, "scheduler": name, "by": by,
            "backend": "cuda", "durations": law, "seed": 1, "tasks": tasks, "edges": 3 * tasks,
            "depth": depth, "widest_level": tasks // depth, "work_ns": work_ns,
            "critical_path_ns": int(path), "workers": units, "workers_asked": 528, "threads": 128,
            "level_blocks": way,
            "repetition": repetition, "setup_ms": 0.02 if by == "rival" else 1.0 + tasks * 1e-4,
            "elapsed_ms": slower * ms * noise.uniform(1, 1.02), "least_ms": least,
            "bytes_per_task": 40.0, "predicted_ms": float("nan"), "verified": "yes", "status": "ok",
        }  # fmt: skip


def metg_rows():
    for family in FAMILIES:
        for width, steps in SHAPES:
            for law in ("constant", "rare-long"):
                for name in SCHEDULERS:
                    row = next(run_rows(family, width, steps, law, 1000, name, "metg"))
                    facts = ["experiment", "graph", "scheduler", "by", "durations", "tasks",
                             "edges", "depth", "widest_level", "workers", "workers_asked",
                             "level_blocks", "threads"]  # fmt: skip
                    value = (row["elapsed_ms"] - row["least_ms"]) / row["least_ms"] * 1000
                    kind = "reached" if value < 20000 else "not reached"
                    value = value if kind == "reached" else float("nan")
                    yield {f: row[f] for f in facts} | {
                        "metg_ns": value,
                        "lower_ns": 1e6,
                        "status": kind,
                    }


def write_scene(path):
    """Six families in three shapes under six schedulers, and the METG of each."""
    rows = [row for family in FAMILIES for width, steps in SHAPES for law in SPREAD
            for work_ns in (500, 4000, 32000) for name in SCHEDULERS
            for row in run_rows(family, width, steps, law, work_ns, name, "matrix")]  # fmt: skip
    for experiment in ("break-even", "real"):
        for name in SCHEDULERS:
            rows += run_rows("stencil_1d", 128, 128, "rare-long", 2000, name, experiment)
    metg = list(metg_rows())
    others = (
        {"experiment": "widths", "threads": 32},
        {"experiment": "workers", "workers_asked": 132},
    )
    metg += [row | other for other in others for row in metg]
    tables = {"runs": columns_of(rows[0]), "metg": columns_of(metg[0])}
    write(path, META, tables, {"runs": rows, "metg": metg}, append=False)
    return path
