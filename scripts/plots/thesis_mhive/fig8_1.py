#!/usr/bin/env python3
"""Fig. 8.1 of the MHive thesis: sparsity patterns before and after reverse Cuthill-McKee.

    fig8_1.py MATRIX ORDER... [MATRIX ORDER...]... [--rows NAME...]

Each matrix (CSR as HDF5, which mhive-rcm --pattern writes, or Matrix Market) is followed by the
orders that it is shown under (mhive-rcm --order, a row number a line). A column a matrix: as it is
above, below that a row for each of its orders. Grey is the density of blocks, as in sparsity.py.
"""

import argparse
import sys
import warnings
from pathlib import Path

import h5py
import matplotlib.pyplot as plt
import numpy as np

from gridloom.figure import save
from gridloom.results import PlotError, plain
from gridloom.sparsity import Pattern, draw_panel, read_order
from gridloom.style import use_style
from gridloom.thesis_mhive.rcm import short

MARKET = (".mtx", ".mtx.gz")


class MarketPattern:
    """A Matrix Market file as far as a Pattern is used here; wholly in memory."""

    def __init__(self, path):
        import scipy.io

        self.path = Path(path)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                matrix = scipy.io.mmread(path, spmatrix=False)
        except (OSError, ValueError, OverflowError, MemoryError) as error:
            words = " ".join(str(error).split())
            raise PlotError(f"{path}: not a Matrix Market file ({words})") from error
        if not hasattr(matrix, "tocoo"):
            raise PlotError(f"{path}: expected a sparse matrix (coordinate), got an array")
        matrix = matrix.tocoo()
        self.rows, self.cols = matrix.shape
        if self.rows == 0 or self.cols == 0:
            raise PlotError(f"{path}: the matrix has no rows or no columns")
        self.entries = int(matrix.nnz)
        self.places = tuple(np.asarray(c, dtype=np.int64) for c in matrix.coords)

    def pieces(self):
        if self.entries:
            yield self.places


def is_matrix(path):
    """An order is a text that is not named as a matrix."""
    return str(path).endswith(MARKET) or h5py.is_hdf5(path)


def open_matrix(path):
    """(pattern, what it is called). The name is the one that the file says it was made from."""
    if str(path).endswith(MARKET):
        return MarketPattern(path), short(Path(path).name)
    pattern = Pattern(path)
    source = plain(pattern.file["matrix"].attrs.get("source", ""))
    return pattern, short(str(source) or Path(path).name)


def columns_of(files):
    """[(pattern, name, [(position of each row, name of the order)])] of the files in order."""
    columns = []
    for path in files:
        if not Path(path).is_file():
            raise PlotError(f"{path}: no such file")
        if is_matrix(path):
            pattern, name = open_matrix(path)
            if pattern.rows != pattern.cols:
                raise PlotError(f"{path}: an order needs a square matrix")
            columns.append((pattern, name, []))
        elif not columns:
            raise PlotError(f"{path}: expected a matrix (HDF5 or .mtx) before the first order")
        else:
            pattern, _, orders = columns[-1]
            orders.append((read_order(path, pattern.rows), Path(path).stem))
    for pattern, _, orders in columns:
        if not orders:
            raise PlotError(f"{pattern.path}: expected an order after the matrix")
    return columns


def draw(files, names=()):
    """The figure. `names`: of the rows below the first; else "after", or the orders' files."""
    columns = columns_of(files)
    depth = 1 + max(len(orders) for _, _, orders in columns)
    if names and len(names) != depth - 1:
        raise PlotError(f"--rows: expected {depth - 1} names, got {len(names)}")
    use_style()
    figure, grid = plt.subplots(
        depth, len(columns), figsize=(3.6 * len(columns), 4.1 * depth), layout="constrained",
        squeeze=False,
    )  # fmt: skip
    for x, (pattern, name, orders) in enumerate(columns):
        draw_panel(grid[0][x], pattern, f"{name}\nbefore")
        for y, (position, order) in enumerate(orders, 1):
            what = names[y - 1] if names else "after" if len(orders) == 1 else order
            draw_panel(grid[y][x], pattern, what, position)
        for axes in grid[len(orders) + 1 :, x]:
            axes.set_visible(False)
    figure.suptitle("MHive: reverse Cuthill–McKee (Fig. 8.1)", fontsize=10.5)
    figure.supxlabel(
        "Grey: share of a block's positions that are entries, logarithmic.", fontsize=7.5,
        color="#444444",
    )  # fmt: skip
    return figure


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fig8_1.py", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help="matrices and their orders")
    parser.add_argument("--rows", nargs="+", default=[], metavar="NAME", help="names of the orders")
    parser.add_argument("--output-dir", default="figures", help="default: %(default)s")
    options = parser.parse_args(arguments)
    try:
        figure = draw(options.files, options.rows)
        for path in save(figure, "mhive_fig8_1", options.output_dir):
            print(path)
    except OSError as error:
        place = error.filename or options.output_dir
        print(f"mhive_fig8_1: {place}: cannot be written ({error.strerror})", file=sys.stderr)
        return 2
    except PlotError as error:
        print(f"mhive_fig8_1: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
