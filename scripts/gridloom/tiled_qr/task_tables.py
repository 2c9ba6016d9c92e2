"""Tables of tiled-tasks' stored runs."""

from gridloom.readme import NONE, table
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval
from gridloom.text import in_order, interval
from gridloom.tiled_qr.data import MISSING

CLIENTS = ["qr", "cholesky"]
COLUMNS = [
    "general, critical-path",
    "general, none",
    "waves",
    "waves_graph",
    "fr2",
    "serial",
    "lapack",
]


def column_of(key):
    return key["method"] + (f", {key['priority']}" if key["priority"] else "")


def client_table(runs):
    """A row a client, way to update and size: median times on the usual number of blocks."""
    # Blocks were varied besides; the usual number is the one with most sizes.
    on_device = runs.mask(runs["method"] == "general")
    usual = on_device["blocks"].mode()[0]
    kept = runs.mask(runs["blocks"].isin([usual, 1, MISSING]))
    cells = {}
    for key, own in kept.groups(["client", "updates", "rows", "method", "priority"]):
        place = (key["client"], key["updates"], int(key["rows"]))
        cells.setdefault(place, {})[column_of(key)] = interval(median_interval(own["elapsed_ms"]))
    head = in_order({name for row in cells.values() for name in row}, COLUMNS)
    lines = [
        [
            f"{client}, {updates}" if updates else client,
            f"{rows:,}²",
            *(cells[client, updates, rows].get(name, NONE) for name in head),
        ]
        for client, updates, rows in sorted(
            cells, key=lambda place: (CLIENTS.index(place[0]), place[1:])
        )
    ]
    return table(["client", "size", *(f"{name}, ms" for name in head)], lines)


def texts_of(path):
    runs = read_runs(path).only(status="ok")
    runs = runs.mask(runs["client"].isin(CLIENTS))
    if len(runs) == 0:
        raise PlotError(f"{path}: no run of a client ended well")
    return {"clients": client_table(runs)}
