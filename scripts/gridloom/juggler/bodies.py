"""Scheduling and code: methods whose kernels hold the tasks' body (inlined) beside the same methods
whose kernels call it as one function. `barriers_sync` has one kernel per type, always inlined."""

from gridloom.juggler.data import APPS, BARRIERS, METHODS, SIZE, Case
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_ratio
from gridloom.text import NONE, in_order, number, span, table, times_text

BODIES = {"inlined": ["inlined", ""], "called": ["called"]}


def with_body(rows, body):
    return rows.mask(rows["body"].isin(BODIES[body]))


def texts_of(path):
    """Table `bodies`: one row per size and method. It has registers and times with both bodies, and
    how many times as fast the method is as barriers with the same body."""
    runs = read_runs(path)
    rows = runs.only(status="ok", experiment="bodies")
    if not len(rows):
        raise PlotError(f"{path}: no runs with --label bodies")
    lines = []
    for key, own in rows.groups(["experiment", *SIZE]):
        case, barriers = Case(key, {}), own.only(method=BARRIERS)
        for method in in_order(own["method"], list(METHODS.places)):
            parts = [with_body(own.only(method=method), body) for body in BODIES]
            cells = [span(part["registers"], str) if len(part) else NONE for part in parts]
            cells += [number(part["elapsed_ms"].median()) if len(part) else NONE for part in parts]
            for part, body in zip(parts, BODIES, strict=True):
                both = [one["elapsed_ms"] for one in (with_body(barriers, body), part) if len(one)]
                there = method != BARRIERS and len(both) == 2
                cells.append(times_text(median_ratio(*both)) if there else NONE)
            place = list(APPS).index(case.app), int(key["tile"])
            lines.append((place, [APPS[case.app], case.size, f"`{method}`", *cells]))
    heads = ["application", "size", "method", "registers", "called", "inlined, ms", "called, ms"]
    heads += ["over barriers", "both called"]
    lines.sort(key=lambda line: line[0])
    return {"bodies": table(heads, [cells for _, cells in lines], left=3)}
