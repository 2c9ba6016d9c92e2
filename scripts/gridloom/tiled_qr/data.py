"""The rows of tiled-qr's results that make a curve, and how methods are drawn."""

import numpy as np

from gridloom.labels import MACHINE, Part
from gridloom.statistics import median_interval, median_ratio
from gridloom.style import FILLS, Arms

METHODS = Arms(
    published=["fr1", "fr2", "fr3", "fr3_one_thread"],
    rivals=[
        "cusolver", "lapack", "lapack_all", "householder", "cusolver_streams", "cublas_batched",
        "cholesky_qr2", "cholesky_qr2_mma", "launches", "graph", "graph_pdl", "omp_tasks",
    ],
    ours=[
        "gram_panels", "blocked_panels", "in_block", "static_lists", "ticket",
        "cholesky_panels", "fr3_joined",
    ],
)  # fmt: skip
NAMES = {
    "fr1": "FR1: one worker",
    "fr2": "FR2: shared grid",
    "fr3": "FR3: two kernels",
    "fr3_one_thread": "FR3, one scheduling thread",
    "fr3_joined": "FR3 in one launch",
    "in_block": "scheduler warps in the blocks",
    "static_lists": "lists made on the host",
    "ticket": "tickets to one list",
    "launches": "one launch per step",
    "graph": "CUDA graph of steps",
    "graph_pdl": "CUDA graph, overlapping",
    "omp_tasks": "OpenMP tasks, host",
    "gram_panels": "resident teams",
    "blocked_panels": "passes over the rows",
    "cholesky_panels": "steps of CholeskyQR",
    "cusolver": "cuSOLVER geqrf",
    "cusolver_streams": "cuSOLVER geqrf in streams",
    "cublas_batched": "cuBLAS geqrfBatched",
    "cholesky_qr2": "CholeskyQR2",
    "cholesky_qr2_mma": "CholeskyQR2, products of ours",
    "lapack": "LAPACK, one thread",
    "lapack_all": "LAPACK, all threads",
    "householder": "Algorithm 1",
}
OURS = ["gram_panels", "blocked_panels", "cholesky_panels"]  # what is held against libraries
PUBLISHED = "fr3"  # what other ways to schedule are held against
# The same tile operations under every scheduler, in two panels of few curves.
SCHEDULERS = {
    "tasks dealt out during the run": [
        "fr1", "fr2", "fr3", "fr3_joined", "in_block", "omp_tasks",
    ],
    "order known before the run": [
        "fr3", "static_lists", "ticket", "launches", "graph", "graph_pdl",
    ],
}  # fmt: skip
ON_HOST = ["omp_tasks"]  # whatever the machine is
MISSING = -1  # in a column of whole numbers
WEIGHT = 2  # of double tasks where none was asked for
PARTS = MACHINE | {"tile": Part(lambda c: f"tiles of {c['tile']} × {c['tile']}")}

OPERATIONS = ["dgeqt2", "dlarfb", "dtsqt2", "dssrfb"]
COLOURS = dict(zip(OPERATIONS, (FILLS[1], FILLS[4], FILLS[3], FILLS[0]), strict=True))


def single(runs):
    """Rows with one matrix per run, whose Q stays implicit."""
    return runs.only(batch=1, q="implicit")


def shapes_of(rows):
    """{panel: rows}: square matrices, and tall ones by their columns. Empty panels are left out."""
    panels = {}
    for config, own in rows.groups(["rows", "cols"]):
        if config["rows"] == config["cols"]:
            name = "square matrices"
        elif config["rows"] >= 4 * config["cols"]:
            name = f"matrices of {config['cols']:,} columns"
        else:
            continue
        panels.setdefault(name, []).append((config["rows"], own))
    return panels


def curves_of(sizes, column="elapsed_ms"):
    """{method: [(rows of the matrix, median, low, high)]} for the rows of a panel."""
    curves = {}
    for size, rows in sizes:
        for config, own in rows.only(status="ok").groups(["method"]):
            point = (size, *median_interval(own[column]))
            curves.setdefault(config["method"], []).append(point)
    return {method: sorted(points) for method, points in curves.items()}


def usual(rows):
    """Random matrices in double with the default order and weight, if rows have these columns."""
    rows = single(rows).only(precision="double", input="random")
    order = rows["priority"].isin(["", "factorisations-first"])
    weight = rows["weight"].to_numpy(dtype=float)
    return rows.mask(order.to_numpy() & (np.isnan(weight) | (weight == WEIGHT)))


def by_process(rows, values, what):
    """For each row, a function ("any" or "nunique") of the `values` of its process."""
    names = [name for name in ("machine", "process") if name in rows]
    return values.groupby([rows[name] for name in names], dropna=False).transform(what)


def varied(rows, column):
    """Whether the process of a row varied the column. Only then did its arms run in turns.

    FR1 always has one worker, the host's rival has the host's threads, and launches with one block
    per task have no number of workers."""
    known = (rows[column] != "") & (rows[column] != MISSING)
    counted = rows[column].where(~rows["method"].isin(["fr1", *ON_HOST]) & known)
    return (by_process(rows, counted, "nunique") > 1).to_numpy()


CONFIGURATION = [
    "machine", "backend", "method", "rows", "cols", "tile", "workers", "threads", "priority",
    "weight",
]  # fmt: skip


def sweeps(rows, *varied):
    """{method: {value of the first of `varied`: rows}}, for each method along its longest sweep. In
    a sweep, all parameters except the varied ones are the same. Among equally long sweeps, the
    largest counts."""
    best = {}
    fixed = [name for name in CONFIGURATION if name not in varied]
    for config, own in rows.only(status="ok").groups(fixed):
        points = {key[varied[0]]: point for key, point in own.groups([varied[0]])}
        length = (len(points), *(config.get(name, 0) for name in ("rows", "workers")))
        if config["method"] not in best or length > best[config["method"]][0]:
            best[config["method"]] = (length, points)
    return {method: points for method, (_, points) in best.items()}


def medians(sweep, column="elapsed_ms"):
    """[(value, median, low, high)] of one sweep, sorted by value."""
    return sorted((value, *median_interval(rows[column])) for value, rows in sweep.items())


def ratios(over, under):
    """[(value, ratio, low, high)] of two sweeps, at the values that both have."""
    return sorted(
        (value, *median_ratio(over[value]["elapsed_ms"], under[value]["elapsed_ms"]))
        for value in over.keys() & under.keys()
    )
