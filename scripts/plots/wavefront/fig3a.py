#!/usr/bin/env python3
"""Throughput of the wavefront schedulers: Fig. 3a of Kartsaklis et al., one dot per arm."""

from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.data import throughput
from gridloom.wavefront.fig3 import chart

PAPER = (
    "fastest 38 M tasks/s (multi queue), slowest 315 k tasks/s (single queue);"
    " scanning about 3×, multi queue about 100× the single queue"
)


def draw(runs):
    part = "throughput (Fig. 3a)", "tasks per second"
    return chart(runs, 0, throughput, *part, lambda v: f"{si(v)}/s", PAPER)


if __name__ == "__main__":
    main("wavefront_fig3a", __doc__, draw)
