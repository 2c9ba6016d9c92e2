#!/usr/bin/env python3
"""Throughput of the wavefront schedulers: Fig. 3a of Kartsaklis et al., one dot per arm."""

from gridloom.charts import dot_chart
from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.data import (
    DOT_PARTS,
    PAPER_MACHINE,
    family_of,
    fig3_dots,
    name_of,
    throughput,
)

PAPER = (
    f"From the paper: {PAPER_MACHINE}:\n"
    "fastest 38 M tasks/s (multi queue), slowest 315 k tasks/s (single queue);"
    " scanning about 3×, multi queue about 100× the single queue"
)


def draw(runs):
    dots = fig3_dots(runs, counters=0, samples_of=throughput)
    title = "Wavefront: throughput (Fig. 3a)"
    return dot_chart(
        dots,
        title,
        "tasks per second",
        lambda v: f"{si(v)}/s",
        DOT_PARTS,
        family_of,
        name_of,
        PAPER,
    )


if __name__ == "__main__":
    main("wavefront_fig3a", __doc__, draw)
