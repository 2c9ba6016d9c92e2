#!/usr/bin/env python3
"""Tiled QR: run time against the size of the matrix, in double, a line a method."""

import sys

import matplotlib.pyplot as plt

from gridloom.charts import (
    INTERVALS,
    draw_curve,
    family_handles,
    frame,
    left_out_note,
    legend_below,
)
from gridloom.figure import main
from gridloom.labels import MACHINE, Part, split_labels
from gridloom.results import PlotError
from gridloom.style import use_style
from gridloom.tiled_qr.data import METHODS, NAMES, curves_of, read_results, shapes_of, single

PARTS = MACHINE | {"tile": Part(lambda c: f"tiles of {c['tile']} × {c['tile']}")}


def draw(runs):
    every = single(runs).only(precision="double", input="random")
    every = every.mask(every["priority"].isin(["", "factorisations-first"]))
    if len(every.only(status="ok")) == 0:
        raise PlotError("no rows of random matrices in double with status 'ok'")
    panels = shapes_of(every)
    use_style()
    figure, axes_of = plt.subplots(
        1, len(panels), figsize=(4.8 * len(panels), 3.8), layout="constrained", squeeze=False
    )
    families = set()
    for axes, (name, sizes) in zip(axes_of.flat, panels.items(), strict=True):
        for method, points in curves_of(sizes).items():
            draw_curve(axes, NAMES.get(method, method), points, METHODS.line(method))
            families.add(METHODS.family(method))
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlabel("rows of the matrix")
        axes.set_ylabel("ms")
        axes.set_title(name)
        legend_below(axes, ncols=2)
    tiled = every.mask(every["tile"] > 0)
    configs = [config for config, _ in tiled.groups(["machine", "backend", "tile"])]
    shared, _ = split_labels(configs, PARTS)
    notes = [INTERVALS, "Without copies to and from the device.", *left_out_note(every)]
    frame(figure, "Tiled QR: run time", shared, notes, family_handles(families))
    return figure


if __name__ == "__main__":
    sys.exit(main("qr_time", __doc__, draw, read=read_results))
