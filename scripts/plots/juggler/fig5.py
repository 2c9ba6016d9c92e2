#!/usr/bin/env python3
"""Juggler, figure 5: tasks of the busiest worker minus those of the idlest, by policy."""

from gridloom.charts import frame
from gridloom.figure import main
from gridloom.juggler.data import POLICIES, cases_of, deviation, machine_of, panels_of
from gridloom.juggler.panels import apps_figure, draw_apps, method_handles, sizes_notes
from gridloom.results import PlotError
from gridloom.text import in_order


def draw(runs):
    cases = [
        case
        for case in cases_of(runs)
        if any(deviation(case.methods[m]) for m in POLICIES if m in case.methods)
    ]
    if not cases:
        raise PlotError("no runs under a policy that count the tasks of workers")
    panels = panels_of(cases)
    figure, [axes_of] = apps_figure(panels, height=3.2)
    drawn = set()
    for axes, (title, own) in zip(axes_of, panels.items(), strict=True):
        drawn |= draw_apps(
            axes, own, POLICIES,
            lambda case, method: deviation(case.methods[method])
            if method in case.methods else None,
        )  # fmt: skip
        axes.set_title(title)
    axes_of[0].set_yscale("symlog", linthresh=10, base=10)
    axes_of[0].yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes_of[0].set_ylim(bottom=-1)
    axes_of[0].set_ylabel("tasks, busiest minus idlest worker")
    counts = {len(case.methods[m]) for case in cases for m in drawn if m in case.methods}
    workers = {
        int(n) for case in cases for m in drawn if m in case.methods
        for n in case.methods[m]["workers"]
    }  # fmt: skip
    notes = [
        f"Dots: averages; lines: the lowest and the highest of {numbers(counts)} runs.",
        f"Workers: {numbers(workers)}. The axis is linear up to 10, then logarithmic.",
        *sizes_notes(panels),
    ]
    handles = method_handles(in_order(drawn, POLICIES))
    return frame(
        figure, "Juggler: how evenly tasks are spread", machine_of(runs), notes, handles, 5
    )


def numbers(found):
    return " or ".join(f"{n:,}" for n in sorted(found))


if __name__ == "__main__":
    main("juggler_fig5", __doc__, draw)
