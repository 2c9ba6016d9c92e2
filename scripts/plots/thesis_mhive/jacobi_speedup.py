#!/usr/bin/env python3
"""The Jacobi method: speedup over kernel_by_kernel of the best of each kind, one row per system.

A speedup is a ratio of median times per iteration. kernel_by_kernel reads the residual back after
each iteration, as the thesis does. Files in which ours check the residual equally often share a
panel. jacobi_schedulers.py has MHive's versions one by one, and jacobi_floor.py the rivals and our
kernels. The geometric means are printed."""

from gridloom.figure import main
from gridloom.results import joined, read_files
from gridloom.thesis_mhive import jacobi, jacobi_panels
from gridloom.thesis_mhive.jacobi_panels import Page, Panel, best_dots, plain_dots

LAYOUT = Page(columns=2, width=7.4, row=0.36, legend=4)


def work_text(problems):
    """How often ours check the residual. The rivals check it in every iteration."""
    every = {
        arm.check_every for p in problems for arm in p.arms.values() if arm.version in jacobi.OURS
    }
    if not every:
        return "the best of each"
    if every == {1}:
        return "all check the residual\nin every iteration"
    often = " or ".join(str(number) for number in sorted(every))
    return f"our kernels check the residual\nevery {often} iterations"


def overview(problems):
    tried = jacobi.versions_of(problems, "none")

    def is_mixed(arm):
        return jacobi.is_published(arm) and not jacobi.is_as_published(arm)

    def is_ours_to_schedule(arm):
        return arm.is_mhive and arm.scheduler not in jacobi.PUBLISHED

    dots = [
        best_dots("TSK, MK, PDC as published", jacobi.is_as_published, "published", 0),
        best_dots("the same, our counts", is_mixed, "ours", 5),
        best_dots("our schedulers", is_ours_to_schedule, "ours", 4),
        best_dots("best graph", jacobi.is_graph, "rivals", 2),
        best_dots("best grid_sync", jacobi.is_grid_sync, "rivals", 3),
        *[plain_dots(version) for version in ("stream", "cusparse") if version in tried],
        best_dots("our kernels", lambda arm: arm.version in jacobi.OURS, "ours", 0),
    ]
    there = [d for d in dots if any(d.arm_of(problem) is not None for problem in problems)]
    return Panel(work_text(problems), problems, there)


def read(paths):
    """The rows of all files, if ours check the residual equally often in them."""
    found = {}
    for path in paths:
        runs = read_files([path])
        own = runs["version"].isin(jacobi.OURS)
        found.setdefault(frozenset(runs["check_every"][own].tolist()), []).append(runs)
    return [joined(parts) for parts in found.values()]


def draw(files):
    problems = [own for runs in files for own in jacobi.by_setting(jacobi.problems_of(runs))]
    panels = list(map(overview, problems))
    title, xlabel = f"Jacobi method: speedup over {jacobi.BASE}", f"times as fast as {jacobi.BASE}"
    notes = [
        "The best of each kind on a system. Our counts: of neighbouring tasks, not of entries.",
        "MHive's versions with checkpoints check the residual as often as our kernels. "
        "Empty rows: not measured.",
    ]
    everything = joined(files)
    figure = jacobi_panels.draw_panels(
        panels,
        jacobi_panels.over_base,
        title,
        xlabel,
        notes,
        everything,
        jacobi_panels.mark_one,
        page=LAYOUT,
    )
    jacobi_panels.print_means(panels)
    return figure


if __name__ == "__main__":
    main("mhive_jacobi_speedup", __doc__, draw, read=read)
