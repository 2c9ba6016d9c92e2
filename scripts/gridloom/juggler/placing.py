"""Runs that number their workers in several ways (--placing), side by side."""

from gridloom.juggler.data import APPS, METHODS, SIZE, Case
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval, median_ratio
from gridloom.text import NONE, in_order, interval, table, times_text

PLACINGS = ["blocks", "multiprocessors"]
LEAST = 1.03  # a method whose times differ by less has no row


def by_placing(runs):
    """{case without methods, method, workers: {placing: rows}} of the runs that ended well."""
    found = {}
    rows = runs.mask((runs["status"] == "ok") & (runs["placing"] != ""))
    for key, own in rows.groups(["experiment", *SIZE, "method", "placing", "workers"]):
        place = tuple(str(key[name]) for name in ("experiment", "app", "rows", "tile", "steps"))
        case = found.setdefault((place, str(key["method"]), int(key["workers"])), (key, {}))
        case[1][str(key["placing"])] = own
    several = {place: case for place, case in found.items() if len(case[1]) > 1}
    if not several:
        raise PlotError("no method ran with several --placing")
    return several


def texts_of(path):
    """Table `placing`: one row per method, size and number of workers for which it matters, one
    column per placing."""
    found = by_placing(read_runs(path))
    rows = []
    methods = in_order({method for _, method, _ in found}, list(METHODS.places))

    def order(item):
        (place, method, workers), (key, _) = item
        return (
            list(APPS).index(str(key["app"])), place, int(key["tile"]), methods.index(method),
            workers,
        )  # fmt: skip

    for (_, method, workers), (key, own) in sorted(found.items(), key=order):
        cells = [
            interval(median_interval(own[name]["elapsed_ms"])) if name in own else NONE
            for name in PLACINGS
        ]
        pair = [own[name]["elapsed_ms"] for name in PLACINGS if name in own]
        ratio = median_ratio(*pair) if len(pair) == 2 else None
        if ratio and 1 / LEAST < ratio[0] < LEAST:
            continue
        cells.append(times_text(ratio) if ratio else NONE)
        about = [APPS[str(key["app"])], Case(key, {}).size, f"`{method}`", f"{workers:,}"]
        rows.append([*about, *cells])
    heads = ["application", "size", "method", "workers", *(f"{name}, ms" for name in PLACINGS)]
    heads.append("multiprocessors over blocks")
    return {"placing": table(heads, rows, left=3)}
