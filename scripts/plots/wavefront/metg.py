#!/usr/bin/env python3
"""Wavefront efficiency against task duration, and the METG(50 %) of every arm.

What they are says gridloom/wavefront/metg.py. The values go to standard output as a table.
"""

import sys

import matplotlib.pyplot as plt

from gridloom.charts import footnote
from gridloom.figure import main
from gridloom.labels import split_labels
from gridloom.statistics import log_crossing
from gridloom.style import line_style, use_style
from gridloom.text import duration
from gridloom.wavefront.data import PARTS
from gridloom.wavefront.metg import LEVEL, curves, metg_text


def draw(runs):
    use_style()
    figure, axes = plt.subplots(figsize=(7.6, 5.6), layout="constrained")
    lines = curves(runs)
    shared, own = split_labels([config for config, _, _ in lines], PARTS)
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
    footnote(figure, runs.only(experiment="metg", counters=0))
    figure.suptitle("Wavefront: efficiency and METG(50 %)", fontweight="bold")
    return figure


if __name__ == "__main__":
    sys.exit(main("wavefront_metg", __doc__, draw))
