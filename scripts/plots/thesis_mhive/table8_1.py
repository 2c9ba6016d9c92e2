#!/usr/bin/env python3
"""Tables 8.1 and 8.2 of the MHive thesis: matrices, and their bandwidths before and after.

The bandwidth is that of Eq. 8.1, lower and upper bandwidth and the diagonal together. All
schedulers of MHive give the same order."""

from gridloom.figure import main
from gridloom.style import dot_style
from gridloom.thesis_mhive import inputs, rcm

ORDERS = {"cuSOLVER": ["cusolver"], "MHive": rcm.OURS}


def draw(runs):
    given = zip(runs["matrix"], runs["bandwidth_before"], strict=True)
    before = {rcm.short(matrix): bandwidth for matrix, bandwidth in given}
    found = [("before", before, dot_style("reference"))]
    for label, arms in ORDERS.items():
        after = {rcm.short(m): rcm.bandwidth_of(runs, m, arms) for m in rcm.matrices_of(runs)}
        own = {matrix: bandwidth for matrix, bandwidth in after.items() if bandwidth is not None}
        found.append((label, own, dot_style("rivals" if label == "cuSOLVER" else "published")))
    title = "Reverse Cuthill–McKee: matrices and bandwidths (tables 8.1 and 8.2)"
    return inputs.draw(runs, "8.1", title, [("bandwidth", found)])


if __name__ == "__main__":
    main("mhive_table8_1", __doc__, draw)
