#!/usr/bin/env python3
"""Measures SciPy's reverse_cuthill_mckee, as the arm `scipy` of a results file of mhive-rcm.

    rcm_scipy.py --matrix FILE... [--generate SPEC...] --output RESULTS.h5 [--append] [--repeat N]

A row is one call in symmetric mode on a CSR matrix in memory, after one call that does not count.
SciPy chooses its own start nodes and does not time the search separately. Rows go to the table
`runs` with mhive-rcm's layout, so one file can hold all arms of a machine. --append accepts a file
of mhive-rcm, and mhive-rcm --append a file of this script. The first run of a file names its
machine, so on a GPU begin with mhive-rcm. This script reads CSR files (HDF5). gridloom-matrix reads
other formats and generates matrices; GRIDLOOM_BIN_DIR names its folder."""

import gridloom.environment  # noqa: F401 (continues in .venv if packages are missing)

# isort: split
import math
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import h5py
import numpy as np
import scipy
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, reverse_cuthill_mckee

from gridloom import sparsity
from gridloom.command_line import Parser, exit_code, require_matrices
from gridloom.orders import bandwidths, positions
from gridloom.results_file import Column, collect_meta, require_output, write
from gridloom.statistics import median_interval
from gridloom_datasets import matrix_program
from gridloom_datasets.errors import InputError, one_line

MOST = 2**31 - 1  # SciPy's ordering takes 32-bit indices

# name, unit, value for this arm where it is always the same; as mhive-rcm has it: its own columns
# (thesis_mhive/apps/rcm/arms.cpp), then the standard ones
COLUMNS = [
    ("matrix", "", None),
    ("rows", "1", None),
    ("entries", "1", None),
    ("components", "1", None),
    ("levels", "1", -1),  # unknown, because SciPy chooses the start nodes
    ("start", "", "own"),
    ("candidates", "1", 0),
    ("workers", "1", 1),
    ("searches", "1", 0),
    ("start_ms", "ms", math.nan),
    ("order_ms", "ms", math.nan),
    ("both_ms", "ms", None),
    ("bandwidth_before", "1", None),
    ("bandwidth", "1", None),
    ("half_bandwidth", "1", None),
    ("bytes", "bytes", 0),
    ("equation_bytes", "bytes", None),
    ("same", "", "off"),
    ("experiment", "", "custom"),
    ("arm", "", "scipy"),
    ("backend", "", "host"),
    ("repetition", "1", None),
    ("order", "1", 0),
    ("setup_ms", "ms", math.nan),
    ("copy_in_ms", "ms", 0.0),
    ("elapsed_ms", "ms", None),
    ("copy_out_ms", "ms", 0.0),
    ("end_to_end_ms", "ms", None),
    ("verified", "", "off"),
    ("status", "", None),
]
TEXTS = {"experiment", "arm", "matrix", "start", "backend", "same", "verified", "status"}


KIND = {name: "reals" if name.endswith("_ms") else "whole numbers" for name, _, _ in COLUMNS}
KIND |= dict.fromkeys(TEXTS, "text")
TABLES = {
    "runs": [Column(name, KIND[name], unit, name.replace("_", " ")) for name, unit, _ in COLUMNS]
}
CONSTANTS = {name: value for name, _, value in COLUMNS if value is not None}


# --- matrices ------------------------------------------------------------------------------


def read_csr(path):
    """A square CSR file of gridloom-matrix as a pattern of 32-bit indices."""
    stored, _ = sparsity.read_csr(path)
    rows, cols = stored.shape
    if rows != cols:
        raise InputError(f"{path}: expected a square matrix, got one of {rows} x {cols}")
    if max(stored.nnz, rows) > MOST:
        raise InputError(f"{path}: expected at most {MOST} rows and entries, as SciPy does")
    indices = (array.astype(np.int32) for array in (stored.indices, stored.indptr))
    return csr_array((stored.data, *indices), shape=stored.shape)


def symmetric(matrix, name, symmetrize):
    """The matrix, or with `symmetrize` the pattern of A + A^T. Raises InputError for an unsymmetric
    pattern."""
    turned = matrix.T.tocsr()
    if symmetrize:
        matrix = (matrix + turned).tocsr()
    matrix.sort_indices()
    turned.sort_indices()
    if not symmetrize and not (
        np.array_equal(matrix.indptr, turned.indptr)
        and np.array_equal(matrix.indices, turned.indices)
    ):
        raise InputError(
            f"{name}: expected a symmetric pattern, got an unsymmetric one; --symmetrize orders "
            "the pattern of A + A^T"
        )
    return matrix


def named_matrices(options):
    """Yields (name, path of a CSR file). Files that are made here exist until the next one."""
    for path in options.matrix:
        if not path.is_file():
            raise InputError(f"{path}: no such file")
        if h5py.is_hdf5(path):
            yield path.name, path
        else:
            yield from made_by(matrix_program.convert, path, path.name)
    for spec in options.generate:
        yield from made_by(matrix_program.generate, spec, spec)


def made_by(make, given, name):
    with TemporaryDirectory() as folder:
        target = Path(folder) / "matrix.h5"
        make(matrix_program.find_program(), given, target)
        yield name, target


# --- measuring -----------------------------------------------------------------------------


def measure(name, matrix, repeat):
    """The rows of one matrix."""
    n = matrix.shape[0]
    before, _ = bandwidths(matrix.indptr, matrix.indices, np.arange(n))
    shared = CONSTANTS | {
        "matrix": name,
        "rows": n,
        "entries": int(matrix.nnz),
        "components": int(connected_components(matrix, directed=False, return_labels=False)),
        "bandwidth_before": before,
        "equation_bytes": 48_000_000 + 8 * int(matrix.nnz) + 28 * n,
    }
    position = positions(reverse_cuthill_mckee(matrix, symmetric_mode=True))
    shared |= {"bandwidth": 0, "half_bandwidth": 0, "status": "wrong"}
    if position is not None:
        bandwidth, half = bandwidths(matrix.indptr, matrix.indices, position)
        shared |= {"bandwidth": bandwidth, "half_bandwidth": half, "status": "ok"}
    rows = []
    for repetition in range(repeat):
        begin = time.perf_counter_ns()
        reverse_cuthill_mckee(matrix, symmetric_mode=True)
        elapsed_ms = (time.perf_counter_ns() - begin) / 1e6
        times = dict.fromkeys(("both_ms", "elapsed_ms", "end_to_end_ms"), elapsed_ms)
        rows.append(shared | times | {"repetition": repetition})
    return rows


# --- command line --------------------------------------------------------------------------


def parse(arguments):
    parser = Parser(prog="rcm_scipy.py", description=__doc__.splitlines()[0])
    parser.add_matrices("HDF5, or what gridloom-matrix reads")
    parser.add_number("--repeat", 1, 1_000_000, 20, "measured calls")
    parser.add_results()
    options = parser.parse_args(arguments)
    require_matrices(options)
    return options


def run(arguments):
    options = parse(arguments)
    meta = collect_meta("mhive-rcm", "rcm_scipy.py", arguments)
    meta |= {"backend": "host", "gpu": "none", "repeat": str(options.repeat)}
    meta |= {"numpy": np.__version__, "scipy": scipy.__version__}
    require_output(options.output, options.append, meta, TABLES, inputs=options.matrix)
    rows = []
    for name, path in named_matrices(options):
        try:
            stored = read_csr(path)
        # The user does not know the temporary file.
        except InputError as error:
            raise InputError(str(error).replace(str(path), name, 1)) from error
        found = measure(name, symmetric(stored, name, options.symmetrize), options.repeat)
        middle, low, high = median_interval([row["both_ms"] for row in found])
        print(
            f"{one_line(name)}: {found[0]['rows']:,} rows, {found[0]['entries']:,} entries, "
            f"{middle:.3f} ms [{low:.3f}, {high:.3f}], bandwidth {found[0]['bandwidth']:,}"
        )
        rows += found
    write(options.output, meta, TABLES, {"runs": rows}, options.append)
    return 0 if all(row["status"] == "ok" for row in rows) else 1


def main(arguments=None):
    return exit_code("rcm_scipy", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
