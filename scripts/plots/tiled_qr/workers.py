#!/usr/bin/env python3
"""Tiled QR: speed of every scheduler against the number of blocks or threads (--blocks)."""

from gridloom.charts import INTERVALS, family_handles, frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.tiled_qr.data import medians, usual
from gridloom.tiled_qr.panels import draw_methods, scheduler_panels, shared_text
from gridloom.tiled_qr.scheduler_tables import by_workers, most_workers


def draw(runs):
    every = usual(runs)
    found = most_workers(runs)
    panels = scheduler_panels(found)
    if not panels:
        raise PlotError("no method that was run with several numbers of workers (--blocks)")
    figure, axes_of = panel_grid(1, len(panels), (4.8 * len(panels), 3.8), sharey=True)
    families, sizes = set(), set()
    for axes, (name, methods) in zip(axes_of.flat, panels.items(), strict=True):
        curves = {method: medians(found[method], "gflops") for method in methods}
        families |= draw_methods(axes, curves)
        axes.set_xscale("log", base=2)
        counts = sorted({point[0] for points in curves.values() for point in points})
        axes.set_xticks(counts, [f"{count:,}" for count in counts])
        axes.set_xticks([], minor=True)
        axes.set_xlabel("workers: blocks, or threads of the host")
        axes.set_ylabel("Gflop/s")
        axes.set_title(name)
        own = [found[method][point[0]] for method in methods for point in curves[method]]
        sizes |= {f"{int(rows['rows'][0]):,} × {int(rows['cols'][0]):,}" for rows in own}
    # The panels share y. Called after all curves, because it ends automatic scaling.
    axes_of.flat[0].set_ylim(bottom=0)
    others = [f"{r:,} × {c:,}" for r, c in by_workers(runs) if f"{r:,} × {c:,}" not in sizes]
    others = [f"Left out, fewer numbers of workers: {', '.join(others)}."] if others else []
    notes = [INTERVALS, f"Matrices of {', '.join(sorted(sizes))}.", *others, *left_out_note(every)]
    title = "Tiled QR: speed against the number of workers"
    return frame(figure, title, shared_text(every), notes, family_handles(families))


if __name__ == "__main__":
    main("qr_workers", __doc__, draw)
