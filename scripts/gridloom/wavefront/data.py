"""What a configuration of the wavefront schedulers is, and which rows make a bar of Fig. 3."""

import numpy as np

from gridloom.labels import MACHINE, Part
from gridloom.results import PlotError

SETTING = ["machine", "backend", "graph", "rows", "cols", "depth", "tasks", "blocks", "threads"]
CONFIGURATION = ["arm", *SETTING]

# Fig. 3 of Kartsaklis et al. ran 10,000 × 10,000 no-op tasks; its figures are quoted, not drawn.
PAPER_MACHINE = "Kepler K20X, 220 blocks of 32 threads, 10,000 × 10,000 no-op tasks"


def size_text(config):
    if config["graph"] == "lattice":
        sizes = [config["rows"], config["cols"]]
        if config.get("depth", 1) > 1:
            sizes.append(config["depth"])
        return " × ".join(f"{size:,}" for size in sizes) + " lattice"
    return f"{config['graph']} of {config['tasks']:,} tasks"


def threads_text(config):
    threads = config["threads"]
    return f"{threads} {'thread' if threads == 1 else 'threads'} a block"


GRAPH = {"graph": Part(size_text)}
SHAPE = {
    "shape": Part(
        lambda c: f"{c['blocks']} × {c['threads']}",
        unit=" (blocks × threads)",
        key="n × m: blocks × threads",
    )
}
THREADS = {"threads": Part(threads_text)}
PARTS = MACHINE | GRAPH | SHAPE


def fig3_bars(runs, counters, samples_of):
    """Bars of one Fig. 3 panel: (config, samples, reason), the least first, failed ones last.

    `counters` 1 chooses the counting build, whose times mean nothing and whose counts do.
    """
    rows = runs.only(experiment="fig3", counters=counters)
    if len(rows) == 0:
        raise PlotError(f"no rows with experiment 'fig3' and counters {counters}")
    bars = []
    for config, group in rows.groups(CONFIGURATION):
        good = group.only(status="ok")
        if len(good):
            bars.append((config, samples_of(good), ""))
        else:
            bars.append((config, None, "/".join(dict.fromkeys(group["status"]))))
    return sorted(bars, key=lambda bar: np.inf if bar[1] is None else np.median(bar[1]))


def throughput(rows):
    """Tasks a second of each row, from the device time of the scheduler alone."""
    return rows["tasks"] / (rows["elapsed_ms"] * 1e-3)
