#!/usr/bin/env python3
"""Tiled QR: run time against the size of the matrix, in double, one line per method."""

from gridloom.charts import INTERVALS
from gridloom.figure import main
from gridloom.tiled_qr.panels import draw_column

NOTES = [INTERVALS, "Without copies to and from the device."]


def draw(runs):
    return draw_column(runs, "elapsed_ms", "Tiled QR: run time", "ms", NOTES)


if __name__ == "__main__":
    main("qr_time", __doc__, draw)
