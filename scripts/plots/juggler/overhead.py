#!/usr/bin/env python3
"""Juggler: the overhead in the time that the paper reports, by the parts of appendix A.6."""

import numpy as np
from matplotlib.patches import Patch

from gridloom.charts import frame, panel_grid
from gridloom.figure import main
from gridloom.juggler import data
from gridloom.juggler.panels import sizes_notes
from gridloom.results import PlotError
from gridloom.style import fill_style
from gridloom.text import number

RUN = "the run"


def bars_of(case):
    """[(name, rows)]: the fastest of the paper's policies, and of our policies and lists."""
    best = [case.fastest(group, "with_overhead_ms") for group in (data.PUBLISHED, data.BEYOND)]
    return [
        (f"{data.APPS[case.app]}, {data.NAMES[m]}", case.methods[m]) for m in best if m is not None
    ]


def shares_of(rows):
    """{part: its share of with_overhead_ms, by medians}. The last part is the run."""
    times = {name: float(np.median(rows[column])) for column, name in data.PARTS.items()}
    times[RUN] = float(np.median(rows["elapsed_ms"]))
    whole = sum(times.values())
    return {name: time / whole for name, time in times.items()}


def draw_panel(axes, bars):
    for y, (_, rows) in enumerate(bars):
        left = 0.0
        shares = shares_of(rows)
        for place, (name, share) in enumerate(shares.items()):
            style = {"facecolor": "white", "hatch": ""} if name == RUN else fill_style(place)
            axes.barh(y, share, left=left, height=0.72, edgecolor="black", linewidth=0.4, **style)
            left += share
        whole = number(float(np.median(rows["with_overhead_ms"])))
        text = f"{number(100 * (1 - shares[RUN]))} % of {whole} ms"
        axes.annotate(text, (1, y), xytext=(4, 0), textcoords="offset points", va="center",
                      fontsize=7.5)  # fmt: skip
    axes.set_yticks(range(len(bars)), [name for name, _ in bars], fontsize=8)
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")


def draw(runs):
    cases = data.cases_of(runs)
    panels = {title: own for title, own in data.panels_of(cases).items() if any(map(bars_of, own))}
    if not panels:
        raise PlotError("no runs under a policy")
    bars = {title: [bar for case in own for bar in bars_of(case)] for title, own in panels.items()}
    most = max(map(len, bars.values()))
    figure, [axes_of] = panel_grid(1, len(panels), (5.6 * len(panels), 0.5 + 0.25 * most))
    for axes, (title, own) in zip(axes_of, bars.items(), strict=True):
        draw_panel(axes, own)
        axes.set_title(title)
        axes.set_xlabel("share of the time with all overhead")
    fills = {name: fill_style(place) for place, name in enumerate(data.PARTS.values())}
    fills[f"{RUN}, with resolution and queues"] = {"facecolor": "white"}
    handles = [Patch(label=name, edgecolor="black", linewidth=0.4, **own)
               for name, own in fills.items()]  # fmt: skip
    notes = [
        "Medians. At the right: share of the time before the run. Fastest of the paper's "
        "policies, and of our policies and lists.",
        *sizes_notes(panels),
    ]
    title = "Juggler: overhead before a run"
    return frame(figure, title, data.machine_of(runs), notes, handles, columns=6)


if __name__ == "__main__":
    main("juggler_overhead", __doc__, draw)
