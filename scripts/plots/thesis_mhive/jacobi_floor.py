#!/usr/bin/env python3
"""The Jacobi method: how fast all versions move the bytes that an iteration needs at least.

These bytes are values, columns, offsets, the right side, x read and x written, once each. The
bandwidth is these bytes over the median time per iteration. The line is the machine's read
bandwidth, measured in the same run. For older files without it, --read-tb-s sets one. Systems that
fit into the caches can be faster."""

from gridloom.figure import main
from gridloom.thesis_mhive import jacobi, jacobi_panels
from gridloom.thesis_mhive.jacobi_panels import Panel, best_dots, plain_dots
from gridloom.thesis_mhive.rcm import resampled_medians

LOOPS = [jacobi.BASE, "stream", *jacobi.GRAPHS]


def gb_per_s(problem, arm):
    bytes_per_ns = problem.floor_bytes / 1e3
    return bytes_per_ns / arm.median, bytes_per_ns / resampled_medians(arm.us, (0, 0))


def panels_of(problems):
    for own in jacobi.by_setting(problems):
        tried = jacobi.versions_of(own, "none")
        loops = [version for version in tried if version in LOOPS]
        kernels = sorted(set(tried) - set(loops), key=lambda v: (v in jacobi.OURS, tried.index(v)))
        yield Panel("kernels in loops, streams and graphs", own, [*map(plain_dots, loops)])
        yield Panel("one kernel for all; cuSPARSE", own, [*map(plain_dots, kernels)])
        dots = []
        for scheduler in jacobi.schedulers_of(own):
            family = jacobi_panels.scheduler_family(scheduler)
            number = sum(dot.family == family for dot in dots)
            number += len(jacobi.OURS) * (family == "ours")  # the kernels use the first symbols

            def wanted(arm, scheduler=scheduler):
                return arm.is_mhive and arm.scheduler == scheduler

            dots.append(best_dots(jacobi_panels.scheduler_title(scheduler), wanted, family, number))
        yield Panel("MHive: the best version under", own, dots)


def draw(runs, read_tb_s=None):
    problems = jacobi.problems_of(runs)
    known = {p.setting: jacobi.rate_of(p, read_tb_s) for p in problems}
    rates = {setting: 1e3 * rate for setting, rate in known.items() if rate is not None}
    texts = ", ".join(f"{rate:,.0f} GB/s" for rate in dict.fromkeys(rates.values()))
    notes = [
        "Bytes: values, columns, offsets, right side, x read and x written, once each; systems "
        "that fit the caches can be faster than memory.",
        "MHive's best version may count dependencies by neighbouring tasks, which is ours.",
        f"Line: rate of reading memory, as measured by the same run: {texts or 'unknown'}.",
    ]

    def finish(axes, panel):
        if rate := rates.get(panel.problems[0].setting):
            axes.axvline(rate, color="black", linewidth=1, linestyle="--")

    panels = list(panels_of(problems))
    title = "Jacobi method: rate at which an iteration moves the bytes that it needs"
    return jacobi_panels.draw_panels(
        panels, gb_per_s, title, "GB/s", notes, runs, finish, means=False
    )


if __name__ == "__main__":
    main("mhive_jacobi_floor", __doc__, draw, more=jacobi.RATE_OPTION)
