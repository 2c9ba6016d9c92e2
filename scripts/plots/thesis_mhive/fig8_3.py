#!/usr/bin/env python3
"""MHive: speedup of every ordering over cuSOLVER's, by the number of rows (data of table 8.3).

A point a matrix and arm: the ratio of the median times of start nodes and ordering together, with
its bootstrap 95 % interval. Where nothing was measured with cuSOLVER, which needs a CUDA build,
SciPy takes its place, and the serial arm where that is not there either. The geometric means go to
standard output as a table.
"""

import sys

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from gridloom.charts import footnote
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.style import line_style, use_style
from gridloom.text import si
from gridloom.thesis_mhive.rcm import (
    geometric_mean,
    interval,
    labels_of,
    matrices_of,
    place,
    prepared,
    short,
    speedups,
    title,
)

BASELINES = ["cusolver", "scipy", "serial"]
LARGE = 50_000


def baseline_of(runs):
    """The first of BASELINES that ordered a matrix."""
    for arm in BASELINES:
        if len(runs.only(arm=arm, status="ok")):
            return arm
    raise PlotError(f"no rows with arm {', '.join(BASELINES)} and status ok: no speedup over any")


def print_means(found, over):
    print(f"geometric mean of the speedup over {title(over)} [95 %]")
    for label, by_matrix in found.items():
        mean, low, high = geometric_mean(by_matrix)
        worst = min(by_matrix, key=lambda matrix: by_matrix[matrix][0])
        least = f"least {by_matrix[worst][0]:.3g} ({short(worst)})"
        count = f"{len(by_matrix)} matrices"
        print(f"  {title(label):<24} {mean:.3g} [{low:.3g}, {high:.3g}], {count}, {least}")


def draw(runs):
    runs = prepared(runs)
    over = baseline_of(runs)
    labels = [label for label in labels_of(runs) if label != over]
    found = {label: speedups(runs, over, label) for label in labels}
    found = {label: by_matrix for label, by_matrix in found.items() if by_matrix}
    if not found:
        raise PlotError(f"no matrix that {over} and another arm ordered")
    print_means(found, over)
    rows = {matrix: int(runs.only(matrix=matrix)["rows"][0]) for matrix in matrices_of(runs)}
    use_style()
    figure, axes = plt.subplots(figsize=(8.6, 5.2), layout="constrained")
    # The arm that the figures to reach are about comes first, in black and filled.
    order = sorted(found, key=place, reverse=True)
    for index, label in enumerate(order):
        by_matrix = found[label]
        values = [interval(entry) for entry in by_matrix.values()]
        style = line_style(index) | {"linestyle": "", "capsize": 1.5, "elinewidth": 0.8}
        style["markerfacecolor"] = style["color"] if label.startswith("levels") else "white"
        below = [max(0.0, middle - low) for middle, low, _ in values]
        above = [max(0.0, high - middle) for middle, _, high in values]
        axes.errorbar(
            [rows[matrix] for matrix in by_matrix], [middle for middle, _, _ in values],
            yerr=[below, above], label=title(label), **style,
        )  # fmt: skip
    axes.axhline(1, color="black", linewidth=1)
    axes.annotate(
        title(over), (1, 1), xycoords=("axes fraction", "data"), xytext=(4, 0),
        textcoords="offset points", va="center",
    )  # fmt: skip
    if min(rows.values()) < LARGE < max(rows.values()):
        axes.axvline(LARGE, color="#888888", linewidth=0.8, linestyle=":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    for axis, text in ((axes.xaxis, si), (axes.yaxis, "{:g}".format)):
        axis.set_major_formatter(FuncFormatter(lambda value, _, text=text: text(value)))
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("rows")
    axes.set_ylabel(f"speedup over {title(over)}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=5)
    machines = sorted(set(runs["machine"]), key=str)
    figure.suptitle(
        "MHive: start nodes and reverse Cuthill–McKee order, speedup over "
        f"{title(over)}\n{', '.join(machines)}",
        fontsize=10,
    )
    footnote(figure, runs)
    return figure


if __name__ == "__main__":
    sys.exit(main("mhive_fig8_3", __doc__, draw))
