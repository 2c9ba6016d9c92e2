#!/usr/bin/env python3
"""The tables of the pages of datasets, made from stored results so that no number is typed by hand.

scripts/tables/datasets/reading.py RESULTS.h5 [--prefix NAME-]
"""

import gridloom_datasets.endings  # noqa: F401

import sys

import numpy as np

from gridloom.readme import main
from gridloom.results import read_meta, read_runs
from gridloom.statistics import median_interval

ARMS = {
    "gridloom": "`gridloom-matrix`, CSR",
    "scipy_mmread": "SciPy `mmread`, coordinates",
    "scipy_csr": "SciPy `mmread` and `tocsr`",
}


def speed_table(runs):
    lines = [
        "| file | reader | threads | runs | ms | 95 % interval |",
        "|---|---|--:|--:|--:|---|",
    ]
    for key, rows in runs.only(experiment="speed").groups(["file", "arm", "threads"]):
        middle, low, high = median_interval(rows["elapsed_ms"])
        size = f"{rows['file_bytes'][0] / 1e6:,.0f} MB"
        lines.append(
            f"| {key['file']}, {size} | {ARMS[key['arm']]} | {key['threads'] or 'its choice'} "
            f"| {len(rows)} | {middle:,.0f} | {low:,.0f} to {high:,.0f} |"
        )
    return "\n".join(lines)


def memory_table(runs):
    lines = [
        "| file | entries | CSR | peak of the process | peak / CSR | seconds |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    rows = runs.only(experiment="memory")
    for i in range(len(rows)):
        csr, peak = rows["csr_bytes"][i], rows["peak_bytes"][i]
        lines.append(
            f"| {rows['file'][i]}, {rows['file_bytes'][i] / 1e9:.2f} GB | {rows['entries'][i]:,} "
            f"| {csr / 1e9:.2f} GB | {peak / 1e9:.2f} GB | {peak / csr:.2f} "
            f"| {rows['elapsed_ms'][i] / 1e3:.1f} |"
        )
    return "\n".join(lines)


def headline(runs):
    """The largest file of values, all threads, beside SciPy to the same form."""
    rows = runs.only(experiment="speed")
    rows = rows.only(file_bytes=rows["file_bytes"].max())
    own = rows.only(arm="gridloom", threads=rows.only(arm="gridloom")["threads"].max())
    scipy = rows.only(arm="scipy_csr")
    took = [float(np.median(found["elapsed_ms"])) for found in (own, scipy)]
    return (
        f"{rows['file_bytes'][0] / 1e6:,.0f} MB, {rows['entries'][0]:,} entries, to CSR in "
        f"{took[0]:,.0f} ms ({own['threads'][0]} threads), "
        f"SciPy (threads: its choice) {took[1]:,.0f} ms"
    )


def tables(path):
    runs, meta = read_runs(path), read_meta(path)
    entries = runs.only(experiment="speed")["entries"][0]
    return {
        "reading-machine": (
            f"{entries:,} entries; {meta['cpu']}, {meta['processors']} processors, "
            f"SciPy {meta['scipy']}, {meta['gridloom_matrix'].replace('(', 'commit ')[:37]}."
        ),
        "reading-headline": headline(runs),
        "reading-speed": speed_table(runs),
        "reading-memory": memory_table(runs),
    }


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
