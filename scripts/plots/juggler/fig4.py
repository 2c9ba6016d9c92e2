#!/usr/bin/env python3
"""Juggler, figure 4: how many times as fast as global barriers each policy, and chains, are.

The baseline is the paper's, whose host waits for each launch; launches that are queued stand beside
it. They are the baseline of sizes without it. The upper row compares times on the device. The lower
row adds what Juggler does before a run, as the paper does. Barriers in a program written by hand
need no such preparation."""

from gridloom.charts import INTERVALS, frame, left_out_note
from gridloom.figure import main
from gridloom.juggler.data import (
    ALL_OWN,
    APART,
    BARRIERS,
    BARRIERS_SYNC,
    BEYOND,
    BLOCK,
    PUBLISHED,
    cases_of,
    machine_of,
    panels_of,
)
from gridloom.juggler.panels import apps_figure, draw_apps, method_handles, ratio_axis, sizes_notes
from gridloom.results import PlotError
from gridloom.text import in_order

ROWS = {"elapsed_ms": "times as fast, run alone", "with_overhead_ms": "with all overhead"}


BASELINE = "Dotted: global barriers, run alone in both rows: {}."
SAID = {
    BARRIERS_SYNC: "one launch per level and kernel type, the host waits",
    BARRIERS: "one launch per level, queued",
}
METHODS = [*PUBLISHED, BLOCK, *BEYOND, BARRIERS]


def ratio(case, method, column):
    if method not in case.methods or method == case.baseline:
        return None
    return case.ratio(case.baseline, method, "elapsed_ms" if method == BARRIERS else column)


def draw(runs):
    cases = [case for case in cases_of(runs) if case.baseline is not None]
    cases = [case for case in cases if set(ALL_OWN) & set(case.methods)]
    if not cases:
        raise PlotError("no application was run both with barriers and under a policy")
    panels = panels_of(cases)
    figure, grid = apps_figure(panels, rows=2)
    drawn = set()
    for axes_of, (column, label) in zip(grid, ROWS.items(), strict=True):
        for axes, (title, own) in zip(axes_of, panels.items(), strict=True):
            axes.axhline(1, color="black", linewidth=0.8, linestyle=":")
            drawn |= draw_apps(
                axes, own, METHODS, lambda case, method, column=column: ratio(case, method, column)
            )
            axes.set_title(title if column == "elapsed_ms" else "")
        ratio_axis(axes_of[0])
        axes_of[0].set_ylabel(label)
    notes = [
        INTERVALS,
        BASELINE.format(" and ".join(dict.fromkeys(SAID[case.baseline] for case in cases))),
        *sizes_notes(panels),
        *left_out_note(runs.mask(~runs["experiment"].isin(APART)), "method"),
    ]
    title = "Juggler: speed beside global barriers"
    handles = method_handles(in_order(drawn, METHODS))
    return frame(figure, title, machine_of(runs), notes, handles, columns=5)


if __name__ == "__main__":
    main("juggler_fig4", __doc__, draw)
