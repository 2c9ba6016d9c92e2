#!/usr/bin/env python3
"""Compare-and-swap operations a task: Fig. 3b of Kartsaklis et al., from the counting build."""

import sys

from gridloom_plots import bar_chart, main, si
from wavefront_data import PAPER_MACHINE, fig3_bars

PAPER = (
    f"{PAPER_MACHINE}:\nscanning and single queue need more than 100× the CAS operations of the"
    " multi queue"
)


def draw(runs):
    bars = fig3_bars(runs, counters=1, samples_of=lambda rows: rows["cas"] / rows["tasks"])
    title = "Wavefront: compare-and-swap operations a task (Fig. 3b)"
    return bar_chart(bars, title, "CAS operations a task", si, PAPER)


if __name__ == "__main__":
    sys.exit(main("wavefront_fig3b", __doc__, draw))
