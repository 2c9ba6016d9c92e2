"""The table of hand-offs, from a results file of gridloom-hand-off."""

import numpy as np

from gridloom.results import read_table
from gridloom.text import duration, table


def quantile(own, share):
    """The latency that this share of the samples does not exceed."""
    own = own.sort_values("latency_ns")
    reached = np.cumsum(own["count"]) >= share * own["count"].sum()
    return float(own["latency_ns"][reached].iloc[0])


def texts_of(path):
    found = read_table(path, "hand_offs", writer="gridloom-hand-off")
    runs = read_table(path, "runs").drop_duplicates("mechanism").set_index("mechanism")
    rows = []
    for name, own in found.groupby("mechanism", sort=False):
        half, most = quantile(own, 0.5), quantile(own, 0.99)
        moved = f"{runs.loc[name, 'moved_percent']:.0f} %"
        rows.append((half, [f"`{name}`", duration(half), duration(most), moved]))
    rows = [cells for _, cells in sorted(rows, key=lambda row: row[0])]
    task = duration(round(runs.loc[runs["task_ns"] > 0, "task_ns"].median()))
    return {
        "empty-task": task,
        "hand-off": table(["mechanism", "median", "99th percentile", "moved"], rows),
    }
