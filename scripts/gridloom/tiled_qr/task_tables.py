"""Tables of tiled-tasks' stored runs."""

from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval
from gridloom.text import NONE, in_order, interval, number, table
from gridloom.tiled_qr.data import MISSING

CLIENTS = ["qr", "cholesky"]
COLUMNS = ["general, critical-path", "general, none", "waves", "waves_graph", "serial", "lapack"]


def column_of(key):
    return key["method"] + (f", {key['priority']}" if key["priority"] else "")


def usual_workers(runs):
    """The rows with the usual number of workers, which is the one with most runs."""
    counts = runs.mask(runs["method"] == "general")["workers"].mode()
    return runs.mask(runs["workers"].isin([*counts[:1], 1, MISSING]))


def cells_of(runs, *names):
    """{key of a row: {column: text}}. The text is the median time, or the status of the runs."""
    cells = {}
    for key, own in usual_workers(runs).groups([*names, "method", "priority"]):
        ok = own.only(status="ok")
        text = interval(median_interval(ok["elapsed_ms"])) if len(ok) else f"`{own['status'][0]}`"
        cells.setdefault(tuple(key[name] for name in names), {})[column_of(key)] = text
    return cells


def time_table(heads, cells, row_of):
    """One row per key of `cells`, in their order. `row_of(*key)` returns the cells before the
    times."""
    columns = in_order({name for row in cells.values() for name in row}, COLUMNS)
    lines = [
        [*row_of(*place), *(times.get(name, NONE) for name in columns)]
        for place, times in cells.items()
    ]
    return table([*heads, *(f"{name}, ms" for name in columns)], lines)


def client_table(runs):
    """One row per client, way to update and size."""
    cells = cells_of(runs, "client", "updates", "rows")
    cells = dict(sorted(cells.items(), key=lambda one: (CLIENTS.index(one[0][0]), *one[0][1:])))

    def row_of(client, updates, rows):
        return f"{client}, {updates}" if updates else client, f"{rows:,}²"

    return {"clients": time_table(["client", "size"], cells, row_of)}


def example_texts(runs):
    """A table with one row per number of chunks, and the median times of the largest example."""
    cells = dict(sorted(cells_of(runs, "rows", "tasks").items()))
    most = usual_workers(runs.only(rows=max(runs["rows"]), status="ok"))
    heads = ["chunks", "tasks"]
    return {"example": time_table(heads, cells, lambda *counts: [f"{n:,}" for n in counts])} | {
        f"example-{key['method']}-ms": number(median_interval(own["elapsed_ms"])[0])
        for key, own in most.groups(["method"])
    }


def texts_of(path):
    runs = read_runs(path)
    texts = {}
    for clients, make in ((CLIENTS, client_table), (["example"], example_texts)):
        own = runs.mask(runs["client"].isin(clients))
        texts |= make(own) if len(own.only(status="ok")) else {}
    if not texts:
        raise PlotError(f"{path}: no run of a client ended well")
    return texts
