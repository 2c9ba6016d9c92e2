"""Columns under their standard names, whatever names a program gave them.

The standard times are `setup_ms`, `copy_in_ms`, `elapsed_ms`, `copy_out_ms` and `end_to_end_ms`.
Other columns are `repetition`, `order` (place among the arms of a repetition), `status` (ok, or why
there is no number) and `verified` (yes, no, off). Files of schema 1, which are in the reference/
folders, used other names for some of them. There, -1 for a time not taken becomes NaN."""

import numpy as np

GRAPH = {"levels": "depth", "widest": "widest_level"}
RENAMED = {
    "runs": {
        "place": "order", "fetch_ms": "copy_out_ms", "blocks": "workers", "longest_path": "depth",
        "critical_path": "depth", "waves": "depth", "widest_wave": "widest_level",
        "finished": "executed",
    },
    "workers": {"blocks": "workers"},
    "graphs": GRAPH,
}  # fmt: skip
# Other names of older files that have a column, whose program used these words otherwise.
RENAMED_BESIDE = {
    "critical_path": {"depth": "planes"},
    "uses": {"dependencies": "edges"},
    "longest_row": GRAPH,
    "graph_seed": GRAPH,
}
VERIFIED = {1: "yes", 0: "off"}


def standard_names(columns, table="runs"):
    """{name in a file: standard name} of the columns of a table that have other names."""
    renamed = dict(RENAMED.get(table, {}))
    for sign, names in RENAMED_BESIDE.items():
        renamed |= names if table == "runs" and sign in columns else {}
    return renamed


def standard(columns, table="runs"):
    """The columns of a table (arrays by name) with standard names and standard values."""
    renamed = standard_names(columns, table)
    found = {}
    for name, values in columns.items():
        name = renamed.get(name, name)
        if name == "verified" and values.dtype.kind in "iu":
            values = np.array([VERIFIED[value] for value in values.tolist()], dtype=object)
        elif name.endswith("_ms") and values.dtype.kind == "f":
            values = np.where(values == -1, np.nan, values)
        found[name] = values
    for name in {"scheduler_bytes", "graph_bytes"} & set(found):
        tasks = np.where(found["tasks"] > 0, found["tasks"], np.nan)
        found["bytes_per_task"] = found.pop(name) / tasks
    return found
