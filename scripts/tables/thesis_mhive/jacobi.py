#!/usr/bin/env python3
"""The tables of mhive-jacobi in thesis_mhive/README.md, made from stored results alone.

scripts/tables/thesis_mhive/jacobi.py RESULTS.h5 [--prefix NAME-] [--bandwidth-tb-s RATE]
                                                        prints the tables
scripts/tables/thesis_mhive/jacobi.py ... --write README       puts them in
scripts/tables/thesis_mhive/jacobi.py ... --check README       exits 1 if they differ

--bandwidth-tb-s: the rate of a copy in memory, for the byte floor; known for an NVIDIA H200.
"""

import sys

import numpy as np

from gridloom.readme import NONE, main, table
from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval
from gridloom.text import counted, in_order, number
from gridloom.thesis_mhive.jacobi import (
    BANDWIDTH_OPTION,
    BASE,
    BASELINES,
    GRAPHS,
    GRID_SYNCS,
    OURS,
    RESIDUAL_AT_CHECKS,
    SCHEDULED,
    is_best_of,
    is_graph,
    is_grid_sync,
    problems_of,
    rate_of,
    schedulers_of,
    share_of_floor,
    speedup,
    versions_of,
)
from gridloom.thesis_mhive.rcm import geometric_mean, interval

# The execution models of tables 8.5 to 8.7; tables of other schedulers have their names.
MODELS = {"time_sliced": "8_5", "megakernel": "8_6", "device_controller": "8_7"}
TITLES = {
    "stages_phases": "stages (p)",
    "stages_individual": "stages (id)",
    "checkpoints_entries": "checkpoints, by entries",
    "autonomous_entries": "autonomous, by entries",
    BASE: "kernel by kernel",
}
THESIS = ["stages_phases", "stages_individual", "checkpoints", "autonomous"]
SMALL, LARGE = 1_000_000, 5_000_000  # entries: below the one, from the other
WORDS = {True: "yes", False: "**no**", None: "in part"}


def labels_of(problems):
    """Names of the systems; the precision too where a file has several."""
    several = len({p.precision for p in problems}) > 1
    return [f"`{p.name}`" + (f", {p.precision}" if several else "") for p in problems]


def time_cell(arm):
    """Microseconds an iteration with the interval, and what became of runs that failed."""
    if arm is None:
        return NONE
    if not len(arm.us):
        return arm.failed
    text = "{} [{}, {}]".format(*map(number, median_interval(arm.us)))
    return f"{text}; {arm.failed}" if arm.failed else text


def percent(share):
    return f"{100 * share:.3g} %"


def captioned(caption, text):
    return f"{caption}\n\n{text}"


def matrices_table(problems):
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        fewest, most = p.iterations
        runs = NONE if most == 0 else f"{fewest:,}" + (f" to {most:,}" if most > fewest else "")
        rows.append([label, f"{p.rows:,}", f"{p.entries:,}", f"{p.entries / p.rows:.1f}", runs])
    heads = ["matrix", "rows", "entries", "entries a row", "iterations of a run"]
    return table(heads, rows)


def model_table(problems, scheduler):
    """Microseconds an iteration under one scheduler, and of the baseline that has none."""
    versions = in_order({*THESIS, *versions_of(problems, scheduler)}, SCHEDULED)
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        cells = [time_cell(p.arms.get((version, scheduler))) for version in versions]
        rows.append([label, *cells, time_cell(p.arms.get((BASE, "none")))])
    heads = [TITLES.get(version, version) for version in [*versions, BASE]]
    return table(["matrix", *heads], rows)


def floor_cell(arm, floor):
    text = time_cell(arm)
    if arm is None or not len(arm.us) or floor is None:
        return text
    return f"{text}, {percent(floor / arm.median)}"


def rate_text(rate, machine):
    if rate is None:
        return f"no byte floor, as the rate of a copy on this machine ({machine}) is not known"
    return (
        "percentages: the byte floor over the time; the floor is values, columns, offsets, right "
        f"side, x read and x written once each at {rate:g} TB/s, the rate of a copy"
    )


def arm_of_ours(problem, version):
    """Under whatever scheduler the file says."""
    arms = [arm for arm in problem.arms.values() if arm.version == version]
    return min(arms, key=lambda arm: arm.median if len(arm.us) else float("inf"), default=None)


def checks_text(problems):
    """How often residuals are judged: a comparison is of versions that do not do the same there."""
    arms = [arm for p in problems for arm in p.arms.values()]
    at_checks = sorted({a.check_every for a in arms if a.version in RESIDUAL_AT_CHECKS})
    others = sorted({a.check_every for a in arms if a.version not in RESIDUAL_AT_CHECKS})
    never = ", at `graph_while` never" if any(a.version == "graph_while" for a in arms) else ""
    parts = []
    if at_checks:
        names = in_order({a.version for a in arms if a.version in RESIDUAL_AT_CHECKS}, OURS)
        intervals = " or ".join(f"{every:,}" for every in at_checks)
        what = "iteration" if at_checks == [1] else f"{intervals} iterations"
        parts.append(f"{', '.join(f'`{name}`' for name in names)} judge the residual every {what}")
    if others:
        intervals = " or ".join(f"{every:,}" for every in others)
        parts.append(
            "the other versions judge it in every iteration"
            f" (the host looks at streams and graphs every {intervals}{never})"
        )
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def baselines_table(problems, rate):
    versions = [version for version in versions_of(problems, "none") if version not in OURS]
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        floor = p.floor_us(rate) if rate else None
        best = p.fastest(lambda arm: arm.is_mhive)
        cells = [floor_cell(p.arms.get((version, "none")), floor) for version in versions]
        cells.append(f"{floor_cell(best, floor)} (`{best.name}`)" if best else NONE)
        cells += [floor_cell(arm_of_ours(p, version), floor) for version in OURS]
        rows.append([label, *cells, number(floor) if floor else NONE])
    heads = [f"`{version}`" for version in versions] + ["best of MHive"]
    heads += [*(f"`{version}`" for version in OURS), "byte floor"]
    caption = f"µs an iteration; {rate_text(rate, problems[0].machine)}. {checks_text(problems)}."
    return captioned(caption, table(["matrix", *heads], rows))


def best_table(problems, rate):
    """The fastest of MHive's versions and ours on each matrix beside what it is held against."""
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        best = p.fastest(is_best_of)
        if best is None:
            rows.append([label, *[NONE] * 6])
            continue
        cells = [f"`{best.name}`", number(best.median)]
        for over in (p.arm(BASE), p.fastest(is_graph), p.fastest(is_grid_sync)):
            cells.append(NONE if over is None else ratio_text(interval(speedup(over, best))))
        cells.append(percent(p.floor_us(rate) / best.median) if rate else NONE)
        rows.append([label, *cells])
    heads = ["matrix", "best version", "µs an iteration", f"over `{BASE}`", "over the best graph"]
    return table([*heads, "over `grid_sync`", "of the byte floor"], rows, left=2)


def ratio_text(values):
    return "{:.3g} [{:.3g}, {:.3g}]".format(*values)


def memory_table(problems):
    """Millions of bytes on the device, and what Eq. 8.3 says of the published program."""
    there = {arm.version for p in problems for arm in p.arms.values() if arm.device_bytes > 0}
    versions = in_order(there, [*SCHEDULED, *BASELINES, *OURS])
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        cells = [label, number(p.thesis_bytes / 1e6)]
        for version in versions:
            held = [a.device_bytes / 1e6 for a in p.arms.values() if a.version == version]
            held = sorted(value for value in held if value > 0)
            ends = dict.fromkeys(number(value) for value in (*held[:1], *held[-1:]))
            cells.append(" to ".join(ends) or NONE)
        rows.append(cells)
    return table(["matrix", "Eq. 8.3", *(f"`{version}`" for version in versions)], rows)


def setup_table(problems):
    """What the arms take before their first run, and what iterations it takes to make up for it."""
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        arms = [p.arm(BASE), p.fastest(is_graph), p.fastest(is_grid_sync)]
        arms += [p.arm(version) for version in OURS[::2]]
        cells = [NONE if arm is None else setup_cell(arm) for arm in arms]
        best = p.fastest(is_best_of)
        cells += [made_up_after(arm, best) for arm in arms[:2]]
        rows.append([label, *cells])
    heads = ["matrix", f"`{BASE}`", "best graph", "`grid_sync`", *(f"`{v}`" for v in OURS[::2])]
    return table([*heads, f"made up for over `{BASE}`", "over the best graph"], rows)


def setup_cell(arm):
    return NONE if np.isnan(arm.setup_ms) else number(arm.setup_ms)


def made_up_after(slower, best):
    """Iterations after which the best version has had less time than `slower`, set-up included."""
    if slower is None or best is None or slower.median <= best.median:
        return NONE
    behind_us = (best.setup_ms - slower.setup_ms) * 1e3
    if np.isnan(behind_us):
        return NONE
    return f"{max(int(np.ceil(behind_us / (slower.median - best.median))), 0):,}"


# --- what was to be reached ----------------------------------------------------------------


def reached_by(worst, mean, limit):
    """Yes by the worst case, in part by the mean alone."""
    if limit is None:
        return NONE
    return WORDS[True if worst >= limit else None if mean >= limit else False]


def figure_row(problems, what, limit, measure, asked="≥ {:g}", shown=ratio_text):
    """(figure, asked, worst case, geometric mean, whether reached).

    `measure(problem, best, seed)`: (value, resampled values), or None without something to compare
    with. The best version is chosen by its median on each matrix, one on which all failed is a
    miss.
    """
    asked = NONE if limit is None else asked.format(limit).replace("%", " %")
    found, best, lost, without = {}, {}, [], []
    for seed, (label, p) in enumerate(zip(labels_of(problems), problems, strict=True)):
        best[label] = p.fastest(is_best_of)
        value = measure(p, best[label], seed) if best[label] else None
        if value is not None:
            found[label] = value
        else:
            (without if best[label] else lost).append(label)
    notes = f"; failed on {', '.join(lost)}" if lost else ""
    notes += f"; nothing to compare with on {', '.join(without)}" if without else ""
    missed = WORDS[False] if lost and limit is not None else None
    if not found:
        return what, asked, "not measured" + notes, NONE, missed or NONE
    worst = min(found, key=lambda label: found[label][0])
    mean = geometric_mean(found)
    text = f"{shown(interval(found[worst]))}, {worst} by `{best[worst].name}`{notes}"
    reached = missed or reached_by(found[worst][0], mean[0], limit)
    return what, asked, text, f"{shown(mean)}, {counted(found)}", reached


def over(choose):
    """A measure of figure_row: how many times as fast as the arm that choose(problem) gives."""

    def measure(problem, best, seed):
        other = choose(problem)
        return None if other is None else speedup(other, best, seed)

    return measure


def of_floor(rate, with_diagonal=False):
    def measure(problem, best, seed):
        return share_of_floor(problem.floor_us(rate, with_diagonal), best, seed) if rate else None

    return measure


def share_text(values):
    return "{:.3g} % [{:.3g}, {:.3g}]".format(*(100 * value for value in values))


def figure_rows(problems, rate):
    """The rows of figure_row by short names."""
    small = [p for p in problems if p.entries < SMALL]
    large = [p for p in problems if p.entries >= LARGE]
    below, above = f"entries < {SMALL:,}", f"entries ≥ {LARGE:,}"
    graph = over(lambda p: p.fastest(is_graph))
    floor = f"fraction of the byte floor, {above}"
    shares = {"asked": "≥ {:.0%}", "shown": share_text}
    return {
        "base": figure_row(
            small, f"best version over `{BASE}`, {below}", 8, over(lambda p: p.arm(BASE))
        ),
        "graph": figure_row(small, f"over the best graph arm, {below}", 1.3, graph),
        "grid_sync": figure_row(
            small, f"over `grid_sync`, {below}", 1, over(lambda p: p.fastest(is_grid_sync))
        ),
        "floor": figure_row(large, floor, 0.75, of_floor(rate), **shares),
        "diagonal": figure_row(
            large, f"{floor}, an array of the diagonal counted too", None, of_floor(rate, True),
            **shares,
        ),
        "large graph": figure_row(large, f"over the best graph arm, {above}", 1, graph),
    }  # fmt: skip


def figures_table(problems, rate):
    rows = figure_rows(problems, rate).values()
    heads = ["figure", "asked", "measured: worst case", "geometric mean", "reached"]
    floor = "" if rate is None else f"; the byte floor is that of a copy at {rate:g} TB/s"
    there = versions_of(problems, "none")
    graphs = ", ".join(f"`{name}`" for name in GRAPHS if name in there)
    best_graph = f", the best graph arm the fastest of {graphs}" if graphs else ""
    if set(GRID_SYNCS) <= set(there):
        best_graph += f", `{GRID_SYNCS[0]}` the faster of it and `{GRID_SYNCS[1]}`"
    caption = (
        f"The best version is the fastest of MHive's and ours on each matrix{best_graph}. "
        f"Ratios of medians with bootstrap 95 % intervals{floor}. {checks_text(problems)}."
    )
    return captioned(caption, table(heads, rows, left=len(heads)))


def headline(problems, rate):
    """For the row of the repository's README; empty without its arms."""
    rows = figure_rows(problems, rate)
    means = {name: rows[name][3].split(" [")[0] for name in ("base", "floor")}
    texts = []
    if means["base"] != NONE:
        texts.append(f"{means['base']} × kernel by kernel below {SMALL:,} entries")
    if means["floor"] != NONE:
        texts.append(f"{means['floor']} of the byte floor from {LARGE:,} entries")
    if not texts:
        return ""
    machine = problems[0].machine
    return f"Jacobi method, {machine}, best version, geometric means: {' and '.join(texts)}"


def tables(path, bandwidth_tb_s=None):
    problems = problems_of(read_runs(path))
    machines = sorted({f"{p.machine} ({p.backend})" for p in problems})
    if len(machines) > 1:
        raise PlotError(f"expected the results of one machine, got {', '.join(machines)}")
    rate = rate_of(problems[0].machine, bandwidth_tb_s)
    found = {"figures": figures_table(problems, rate), "8_4": matrices_table(problems)}
    for scheduler in schedulers_of(problems):
        found[MODELS.get(scheduler, scheduler)] = model_table(problems, scheduler)
    found["baselines"] = baselines_table(problems, rate)
    found["best"] = best_table(problems, rate)
    found["memory"] = memory_table(problems)
    if not all(np.isnan(arm.setup_ms) for p in problems for arm in p.arms.values()):
        found["setup"] = setup_table(problems)
    if line := headline(problems, rate):
        found["headline"] = line
    return found


if __name__ == "__main__":
    sys.exit(main(__doc__, tables, BANDWIDTH_OPTION))
