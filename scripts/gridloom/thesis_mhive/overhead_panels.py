"""What the figures of mhive-overhead share: the machine of a panel, and the meaning of its
symbols."""

import matplotlib.pyplot as plt

from gridloom.charts import plain
from gridloom.style import FAMILIES
from gridloom.thesis_mhive.overhead import ARMS, SCHEDULERS, TITLES, place


def machine_text(config):
    return f"{config['machine']} ({config['backend']})"


def worker_text(config):
    """The worker size as text. On the host every worker is one thread, whatever size a task type
    has."""
    if config["backend"] == "host":
        return "workers of one host thread"
    size = config["worker_size"]
    return f"{size} {'thread' if size == 1 else 'threads'} per worker"


def symbols(schedulers, style):
    """One legend entry per scheduler with its family. `style(scheduler)` is the style in the
    panels."""
    return [
        plt.Line2D([], [], label=f"{TITLES.get(name, name)} ({family_word(name)})",
                   **plain(style(name)))
        for name in sorted(schedulers, key=lambda name: place(name, SCHEDULERS))
    ]  # fmt: skip


def family_word(scheduler):
    family = ARMS.family(scheduler)
    return {"published": "published", "rivals": "rival", "ours": "ours"}.get(
        family, FAMILIES[family].title
    )
