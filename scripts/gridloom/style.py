"""How all figures look."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Neighbours differ in lightness and in hatch or marker and dash, so grey print stays readable.
FILLS = ["#d9d9d9", "#7ba7cc", "#f2c46d", "#4d6f8f", "#b8d8a8", "#c97f5e", "#8c8c8c", "#5e4b7d"]
HATCHES = ["", "//", "..", "\\\\", "xx", "--", "++", "oo"]
INKS = ["#1b1b1b", "#2f6fa7", "#b5651d", "#4f8a4c", "#7d5ba6", "#a83232", "#7a7a7a", "#0f8b8d"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
DASHES = ["-", "--", "-.", ":"]


def use_style():
    plt.rcParams.update(
        {
            "figure.dpi": 110,
            "savefig.dpi": 150,
            "font.size": 9,
            "axes.titlesize": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "grid.color": "#dddddd",
            "grid.linewidth": 0.6,
            "hatch.linewidth": 0.6,
            "legend.frameon": False,
            "legend.fontsize": 8,
            "svg.hashsalt": "gridloom",  # the same data gives the same SVG
        }
    )


def fill_style(index):
    """Of the bar or box of a thing; neighbours can be told apart in grey."""
    return {"facecolor": FILLS[index % len(FILLS)], "hatch": HATCHES[index % len(HATCHES)]}


def line_style(index):
    return {
        "color": INKS[index % len(INKS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": DASHES[(index // len(MARKERS) + index) % len(DASHES)],
        "markersize": 5,
        "linewidth": 1.3,
        "capsize": 2,
    }
