"""Settings that the paper tunes or leaves open: workers per multiprocessor, its co-factor, and the
rule by which the inspection finds dependencies."""

from gridloom.juggler.data import APPS, BARRIERS_SYNC, METHODS, SIZE, Case
from gridloom.results import PlotError, read_runs
from gridloom.text import NONE, in_order, number, table

RULES = {"one_to_one": "equal ranges", "overlapping": "overlapping ranges"}


def cofactor_table(rows):
    """One row per size and method, with the median time for each number of resident workers, and
    that of the paper's barriers if they were run."""
    waits = rows["method"] == BARRIERS_SYNC
    barriers, rows = rows.mask(waits), rows.mask(~waits)
    fewest = rows["workers"].min()
    factors = sorted({int(workers // fewest) for workers in rows["workers"]})
    lines = []
    for key, own in rows.groups(["experiment", *SIZE]):
        case = Case(key, {})
        for method in in_order(own["method"], list(METHODS.places)):
            parts = [own.only(method=method, workers=factor * fewest) for factor in factors]
            cells = [number(part["elapsed_ms"].median()) if len(part) else NONE for part in parts]
            if len(barriers):
                beside = barriers.only(**{name: key[name] for name in SIZE})
                cells.append(number(beside["elapsed_ms"].median()) if len(beside) else NONE)
            lines.append([APPS[case.app], case.size, f"`{method}`", *cells])
    heads = ["application", "size", "method", *(f"{factor}, ms" for factor in factors)]
    heads += [f"`{BARRIERS_SYNC}`, ms"] if len(barriers) else []
    return table(heads, sorted(lines), left=3)


def matching_table(rows):
    """One row per size, with the median time of the inspection per task by each rule, in ns."""
    lines = []
    for key, own in rows.groups(["experiment", *SIZE]):
        case, cells = Case(key, {}), []
        for rule in RULES:
            part = own.only(matching=rule)
            cells.append(number((1e6 * part["inspection_ms"] / part["tasks"]).median()))
        lines.append([APPS[case.app], case.size, *cells])
    heads = ["application", "size", *(f"{name}, ns a task" for name in RULES.values())]
    return table(heads, sorted(lines), left=2)


def texts_of(path):
    """The table `cofactor` or `matching`, whichever experiment the file has."""
    runs, texts = read_runs(path), {}
    for name, make in {"cofactor": cofactor_table, "matching": matching_table}.items():
        rows = runs.only(status="ok", experiment=name)
        if len(rows):
            texts[name] = make(rows)
    if not texts:
        raise PlotError(f"{path}: no runs with --label cofactor or matching")
    return texts
