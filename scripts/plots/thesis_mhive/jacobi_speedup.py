#!/usr/bin/env python3
"""The Jacobi method: speedup of all versions over kernel_by_kernel, a row a system.

Ratios of the medians of the time an iteration: a panel for the best of each kind, and one a
scheduler. kernel_by_kernel reads the residual back after each iteration, as the thesis does. Files
in which ours judge the residual equally often belong together; others get panels of their own. The
geometric means go to standard output.
"""

import sys

from gridloom.figure import main
from gridloom.results import joined, read_files
from gridloom.thesis_mhive.jacobi import (
    BASE,
    OURS,
    is_graph,
    is_grid_sync,
    problems_of,
    schedulers_of,
    speedup,
    versions_of,
)
from gridloom.thesis_mhive.jacobi_panels import (
    PUBLISHED_SCHEDULERS,
    Panel,
    best_dots,
    draw_panels,
    plain_dots,
    scheduled_dots,
    scheduler_title,
)
from gridloom.thesis_mhive.rcm import geometric_mean

FEWER = {"neighbours_uncached", "gathered_uncached"}  # ablations: in the figure of the floor


def over_base(problem, arm):
    """An entry of rcm.speedups(), or None."""
    base = problem.arm(BASE)
    return None if base is None or arm.version == BASE else speedup(base, arm)


def of_mhive(published):
    return lambda arm: arm.is_mhive and (arm.scheduler in PUBLISHED_SCHEDULERS) == published


def work_text(problems):
    """How often ours judge the residual; the rivals do so in every iteration."""
    every = {arm.check_every for p in problems for arm in p.arms.values() if arm.version in OURS}
    if not every:
        return "the best of each"
    if every == {1}:
        return "the best of each: all judge\nthe residual in every iteration"
    often = " or ".join(str(number) for number in sorted(every))
    return f"the best of each: ours judge the\nresidual every {often} iterations only"


def overview(problems):
    tried = versions_of(problems, "none")
    dots = [
        best_dots("MHive: TSK, MK, PDC", of_mhive(True), "published", 0),
        best_dots("MHive: our schedulers", of_mhive(False), "ours", 4),
        best_dots("best graph", is_graph, "rivals", 2),
        best_dots("best grid_sync", is_grid_sync, "rivals", 3),
        *[plain_dots(version) for version in ("stream", "cusparse") if version in tried],
        *[plain_dots(version) for version in OURS if version in tried and version not in FEWER],
    ]
    there = [d for d in dots if any(d.arm_of(problem) is not None for problem in problems)]
    return Panel(work_text(problems), problems, there)


def panels_of(problems):
    """The overview of each machine, backend and precision, and a panel a scheduler."""
    for setting in dict.fromkeys(p.setting for p in problems):
        own = [p for p in problems if p.setting == setting]
        yield overview(own)
        for scheduler in schedulers_of(own):
            dots = [scheduled_dots(version, scheduler) for version in versions_of(own, scheduler)]
            yield Panel(f"MHive under {scheduler_title(scheduler)}", own, dots, shared=True)


def print_means(panels):
    print(f"geometric mean of the speedup over {BASE} [95 %]")
    for panel in panels:
        print(f"  {', '.join(panel.problems[0].setting)}: {' '.join(panel.title.split())}")
        for dots in panel.dots:
            found = {}
            for number, problem in enumerate(panel.problems):
                base, arm = problem.arm(BASE), dots.arm_of(problem)
                if base is not None and arm is not None and arm is not base:
                    found[problem] = speedup(base, arm, number)
            if found:
                mean, low, high = geometric_mean(found)
                count = f"{len(found)} of {len(panel.problems)} systems"
                print(f"    {dots.label:<28} {mean:.3g} [{low:.3g}, {high:.3g}], {count}")


def finish(axes, _):
    axes.axvline(1, color="black", linewidth=1)


def read(paths):
    """The rows of files in which ours judge the residual equally often, together."""
    found = {}
    for path in paths:
        runs = read_files([path])
        own = runs["version"].isin(OURS)
        found.setdefault(frozenset(runs["check_every"][own].tolist()), []).append(runs)
    return [joined(parts) for parts in found.values()]


def draw(files):
    panels = [panel for runs in files for panel in panels_of(problems_of(runs))]
    title, xlabel = f"Jacobi method: speedup over {BASE}", f"times as fast as {BASE}"
    figure = draw_panels(panels, over_base, title, xlabel, [], joined(files), finish)
    print_means(panels)
    return figure


if __name__ == "__main__":
    sys.exit(main("mhive_jacobi_speedup", __doc__, draw, read=read))
