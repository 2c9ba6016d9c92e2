#!/usr/bin/env python3
"""Tiled QR: the same tile operations under every scheduler, against the size of the matrix."""

from gridloom.charts import INTERVALS, family_handles, frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.tiled_qr.data import MISSING, PUBLISHED, medians, ratios, usual
from gridloom.tiled_qr.panels import draw_methods, scheduler_panels, shared_text, size_axis
from gridloom.tiled_qr.scheduler_tables import times_of

WORKERS = (
    "FR1 has one worker; launches and graphs have one block per task. "
    "Lists that need the graph alone are made before the run."
)


def workers_of(found):
    blocks = {int(own["workers"][0]) for m in found if m != "fr1" for own in found[m].values()}
    return ", ".join(f"{count:,}" for count in sorted(blocks - {MISSING}))


def draw(runs):
    every = usual(runs)
    found = times_of(runs)
    panels = scheduler_panels(found)
    if not panels:
        raise PlotError("no runs of the tile operations on square random matrices in double")
    figure, axes_of = panel_grid(2, len(panels), (4.8 * len(panels), 6.6))
    families = set()
    for (above, below), (name, methods) in zip(axes_of.T, panels.items(), strict=True):
        families |= draw_methods(above, {method: medians(found[method]) for method in methods})
        size_axis(above)
        above.set_ylabel("ms")
        above.set_title(f"{name}: time")
        curves = {
            method: points
            for method in methods
            if (points := ratios(found.get(PUBLISHED, {}), found[method]))
        }
        draw_methods(below, curves)
        size_axis(below)
        below.set_ylabel("times as fast as FR3")
        below.set_title(f"{name}: beside FR3")
    notes = [INTERVALS, f"Workers: {workers_of(found)}. {WORKERS}", *left_out_note(every)]
    title = "Tiled QR: the same operations on tiles under every scheduler"
    return frame(figure, title, shared_text(every), notes, family_handles(families))


if __name__ == "__main__":
    main("qr_schedulers", __doc__, draw)
