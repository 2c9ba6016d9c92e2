"""The arms of experiment `rivals`: the fastest arm of each algorithm on a graph.

Rivals ran with several block sizes, numbers of threads or tiles; ours ran with their defaults."""

from gridloom.results import PlotError
from gridloom.wavefront.data import KIND, arms, lattice_text, median

TASKS = {"noop": "no-op", "recurrence": "needs results", "wide": "needs wide results"}


def is_wave(config):
    return config["algorithm"].startswith("waves_")


def is_rival(config):
    return config["algorithm"] not in KIND


def graph_name(config):
    if not config["input"]:
        return f"{lattice_text(config)} lattice"
    name = config["input"].removesuffix(".h5")
    return f"{name}: {config['tasks']:,} tasks, {config['edges']:,} edges"


def by_graph(runs):
    """[(graph and task as a configuration, {algorithm: all its arms, the fastest first})]."""
    rows = runs.only(experiment="rivals", counters=0, status="ok")
    if len(rows) == 0:
        raise PlotError("no rows with experiment 'rivals' and status 'ok'")
    key = ["backend", "input", "graph", "rows", "cols", "planes", "tasks", "edges", "depth"]
    found = []
    for config, own in rows.groups([*key, "body"]):
        algorithms = {}
        for arm in arms(own):
            algorithms.setdefault(arm[0]["algorithm"], []).append(arm)
        found.append((config, algorithms))
    graphs = list(dict.fromkeys(map(graph_name, (config for config, _ in found))))
    tasks = list(TASKS)
    return sorted(
        found, key=lambda one: (graphs.index(graph_name(one[0])), tasks.index(one[0]["body"]))
    )


def best_wave(algorithms):
    """The fastest arm by waves on a graph on a device, or None."""
    waves = [found[0] for found in algorithms.values() if is_wave(found[0][0])]
    return min(waves, key=lambda arm: median(arm[1]), default=None)
