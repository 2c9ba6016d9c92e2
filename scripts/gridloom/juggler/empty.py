"""Rates of tasks that do nothing, which measure the cost of a scheduler alone."""

from gridloom.juggler.data import METHODS
from gridloom.readme import table
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval
from gridloom.text import in_order, interval, number


def texts_of(path):
    """Table `empty`: one row per method; value `empty-tasks`."""
    rows = read_runs(path).only(app="graph", status="ok")
    rows = rows.mask(rows["work_ns"] == 0)
    graphs = {(str(key["input"]), int(key["tasks"])) for key, _ in rows.groups(["input", "tasks"])}
    if len(graphs) != 1:
        raise PlotError(f"expected runs of one graph with tasks of 0 ns, got {len(graphs)}")
    [(_, tasks)] = graphs
    own = {str(key["method"]): part for key, part in rows.groups(["method"])}
    lines = []
    for method in in_order(own, list(METHODS.places)):
        ms = median_interval(own[method]["elapsed_ms"])
        rate = median_interval(1e-3 * tasks / own[method]["elapsed_ms"])
        path_us = 1e3 * ms[0] / int(own[method]["longest_path"].max())
        lines.append([f"`{method}`", interval(ms), interval(rate), number(path_us)])
    heads = ["method", "ms", "M tasks/s", "µs per task of the longest path"]
    return {"empty-tasks": f"{tasks:,}", "empty": table(heads, lines)}
