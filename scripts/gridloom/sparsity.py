"""Sparsity patterns as densities: reading matrices and orders, counting, drawing a panel.

A pixel is a square block of the matrix. Its grey shows which share of the block's positions has
entries. The scale is logarithmic, so that a single entry in a block of a million rows is still
visible."""

import warnings
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import scipy.io
from matplotlib.colors import ListedColormap, LogNorm
from scipy.sparse import csr_array

from gridloom.csr_rows import read_rows
from gridloom.figure_texts import plain_texts
from gridloom.orders import positions
from gridloom.results import PlotError
from gridloom_datasets.files import open_input, require_regular
from gridloom_datasets.hdf5 import read_file
from gridloom_datasets.hdf5_text import plain

PIXELS = 400  # a panel's side has at most so many


def read_csr(path):
    """(pattern, source): a CSR file of gridloom-matrix as a SciPy array of ones, and what the file
    says it was made from."""

    def refused(words):
        words = words.removeprefix(f"{path}: ")
        return PlotError(f"{path}: not a CSR file of gridloom-matrix ({words})")

    def read(file):
        rows = read_rows(file, "matrix", "csr", ("num_rows", "num_cols"), refused)
        return *rows, str(plain(file["matrix"].attrs.get("source", "")))

    if not Path(path).exists():
        raise PlotError(f"{path}: no such file")
    shape, offsets, columns, source = read_file(path, read, refused)
    require_entries(path, shape)
    return csr_array((np.ones(len(columns), np.int8), columns, offsets), shape=shape), source


def read_market(path):
    """The pattern of a Matrix Market file as a SciPy array."""
    require_regular(path, PlotError)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            matrix = scipy.io.mmread(path, spmatrix=False)
    except (OSError, EOFError, ValueError, OverflowError, MemoryError) as error:
        words = " ".join(str(error).split())
        raise PlotError(f"{path}: not a Matrix Market file ({words})") from error
    if not hasattr(matrix, "tocoo"):
        raise PlotError(f"{path}: expected a sparse matrix (coordinate), got an array")
    require_entries(path, matrix.shape)
    return matrix


def require_entries(path, shape):
    if min(shape) <= 0:
        raise PlotError(f"{path}: the matrix has no rows or no columns")


def read_order(path, rows):
    """position[row] in the order of the file."""
    try:
        with open_input(path, PlotError) as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy warns of an empty file, which is refused below
            order = np.loadtxt(file, dtype=np.int64, ndmin=1)
    except (OSError, ValueError) as error:
        raise PlotError(f"{path}: expected a row number per line ({error})") from error
    position = positions(order) if order.shape == (rows,) else None
    if position is None:
        raise PlotError(f"{path}: expected a permutation of 0 to {rows} - 1")
    return position


def density(pattern, position=None):
    """(counts of entries per block, rows of a block, half-bandwidth)."""
    block = -(-max(pattern.shape) // PIXELS)
    shape = tuple(-(-side // block) for side in pattern.shape)
    rows, columns = (place.astype(np.int64) for place in pattern.tocoo().coords)
    if position is not None:
        rows, columns = position[rows], position[columns]
    places = rows // block * shape[1] + columns // block
    counts = np.bincount(places, minlength=shape[0] * shape[1])
    return counts.reshape(shape), block, int(np.abs(rows - columns).max(initial=0))


@dataclass(frozen=True)
class Binned:
    """A pattern to draw: entries per block, and the text below the panel."""

    counts: np.ndarray
    block: int  # rows of a block
    half_bandwidth: int
    rows: int
    cols: int
    entries: int


def binned(pattern, position=None):
    counts, block, half = density(pattern, position)
    return Binned(counts, block, half, *pattern.shape, int(pattern.nnz))


def draw_binned(axes, found, title):
    block = found.block
    share = found.counts / float(block) ** 2
    full = np.ma.masked_equal(share, 0)
    # From one entry a block to a full block; without blocks there is one shade.
    limits = LogNorm(1 / float(block) ** 2, 1) if block > 1 else LogNorm(0.5, 1)
    # The lightest grey must be seen on white.
    shades = ListedColormap(plt.get_cmap("Greys")(np.linspace(0.35, 1, 256)))
    axes.imshow(
        full, cmap=shades, norm=limits, interpolation="nearest", rasterized=True,
        extent=(0, block * found.counts.shape[1], block * found.counts.shape[0], 0),
    )  # fmt: skip
    axes.set_title(title, fontweight="bold")
    note = f"{found.rows:,} × {found.cols:,}, {found.entries:,} entries\n"
    note += f"half-bandwidth {found.half_bandwidth:,}"
    if block > 1:
        note += f"; a pixel is {block} × {block}"
    axes.set_xlabel(note, fontsize=8)
    axes.grid(visible=False)
    axes.spines[["top", "right"]].set_visible(True)
    axes.tick_params(labelsize=7)


def align_panels(panels):
    """Gives panels a whole number of pixels per block. Otherwise some blocks would be drawn twice
    as wide.

    `panels` has [(axes, Binned)] of one complete figure. Panels with fewer pixels than blocks stay
    as they are."""
    figure = panels[0][0].figure
    plain_texts(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    width, height = figure.bbox.size
    for axes, found in panels:
        box = axes.get_window_extent()
        rows, cols = found.counts.shape
        times = int(min(box.width / cols, box.height / rows))
        if times > 0:
            left = round(box.x0 + (box.width - times * cols) / 2)
            top = round(box.y1)
            axes.set_position(
                (left / width, (top - times * rows) / height, times * cols / width,
                 times * rows / height)
            )  # fmt: skip
