#!/usr/bin/env python3
"""Set-up and runs together, against the number of runs of one graph.

The time is that of the set-up plus so many runs, divided by the number of runs. Each panel shows
the fastest scheduler of each family, and of lists, by their runs."""

import numpy as np

from gridloom.charts import frame, legend_below, plain, wrapped_panels
from gridloom.figure import main
from gridloom.results import machine_of
from gridloom.schedulers.data import ARMS, CASE, LAW_TITLES, LISTS, PLANS, cases, read_part
from gridloom.text import duration

RUNS = np.logspace(0, 5, 41)
OF_EACH = 1  # the fastest of each kind


def read(path):
    return cases(read_part(path, "break-even")), machine_of(path)


def draw_panel(axes, own):
    kinds = own["by"].mask(own["scheduler"].isin(LISTS), "lists")
    for _, best in own.groupby(kinds):
        for _, row in best.nsmallest(OF_EACH, "elapsed_ms").iterrows():
            times = row["setup_ms"] / RUNS + row["elapsed_ms"]
            axes.plot(RUNS, times, label=row["scheduler"], markevery=8,
                      **plain(ARMS.line(row["scheduler"])))  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("runs of one graph")
    legend_below(axes, ncols=2)


def draw(found):
    found, machine = found
    found = found[found["setup_ms"].notna() & ~found["scheduler"].isin(PLANS)]
    groups = list(found.groupby(CASE, sort=False))
    figure, grid = wrapped_panels(len(groups), 3, lambda c, r: (3.4 * c, 3.6 * r), sharex=True)
    for axes, ((graph, law, work_ns, _), own) in zip(grid.flat, groups, strict=False):
        draw_panel(axes, own)
        axes.set_title(f"{graph.partition(':')[0]}, {LAW_TITLES[law]}, {duration(work_ns)}")
    for row in grid:
        row[0].set_ylabel("set-up / runs + run, in ms")
    title = "When a set-up has paid for itself"
    return frame(figure, title, machine)


if __name__ == "__main__":
    main("schedulers_break_even", __doc__, draw, read=read, files={"nargs": None})
