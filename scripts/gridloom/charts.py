"""Charts and notes that several figures use. A configuration is a dict that has an "arm"."""

import matplotlib.pyplot as plt
import numpy as np

from gridloom.labels import split_labels
from gridloom.statistics import median_interval
from gridloom.style import fill_style, use_style

INTERVALS = "Medians with bootstrap 95 % intervals."
GREY = "#444444"


def bar_chart(bars, title, xlabel, value_text, parts, note=""):
    """Horizontal bars on a log axis.

    `bars`: list of (config, samples or None, reason). None for samples writes the reason (a
    timeout, say) in place of a bar; a median of exactly 0 is written too, since a log axis cannot
    show it. `parts`: what a configuration consists of, as labels.split_labels() takes it.
    """
    use_style()
    shared, own = split_labels([config for config, _, _ in bars], parts)
    note = f"\n{note}" if note else ""
    height = 1.5 + 0.34 * len(bars) + 0.3 * note.count("\n")
    width = 6.2 + 0.06 * max(len(c["arm"]) + len(o) for (c, _, _), o in zip(bars, own, strict=True))
    figure, axes = plt.subplots(figsize=(width, height), layout="constrained")
    arms = list(dict.fromkeys(config["arm"] for config, _, _ in bars))
    drawn = []
    for y, (config, samples, reason) in enumerate(bars):
        median, low, high = median_interval(samples) if samples is not None else (0, 0, 0)
        if median <= 0:
            text = reason if samples is None else "0"
            axes.annotate(
                text, (0, y), xycoords=("axes fraction", "data"), xytext=(4, 0),
                textcoords="offset points", va="center", style="italic",
            )  # fmt: skip
            continue
        drawn += [median, low, high]
        axes.barh(
            y, median, height=0.7, edgecolor="black", linewidth=0.7,
            xerr=[[median - low], [high - median]], error_kw={"capsize": 2, "linewidth": 1},
            **fill_style(arms.index(config["arm"])),
        )  # fmt: skip
        axes.annotate(
            value_text(median), (high, y), xytext=(5, 0), textcoords="offset points", va="center"
        )
    axes.set_xscale("log")
    if drawn:
        positive = [value for value in drawn if value > 0]
        # Bars start below the smallest value; room at the right for the numbers.
        axes.set_xlim(min(positive) / 4, max(positive) * 6)
    axes.set_yticks(
        range(len(bars)),
        [c["arm"] + (f"  [{o}]" if o else "") for (c, _, _), o in zip(bars, own, strict=True)],
    )
    axes.set_ylim(len(bars) - 0.4, -0.6)  # first bar on top, and a row for those without a bar
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(xlabel)
    figure.suptitle(title, fontsize=10.5, fontweight="bold")
    axes.set_title(shared, fontsize=8.5, color=GREY)
    figure.supxlabel(INTERVALS + note, fontsize=7.5, color=GREY)
    return figure


def draw_curve(axes, label, points, style):
    """A line with error bars through `points`: (x, median, low, high)."""
    xs, middles, lows, highs = (
        np.array(values, dtype=float) for values in zip(*points, strict=True)
    )
    errors = np.maximum([middles - lows, highs - middles], 0)
    return axes.errorbar(xs, middles, yerr=errors, label=label, **style)


def left_out(rows, arm="arm"):
    """Arms with rows that are no numbers, with the reason: "x (2 timeout), y (5 wrong)"."""
    failed = rows.mask(rows["status"] != "ok")
    counts = failed.groupby([arm, "status"], sort=False).size()
    return ", ".join(f"{name} ({count} {status})" for (name, status), count in counts.items())


def footnote(figure, rows, arm="arm", notes=(), first=INTERVALS):
    """Below the figure: what the numbers are, `notes`, and which runs were left out."""
    lines = [first, *notes]
    if missing := left_out(rows, arm):
        lines.append(f"Runs left out: {missing}")
    figure.supxlabel("\n".join(lines), fontsize=7.5, color=GREY)
