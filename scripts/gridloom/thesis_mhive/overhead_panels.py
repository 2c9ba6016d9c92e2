"""What the figures of mhive-overhead share: a panel's machine, and what its symbols mean."""

import matplotlib.pyplot as plt

from gridloom.charts import plain
from gridloom.style import FAMILIES
from gridloom.thesis_mhive.overhead import ARMS, SCHEDULERS, TITLES, place


def machine_text(config):
    return f"{config['machine']} ({config['backend']})"


def worker_text(config):
    """On the host every worker is one thread, whatever the size that a task type asks for."""
    if config["backend"] == "host":
        return "workers of one host thread"
    size = config["worker_size"]
    return f"{size} {'thread' if size == 1 else 'threads'} per worker"


def symbols(schedulers, style):
    """One handle per scheduler with its family; `style(scheduler)` is what panels draw with."""
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
