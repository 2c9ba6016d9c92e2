#!/usr/bin/env python3
"""Wavefront efficiency against task duration, and the METG(50 %) of every arm.

gridloom/wavefront/metg.py defines both. The values are also printed as a table."""

from gridloom.charts import INTERVALS, draw_metg, family_handles, frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.labels import split_labels
from gridloom.metg import LEVEL, metg, metg_text
from gridloom.style import FAMILIES
from gridloom.wavefront.data import ALGORITHMS, PARTS, line_of
from gridloom.wavefront.metg import curves, equal_tasks
from gridloom_datasets.errors import say

MOST_CURVES = 8  # more curves could not be told apart in one panel
RIVALS = "rivals"


def metg_of(line):
    """A sort key by METG. Lines without one come last, sorted by their best efficiency."""
    _, durations, points = line
    middle = [m for m, _, _ in points]
    value = metg(durations, middle)
    return (value is None, value or -max(middle))


def family_of(config):
    return ALGORITHMS.family(config["arm"].split()[0])


def panels_of(lines):
    """If there are too many lines for one panel: the published algorithms with the rivals, and ours
    with the rivals."""
    kinds = {family_of(line[0]) for line in lines} - {RIVALS}
    if len(lines) <= MOST_CURVES or len(kinds) < 2:
        return [lines]
    return [
        [line for line in lines if family_of(line[0]) in (kind, RIVALS)]
        for kind in FAMILIES
        if kind in kinds
    ]


def draw_panel(axes, lines):
    curves_of = [
        (name, [(x, *values) for x, values in zip(durations, points, strict=True)], line_of(config))
        for config, durations, points, name in lines
    ]
    draw_metg(axes, curves_of, "task duration", ncols=2 if len(lines) > 4 else 1)
    axes.annotate("50 %", (1, LEVEL), xycoords=("axes fraction", "data"), ha="right", va="bottom")


def draw(runs):
    found = sorted(curves(runs), key=metg_of)
    shared, own = split_labels([config for config, _, _ in found], PARTS)
    say(f"METG(50 %), {shared}")
    lines = []
    for (config, durations, points), text in zip(found, own, strict=True):
        name = config["arm"] + (f"  [{text}]" if text else "")
        lines.append((config, durations, points, name))
        say(f"  {name:<48} {metg_text(durations, [m for m, _, _ in points])}")
    panels = panels_of(lines)
    figure, every = panel_grid(
        1, len(panels), (7.6 if len(panels) == 1 else 10.4, 4.9), sharey=True
    )
    for axes, shown in zip(every[0], panels, strict=True):
        draw_panel(axes, shown)
    every[0][0].set_ylim(0, max(1.05, 1.05 * max(h for _, _, p in found for _, _, h in p)))
    every[0][0].set_ylabel("efficiency: tasks × duration / (units × elapsed)")
    notes = [INTERVALS, *left_out_note(equal_tasks(runs.only(experiment="metg", counters=0)))]
    title = "Wavefront: efficiency and METG(50 %)"
    return frame(figure, title, shared, notes, family_handles({family_of(c) for c, _, _ in found}))


if __name__ == "__main__":
    main("wavefront_metg", __doc__, draw)
