"""FR4 beside QuickSched on the example that QuickSched publishes, a QR factorization in tiles.

`path` has the runs of scripts/peers/quicksched.py, and quicksched_fr4.h5 beside it those of FR4."""

import numpy as np

from gridloom.results import read_runs
from gridloom.text import number, table


def texts_of(path):
    theirs, ours = read_runs(path), read_runs(path.with_name("quicksched_fr4.h5"))
    rows = []
    for key, own in theirs.only(status="ok").groups(["rows", "tile", "tasks", "workers"]):
        fr4 = ours.only(rows=key["rows"], tile=key["tile"], method="general", status="ok")
        times = [np.median(runs["elapsed_ms"]) for runs in (own, fr4)]
        set_up = [np.median(runs["setup_ms"]) for runs in (own, fr4)]
        rows.append([f"{key['rows']:,}²", str(key["tile"]), f"{key['tasks']:,}",
                     *map(number, [*times, times[0] / times[1], *set_up])])  # fmt: skip
    heads = ["matrix", "tiles of", "tasks", "QuickSched, ms", "FR4, ms", "FR4: times as fast",
             "set-up of QuickSched, ms", "of FR4, ms"]  # fmt: skip
    return {"quicksched": table(heads, rows)}
