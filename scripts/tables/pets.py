#!/usr/bin/env python3
"""The tables of pets/README.md, made from stored results so that no number is typed by hand.

scripts/tables/pets.py RESULTS.h5 [--prefix NAME-] [--write README | --check README]
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "plots"))

from readme_tables import main, table  # noqa: E402

from gridloom_plots import PlotError, read_runs  # noqa: E402

COLUMNS = ["makespan", "slr", "speedup", "efficiency"]


def quality_table(runs):
    """A row a graph and algorithm: what its schedule is like, which no repetition changes."""
    rows = []
    for key, own in runs.groups(["graph", "graph_seed", "algorithm", "processors"]):
        if set(own["status"]) != {"ok"} or any(len(set(own[c])) != 1 for c in COLUMNS):
            raise PlotError(f"{key['graph']}, {key['algorithm']}: no one right schedule")
        makespan, *others = (own[column][0] for column in COLUMNS)
        cells = [f"{makespan:,}", *(f"{value:.3f}" for value in others)]
        rows.append([f"`{key['graph']}`", f"`{key['algorithm']}`", *cells])
    return table(["graph", "algorithm", "makespan", "SLR", "speedup", "efficiency"], rows, left=2)


def tables(path):
    return {"quality": quality_table(read_runs(path))}


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
