#!/usr/bin/env python3
"""Tiled QR: floating-point operations per second against the size of the matrix, in double."""

from gridloom.charts import INTERVALS
from gridloom.figure import main
from gridloom.tiled_qr.panels import draw_column

NOTES = [INTERVALS, "Operations as LAPACK counts them, whatever a method executes."]


def draw(runs):
    return draw_column(runs, "gflops", "Tiled QR: operations per second", "Gflop/s", NOTES)


if __name__ == "__main__":
    main("qr_gflops", __doc__, draw)
