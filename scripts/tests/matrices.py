"""Small matrices for tests, and files of them in CSR form."""

import h5py
import numpy as np
import scipy.sparse

from gridloom_datasets.hdf5_text import plain


def grid(nx, ny):
    """The 5-point grid, shuffled, as a Matrix Market file's matrix."""
    x, y = (scipy.sparse.diags([np.ones(n - 1)] * 2, [-1, 1]) for n in (nx, ny))
    graph = scipy.sparse.kronsum(x, y).tocsr()
    order = np.random.default_rng(1).permutation(nx * ny)
    return graph[order][:, order]


def half_bandwidth(matrix):
    entries = matrix.tocoo()
    return int(abs(entries.row - entries.col).max())


def banded(n, half):
    return scipy.sparse.diags_array([np.ones(n)] * 3, offsets=[-half, 0, half], shape=(n, n))


def write_csr(path, matrix):
    matrix = scipy.sparse.csr_array(matrix, copy=True)
    matrix.sort_indices()  # gridloom-matrix requires sorted columns
    with h5py.File(path, "w") as file:
        group = file.create_group("matrix")
        rows, cols = matrix.shape
        group.attrs.update({"kind": "csr", "num_rows": rows, "num_cols": cols})
        group["row_offsets"] = matrix.indptr.astype(np.uint64)
        group["columns"] = matrix.indices.astype(np.uint32)
    return path


def read_csr(path):
    with h5py.File(path) as file:
        group = file["matrix"]
        assert plain(group.attrs["kind"]) == "csr"
        shape = (int(group.attrs["num_rows"]), int(group.attrs["num_cols"]))
        columns = group["columns"][...]
        values = group["values"][...] if "values" in group else np.ones(len(columns))
        return scipy.sparse.csr_array((values, columns, group["row_offsets"][...]), shape=shape)
