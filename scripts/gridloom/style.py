"""The common look of all figures.

A colour stands for a family: published algorithms, rivals, ours, and the baselines of all of them.
It stands for nothing else in any figure. The arms of a family differ in marker and dash, so that
grey prints stay readable. Parts of one thing (task types, steps) have their own fills."""

import warnings
from dataclasses import dataclass

GREY = "#444444"


@dataclass(frozen=True)
class Family:
    title: str
    ink: str
    filled: bool
    markers: str


# Inks differ in lightness; hollow and filled markers and their shapes tell families apart, too.
FAMILIES = {
    "published": Family("published algorithms", "#2b6cb0", True, "os^Dv<>h"),
    "rivals": Family("rivals", "#c2600a", False, "os^Dv<>dPX"),
    "ours": Family("ours, not in the paper", "#12452b", True, "*PXpdH8"),
    "reference": Family("reference: one host thread", "#757575", False, "o|_s"),
}
DASHES = ["-", (0, (5, 1.5)), (0, (1, 1)), "-.", (0, (8, 2, 1, 2, 1, 2))]

# Neighbours differ in lightness; no ink of a family is among them.
FILLS = [
    "#c9c9c9", "#7d4fa3", "#f3c6dc", "#7a2230", "#e3d27a", "#4a4a4a",
    "#c7b2e0", "#a83a72", "#ecac9c", "#6d5a1c", "#8a8a8a", "#5a3d8a",
]  # fmt: skip
HATCHES = ["", "///", "", "...", "\\\\\\", "", "xxx", "", "---", "", "", "///"]


def use_style():
    import matplotlib  # here, because tables name colours and draw nothing

    warnings.filterwarnings("ignore", "Glyph .* missing from")  # a box stands for it
    matplotlib.rcParams.update(
        {
            "figure.dpi": 130,
            "savefig.dpi": 130,
            "font.size": 9,
            "axes.titlesize": 9.5,
            "axes.titleweight": "bold",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "grid.color": "#dddddd",
            "grid.linewidth": 0.6,
            "hatch.linewidth": 0.5,
            "legend.frameon": False,
            "legend.fontsize": 8,
            "svg.hashsalt": "gridloom",  # the same data gives the same SVG
        }
    )


def dot_style(family, number=0):
    """The style of the `number`th arm of a family, drawn as a dot with its interval."""
    known = FAMILIES[family]
    marker = known.markers[number % len(known.markers)]
    return {
        "color": known.ink,
        "marker": marker,
        "markerfacecolor": known.ink if known.filled else "white",
        "markersize": 8 if marker == "*" else 5.5,
        "markeredgewidth": 0.6 if known.filled else 1.2,
        "linestyle": "",
        "elinewidth": 1.0,
        "capsize": 2,
    }


def line_style(family, number=0):
    """The style of the `number`th arm of a family, drawn as a curve."""
    dashes = DASHES[number % len(DASHES)]
    return dot_style(family, number) | {"linestyle": dashes, "linewidth": 1.3}


def fill_style(number, hatched=True):
    """The style of the box of a part. Hatches are for boxes that are large enough."""
    hatch = HATCHES[number % len(HATCHES)] if hatched else ""
    return {"facecolor": FILLS[number % len(FILLS)], "hatch": hatch}


class Arms:
    """The families of known arms: {family: [arm]}. Other arms count as ours, after the known
    ones."""

    def __init__(self, **families):
        self.places = {
            arm: (family, number)
            for family, arms in families.items()
            for number, arm in enumerate(arms)
        }

    def place(self, arm):
        """(family, number within it) of an arm."""
        if arm not in self.places:
            number = sum(family == "ours" for family, _ in self.places.values())
            self.places[arm] = ("ours", number)
        return self.places[arm]

    def family(self, arm):
        return self.place(arm)[0]

    def dot(self, arm):
        return dot_style(*self.place(arm))

    def line(self, arm):
        return line_style(*self.place(arm))
