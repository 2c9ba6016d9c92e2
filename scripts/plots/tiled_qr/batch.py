#!/usr/bin/env python3
"""Tiled QR: time per matrix in batches of squares, one panel per precision, one line per method."""

from matplotlib.ticker import NullLocator

from gridloom.charts import INTERVALS, family_handles, frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.labels import shared_text
from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.text import in_order
from gridloom.tiled_qr.data import METHODS
from gridloom.tiled_qr.panels import draw_methods

HOST = ["lapack", "lapack_all", "householder"]


def curves_of(rows):
    """{method: [(rows of a matrix, median, low, high)]}, in ms per matrix."""
    curves = {}
    for config, own in rows.groups(["method", "rows", "batch"]):
        times = [ms / config["batch"] for ms in median_interval(own["elapsed_ms"])]
        curves.setdefault(config["method"], []).append((config["rows"], *times))
    known = in_order(set(curves), list(METHODS.places))
    return {method: sorted(curves[method]) for method in known}


def shapes_of(rows):
    """{rows of a matrix: text about its batch}. Each size has one number of matrices."""
    shapes = {}
    for config, _ in rows.groups(["rows", "batch"]):
        text = f"{config['batch']:,} of {config['rows']:,}²"
        if shapes.setdefault(config["rows"], text) != text:
            raise PlotError(f"batches of {config['rows']}² with several numbers of matrices")
    return dict(sorted(shapes.items()))


def draw(runs):
    every = runs.mask((runs["batch"] > 1) & (runs["rows"] == runs["cols"]))
    every = every.only(q="implicit", input="random")
    good = every.only(status="ok")
    if len(good) == 0:
        raise PlotError("no batches of random squares with status 'ok' and Q left implicit")
    precisions = in_order(set(good["precision"]), ["float", "double"])
    figure, grid = panel_grid(1, len(precisions), (4.8 * len(precisions), 3.8), sharey=True)
    families = set()
    for axes, precision in zip(grid.flat, precisions, strict=True):
        rows = good.only(precision=precision)
        families |= draw_methods(axes, curves_of(rows))
        shapes = shapes_of(rows)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(list(shapes), list(shapes.values()))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("matrices of a batch and their size")
        axes.set_ylabel("ms per matrix")
        axes.set_title(precision)
    shared = shared_text(good.mask(~good["method"].isin(HOST)))
    notes = [INTERVALS, "Without copies to and from the device.", *left_out_note(every)]
    return frame(figure, "QR of batches", shared, notes, family_handles(families))


if __name__ == "__main__":
    main("qr_batch", __doc__, draw)
