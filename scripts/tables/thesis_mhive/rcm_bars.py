#!/usr/bin/env python3
"""The bars set for mhive-rcm before it was measured, and whether they are reached.

    scripts/tables/thesis_mhive/rcm_bars.py RESULTS.h5 [--prefix NAME-] [--collection INDEX.csv]

For --collection see rcm.py.
"""

import gridloom_datasets.endings  # noqa: F401

import sys

import numpy as np

from gridloom.readme import main
from gridloom.results import read_runs
from gridloom.text import counted
from gridloom.thesis_mhive.bars import bars_table, failed_on
from gridloom.thesis_mhive.collection import COLLECTION_OPTION, Collection
from gridloom.thesis_mhive.rcm import (
    LARGE,
    OURS,
    SMALL,
    bandwidth_of,
    geometric_mean,
    interval,
    labels_of,
    matrices_of,
    prepared,
    short,
    size_of,
    speedups,
)


def missing(runs, label, at_least):
    """Matrices that the arm was given and did not order: these are misses, not gaps."""
    own = runs.only(label=label)
    own = own.mask((own["rows"] >= at_least) & (own["status"] != "ok"))
    return sorted({short(matrix) for matrix in own["matrix"]})


def mean_row(runs, what, asked, over, label, at_least, columns=("both_ms", "both_ms")):
    found = speedups(runs, over, label, columns, at_least)
    if not found:
        return None
    mean, low, high = geometric_mean(found)
    lost = missing(runs, label, at_least)
    text = f"{mean:.2f} [{low:.2f}, {high:.2f}], {counted(found)}{failed_on(lost)}"
    return what, f"≥ {asked:.3g}", text, bool(mean >= asked and not lost)


def least_row(
    runs, what, over, label, at_least, limit="≥", asked=1, mean_counts=False,
    columns=("both_ms", "both_ms"),
):  # fmt: skip
    """The smallest speedup: at least `asked`, or more than that. In part: its interval begins
    below, or, where the mean counts, the geometric mean alone is there."""
    found = speedups(runs, over, label, columns, at_least)
    if not found:
        return None
    worst = min(found, key=lambda matrix: found[matrix][0])
    value, low, high = interval(found[worst])
    mean = geometric_mean(found)[0]
    lost = missing(runs, label, at_least)
    text = f"{value:.2f} [{low:.2f}, {high:.2f}] (`{short(worst)}`, of {counted(found)})"
    if mean_counts and len(found) > 1:
        text += f", geometric mean {mean:.2f}"
    text += failed_on(lost)
    reached = False
    if not lost:
        in_part = None if max(value, mean if mean_counts else 0) > asked else False
        reached = bool(low > asked if limit == ">" else low >= asked) or in_part
    return what, f"{limit} {asked:.3g}", text, reached


def bandwidth_row(runs, collection):
    """Half-bandwidths over the collection's, which says nothing of the ties and starts it took."""
    ratios = []
    for matrix in matrices_of(runs):
        band = collection.find(short(matrix), *size_of(runs, matrix))
        ours = bandwidth_of(runs, matrix, OURS, "half_bandwidth")
        if band and ours and max(band) > 0:
            ratios.append(ours / max(band))
    if not ratios:
        return None
    mean = float(np.exp(np.mean(np.log(ratios))))
    text = f"{mean:.3f}, {counted(ratios)}"
    return "half-bandwidth over the collection's, geometric mean", "≤ 1.05", text, mean <= 1.05


def device_rows(runs, collection):
    """On a GPU. `levels` is the arm that the figures are about."""
    mean, large = "geometric mean", f"n ≥ {LARGE:,}"
    copies = ("both_ms", "end_to_end_ms")
    yield mean_row(
        runs, f"`levels` over cuSOLVER, {mean}, {large}", 15, "cusolver", "levels", LARGE
    )
    yield mean_row(
        runs, f"the same with the copies to the device and back, {mean}, {large}", 15,
        "cusolver", "levels", LARGE, copies,
    )  # fmt: skip
    yield least_row(
        runs, f"`levels` over cuSOLVER, least, n ≥ {SMALL:,}", "cusolver", "levels", SMALL
    )
    yield mean_row(runs, f"`levels` over SciPy, {mean}, {large}", 2, "scipy", "levels", LARGE)
    yield least_row(runs, "`levels` over SciPy, least, all sizes", "scipy", "levels", 0)
    yield from thread_rows(runs)
    yield bandwidth_row(runs, collection)


def thread_rows(runs):
    one = "one host thread (`serial`) over SciPy, least"
    yield least_row(runs, one, "scipy", "serial", 0, asked=1 / 1.5, mean_counts=True)
    alone = (
        f"{one}, its ordering alone (SciPy starts at a vertex of least degree, without a search)"
    )
    columns = ("both_ms", "order_ms")
    yield least_row(runs, alone, "scipy", "serial", 0, asked=1 / 1.5, columns=columns)
    two = "two host threads (`two_threads`) over SciPy, least for n ≥ 500,000"
    yield least_row(runs, two, "scipy", "two_threads", 500_000, ">", mean_counts=True)


def host_rows(runs, collection):
    """On host threads, with the workers of each row where the file has several numbers of them."""
    yield from thread_rows(runs)
    own = runs.only(arm="levels")
    for label in labels_of(own):
        workers = int(own.only(label=label)["workers"][0])
        name = f"`levels`, speedup over SciPy, {workers or 'all'} "
        name += "worker" if workers == 1 else "workers"
        if workers == 1:
            yield least_row(
                runs, f"{name}, least", "scipy", label, 0, asked=1 / 1.5, mean_counts=True
            )
        else:
            least = f"{name}, least for n ≥ 500,000"
            yield least_row(runs, least, "scipy", label, 500_000, ">")
    yield bandwidth_row(runs, collection)


def figure_rows(runs, collection):
    """(figure, asked, measured, whether reached); a figure without its arms is left out."""
    on_device = "cuda" in set(runs.only(arm="levels")["backend"])
    rows = (device_rows if on_device else host_rows)(runs, collection)
    return [row for row in rows if row is not None]


def tables(path, collection=None):
    runs = prepared(read_runs(path))
    return {"rcm-bars": bars_table(figure_rows(runs, Collection(collection)))}


if __name__ == "__main__":
    sys.exit(main(__doc__, tables, COLLECTION_OPTION))
