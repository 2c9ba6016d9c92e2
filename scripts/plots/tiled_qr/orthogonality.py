#!/usr/bin/env python3
"""Tiled QR: how orthogonal Q is against the condition number of the matrix, one line per method."""

import numpy as np

from gridloom.charts import family_handles, frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.labels import MACHINE, Part, shared_text
from gridloom.results import PlotError
from gridloom.style import GREY
from gridloom.text import in_order
from gridloom.tiled_qr.data import METHODS, NAMES
from gridloom.tiled_qr.panels import draw_methods

BOUND = 30  # limit that the programs verify
SIZE = MACHINE | {"rows": Part(lambda c: f"{c['rows']:,} × {c['cols']:,}")}


def curves_of(rows, top):
    """{method: [(condition, worst, worst, worst)]}. Values that are no numbers are drawn at the
    top."""
    curves = {}
    for config, own in rows.groups(["method", "condition"]):
        worst = np.nan_to_num(own["orthogonality"].max(), nan=top, posinf=top)
        curves.setdefault(config["method"], []).append((config["condition"], worst, worst, worst))
    known = in_order(set(curves), list(METHODS.places))
    return {method: sorted(curves[method]) for method in known}


def broken_text(rows):
    """The methods that broke down, as a list of one line, or an empty list."""
    found = {}
    for config, own in rows.groups(["method", "condition"]):
        if (own["broke_down"] > 0).any():
            found.setdefault(config["method"], []).append(config["condition"])
    texts = [f"{NAMES.get(method, method)} from {min(where):g}" for method, where in found.items()]
    return [f"Broke down (no positive pivot): {', '.join(texts)}"] if texts else []


def draw(runs):
    every = runs.mask(np.isfinite(runs["condition"].astype(float)))
    good = every.only(status="ok", q="formed")
    good = good.mask(good["verified"] != "off")
    if len(good) == 0:
        raise PlotError("no verified rows of the family conditioned with Q formed")
    precisions = in_order(set(good["precision"]), ["float", "double"])
    figure, grid = panel_grid(1, len(precisions), (4.8 * len(precisions), 3.8))
    families = set()
    notes = []
    for axes, precision in zip(grid.flat, precisions, strict=True):
        rows = good.only(precision=precision)
        finite = rows["orthogonality"][np.isfinite(rows["orthogonality"])]
        top = max(10 * max(finite, default=BOUND), 4 * BOUND)
        families |= draw_methods(axes, curves_of(rows, top))
        axes.axhline(BOUND, color=GREY, linewidth=0.8, linestyle=":")
        axes.annotate(
            "bound of the verification", (0.02, BOUND), xycoords=("axes fraction", "data"),
            xytext=(0, 2), textcoords="offset points", fontsize=7.5, color=GREY,
        )  # fmt: skip
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("condition number")
        axes.set_ylabel("‖I − QᵀQ‖ / (n ε)")
        axes.set_title(precision)
        notes += [f"{precision}: {line}" for line in broken_text(rows)]
        if len(finite) < len(rows):
            notes.append(f"{precision}: points at the top are no numbers.")
    tried = good.mask(good["method"].isin(["gram_panels", "cusolver", "cholesky_qr2"]))
    shared = shared_text(tried, SIZE, ["machine", "backend", "rows", "cols"])
    notes += left_out_note(every)
    return frame(figure, "Orthogonality of Q", shared, notes, family_handles(families))


if __name__ == "__main__":
    main("qr_orthogonality", __doc__, draw)
