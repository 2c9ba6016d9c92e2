"""Configurations of the wavefront schedulers, and the rows that make a dot of Fig. 3."""

import re

import numpy as np

from gridloom.labels import MACHINE, Part
from gridloom.results import PlotError
from gridloom.style import Arms
from gridloom.text import plural

SETTING = [
    "machine", "backend", "graph", "input", "rows", "cols", "planes", "tasks", "workers",
    "threads",
]  # fmt: skip
CONFIGURATION = ["arm", *SETTING]
DOT = [*CONFIGURATION, "algorithm", "hash", "width", "body"]

WAVES = ["waves_graph_pdl", "waves_graph", "waves_barrier", "waves_cluster", "waves_stream"]
ALGORITHMS = Arms(
    published=["multi_queue", "single_queue", "scanning"],
    rivals=[*WAVES, "omp_tasks", "omp_tiles"],
    ours=["ticket_queue", "in_order", "in_order_ticket", "in_order_cluster", "stripes"],
    reference=["serial"],
)
OWN_HASHES = {"mix", "row"}  # of the multi queue; the paper has a and b
BODIES = {
    "noop": "tasks that do nothing",
    "recurrence": "tasks that read their predecessors' results",
    "wide": "tasks that read their predecessors' results of 16 bytes",
    "work": "tasks of a given duration",
}


def lattice_text(config):
    sides = [config["rows"], config["cols"]] + [config["planes"]] * (config["planes"] > 1)
    return " × ".join(f"{side:,}" for side in sides)


def size_text(config):
    if config["graph"] == "lattice":
        return f"{lattice_text(config)} lattice"
    return f"{config['graph']} of {config['tasks']:,} tasks"


GRAPH = {"graph": Part(size_text)}
SHAPE = {
    "shape": Part(
        lambda c: f"{c['workers']} × {c['threads']}",
        unit=" (blocks × threads)",
        key="n × m: blocks × threads",
    )
}
WIDTH = {"width": Part(lambda c: f"{c['width']} per task")}
THREADS = {"threads": Part(lambda c: f"{plural(c['threads'], 'thread')} per block")}
PARTS = MACHINE | GRAPH | SHAPE
DOT_PARTS = PARTS | WIDTH


def family_of(config):
    return "ours" if config["hash"] in OWN_HASHES else ALGORITHMS.family(config["algorithm"])


def line_of(config):
    """The style of an arm's curve, whatever its hash and its blocks are."""
    return ALGORITHMS.line(config["arm"].split()[0])


def name_of(config):
    """The arm's name without the parts that the figure shows anyway: its blocks and its tasks."""
    return re.sub(rf"( \d+ blocks| {config['body']})$", "", config["arm"])


def fig3_dots(runs, counters, samples_of):
    """Dots of one panel of Fig. 3: {kind of task: [(config, samples, reason)]}.

    Dots are sorted by value, with failed ones last. `counters` 1 selects the counting build, whose
    counts are used; otherwise the times are."""
    rows = runs.only(experiment="fig3", counters=counters)
    if len(rows) == 0:
        raise PlotError(f"no rows with experiment 'fig3' and counters {counters}")
    dots = {}
    for config, group in rows.groups(DOT):
        good = group.only(status="ok")
        dot = (config, samples_of(good), "")
        if not len(good):
            dot = (config, None, "/".join(dict.fromkeys(group["status"])))
        dots.setdefault(BODIES.get(config["body"], config["body"]), []).append(dot)
    for own in dots.values():
        own.sort(key=lambda dot: np.inf if dot[1] is None else np.median(dot[1]))
    return dict(sorted(dots.items(), key=lambda group: -len(group[1])))


def throughput(rows):
    """Tasks per second of each row, from the device time of the scheduler alone."""
    return rows["tasks"] / (rows["elapsed_ms"] * 1e-3)


# --- facts about a row, for tables --------------------------------------------------------------

PUBLISHED = ("scanning", "single_queue", "multi_queue")
KIND = {
    name: kind for name, (kind, _) in ALGORITHMS.places.items() if kind in ("published", "ours")
}
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
