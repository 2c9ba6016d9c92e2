#!/usr/bin/env python3
"""Tiled QR: the weight of double tasks, and the orders "factorisations first" and "first in, first
out"."""

import numpy as np

from gridloom.charts import INTERVALS, family_handles, frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.style import GREY
from gridloom.tiled_qr.data import single
from gridloom.tiled_qr.panels import draw_methods, shared_text, size_axis
from gridloom.tiled_qr.scheduler_tables import ORDERS, by_order, by_weight


def draw_weights(axes, rows):
    """Run time against the weight; returns the families and a note."""
    size, found, measured = by_weight(rows)
    families = draw_methods(axes, found)
    axes.set_xlabel("weight: single tasks per double task")
    axes.set_ylabel("ms")
    axes.set_title("weight of double tasks")
    for method in (method for method in found if method in measured):
        weight = float(np.median(measured[method]["weight"]))
        axes.axvline(weight, color=GREY, linewidth=0.8, linestyle=":")
    return families, f"Left: matrices of {size:,} rows. Dotted: weights that a method measured."


def draw_orders(axes, rows):
    """Draws how many times as fast "factorisations first" is as "first in, first out"."""
    axes.axhline(1, color="black", linewidth=0.8, linestyle=":")
    families = draw_methods(axes, by_order(rows))
    size_axis(axes, "linear")
    axes.set_ylabel("times as fast as fifo")
    axes.set_title("factorisations first")
    return families


def draw(runs):
    every = single(runs).only(precision="double", input="random")
    every = every.mask((every["tile"] > 0) & (every["priority"] != ""))
    if len(set(every.only(status="ok")["weight"].dropna())) < 2:
        raise PlotError("no runs with several weights of double tasks (--weight)")
    if set(ORDERS) - set(every["priority"]):
        raise PlotError("no runs with both orders of ready tasks (--priority)")
    figure, [(left, right)] = panel_grid(1, 2, (9.6, 3.8))
    families, note = draw_weights(left, every)
    families |= draw_orders(right, every)
    notes = [INTERVALS, note, *left_out_note(every)]
    title = "Tiled QR: weight of double tasks, and order of ready tasks"
    return frame(figure, title, shared_text(every), notes, family_handles(families))


if __name__ == "__main__":
    main("qr_weights", __doc__, draw)
