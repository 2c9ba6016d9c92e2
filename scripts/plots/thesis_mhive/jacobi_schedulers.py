#!/usr/bin/env python3
"""The Jacobi method: speedup over kernel_by_kernel of MHive's versions, one panel per scheduler.

A speedup is a ratio of median times per iteration. There is one row per system. The schedulers are
those of the thesis; --ours adds ours. The geometric means are printed."""

from gridloom.figure import main
from gridloom.thesis_mhive.jacobi import BASE, PUBLISHED, problems_of, schedulers_of, versions_of
from gridloom.thesis_mhive.jacobi_panels import (
    Page,
    Panel,
    draw_panels,
    mark_one,
    over_base,
    print_means,
    scheduled_dots,
    scheduler_title,
)

LAYOUT = Page(columns=3, width=7.4, row=0.34, legend=4)
WITH_OURS = {"action": "store_true", "help": "our schedulers, too"}


def panels_of(problems, wanted):
    for setting in dict.fromkeys(p.setting for p in problems):
        own = [p for p in problems if p.setting == setting]
        for scheduler in schedulers_of(own):
            if wanted is None or scheduler in wanted:
                versions = versions_of(own, scheduler)
                dots = [scheduled_dots(version, scheduler) for version in versions]
                yield Panel(scheduler_title(scheduler), own, dots, shared=True)


def draw(runs, ours=False):
    wanted = None if ours else PUBLISHED
    panels = list(panels_of(problems_of(runs), wanted))
    title, xlabel = f"Jacobi method: MHive over {BASE}", "times as fast"
    notes = [
        "Dependencies are counted by entries of the matrix, as in the thesis, or by neighbouring",
        "tasks, which is ours (checkpoints, autonomous).",
    ]
    left = [] if ours else [s for s in schedulers_of(problems_of(runs)) if s not in PUBLISHED]
    if left:
        notes.append(f"Not drawn, ours: {', '.join(map(scheduler_title, left))}.")
    figure = draw_panels(panels, over_base, title, xlabel, notes, runs, mark_one, page=LAYOUT)
    print_means(panels)
    return figure


if __name__ == "__main__":
    main("mhive_jacobi_schedulers", __doc__, draw, more={"ours": WITH_OURS})
