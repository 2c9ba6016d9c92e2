"""Tables of tiled-qr's batches, of runs with explicit Q, and of ill-conditioned matrices."""

import numpy as np

from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval, median_ratio
from gridloom.text import NONE, in_order, interval, number, size, span, table, times_text
from gridloom.tiled_qr.data import METHODS, OURS

PRECISIONS = ["float", "double"]
# Replaces the time of a rival with wrong results, such as CholeskyQR2 on ill-conditioned matrices.
WRONG = "no Q"
QUOTED = (1e4, 1e8, 1e16)  # conditions at which the pages quote ratios


def methods_of(rows):
    return in_order(set(rows["method"]), list(METHODS.places))


def named(key):
    """A size as in "640 of 512²" or "100,000 × 64"."""
    text = size(key["rows"], key["cols"])
    return f"{key['batch']:,} of {text}" if key["batch"] > 1 else text


def sizes_of(rows, column="elapsed_ms", by=()):
    """[(size, {method: times of its runs})], sorted by matrix size, then by further columns. Wrong
    results have no times."""
    found = []
    for key, own in rows.groups(["rows", "cols", "batch", *by]):
        times = {}
        for one, part in own.groups(["method"]):
            is_wrong = "no" in set(part["verified"])
            times[one["method"]] = [] if is_wrong else part[column].to_numpy()
        found.append((key, times))

    def place(one):
        key = one[0]
        return (key["rows"] * key["cols"], key["batch"], *(key[name] for name in by))

    return sorted(found, key=place)


def time_table(rows, column="elapsed_ms"):
    """One row per size: the median of a time of every method, with its interval."""
    methods = methods_of(rows)
    lines = [[named(key), *cells_of(methods, times)] for key, times in sizes_of(rows, column)]
    return table(["matrices", *(f"`{m}`, ms" for m in methods)], lines)


def cells_of(methods, times):
    """The median time of each method, with its interval."""

    def cell(method):
        if method not in times:
            return NONE
        return interval(median_interval(times[method])) if len(times[method]) else WRONG

    return [cell(method) for method in methods]


def quickest(methods, times):
    return min(methods, key=lambda m: median_interval(times[m])[0])


def over_rivals(times, place):
    """{over-RIVAL-PLACE: how many times as fast the better one of ours is}, if any of ours ran."""
    if not set(OURS) & set(times):
        return {}
    ours = times[quickest([m for m in OURS if m in times], times)]
    return {
        f"over-{rival}-{place}": times_text(median_ratio(own, ours)[0]) if len(own) else WRONG
        for rival, own in times.items()
        if METHODS.family(rival) == "rivals"
    }


def orthogonality_table(rows):
    """One row per condition number: the worst |I - Q'Q| / (n eps) of each method."""
    methods = methods_of(rows)
    worst = {
        (key["condition"], key["method"]): own["orthogonality"].max()
        for key, own in rows.groups(["condition", "method"])
    }

    def shown(condition, method):
        value = worst.get((condition, method))
        if value is None:
            return NONE
        if not np.isfinite(value):
            return "no number"
        return number(value) if value < 1000 else f"{value:.1e}"

    lines = [
        [f"{condition:g}", *(shown(condition, method) for method in methods)]
        for condition in sorted({condition for condition, _ in worst})
    ]
    return table(["condition", *(f"`{m}`" for m in methods)], lines)


def table_by(rows, column, heading):
    """One row per size and value of a column: the median time of each method, with its interval."""
    methods = methods_of(rows)
    lines = []
    for key, times in sizes_of(rows, by=(column,)):
        value = key[column]
        shown = f"`{value}`" if isinstance(value, str) else f"{value:g}"
        lines.append([named(key), shown, *cells_of(methods, times)])
    return table(["matrices", heading, *(f"`{m}`, ms" for m in methods)], lines)


def family_values(rows, precision):
    """How many times as fast as cuSOLVER the fastest of ours is, by size, over all families."""
    found = {}
    for key, own in rows.groups(["rows", "cols"]):
        ratios = []
        for _, times in sizes_of(own, by=("input",)):
            ours = [method for method in OURS if method in times]
            if ours and len(rival := times.get("cusolver", [])):
                ratios.append(median_ratio(rival, times[quickest(ours, times)])[0])
        if ratios:
            place = f"{precision}-{key['rows']}-{key['cols']}"
            found[f"families-over-cusolver-{place}"] = f"{span(ratios)} ×"
    return found


def texts_of(path):
    runs = read_runs(path)
    ended = runs.mask(runs["status"].isin(["ok", "wrong"]))
    if len(ended) == 0:
        raise PlotError(f"{path}: no run ended well")
    conditioned = np.isfinite(ended["condition"].to_numpy(dtype=float))
    texts = {}
    for precision in in_order(set(ended["precision"]), PRECISIONS):
        own = ended.mask(conditioned).only(precision=precision)
        if len(own):
            texts[f"orthogonality-{precision}"] = orthogonality_table(own)
            texts[f"times-{precision}"] = table_by(own, "condition", "condition")
            for key, times in sizes_of(own, by=("condition",)):
                if key["condition"] in QUOTED:
                    place = f"{precision}-{key['rows']}-{key['cols']}-{key['condition']:g}"
                    texts |= over_rivals(times, place)
        own = ended.mask(~conditioned).only(precision=precision)
        if set(own["input"]) - {"random"}:
            texts[f"families-{precision}"] = table_by(own, "input", "family")
            texts |= family_values(own, precision)
        others = own.only(input="random")
        if len(others) == 0:
            continue
        if set(others["method"]) == {"cusolver_streams"}:  # whose blocks are streams
            texts[f"by-streams-{precision}"] = table_by(others, "workers", "streams")
            continue
        texts[f"time-{precision}"] = time_table(others)
        texts[f"end-to-end-{precision}"] = time_table(others, "end_to_end_ms")
        for key, times in sizes_of(others):
            place = f"{precision}-{key['batch']}-{key['rows']}-{key['cols']}"
            texts |= over_rivals(times, place)
    return texts
