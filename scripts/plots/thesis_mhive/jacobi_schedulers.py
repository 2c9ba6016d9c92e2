#!/usr/bin/env python3
"""The Jacobi method: speedup over kernel_by_kernel of MHive's versions, one panel per scheduler.

A speedup is a ratio of median times per iteration. There is one row per system. The schedulers are
those of the thesis. The geometric means are printed."""

from gridloom.figure import main
from gridloom.thesis_mhive import jacobi_panels
from gridloom.thesis_mhive.jacobi import (
    BASE,
    PUBLISHED,
    by_setting,
    problems_of,
    schedulers_of,
    versions_of,
)
from gridloom.thesis_mhive.jacobi_panels import Panel, mark_one, over_base

LAYOUT = jacobi_panels.Page(columns=3, width=7.4, row=0.34, legend=4)


def panels_of(problems):
    for own in by_setting(problems):
        for scheduler in schedulers_of(own):
            if scheduler in PUBLISHED:
                versions = versions_of(own, scheduler)
                dots = [jacobi_panels.scheduled_dots(version, scheduler) for version in versions]
                yield Panel(jacobi_panels.scheduler_title(scheduler), own, dots, shared=True)


def draw(runs):
    problems = problems_of(runs)
    panels = list(panels_of(problems))
    title, xlabel = f"Jacobi method: MHive over {BASE}", "times as fast"
    notes = [
        "Dependencies are counted by entries of the matrix, as in the thesis, or by neighbouring",
        "tasks, which is ours (checkpoints, autonomous).",
    ]
    if left := [s for s in schedulers_of(problems) if s not in PUBLISHED]:
        notes.append(f"Not drawn, ours: {', '.join(map(jacobi_panels.scheduler_title, left))}.")
    figure = jacobi_panels.draw_panels(
        panels, over_base, title, xlabel, notes, runs, mark_one, page=LAYOUT
    )
    jacobi_panels.print_means(panels)
    return figure


if __name__ == "__main__":
    main("mhive_jacobi_schedulers", __doc__, draw)
