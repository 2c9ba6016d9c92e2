#!/usr/bin/env python3
"""Where scheduling inside the GPU starts to win: by mean duration, one panel per distribution.

A dot is a graph: the time of the fastest rival over that of the fastest published scheduler, or of
the fastest of ours. The curve is the geometric mean."""

from gridloom.charts import family_handles, frame, panel_grid, plain, ratio_axis
from gridloom.figure import main
from gridloom.results import machine_of
from gridloom.schedulers.data import AGAINST, LAW_TITLES, LAWS, ratios_of, read_part, with_all_laws
from gridloom.statistics import geometric_mean
from gridloom.style import dot_style, line_style
from gridloom.text import duration, in_order

SHIFT = {"published": 0.9, "ours": 1.0, "lists": 1.1}
FAMILY = {"lists": "rivals"}


def read(path):
    return with_all_laws(ratios_of(read_part(path, "matrix"))), machine_of(path)


def draw_panel(axes, found):
    for by in AGAINST:
        own = found[found["by"] == by].sort_values("work_ns")
        if len(own) == 0:
            continue
        ink = dot_style(FAMILY.get(by, by))["color"]
        axes.plot(own["work_ns"] * SHIFT[by], own["ratio"], ".", color=ink, markersize=3, alpha=0.5)
        means = own.groupby("work_ns")["ratio"].apply(geometric_mean)
        axes.plot(means.index, means, **plain(line_style(FAMILY.get(by, by))))
    axes.axhline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sorted(set(found["work_ns"])), minor=False)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(lambda value, _: duration(value))
    ratio_axis(axes.yaxis)
    axes.set_xlabel("mean duration of a task")


def draw(found):
    found, machine = found
    laws = in_order(found["durations"], LAWS)
    size = (2.1 + 1.9 * len(laws), 3.4)
    figure, [panels] = panel_grid(1, len(laws), size, sharey=True)
    for axes, law in zip(panels, laws, strict=True):
        own = found[found["durations"] == law]
        draw_panel(axes, own)
        axes.set_title(f"{LAW_TITLES[law]}, {len(set(own['graph']))} graphs")
    panels[0].set_ylabel("times as fast as the fastest rival by level")
    title = "Where scheduling inside the GPU starts to win"
    notes = [
        "A dot is one graph: the fastest of a family against the fastest rival by level.",
        "Curves: geometric means. Rivals that are drawn: ticket and static-lists.",
    ]
    handles = family_handles({"published", "ours", "rivals"})
    return frame(figure, title, f"{machine}, without set-up", notes, handles)


if __name__ == "__main__":
    main("schedulers_where", __doc__, draw, read=read, files={"nargs": None})
