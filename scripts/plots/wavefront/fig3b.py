#!/usr/bin/env python3
"""Compare-and-swap operations a task: Fig. 3b of Kartsaklis et al., from the counting build."""

import sys

from gridloom.charts import bar_chart
from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.data import PAPER_MACHINE, PARTS, fig3_bars

PAPER = (
    f"From the paper: {PAPER_MACHINE}:\n"
    "scanning and single queue need more than 100× the CAS operations of the"
    " multi queue"
)


def draw(runs):
    bars = fig3_bars(runs, counters=1, samples_of=lambda rows: rows["cas"] / rows["tasks"])
    title = "Wavefront: compare-and-swap operations a task (Fig. 3b)"
    return bar_chart(bars, title, "CAS operations a task", si, PARTS, PAPER)


if __name__ == "__main__":
    sys.exit(main("wavefront_fig3b", __doc__, draw))
