#!/usr/bin/env python3
"""The tables of mhive-rcm in thesis_mhive/README.md, made from stored results alone.

scripts/tables/thesis_mhive/rcm.py RESULTS.h5 [--prefix NAME-] [--collection INDEX.csv]
                                                     prints the tables
scripts/tables/thesis_mhive/rcm.py ... --write README       puts them in
scripts/tables/thesis_mhive/rcm.py ... --check README       exits 1 if they differ

--collection: the index of the SuiteSparse collection (ss_index.csv), for its own bandwidths after
reverse Cuthill-McKee; without it only those of datasets/manifest.toml are known.
"""

import sys

import numpy as np

from gridloom.readme import NONE, main, table
from gridloom.results import read_runs
from gridloom.statistics import median_interval
from gridloom.text import counted, number
from gridloom.thesis_mhive.collection import Collection
from gridloom.thesis_mhive.rcm import (
    geometric_mean,
    interval,
    labels_of,
    matrices_of,
    prepared,
    samples,
    short,
    speedups,
    title,
)

LARGE, SMALL = 50_000, 5_000  # rows from which the figures to reach are counted
WORDS = {True: "yes", False: "**no**", None: "in part"}


def of_matrix(runs, matrix):
    """(cell with the name, rows, entries)."""
    rows = runs.only(matrix=matrix)
    return f"`{short(matrix)}`", int(rows["rows"][0]), int(rows["entries"][0])


def matrices_table(runs):
    rows = []
    for matrix in matrices_of(runs):
        name, n, entries = of_matrix(runs, matrix)
        rows.append([name, f"{n:,}", f"{entries:,}", f"{entries / n:.1f}"])
    return table(["matrix", "rows", "entries", "entries a row"], rows)


def bandwidth_of(runs, matrix, arms, column="bandwidth"):
    """The bandwidth after the first of `arms` that ordered the matrix, or None."""
    for arm in arms:
        rows = runs.only(matrix=matrix, arm=arm, status="ok")
        if len(rows):
            return int(rows[column][0])
    return None


# Versions of one order: whichever ran. The experiment checks that they agree.
OURS = ["levels", "serial", "two_threads", "resident", "pdc", "mk", "tsk", "cpu_gpu"]


def bandwidth_table(runs, collection):
    def text(value):
        return NONE if value is None else f"{value:,}"

    rows = []
    for matrix in matrices_of(runs):
        name, n, entries = of_matrix(runs, matrix)
        band = collection.find(short(matrix), n, entries)
        values = [bandwidth_of(runs, matrix, arms) for arms in (["cusolver"], ["scipy"], OURS)]
        values.append(None if band is None else sum(band) + 1)
        before = int(runs.only(matrix=matrix)["bandwidth_before"][0])
        rows.append([name, text(before), *map(text, values)])
    return table(["matrix", "before", "cuSOLVER", "SciPy", "ours", "the collection's"], rows)


def time_cell(runs, matrix, label, column):
    values = samples(runs, matrix, label, column)
    if len(values):
        return "{} [{}, {}]".format(*map(number, median_interval(values)))
    states = set(runs.only(matrix=matrix, label=label)["status"]) - {"ok"}
    return ", ".join(sorted(states)) or NONE


def times_table(runs, column):
    """Milliseconds; an arm without such a time on any matrix has no column."""
    names = matrices_of(runs)
    cells = {
        label: [time_cell(runs, matrix, label, column) for matrix in names]
        for label in labels_of(runs)
    }
    cells = {label: texts for label, texts in cells.items() if set(texts) != {NONE}}
    rows = [
        [f"`{short(matrix)}`", *(texts[index] for texts in cells.values())]
        for index, matrix in enumerate(names)
    ]
    return table(["matrix", *map(title, cells)], rows)


def memory_table(runs):
    """Millions of bytes on the device, and what Eq. 8.2 says of the published program."""
    held = runs.mask(runs["bytes"] > 0)
    labels = labels_of(held)
    rows = []
    for matrix in matrices_of(held):
        own = held.only(matrix=matrix)
        cells = [f"`{short(matrix)}`", number(own["equation_bytes"][0] / 1e6)]
        for label in labels:
            there = own.only(label=label)
            cells.append(number(there["bytes"].max() / 1e6) if len(there) else NONE)
        rows.append(cells)
    return table(["matrix", "Eq. 8.2", *map(title, labels)], rows)


# --- what was to be reached ----------------------------------------------------------------

# ms of the ordering alone, by the code of Mlakar et al., Speculative Parallel Reverse
# Cuthill-McKee Reordering on Multi- and Many-core Architectures (IPDPS 2021), the fastest published
# for a GPU: a mark to pass, not measured here. `_recon` matrices were rebuilt from descriptions.
PUBLISHED_ORDER_MS = {
    "bcspwr10": 0.69,
    "bcsstk33": 0.83,
    "mario001": 3.9,
    "delaunay_n16": 2.2,
    "finan512": 2.4,
    "usroads": 9.8,
    "parabolic_fem_recon": 30.8,
    "ecology1_recon": 40.9,
}


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
    text = f"{mean:.2f} [{low:.2f}, {high:.2f}], {counted(found)}"
    if lost:
        text += f"; failed on {', '.join(lost)}"
    return what, f"≥ {asked:.3g}", text, mean >= asked and not lost


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
    if lost:
        return what, f"{limit} {asked:.3g}", f"{text}; failed on {', '.join(lost)}", False
    reached = low > asked if limit == ">" else low >= asked
    in_part = None if max(value, mean if mean_counts else 0) > asked else False
    return what, f"{limit} {asked:.3g}", text, reached or in_part


def bandwidth_row(runs, collection):
    """Half-bandwidths over the collection's, which says nothing of the ties and starts it took."""
    ratios = []
    for matrix in matrices_of(runs):
        _, n, entries = of_matrix(runs, matrix)
        band = collection.find(short(matrix), n, entries)
        ours = bandwidth_of(runs, matrix, OURS, "half_bandwidth")
        if band and ours and max(band) > 0:
            ratios.append(ours / max(band))
    if not ratios:
        return None
    mean = float(np.exp(np.mean(np.log(ratios))))
    text = f"{mean:.3f}, {counted(ratios)}"
    return "half-bandwidth over the collection's, geometric mean", "≤ 1.05", text, mean <= 1.05


def published_row(runs):
    found = {}
    for matrix in matrices_of(runs):
        times = samples(runs, matrix, "levels", "order_ms")
        if short(matrix) in PUBLISHED_ORDER_MS and len(times):
            middle, low, high = median_interval(times)
            mark = PUBLISHED_ORDER_MS[short(matrix)]
            found[short(matrix)] = (mark / middle, mark / high, mark / low)
    if not found:
        return None
    worst = min(found, key=lambda name: found[name][0])
    value, low, high = found[worst]
    text = f"{value:.2f} [{low:.2f}, {high:.2f}] (`{worst}`, of {counted(found)})"
    what = "ordering alone, the published GPU code's time over that of `levels`, least"
    return what, "> 1", text, value > 1


def device_rows(runs, collection):
    """On a GPU. `levels` is the arm that the figures are about."""
    mean, large = "geometric mean", f"n ≥ {LARGE:,}"
    copies = ("both_ms", "end_to_end_ms")
    yield mean_row(runs, f"speedup over cuSOLVER, {mean}, {large}", 15, "cusolver", "levels", LARGE)
    yield mean_row(
        runs, f"the same with the copies to the device and back, {mean}, {large}", 15,
        "cusolver", "levels", LARGE, copies,
    )  # fmt: skip
    yield least_row(
        runs, f"least speedup over cuSOLVER, n ≥ {SMALL:,}", "cusolver", "levels", SMALL
    )
    yield mean_row(runs, f"speedup over SciPy, {mean}, {large}", 2, "scipy", "levels", LARGE)
    yield least_row(runs, "least speedup over SciPy, all sizes (aim)", "scipy", "levels", 0)
    yield published_row(runs)
    yield from thread_rows(runs)
    yield bandwidth_row(runs, collection)


def thread_rows(runs):
    one = "one host thread (`serial`), least speedup over SciPy"
    yield least_row(runs, one, "scipy", "serial", 0, asked=1 / 1.5, mean_counts=True)
    alone = f"{one}, its ordering alone (SciPy searches for no start node either)"
    columns = ("both_ms", "order_ms")
    yield least_row(runs, alone, "scipy", "serial", 0, asked=1 / 1.5, columns=columns)
    two = "two host threads (`two_threads`), least speedup over SciPy for n ≥ 500,000"
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


def figures_table(runs, collection):
    rows = [
        [what, asked, text, WORDS[None if reached is None else bool(reached)]]
        for what, asked, text, reached in figure_rows(runs, collection)
    ]
    return table(["figure", "asked", "measured", "reached"], rows, left=4)


def headline(runs):
    """For the row of the repository's README; empty without its arms."""
    parts = []
    for over in ("cusolver", "scipy"):
        found = speedups(runs, over, "levels", at_least=LARGE)
        if found:
            parts.append(f"{geometric_mean(found)[0]:.1f} × {title(over)}")
    if not parts:
        return ""
    own = runs.only(arm="levels")
    return (
        f"reverse Cuthill–McKee, start node and ordering, {own['machine'][0]}, `levels`, geometric "
        f"mean for n ≥ {LARGE:,}: {' and '.join(parts)}"
    )


def tables(path, collection=None):
    runs = prepared(read_runs(path))
    known = Collection(collection)
    found = {
        "rcm-figures": figures_table(runs, known),
        "rcm-8_1": matrices_table(runs),
        "rcm-8_2": bandwidth_table(runs, known),
        "rcm-8_3-order": times_table(runs, "order_ms"),
        "rcm-8_3-both": times_table(runs, "both_ms"),
        "rcm-8_3-copies": times_table(runs, "end_to_end_ms"),
        "rcm-memory": memory_table(runs),
    }
    if line := headline(runs):
        found["rcm-headline"] = line
    return found


if __name__ == "__main__":
    index = {"metavar": "INDEX.csv", "help": "the SuiteSparse collection's ss_index.csv"}
    sys.exit(main(__doc__, tables, {"collection": index}))
