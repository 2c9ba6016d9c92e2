#!/usr/bin/env python3
"""Tiled QR: how many times as fast as the best rival of each size, in double."""

import numpy as np

from gridloom.charts import INTERVALS
from gridloom.figure import main
from gridloom.statistics import median_ratio
from gridloom.tiled_qr.data import METHODS, NAMES, SCHEDULERS
from gridloom.tiled_qr.panels import draw_sizes

NOTES = [INTERVALS, "Without copies to and from the device. Above the line the rival is behind."]
SAME_TILES = {method for methods in SCHEDULERS.values() for method in methods}


def best_rival(rows):
    """(name, samples) of the rival with the smallest median time, or None.

    Other schedulers of the same tile operations are no rivals of the factorisation."""
    times = {
        key["method"]: own["elapsed_ms"]
        for key, own in rows.only(status="ok").groups(["method"])
        if METHODS.family(key["method"]) == "rivals" and key["method"] not in SAME_TILES
    }
    return min(times.items(), key=lambda one: np.median(one[1]), default=None)


def draw(runs):
    notes = list(NOTES)

    def curves(sizes):
        found, rivals = {}, {}
        for size, rows in sorted(sizes, key=lambda one: one[0]):
            rival = best_rival(rows)
            if rival is None:
                continue
            rivals.setdefault(NAMES.get(rival[0], rival[0]), []).append(f"{size:,}")
            for key, own in rows.only(status="ok").groups(["method"]):
                if METHODS.family(key["method"]) != "rivals":
                    point = (size, *median_ratio(rival[1], own["elapsed_ms"]))
                    found.setdefault(key["method"], []).append(point)
        named = (f"{name} at {', '.join(own)}" for name, own in rivals.items())
        notes.extend([f"Best rival: {'; '.join(named)} rows."] if rivals else [])
        return found

    title = "Tiled QR beside the best rival"
    return draw_sizes(runs, curves, title, "times as fast", notes, level=1)


if __name__ == "__main__":
    main("qr_crossover", __doc__, draw)
