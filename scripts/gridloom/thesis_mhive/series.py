"""Dots of several series over rows. A row is a heading, one input or a geometric mean."""

from gridloom.charts import draw_dot, name_rows, ratio_axis
from gridloom.thesis_mhive.rcm import geometric_mean


def draw_series(axes, rows, series, spread):
    """Draws the dots. `rows` has (text, names of inputs): no names for a heading, several for a
    mean.

    `series` has (label, {name: (number, resampled numbers)}, style). A series has a mean only if it
    has all inputs of the row. Dots of a row are spread below each other within `spread`, so that
    equal values do not hide each other."""
    for number, (label, found, style) in enumerate(series):
        aside = spread * ((number + 0.5) / len(series) - 0.5)
        for y, (_, names) in enumerate(rows):
            there = {name: found[name] for name in names if name in found}
            if names and len(there) == len(names):
                style = style | {"capsize": 0, "elinewidth": 0.8}
                draw_dot(axes, y + aside, geometric_mean(there), style, label)
                label = None
    axes.set_xscale("log")
    ratio_axis(axes.xaxis)


def name_series_rows(axes, rows):
    """Writes the texts of the rows. Headings and means are bold."""
    name_rows(axes, [name for name, _ in rows], size=8)
    for label, (_, names) in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_fontweight("normal" if len(names) == 1 else "bold")
