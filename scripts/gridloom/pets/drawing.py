"""Parts that several figures of pets draw in the same way."""

from matplotlib.ticker import NullFormatter

from gridloom.charts import family_handles
from gridloom.pets.data import ALGORITHMS, HOSTS, LAYOUTS
from gridloom.style import Arms


def draw_levels(axes, levels):
    """The depth of the graphs on an axis above the tasks."""
    top = axes.secondary_xaxis("top")
    top.set_xticks(list(levels), list(levels.values()), fontsize=7, rotation=30, ha="left")
    top.set_xticks([], minor=True)
    top.xaxis.set_minor_formatter(NullFormatter())
    top.spines["top"].set_visible(True)
    top.set_xlabel("levels", fontsize=8)


ARMS = Arms(published=LAYOUTS, ours=["in_order", "hand_over", "csr"], reference=HOSTS)
QUALITY = Arms(
    published=[name for name in ALGORITHMS if name.startswith("pets")],
    rivals=[name for name in ALGORITHMS if not name.startswith("pets")],
)


SYMBOLS = (
    "v: tasks; CCR: communication over computation; α: width over depth; β: edges per task; "
    "η: range of a task's costs."
)


def shared_title(sweeps):
    """The title above all panels, and a function of (setting, family) for the title of one panel.
    The latter has the machine and the parameters that differ between panels."""
    settings = list(dict.fromkeys(setting.title for setting, *_ in sweeps))
    families = list(dict.fromkeys(family for _, family, _ in sweeps))
    shared = "\n".join(own[0] for own in (settings, families) if len(own) == 1)

    def panel_title(setting, family):
        return "\n".join(
            text for text, own in ((setting.title, settings), (family, families)) if len(own) > 1
        )

    return shared, panel_title


def handles_of(implementations):
    """Legend entries of the families of implementations."""
    return family_handles({ARMS.family(name) for name in implementations})


ALGORITHM_OPTION = {"algorithm": {"default": "pets_append", "help": "default: %(default)s"}}
