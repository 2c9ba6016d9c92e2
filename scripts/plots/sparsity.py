#!/usr/bin/env python3
"""Sparsity pattern of a matrix and of its permutations, as densities.

    sparsity.py MATRIX.h5 [ORDERED.h5 ...] [--order FILE ...] [--titles TEXT ...]

There is one panel per matrix, in the given order: CSR files as gridloom-matrix writes them, then
the first matrix under every --order (row numbers from 0, one per line). A pixel is a square block
of the matrix. Its grey shows which share of the block's positions has entries. The scale is
logarithmic, so that a single entry in a block of a million rows is still visible. Small matrices
show every entry."""

import sys
from argparse import ArgumentTypeError
from pathlib import Path

import matplotlib.pyplot as plt

from gridloom.figure import save
from gridloom.results import PlotError, made_of
from gridloom.sparsity import Pattern, draw_panel, read_order
from gridloom.style import use_style
from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.errors import InputError, output_error_code, say


def figure_name(text):
    """Checks that a text can be the name of a file in the folder of figures."""
    if not text.isprintable() or "/" in text or not text:
        raise ArgumentTypeError(f"expected a name without '/' or control characters, got '{text}'")
    return text


def draw(files, orders, titles):
    use_style()
    patterns = [Pattern(path) for path in files]
    panels = [(pattern, None, pattern.path.stem) for pattern in patterns]
    for path in orders:
        first = patterns[0]
        if first.rows != first.cols:
            raise PlotError(f"{first.path}: an order needs a square matrix")
        name = f"{first.path.stem}, {Path(path).stem}"
        panels.append((first, read_order(path, first.rows), name))
    if titles and len(titles) != len(panels):
        raise PlotError(f"expected {len(panels)} titles, got {len(titles)}")
    figure, axes = plt.subplots(
        1, len(panels), figsize=(3.9 * len(panels), 4.5), layout="constrained", squeeze=False
    )
    for index, (pattern, position, name) in enumerate(panels):
        draw_panel(axes[0][index], pattern, titles[index] if titles else name, position)
    figure.supxlabel(
        "Grey: share of a block's positions that are entries, logarithmic.", fontsize=7.5,
        color="#444444",
    )  # fmt: skip
    return figure


def main(arguments=None):
    parser = StrictParser(prog="sparsity.py", description=__doc__.splitlines()[0])
    parser.add_argument("matrices", nargs="+", metavar="MATRIX.h5")
    parser.add_argument("--order", action="append", default=[], metavar="FILE")
    parser.add_argument("--titles", nargs="+", default=[], metavar="TEXT")
    parser.add_argument("--name", type=figure_name, default="sparsity",
                        help="of the figure (default: %(default)s)")  # fmt: skip
    parser.add_argument("--output-dir", default="figures", help="default: %(default)s")
    options = parser.parse_args(arguments)
    try:
        files = [*options.matrices, *options.order]
        with made_of(files):
            figure = draw(options.matrices, options.order, options.titles)
        saved = save(figure, options.name, options.output_dir, files)
    except OSError as error:
        place = error.filename or options.output_dir
        say(f"sparsity: {place}: cannot be written ({error.strerror})", sys.stderr)
        return output_error_code(error)
    except InputError as error:
        say(f"sparsity: {error}", sys.stderr)
        return 2
    for path in saved:
        say(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
