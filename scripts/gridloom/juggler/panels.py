"""Panels that several figures of juggler share."""

from textwrap import wrap

import numpy as np

from gridloom.charts import entries, panel_grid
from gridloom.juggler.data import APPS, METHODS, NAMES


def method_handles(methods):
    """Legend entries of the dots, for frame()."""
    return entries({NAMES.get(m, m): METHODS.dot(m) for m in methods})


def apps_figure(panels, rows=1, height=2.7):
    """One column per panel of cases, with applications along the axis."""
    figure, axes_of = panel_grid(
        rows, len(panels), (max(8.4, 4.2 * len(panels)), height * rows), sharey="row"
    )
    for axes in axes_of.flat:
        axes.grid(visible=False, axis="x")
    return figure, axes_of


def draw_apps(axes, cases, methods, values_of):
    """Draws one dot per case and method, side by side. `values_of(case, method)` returns (middle,
    low, high) or None. Returns the methods that have a dot."""
    drawn = set()
    offsets = np.linspace(-0.3, 0.3, len(methods)) if len(methods) > 1 else [0]
    for x, case in enumerate(cases):
        for method, offset in zip(methods, offsets, strict=True):
            values = values_of(case, method)
            if values is None:
                continue
            middle, low, high = values
            errors = [[max(0, middle - low)], [max(0, high - middle)]]
            axes.errorbar([x + offset], [middle], yerr=errors, **METHODS.dot(method))
            drawn.add(method)
    names = [APPS[case.app] for case in cases]
    axes.set_xticks(range(len(cases)), names, fontsize=7.5)
    axes.set_xlim(-0.5, len(cases) - 0.5)
    return drawn


def ratio_axis(axes):
    """Makes the axis logarithmic, with plain numbers."""
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")


def sizes_notes(panels):
    """The sizes of every panel, in lines that fit below a figure."""
    lines = ["Sizes: rows of the matrix / rows of a tile."]
    for title, cases in panels.items():
        # Lines break between applications only.
        texts = [f"{APPS[case.app]} {case.short_size}".replace(" ", "\u00a0") for case in cases]
        text = f"{title[0].upper()}{title[1:]}: {', '.join(texts)}."
        lines += wrap(text, width=150, break_on_hyphens=False)
    return lines
