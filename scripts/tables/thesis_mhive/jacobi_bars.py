#!/usr/bin/env python3
"""The bars set for mhive-jacobi before it was measured, and whether they are reached.

scripts/tables/thesis_mhive/jacobi_bars.py RESULTS.h5 [--prefix NAME-] [--read-tb-s RATE]
"""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.readme import NONE, main
from gridloom.results import read_runs
from gridloom.text import counted
from gridloom.thesis_mhive.bars import UNJUDGED, bars_table, failed_on
from gridloom.thesis_mhive.jacobi import (
    BASE,
    GRAPHS,
    GRID_SYNCS,
    LARGE,
    RATE_OPTION,
    SMALL,
    is_best_of,
    is_graph,
    is_grid_sync,
    problems_of,
    rate_of,
    share_of_floor,
    speedup,
    versions_of,
)
from gridloom.thesis_mhive.jacobi_words import at_rate, checks_text, labels_of, ratio_text
from gridloom.thesis_mhive.rcm import geometric_mean, interval

MEASURED = ("measured: worst case", "geometric mean")


def reached_by(worst, mean, limit):
    """True by the worst case, None (in part) by the mean alone."""
    if limit is None:
        return UNJUDGED
    return True if worst >= limit else None if mean >= limit else False


def figure_row(problems, what, limit, measure, bar="≥ {:g}", shown=ratio_text):
    """(figure, bar, worst case, geometric mean, whether reached).

    `measure(problem, best, seed)`: (value, resampled values), or None without something to compare
    with. The best version is chosen by its median on each matrix, one on which all failed is a
    miss.
    """
    bar = NONE if limit is None else bar.format(limit).replace("%", " %")
    found, best, lost, without = {}, {}, [], []
    for seed, (label, p) in enumerate(zip(labels_of(problems), problems, strict=True)):
        best[label] = p.fastest(is_best_of)
        value = measure(p, best[label], seed) if best[label] else None
        if value is not None:
            found[label] = value
        else:
            (without if best[label] else lost).append(label)
    notes = failed_on(lost)
    notes += f"; nothing to compare with on {', '.join(without)}" if without else ""
    missed = bool(lost) and limit is not None
    if not found:
        return what, bar, "not measured" + notes, NONE, False if missed else UNJUDGED
    worst = min(found, key=lambda label: found[label][0])
    mean = geometric_mean(found)
    text = f"{shown(interval(found[worst]))}, {worst} by `{best[worst].name}`{notes}"
    reached = False if missed else reached_by(found[worst][0], mean[0], limit)
    return what, bar, text, f"{shown(mean)}, {counted(found)}", reached


def over(choose):
    """A measure of figure_row: how many times as fast as the arm that choose(problem) gives."""

    def measure(problem, best, seed):
        other = choose(problem)
        return None if other is None else speedup(other, best, seed)

    return measure


def of_floor(given, with_diagonal=False):
    def measure(problem, best, seed):
        rate = rate_of(problem, given)
        return share_of_floor(problem.floor_us(rate, with_diagonal), best, seed) if rate else None

    return measure


def share_text(values):
    return "{:.3g} % [{:.3g}, {:.3g}]".format(*(100 * value for value in values))


def figure_rows(problems, rate):
    """The rows of figure_row; those of the floor only where its rate is known."""
    small = [p for p in problems if p.entries < SMALL]
    large = [p for p in problems if p.entries >= LARGE]
    below, above = f"entries < {SMALL:,}", f"entries ≥ {LARGE:,}"
    graph = over(lambda p: p.fastest(is_graph))
    floor = f"fraction of the byte floor, {above}"
    shares = {"bar": "≥ {:.0%}", "shown": share_text}
    rows = [
        figure_row(small, f"best version over `{BASE}`, {below}", 8, over(lambda p: p.arm(BASE))),
        figure_row(small, f"over the best graph arm, {below}", 1.3, graph),
        figure_row(
            small, f"over `grid_sync`, {below}", 1, over(lambda p: p.fastest(is_grid_sync))
        ),
        figure_row(large, f"over the best graph arm, {above}", 1, graph),
    ]  # fmt: skip
    if any(rate_of(p, rate) for p in problems):
        counted_too = f"{floor}, an array of the diagonal counted too"
        rows.append(figure_row(large, floor, 0.75, of_floor(rate), **shares))
        rows.append(figure_row(large, counted_too, None, of_floor(rate, True), **shares))
    return rows


def captioned(problems, rate):
    there = versions_of(problems, "none")
    graphs = ", ".join(f"`{name}`" for name in GRAPHS if name in there)
    best_graph = f"; the best graph arm is the fastest of {graphs}" if graphs else ""
    if set(GRID_SYNCS) <= set(there):
        best_graph += f", `{GRID_SYNCS[0]}` the faster of it and `{GRID_SYNCS[1]}`"
    caption = (
        f"The best version is the fastest of MHive's and ours on each matrix{best_graph}. "
        f"Ratios of medians with bootstrap 95 % intervals{at_rate(problems[0], rate)}. "
        f"{checks_text(problems)}."
    )
    return f"{caption}\n\n{bars_table(figure_rows(problems, rate), MEASURED)}"


def tables(path, read_tb_s=None):
    return {"bars": captioned(problems_of(read_runs(path)), read_tb_s)}


if __name__ == "__main__":
    sys.exit(main(__doc__, tables, RATE_OPTION))
