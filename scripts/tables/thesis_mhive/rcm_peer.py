#!/usr/bin/env python3
"""The ordering alone by mhive-rcm beside that of a public GPU program, both of one job.

    scripts/tables/thesis_mhive/rcm_peer.py MACHINE-rcm-peer.h5 [--prefix NAME-]

The rows of mhive-rcm are those of MACHINE-rcm-beside-peer.h5, which lies in the same folder.
"""

import gridloom_datasets.endings  # noqa: F401

import sys

import numpy as np

from gridloom.readme import NONE, main, table
from gridloom.thesis_mhive import rcm
from gridloom.thesis_mhive.rcm import geometric_mean, interval, short
from gridloom.thesis_mhive.stored import PeerRuns

ARMS = {"levels": "`levels`, beyond the thesis", "pdc": "PDC, as published", "serial": "`serial`"}


def ms(values):
    return f"{np.median(values):.3g}" if len(values) else NONE


def rows_of(runs):
    found = {label: runs.speedups(label) for label in ARMS}
    for matrix in runs.matrices:
        theirs = runs.times(matrix)
        cells = [ms(theirs) if len(theirs) else runs.status(matrix)]
        for label in ARMS:
            cells.append(ms(rcm.samples(runs.ours, matrix, label, "order_ms")))
        for label in ("levels", "pdc"):
            again = found[label].get(matrix)
            cells.append("{:.2f} [{:.2f}, {:.2f}]".format(*interval(again)) if again else NONE)
        yield [f"`{short(matrix)}`", f"{runs.size(matrix):,}", *cells]


def tables(path):
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


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
