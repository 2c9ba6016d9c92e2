"""Patterns of matrices before and after ordering, from matrices and orders or from a file of
patterns.

A file of patterns (scripts/rcm_patterns.py) has /patterns/<number>, in columns of the figure: the
entries of each block as `counts`. Attributes have the matrix, the order ("" for none), sizes,
half-bandwidth and the hashes of its sources. So large matrices are not needed to draw it."""

from pathlib import Path

import h5py
import numpy as np

from gridloom.results import PlotError
from gridloom.results_file import read_results
from gridloom.sources import hash_of
from gridloom.sparsity import Binned, binned, read_csr, read_market, read_order
from gridloom.thesis_mhive.rcm import short
from gridloom_datasets import hdf5
from gridloom_datasets.files import require_regular
from gridloom_datasets.hdf5_text import plain, set_attributes

MARKET = (".mtx", ".mtx.gz")
SIZES = ("block", "half_bandwidth", "rows", "cols", "entries")


class Shown:
    """A panel: the names of the matrix and the order, the counts, and the source files."""

    def __init__(self, matrix, order, found, files=()):
        self.matrix, self.order, self.found, self.files = matrix, order, found, files


def is_matrix(path):
    """Whether the name is that of a matrix. Other files are orders."""
    require_regular(path, PlotError)
    return str(path).endswith(MARKET) or h5py.is_hdf5(path)


def columns_of(files):
    """[[panels of a matrix]] for matrices, each before its orders, if any. Raises PlotError."""
    columns = []
    for path in files:
        if not Path(path).exists():
            raise PlotError(f"{path}: no such file")
        if is_matrix(path):
            is_market = str(path).endswith(MARKET)
            matrix, (pattern, source) = (
                path,
                (read_market(path), "") if is_market else read_csr(path),
            )
            name = short(Path(source or path).name)
            columns.append([Shown(name, "", binned(pattern), (path,))])
        elif not columns:
            raise PlotError(f"{path}: expected a matrix (HDF5 or .mtx) before the first order")
        elif pattern.shape[0] != pattern.shape[1]:
            raise PlotError(f"{matrix}: an order needs a square matrix")
        else:
            found = binned(pattern, read_order(path, pattern.shape[0]))
            columns[-1].append(Shown(name, Path(path).stem, found, (matrix, path)))
    return columns


def is_patterns(path):
    require_regular(path, PlotError)
    if not h5py.is_hdf5(path):
        return False
    return hdf5.read_file(
        path, lambda file: isinstance(file.get("patterns"), h5py.Group), PlotError
    )


def read_patterns(path):
    """Like columns_of, but from a file of patterns."""

    def read(file):
        columns = {}
        for name in sorted(file["patterns"]):
            group = file["patterns"][name]
            sizes = {size: int(group.attrs[size]) for size in SIZES}
            matrix, order = (str(plain(group.attrs[key])) for key in ("matrix", "order"))
            found = Binned(counts=group["counts"][...], **sizes)
            columns.setdefault(matrix, []).append(Shown(matrix, order, found))
        return columns

    columns = read_results(path, read, PlotError)
    if not columns:
        raise PlotError(f"{path}: /patterns is empty")
    return list(columns.values())


def read_columns(paths):
    if len(paths) == 1 and Path(paths[0]).is_file() and is_patterns(paths[0]):
        return read_patterns(paths[0])
    return columns_of(paths)


def write_patterns(path, columns, names, meta):
    """Writes a file of patterns, completely or not at all. `names` are those of every matrix's
    orders."""

    def fill(file):
        set_attributes(file.create_group("meta"), meta)
        panels = [
            (panel, name)
            for column in columns
            for panel, name in zip(column, ["", *names], strict=True)
        ]
        for number, (panel, name) in enumerate(panels):
            group = file.create_group(f"patterns/{number:03}")
            group.attrs.update({size: getattr(panel.found, size) for size in SIZES})
            set_attributes(group, {"matrix": panel.matrix, "order": name})
            for what, source in zip(("matrix", "order"), panel.files, strict=False):
                set_attributes(group, {f"{what}_sha256": hash_of(source)})
            hdf5.add(group, "counts", panel.found.counts.astype(np.uint32))

    hdf5.write(path, fill)
