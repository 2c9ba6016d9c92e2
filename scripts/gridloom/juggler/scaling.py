"""Figure 7: the time of JACOBI against its number of tasks, and the line through it."""

from typing import NamedTuple

import numpy as np

from gridloom.juggler.data import METHODS
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval
from gridloom.text import in_order, interval, number, table


class Fit(NamedTuple):
    """The line through the medians: time = per_task × tasks + first."""

    per_task_us: float
    first_ms: float
    r_squared: float


def curves(runs):
    """{method: [(tasks, median, low, high)]} in ms, for methods with at least three numbers of
    tasks."""
    rows = runs.only(experiment="scaling", app="jacobi", status="ok")
    found = {}
    for key, own in rows.groups(["method", "tasks"]):
        point = (int(key["tasks"]), *median_interval(own["elapsed_ms"]))
        found.setdefault(str(key["method"]), []).append(point)
    found = {method: sorted(points) for method, points in found.items() if len(points) > 2}
    if not found:
        raise PlotError("no method with experiment 'scaling' and three numbers of tasks")
    return {method: found[method] for method in in_order(found, list(METHODS.places))}


def fit_of(points):
    """The least-squares line through the medians."""
    tasks, times = np.array([point[:2] for point in points], dtype=float).T
    slope, first = np.polyfit(tasks, times, 1)
    apart = np.sum((times - (slope * tasks + first)) ** 2)
    whole = np.sum((times - times.mean()) ** 2)
    return Fit(1e3 * float(slope), float(first), float(1 - apart / whole) if whole > 0 else 1.0)


def texts_of(path):
    """Table `scaling`: one row per method."""
    found = curves(read_runs(path))
    fits = {method: fit_of(points) for method, points in found.items()}
    rows = []
    for method, points in found.items():
        ends = [interval(points[k][1:]) for k in (0, -1)]
        fit = fits[method]
        # If the time per task differs along a curve, the curve is no line.
        parts = [np.subtract(points[k + 2][:2], points[k][:2]) for k in (0, -3)]
        thirds = [number(1e6 * ms / count) for count, ms in parts]
        cells = [*ends, number(1e3 * fit.per_task_us), *thirds, f"{fit.r_squared:.4f}"]
        rows.append([f"`{method}`", *cells])
    tasks = [points[k][0] for points in found.values() for k in (0, -1)]
    heads = ["method", *(f"{n:,} tasks, ms" for n in (min(tasks), max(tasks)))]
    heads += ["ns per task", "of the first ones", "of the last ones", "R² of a line"]
    return {"scaling": table(heads, rows)}
