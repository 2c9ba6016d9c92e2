#!/usr/bin/env python3
"""Compare-and-swap operations per task: Fig. 3b of Kartsaklis et al., from the counting build."""

from gridloom.charts import dot_chart
from gridloom.figure import main
from gridloom.text import si
from gridloom.wavefront.data import DOT_PARTS, PAPER_MACHINE, family_of, fig3_dots, name_of

PAPER = (
    f"From the paper: {PAPER_MACHINE}:\n"
    "scanning and single queue need more than 100× the CAS operations of the"
    " multi queue"
)


def draw(runs):
    dots = fig3_dots(runs, counters=1, samples_of=lambda rows: rows["cas"] / rows["tasks"])
    title = "Wavefront: compare-and-swap operations per task (Fig. 3b)"
    return dot_chart(
        dots, title, "CAS operations per task", si, DOT_PARTS, family_of, name_of, PAPER
    )


if __name__ == "__main__":
    main("wavefront_fig3b", __doc__, draw)
