#!/usr/bin/env python3
"""Fig. 8.1 of the MHive thesis: sparsity patterns before and after reverse Cuthill-McKee.

    fig8_1.py MATRIX [ORDER...] [MATRIX [ORDER...]]... [--rows NAME...]
    fig8_1.py PATTERNS.h5

Each matrix (CSR as HDF5, which gridloom-matrix and mhive-rcm --pattern write, or Matrix Market) is
followed by its orders (mhive-rcm --order, one row number per line). A file of
scripts/rcm_patterns.py has the counts instead. There is one column per matrix, with the matrix at
the top and each of its orders below. A pixel is a square block of the matrix. Its grey shows which
share of the block's positions has entries."""

from pathlib import Path

from gridloom.charts import frame, panel_grid
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.sparsity import align_panels, draw_binned
from gridloom.thesis_mhive.patterns import read_columns


def title_of(panel, name, orders):
    """`name` is the order's name on the command line. `orders` is how many the matrix has."""
    if not panel.order:
        return f"{panel.matrix}\nbefore" if orders else Path(panel.files[0]).stem
    return name or ("after" if orders == 1 and panel.files else f"after, by {panel.order}")


def draw(columns, rows=()):
    """Draws the figure. `rows` has names of the rows below the first."""
    depth = max(map(len, columns))
    if rows and len(rows) != depth - 1:
        raise PlotError(f"--rows: expected {depth - 1} names, got {len(rows)}")
    names = ["", *(rows or [""] * (depth - 1))]
    figure, grid = panel_grid(depth, len(columns), (3.1 * len(columns), 3.8 * depth))
    drawn = []
    for x, column in enumerate(columns):
        for axes, panel, name in zip(grid[:, x], column, names, strict=False):
            draw_binned(axes, panel.found, title_of(panel, name, len(column) - 1))
            axes.title.set_fontsize(8.5)
            axes.set_xticks([])
            axes.set_yticks([])
            drawn.append((axes, panel.found))
        for axes in grid[len(column) :, x]:
            axes.set_visible(False)
    notes = ["Grey: share of a pixel's positions that are entries, logarithmic."]
    if any(panel.order == "MHive" for column in columns for panel in column):
        notes.append("MHive's order is the same under every scheduler, on the host and on CUDA.")
    title = "Reverse Cuthill–McKee: sparsity patterns (Fig. 8.1)" if depth > 1 else "Patterns"
    frame(figure, title, "", notes)
    align_panels(drawn)
    return figure


FILES = {"metavar": "FILE", "help": "matrices and their orders, or a file of patterns"}
ROWS = {"nargs": "+", "default": [], "metavar": "NAME", "help": "names of the orders"}

if __name__ == "__main__":
    main("mhive_fig8_1", __doc__, draw, more={"rows": ROWS}, read=read_columns, files=FILES)
