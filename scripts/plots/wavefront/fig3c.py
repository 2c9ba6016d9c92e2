#!/usr/bin/env python3
"""Loads and stores per task: Fig. 3c of Kartsaklis et al., from the counting build.

The paper counts load and store requests with the profiler; the counting build counts the accesses
that the scheduler's source makes, so absolute values differ and ratios between arms compare.
"""

from gridloom.charts import dot_chart
from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.data import DOT_PARTS, PAPER_MACHINE, family_of, fig3_dots, name_of

PAPER = (
    f"From the paper: {PAPER_MACHINE}:\n"
    "scanning makes about 20× the memory requests of the others"
    " (profiler's load and store requests)"
)


def per_task(rows):
    return (rows["loads"].astype(float) + rows["stores"]) / rows["tasks"]


def draw(runs):
    dots = fig3_dots(runs, counters=1, samples_of=per_task)
    title = "Wavefront: loads and stores per task (Fig. 3c)"
    return dot_chart(
        dots, title, "loads + stores per task", si, DOT_PARTS, family_of, name_of, PAPER
    )


if __name__ == "__main__":
    main("wavefront_fig3c", __doc__, draw)
