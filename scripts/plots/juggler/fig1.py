#!/usr/bin/env python3
"""Juggler, figure 1: when each worker executed which task of LUD, with barriers above Juggler."""

from gridloom import timeline
from gridloom.figure import main
from gridloom.juggler.data import METHODS, NAMES
from gridloom.results import PlotError
from gridloom.style import FILLS
from gridloom.text import in_order

# In the order of their numbers.
KERNELS = {"lu0": FILLS[3], "fwd": FILLS[1], "bdiv": FILLS[4], "bmod": FILLS[0]}
NOTES = [
    "Boxes: tasks on their workers; dotted: the end. Traced runs are slower.",
    "With barriers, workers are the blocks of a launch; Juggler's workers stay resident.",
]


def read(path):
    """Returns (tasks, machine). Raises PlotError."""
    stored = timeline.read(path, "juggler --trace")
    if not set(stored[0]["type"]) <= set(range(len(KERNELS))):
        raise PlotError(f"{path}: expected tasks of the four kernels of lud, got others")
    return stored


def draw(stored):
    arms = in_order(map(str, stored[0]["arm"]), list(METHODS.places))
    arms.sort(key=lambda arm: not arm.startswith("barriers"))  # the paper has them above
    title = "Juggler: {:,} tasks of LU decomposition on their workers"
    return timeline.draw(stored, arms, NAMES, KERNELS, title, NOTES, from_first=True)


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by the experiment timeline-runs: timeline.h5"}
    main("juggler_fig1", __doc__, draw, read=read, files=file)
