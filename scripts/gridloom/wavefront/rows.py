"""Facts about a row for the tables of wavefront: its family, what runs a task, its graph."""

import numpy as np

from gridloom.wavefront.data import CONFIGURATION, OWN_HASHES, lattice_text

PUBLISHED = ("scanning", "single_queue", "multi_queue")
OURS = ("ticket_queue", "in_order", "in_order_ticket", "in_order_cluster", "stripes")
KIND = dict.fromkeys(PUBLISHED, "published") | dict.fromkeys(OURS, "ours")
RIVAL = "rival"  # what a user would take instead
OWN_HASH = "ours: a hash"  # the published algorithm with a hash that the paper does not have
RUNS_A_TASK = {"lane": "a lane", "block": "a block"}
CELLS = ["experiment", "body", "edges", "depth", "work_ns", "durations", "width"]
CELLS += ["algorithm", "hash", "queues", "tile", *CONFIGURATION]


def kind_of(config):
    return OWN_HASH if config["hash"] in OWN_HASHES else KIND.get(config["algorithm"], RIVAL)


def graph_text(config):
    if config["graph"] == "dag":
        return f"DAG, {config['tasks']:,} tasks, {config['edges']:,} edges"
    return lattice_text(config)


def setup_ms(rows):
    """All costs that occur once per graph."""
    return sum(median(rows, part) for part in ("setup_ms", "waves_ms", "record_ms"))


def with_setup(rows):
    """Milliseconds of set-up plus one run."""
    return median(rows) + setup_ms(rows)


def arms(runs, **wanted):
    """(configuration, its rows) of all timed arms, with the shortest time per task first."""
    found = list(runs.only(counters=0, status="ok", **wanted).groups(CELLS))
    return sorted(found, key=lambda arm: median(arm[1]) / arm[0]["tasks"])


def median(rows, column="elapsed_ms"):
    """The median of the rows that have a value. Long set-ups are repeated less often than runs."""
    return float(rows[column].median())


def rate(config, rows):
    """Tasks per second."""
    return config["tasks"] / median(rows) * 1e3


def counted(runs, column, **wanted):
    """The median of one column per task, from the counting build, or None."""
    rows = runs.only(counters=1, status="ok", **wanted)
    return float(np.median(rows[column] / rows["tasks"])) if len(rows) else None
