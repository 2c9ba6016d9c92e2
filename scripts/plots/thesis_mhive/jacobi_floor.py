#!/usr/bin/env python3
"""The Jacobi method: how fast all versions move the bytes that an iteration cannot do without.

Those are values, columns, offsets, the right side, x read and x written, once each, over the median
of the time an iteration. The line is the rate at which the machine reads memory, measured in the
same run; files from before it was measured have none, and --bandwidth-tb-s tells one. Systems that
fit the caches can be faster.
"""

import sys

import numpy as np

from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.thesis_mhive.jacobi import (
    BASE,
    GRAPHS,
    OURS,
    problems_of,
    schedulers_of,
    versions_of,
)
from gridloom.thesis_mhive.jacobi_panels import (
    Panel,
    best_dots,
    draw_panels,
    plain_dots,
    scheduler_family,
    scheduler_title,
)
from gridloom.thesis_mhive.rcm import resampled_medians

LOOPS = [BASE, "stream", *GRAPHS]
OPTION = {
    "bandwidth-tb-s": {
        "type": float, "metavar": "RATE",
        "help": "rate of the memory for the line, 10^12 bytes a second; default: that of the file",
    }
}  # fmt: skip


def gb_per_s(problem, arm):
    bytes_per_ns = problem.floor_bytes / 1e3
    return bytes_per_ns / arm.median, bytes_per_ns / resampled_medians(arm.us, (0, 0))


def panels_of(problems):
    for setting in dict.fromkeys(p.setting for p in problems):
        own = [p for p in problems if p.setting == setting]
        tried = versions_of(own, "none")
        loops = [version for version in tried if version in LOOPS]
        kernels = sorted(set(tried) - set(loops), key=lambda v: (v in OURS, tried.index(v)))
        yield Panel("kernels in loops, streams and graphs", own, [*map(plain_dots, loops)])
        yield Panel("one kernel for all; cuSPARSE", own, [*map(plain_dots, kernels)])
        dots = []
        for scheduler in schedulers_of(own):
            family = scheduler_family(scheduler)
            number = sum(dot.family == family for dot in dots)
            number += len(OURS) * (family == "ours")  # the symbols of the kernels are taken

            def wanted(arm, scheduler=scheduler):
                return arm.is_mhive and arm.scheduler == scheduler

            dots.append(best_dots(scheduler_title(scheduler), wanted, family, number))
        yield Panel("MHive: the best version under", own, dots)


def read_rates(runs, given):
    """{(machine, backend): GB/s} of the machines whose rate is known."""
    if given is not None and not (np.isfinite(given) and given > 0):
        raise PlotError(f"--bandwidth-tb-s: expected a number above 0, got {given:g}")
    rates = {}
    for key, own in runs.groups(["machine", "backend"]):
        if given is not None:
            rates[tuple(key.values())] = 1e3 * given
        elif "floor_read_gbs" in own:
            rates[tuple(key.values())] = float(own["floor_read_gbs"].median())
    return rates


def draw(runs, bandwidth_tb_s=None):
    rates = read_rates(runs, bandwidth_tb_s)
    notes = [
        "Bytes: values, columns, offsets, right side, x read and x written, once each; systems "
        "that fit the caches can be faster than memory.",
        f"Line: memory read at {', '.join(f'{rate:,.0f} GB/s' for rate in rates.values())}."
        if rates
        else "No line of the memory's rate: the file holds none of the same run.",
    ]

    def finish(axes, panel):
        if rate := rates.get(panel.problems[0].setting[:2]):
            axes.axvline(rate, color="black", linewidth=1, linestyle="--")

    panels = list(panels_of(problems_of(runs)))
    title = "Jacobi method: rate at which an iteration moves the bytes that it needs"
    return draw_panels(panels, gb_per_s, title, "GB/s", notes, runs, finish, means=False)


if __name__ == "__main__":
    sys.exit(main("mhive_jacobi_floor", __doc__, draw, more=OPTION))
