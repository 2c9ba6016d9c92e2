"""Sparsity patterns as densities: reading CSR files and orders, counting, drawing a panel.

A pixel is a square block of the matrix. Its grey shows which share of the block's positions has
entries. The scale is logarithmic, so that a single entry in a block of a million rows is still
visible."""

import operator
import warnings
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap, LogNorm

from gridloom.figure_texts import plain_texts
from gridloom.results import PlotError
from gridloom_datasets.files import open_input
from gridloom_datasets.hdf5 import read_file, read_pieces
from gridloom_datasets.hdf5_text import plain

PIXELS = 400  # a panel's side has at most so many


CHUNK = 1 << 22  # entries that are in memory at once


class Pattern:
    """The columns of a CSR file, read piece by piece."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.exists():
            raise PlotError(f"{path}: no such file")
        found = read_file(self.path, self.read, self.refused)
        self.rows, self.cols, self.offsets, self.source = found
        if self.rows <= 0 or self.cols <= 0:
            raise PlotError(f"{path}: the matrix has no rows or no columns")

    def refused(self, words):
        words = words.removeprefix(f"{self.path}: ")
        return PlotError(f"{self.path}: not a CSR file of gridloom-matrix ({words})")

    @staticmethod
    def read(file):
        """Reads everything but the columns, whose range pieces() checks. Throws ValueError and
        others."""
        group = file["matrix"]
        kind = plain(group.attrs["kind"])
        if kind != "csr":
            raise ValueError(f"expected the kind csr, got {kind!r:.40}")
        sizes = (group.attrs[key] for key in ("num_rows", "num_cols"))
        rows, cols = map(operator.index, sizes)
        offsets, columns = group["row_offsets"], group["columns"]
        for data in (offsets, columns):
            if data.ndim != 1 or data.dtype.kind not in "iu":
                raise ValueError(f"expected a row of integers in {data.name}")
        # Checked before the offsets are read, because a small file may claim many.
        if len(offsets) != rows + 1:
            raise ValueError(f"expected {rows + 1} row offsets, got {len(offsets)}")
        offsets = offsets[...].astype(np.int64)
        if offsets[0] != 0 or np.any(np.diff(offsets) < 0):
            raise ValueError("expected row offsets that begin at 0 and do not fall")
        if offsets[-1] != len(columns):
            raise ValueError(f"expected {offsets[-1]} columns, got {len(columns)}")
        return rows, cols, offsets, str(plain(group.attrs.get("source", "")))

    @property
    def entries(self):
        return int(self.offsets[-1])

    def pieces(self):
        """(rows, columns) of the entries, in pieces of bounded size."""
        ranges = [
            (begin, min(begin + CHUNK, self.entries)) for begin in range(0, self.entries, CHUNK)
        ]

        def read(file):
            for begin, end in ranges:
                yield file["matrix/columns"][begin:end]

        read_columns = read_pieces(self.path, read, PlotError)
        for (begin, end), columns in zip(ranges, read_columns, strict=True):
            first = int(np.searchsorted(self.offsets, begin, side="right")) - 1
            last = int(np.searchsorted(self.offsets, end, side="left"))
            inside = np.clip(self.offsets[first : last + 1], begin, end)
            rows = np.repeat(np.arange(first, last), np.diff(inside))
            columns = columns.astype(np.int64)
            if columns.min() < 0 or columns.max() >= self.cols:
                raise PlotError(f"{self.path}: expected columns from 0 to {self.cols} - 1")
            yield rows, columns


def read_order(path, rows):
    """position[row] in the order of the file."""
    try:
        with open_input(path, PlotError) as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy warns of an empty file, which is refused below
            order = np.loadtxt(file, dtype=np.int64, ndmin=1)
    except (OSError, ValueError) as error:
        raise PlotError(f"{path}: expected a row number per line ({error})") from error
    if order.shape != (rows,) or not np.array_equal(np.sort(order), np.arange(rows)):
        raise PlotError(f"{path}: expected a permutation of 0 to {rows} - 1")
    position = np.empty(rows, dtype=np.int64)
    position[order] = np.arange(rows)
    return position


def density(pattern, position=None):
    """(counts of entries per block, rows of a block, half-bandwidth)."""
    block = -(-max(pattern.rows, pattern.cols) // PIXELS)
    shape = (-(-pattern.rows // block), -(-pattern.cols // block))
    counts = np.zeros(shape[0] * shape[1], dtype=np.int64)
    half = 0
    for rows, columns in pattern.pieces():
        if position is not None:
            rows, columns = position[rows], position[columns]
        half = max(half, int(np.abs(rows - columns).max()))
        counts += np.bincount(rows // block * shape[1] + columns // block, minlength=len(counts))
    return counts.reshape(shape), block, half


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
    return Binned(counts, block, half, pattern.rows, pattern.cols, pattern.entries)


def draw_panel(axes, pattern, title, position=None):
    draw_binned(axes, binned(pattern, position), title)


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
