#!/usr/bin/env python3
"""The Jacobi method: speedup of all versions over kernel_by_kernel against the entries.

Ratios of the medians of the time an iteration, one panel for the baselines and the versions of our
own and one a scheduler. kernel_by_kernel reads the residual back after each iteration, as the
thesis does. The geometric means over the systems go to standard output.
"""

import sys

from gridloom.figure import main
from gridloom.thesis_mhive.jacobi import BASE, problems_of, speedup
from gridloom.thesis_mhive.jacobi_panels import draw_panels, finish_notes, panels_of
from gridloom.thesis_mhive.rcm import geometric_mean, interval


def over_base(problem, arm):
    base = problem.arm(BASE)
    if base is None or arm.version == BASE:
        return None
    return interval(speedup(base, arm))


def print_means(problems):
    print(f"geometric mean of the speedup over {BASE} [95 %]")
    for setting in dict.fromkeys(p.setting for p in problems):
        own = [p for p in problems if p.setting == setting]
        print(f"  {', '.join(setting)}")
        for title, curves in panels_of(own):
            print(f"    {title}")
            for label, arm_of in curves:
                found = {}
                for number, problem in enumerate(own):
                    base, arm = problem.arm(BASE), arm_of(problem)
                    if base is not None and arm is not None and arm is not base:
                        found[problem] = speedup(base, arm, number)
                if found:
                    mean, low, high = geometric_mean(found)
                    count = f"{len(found)} of {len(own)} systems"
                    print(f"      {label:<22} {mean:.3g} [{low:.3g}, {high:.3g}], {count}")


def finish(axes, _):
    axes.axhline(1, color="black", linewidth=1)
    axes.annotate(
        BASE, (0.01, 1), xycoords=("axes fraction", "data"), va="top", fontsize=7, zorder=0
    )


def draw(runs):
    problems = problems_of(runs)
    figure = draw_panels(
        problems, over_base, f"Jacobi method: speedup over {BASE}", "speedup", finish
    )
    print_means(problems)
    finish_notes(figure, runs, problems)
    return figure


if __name__ == "__main__":
    sys.exit(main("mhive_jacobi_speedup", __doc__, draw))
