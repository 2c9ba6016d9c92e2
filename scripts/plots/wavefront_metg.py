#!/usr/bin/env python3
"""Wavefront efficiency against task duration, and the METG(50 %) of every arm.

Efficiency is the work asked for over the time paid: tasks × duration / (units × elapsed). The
METG(50 %), the minimum effective task granularity, is the task duration from which on half of the
machine's time is work; it is read off between the measured durations by linear interpolation in
their logarithm. The values go to standard output as a table.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

from gridloom_plots import (
    PlotError,
    duration,
    footnote,
    line_style,
    log_crossing,
    main,
    median_interval,
    split_labels,
    use_style,
)
from wavefront_data import CONFIGURATION

LEVEL = 0.5


def efficiency(rows):
    work_ns = rows["tasks"].astype(float) * rows["work_ns"]
    return work_ns / (rows["units"] * rows["elapsed_ms"] * 1e6)


def curves(runs):
    """[(config, durations, [(median, low, high)])], one an arm and setting, durations ascending."""
    rows = runs.where(experiment="metg", counters=0, status="ok")
    rows = rows.mask(rows["work_ns"] > 0)
    if len(rows) == 0:
        raise PlotError("no rows with experiment 'metg', work_ns above 0 and status 'ok'")
    result = []
    for config, group in rows.groups(CONFIGURATION):
        durations = np.unique(group["work_ns"])
        points = [median_interval(efficiency(group.where(work_ns=d))) for d in durations]
        result.append((config, durations, points))
    return result


def metg_text(durations, medians):
    """METG(50 %) as text, with the sign that says when it lies outside what was measured."""
    value = log_crossing(durations, medians, LEVEL)
    if value is None:
        return f"> {duration(durations[-1])}"
    within = min(medians) < LEVEL
    return duration(value) if within else f"≤ {duration(value)}"


def draw(runs):
    use_style()
    figure, axes = plt.subplots(figsize=(7.6, 5.6), layout="constrained")
    lines = curves(runs)
    shared, own = split_labels([config for config, _, _ in lines])
    print(f"METG(50 %), {shared}")
    for index, ((config, durations, points), text) in enumerate(zip(lines, own, strict=True)):
        middle = [m for m, _, _ in points]
        spread = [[m - low for m, low, _ in points], [h - m for m, _, h in points]]
        name = config["arm"] + (f"  [{text}]" if text else "")
        metg = metg_text(durations, middle)
        print(f"  {name:<48} {metg}")
        style = line_style(index)
        axes.errorbar(durations, middle, yerr=spread, label=f"{name}: METG {metg}", **style)
        value = log_crossing(durations, middle, LEVEL)
        if value is not None and min(middle) < LEVEL:
            axes.plot([value], [LEVEL], "o", markersize=9, markerfacecolor="none",
                      markeredgecolor=style["color"])  # fmt: skip
            axes.plot([value, value], [0, LEVEL], color=style["color"], lw=0.7, linestyle=":")
    axes.axhline(LEVEL, color="black", linewidth=1)
    axes.annotate("50 %", (1, LEVEL), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: duration(value))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.set_ylim(0, max(1.05, 1.05 * max(h for _, _, p in lines for _, _, h in p)))
    axes.set_xlabel("task duration")
    axes.set_ylabel("efficiency: tasks × duration / (units × elapsed)")
    axes.set_title(shared, fontsize=8.5, color="#444444")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2 if len(lines) > 4 else 1)
    footnote(figure, runs.where(experiment="metg", counters=0))
    figure.suptitle("Wavefront: efficiency and METG(50 %)", fontweight="bold")
    return figure


if __name__ == "__main__":
    sys.exit(main("wavefront_metg", __doc__, draw))
