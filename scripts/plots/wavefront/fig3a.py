#!/usr/bin/env python3
"""Throughput of the wavefront schedulers: Fig. 3a of Kartsaklis et al., one bar an arm."""

import sys

from gridloom.charts import bar_chart
from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.data import PAPER_MACHINE, PARTS, fig3_bars, throughput

PAPER = (
    f"From the paper: {PAPER_MACHINE}:\n"
    "fastest 38 M tasks/s (multi queue), slowest 315 k tasks/s (single queue);"
    " scanning about 3×, multi queue about 100× the single queue"
)


def draw(runs):
    bars = fig3_bars(runs, counters=0, samples_of=throughput)
    title = "Wavefront: throughput (Fig. 3a)"
    return bar_chart(bars, title, "tasks a second", lambda v: f"{si(v)}/s", PARTS, PAPER)


if __name__ == "__main__":
    sys.exit(main("wavefront_fig3a", __doc__, draw))
