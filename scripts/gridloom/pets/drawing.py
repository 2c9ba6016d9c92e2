"""What several figures of pets draw alike."""

from matplotlib.ticker import NullFormatter

from gridloom.pets.data import IMPLEMENTATIONS
from gridloom.style import line_style


def draw_levels(axes, levels):
    """The depth of the graphs on an axis above the tasks."""
    top = axes.secondary_xaxis("top")
    top.set_xticks(list(levels), list(levels.values()), fontsize=7, rotation=30, ha="left")
    top.set_xticks([], minor=True)
    top.xaxis.set_minor_formatter(NullFormatter())
    top.spines["top"].set_visible(True)
    top.set_xlabel("levels", fontsize=8)


def style_of(implementation, others=()):
    """The same in every figure; those not known come after."""
    if implementation in IMPLEMENTATIONS:
        return line_style(IMPLEMENTATIONS.index(implementation))
    return line_style(len(IMPLEMENTATIONS) + list(others).index(implementation))


ALGORITHM_OPTION = {"algorithm": {"default": "pets_append", "help": "default: %(default)s"}}
