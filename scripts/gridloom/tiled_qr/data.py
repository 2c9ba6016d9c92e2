"""Which rows of tiled-qr's results make a curve, and how methods are drawn."""

import numpy as np

from gridloom.results import joined, read_runs
from gridloom.statistics import median_interval
from gridloom.style import Arms

METHODS = Arms(
    published=["fr1", "fr2", "fr3", "fr3_joined"],
    rivals=[
        "cusolver",
        "lapack",
        "lapack_all",
        "householder",
        "cusolver_streams",
        "cublas_batched",
        "cholesky_qr2",
        "cholesky_qr2_mma",
    ],
    ours=["gram_panels"],
)
NAMES = {
    "fr1": "FR1: one worker",
    "fr2": "FR2: shared grid",
    "fr3": "FR3: two kernels",
    "fr3_joined": "FR3 in one launch",
    "gram_panels": "resident teams, panels from Gram matrices",
    "cusolver": "cuSOLVER geqrf",
    "cusolver_streams": "cuSOLVER geqrf in streams",
    "cublas_batched": "cuBLAS geqrfBatched",
    "cholesky_qr2": "CholeskyQR2",
    "cholesky_qr2_mma": "CholeskyQR2, products of ours",
    "lapack": "LAPACK, one thread",
    "lapack_all": "LAPACK, all threads",
    "householder": "Algorithm 1",
}
# What rows of files stored before these columns came are.
EARLIER = {"batch": 1, "q": "implicit", "condition": np.nan}


def filled(runs):
    """The rows with the columns that an earlier program did not write."""
    for name, value in EARLIER.items():
        if name not in runs:
            runs[name] = value
    return runs


def read_results(paths):
    """The rows of all files after one another."""
    return joined([filled(read_runs(path)) for path in paths])


def single(runs):
    """Rows of one matrix a run, whose Q is left implicit."""
    return runs.only(batch=1, q="implicit")


def is_tall(config):
    return config["rows"] >= 4 * config["cols"]


def shapes_of(rows):
    """{panel: rows}: square matrices, and tall ones by their columns; empty panels are left out."""
    panels = {}
    for config, own in rows.groups(["rows", "cols"]):
        if config["rows"] == config["cols"]:
            name = "square matrices"
        elif is_tall(config):
            name = f"matrices of {config['cols']:,} columns"
        else:
            continue
        panels.setdefault(name, []).append((config["rows"], own))
    return panels


def curves_of(sizes):
    """{method: [(rows of the matrix, median, low, high)]} of the rows of a panel."""
    curves = {}
    for size, rows in sizes:
        for config, own in rows.only(status="ok").groups(["method"]):
            point = (size, *median_interval(own["elapsed_ms"]))
            curves.setdefault(config["method"], []).append(point)
    return {method: sorted(points) for method, points in curves.items()}
