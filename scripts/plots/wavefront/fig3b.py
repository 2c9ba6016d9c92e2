#!/usr/bin/env python3
"""Compare-and-swap operations per task: Fig. 3b of Kartsaklis et al., from the counting build."""

from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.fig3 import chart

PAPER = "scanning and single queue need more than 100× the CAS operations of the multi queue"


def draw(runs):
    part = "compare-and-swap operations per task (Fig. 3b)", "CAS operations per task"
    return chart(runs, 1, lambda rows: rows["cas"] / rows["tasks"], *part, si, PAPER)


if __name__ == "__main__":
    main("wavefront_fig3b", __doc__, draw)
