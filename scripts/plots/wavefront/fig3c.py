#!/usr/bin/env python3
"""Loads and stores per task: Fig. 3c of Kartsaklis et al., from the counting build.

The paper counts load and store requests with the profiler. The counting build counts the accesses
in the scheduler's source. So absolute values differ, but ratios between arms are comparable."""

from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.fig3 import chart

PAPER = (
    "scanning makes about 20× the memory requests of the others"
    " (profiler's load and store requests)"
)


def per_task(rows):
    return (rows["loads"].astype(float) + rows["stores"]) / rows["tasks"]


def draw(runs):
    part = "loads and stores per task (Fig. 3c)", "loads + stores per task"
    return chart(runs, 1, per_task, *part, si, PAPER)


if __name__ == "__main__":
    main("wavefront_fig3c", __doc__, draw)
