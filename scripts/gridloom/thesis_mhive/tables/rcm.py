"""Tables of mhive-rcm's stored runs.

Matrices of the SuiteSparse collection come first, then the generated ones."""

import numpy as np

from gridloom.results import read_runs
from gridloom.statistics import median_interval
from gridloom.text import NONE, interval, number, table
from gridloom.thesis_mhive import rcm
from gridloom.thesis_mhive.collection import Collection


def matrices_table(runs, names, collection):
    rows = []
    for matrix in names:
        n, entries = rcm.size_of(runs, matrix)
        found = collection.row(rcm.short(matrix), n, entries)
        cells = [f"`{rcm.short(matrix)}`", found[0] if found else "generated"]
        rows.append([*cells, f"{n:,}", f"{entries:,}", f"{entries / n:.1f}"])
    return table(["matrix", "from", "rows", "entries", "entries per row"], rows, left=2)


def bandwidth_table(runs, names, collection):
    def text(value):
        return NONE if value is None else f"{value:,}"

    rows = []
    for matrix in names:
        found = collection.row(rcm.short(matrix), *rcm.size_of(runs, matrix))
        values = [int(runs.only(matrix=matrix)["bandwidth_before"][0])]
        values += [
            rcm.bandwidth_of(runs, matrix, arms) for arms in (["cusolver"], ["scipy"], rcm.OURS)
        ]
        values.append(None if found is None else sum(found[1][2:]) + 1)
        rows.append([f"`{rcm.short(matrix)}`", *map(text, values)])
    return table(["matrix", "before", "cuSOLVER", "SciPy", "ours", "the collection's"], rows)


def time_cell(runs, matrix, label, column, cell):
    values = rcm.samples(runs, matrix, label, column)
    if len(values):
        return cell(median_interval(values))
    states = set(runs.only(matrix=matrix, label=label)["status"]) - {"ok"}
    return ", ".join(sorted(states)) or NONE


def median_text(found):
    return number(found[0])


def times_table(runs, names, column, cell=interval):
    """Milliseconds. An arm without such a time on any matrix has no column."""
    cells = {
        label: [time_cell(runs, matrix, label, column, cell) for matrix in names]
        for label in rcm.labels_of(runs)
    }
    cells = {label: texts for label, texts in cells.items() if set(texts) != {NONE}}
    rows = [
        [f"`{rcm.short(matrix)}`", *(texts[index] for texts in cells.values())]
        for index, matrix in enumerate(names)
    ]
    return table(["matrix", *map(rcm.title, cells)], rows)


def merged_table(runs, names):
    """Milliseconds of start nodes and ordering, on long matrices, and over SciPy."""
    names = [name for name in names if rcm.size_of(runs, name)[0] >= rcm.LONG]
    labels = ["scipy", "pdc", *rcm.MERGED]
    if not set(labels) <= set(rcm.labels_of(runs)):
        return None
    over = rcm.speedups(runs, "scipy", "pdc_merged")
    rows = []
    for matrix in names:
        medians = [np.median(rcm.samples(runs, matrix, label, "both_ms")) for label in labels]
        levels = runs.only(matrix=matrix)["levels"].max()
        cells = [f"`{rcm.short(matrix)}`", f"{int(levels):,}", *map(number, medians)]
        rows.append([*cells, number(over[matrix][0])])
    heads = ["matrix", "levels", *map(rcm.title, labels), "PDC, merged, over SciPy"]
    return table(heads, rows)


def memory_table(runs, names):
    """Millions of bytes on the device, and the value of Eq. 8.2 for the published program."""
    held = runs.mask(runs["bytes"] > 0)
    labels = rcm.labels_of(held)
    rows = []
    for matrix in (name for name in names if name in rcm.matrices_of(held)):
        own = held.only(matrix=matrix)
        cells = [f"`{rcm.short(matrix)}`", number(own["equation_bytes"][0] / 1e6)]
        for label in labels:
            there = own.only(label=label)
            cells.append(number(there["bytes"].max() / 1e6) if len(there) else NONE)
        rows.append(cells)
    return table(["matrix", "Eq. 8.2", *map(rcm.title, labels)], rows)


def texts_of(path):
    runs = rcm.prepared(read_runs(path))
    known = Collection()
    real, generated = rcm.real_and_generated(runs, known)
    names = real + generated
    merged = merged_table(runs, real)
    runs = runs.mask(~runs["label"].isin(rcm.MERGED))
    copied = runs.mask(~runs["label"].isin(["cusolver", *rcm.HOST_ARMS]))
    texts = {
        "rcm-8_1": matrices_table(runs, names, known),
        "rcm-8_2": bandwidth_table(runs, names, known),
        "rcm-8_3-order": times_table(runs.mask(runs["arm"] != "two_threads"), names, "order_ms"),
        "rcm-8_3-both": times_table(runs, names, "both_ms"),
        "rcm-8_3-copies": times_table(copied, names, "end_to_end_ms", median_text),
        "rcm-memory": memory_table(runs, names),
    }
    return texts | ({"rcm-merged": merged} if merged else {})
