"""Efficiency of the schedulers, and their METG(50 %).

Efficiency is the shortest possible time of a schedule on as many workers, over the time of the run.
The shortest possible time is that of the longest path, or of all tasks spread over all workers."""

from gridloom.juggler.data import METHODS
from gridloom.metg import metg_text
from gridloom.readme import NONE, table
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval
from gridloom.text import duration, in_order, interval


def graph_runs(runs):
    """The rows whose tasks have work and that ended well."""
    rows = runs.only(app="graph", status="ok")
    rows = rows.mask(rows["work_ns"] > 0)
    if len(rows) == 0:
        raise PlotError("no runs of a graph whose tasks have work, with status 'ok'")
    graphs = {(str(key["input"]), int(key["tasks"])) for key, _ in rows.groups(["input", "tasks"])}
    if len(graphs) > 1:
        raise PlotError("expected runs of one graph, got several")
    return rows


def curves(runs):
    """{method: [(length in ns, median, low, high)]} of the efficiency, with ascending lengths."""
    found = {}
    for key, own in graph_runs(runs).groups(["method", "work_ns"]):
        values = median_interval(own["least_ms"] / own["elapsed_ms"])
        found.setdefault(str(key["method"]), []).append((int(key["work_ns"]), *values))
    return {m: sorted(found[m]) for m in in_order(found, list(METHODS.places))}


def texts_of(path):
    """Table `metg`: one row per method, one column per length."""
    found = curves(read_runs(path))
    lengths = sorted({point[0] for points in found.values() for point in points})
    rows = []
    for method, points in found.items():
        values = {length: interval([100 * v for v in own]) for length, *own in points}
        cells = [values.get(length, NONE) for length in lengths]
        rows.append(
            [f"`{method}`", metg_text([p[0] for p in points], [p[1] for p in points]), *cells]
        )
    heads = ["method", "METG(50 %)", *(f"{duration(length)}, %" for length in lengths)]
    return {"metg": table(heads, rows, left=2)}
