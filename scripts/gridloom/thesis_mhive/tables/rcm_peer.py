"""The ordering alone by mhive-rcm beside that of a public GPU program with the same task.

The rows of mhive-rcm are those of MACHINE-rcm-beside-peer.h5 in the same folder."""

import numpy as np

from gridloom.text import NONE, table
from gridloom.thesis_mhive import rcm
from gridloom.thesis_mhive.rcm import geometric_mean, interval, short
from gridloom.thesis_mhive.stored import PeerRuns

ARMS = {"levels": "`levels`, beyond the thesis", "pdc": "PDC, as published", "serial": "`serial`"}


def ms(values):
    return f"{np.median(values):.3g}" if len(values) else NONE


def rows_of(runs):
    found = {label: runs.speedups(label) for label in ARMS}
    for matrix, rows in runs.matrices.items():
        theirs = runs.times[matrix]
        cells = [ms(theirs) if len(theirs) else rows["status"][0]]
        for label in ARMS:
            cells.append(ms(rcm.samples(runs.ours, matrix, label, "order_ms")))
        for label in ("levels", "pdc"):
            again = found[label].get(matrix)
            cells.append("{:.2f} [{:.2f}, {:.2f}]".format(*interval(again)) if again else NONE)
        yield [f"`{short(matrix)}`", f"{rows['rows'][0]:,}", *cells]


def texts_of(path):
    runs = PeerRuns(path)
    heads = ["matrix", "rows", "peer, ms", *(f"{text}, ms" for text in ARMS.values())]
    heads += ["`levels` × the peer's speed", "PDC × the peer's speed"]
    return {
        "rcm-peer": table(heads, list(rows_of(runs))),
        **{
            f"rcm-peer-{label}": f"{geometric_mean(runs.speedups(label))[0]:.2f} ×"
            for label in ARMS
        },
    }
