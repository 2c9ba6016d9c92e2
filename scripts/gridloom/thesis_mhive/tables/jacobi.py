"""Tables of mhive-jacobi's stored runs."""

import numpy as np

from gridloom.results import PlotError, read_runs
from gridloom.statistics import median_interval
from gridloom.text import NONE, in_order, interval, number, percent, table
from gridloom.thesis_mhive import jacobi
from gridloom.thesis_mhive.jacobi import BASE, KERNELS, is_graph, is_grid_sync, rate_of, speedup
from gridloom.thesis_mhive.rcm import interval as rcm_interval

OPTIONS = jacobi.RATE_OPTION
# The execution models of tables 8.5 to 8.7; tables of other schedulers have their names.
MODELS = {"time_sliced": "8_5", "megakernel": "8_6", "device_controller": "8_7"}
TITLES = {
    "stages_phases": "stages (p)",
    "stages_individual": "stages (id)",
    "checkpoints_entries": "checkpoints, by entries",
    "autonomous_entries": "autonomous, by entries",
    "shares": "shares (ours)",
}
THESIS = ["stages_phases", "stages_individual", "checkpoints", "autonomous"]


def time_cell(arm):
    """Microseconds per iteration with the interval, and the status of failed runs."""
    if arm is None:
        return NONE
    if not len(arm.us):
        return arm.failed
    text = interval(median_interval(arm.us))
    return f"{text}; {arm.failed}" if arm.failed else text


def labels_of(problems):
    """Names of the systems, with the precision if a file has several."""
    several = len({p.precision for p in problems}) > 1
    return [f"`{p.name}`" + (f", {p.precision}" if several else "") for p in problems]


def matrices_table(problems):
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        fewest, most = p.iterations
        runs = NONE if most == 0 else f"{fewest:,}" + (f" to {most:,}" if most > fewest else "")
        rows.append([label, f"{p.rows:,}", f"{p.entries:,}", f"{p.entries / p.rows:.1f}", runs])
    heads = ["matrix", "rows", "entries", "entries per row", "iterations of a run"]
    return table(heads, rows)


def model_table(problems, scheduler):
    """Microseconds per iteration under one scheduler."""
    versions = in_order({*THESIS, *jacobi.versions_of(problems, scheduler)}, jacobi.SCHEDULED)
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        rows.append([label, *(time_cell(p.arms.get((version, scheduler))) for version in versions)])
    return table(["matrix", *(TITLES.get(version, version) for version in versions)], rows)


def baselines_table(problems, given):
    """Microseconds per iteration. The byte floor reads values, columns, offsets, right side and x,
    and writes x, once each at the read bandwidth."""
    versions = [v for v in jacobi.versions_of(problems, "none") if v not in KERNELS]
    has_mhive = any(arm.is_mhive for p in problems for arm in p.arms.values())
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        rate = rate_of(p, given)
        floor = p.floor_us(rate) if rate else None
        best = p.fastest(lambda arm: arm.is_mhive)
        cells = [time_cell(p.arms.get((version, "none"))) for version in versions]
        if has_mhive:
            cells.append(f"{time_cell(best)} (`{best.name}`)" if best else NONE)
        cells += [time_cell(p.arms.get((version, "none"))) for version in KERNELS]
        rows.append([label, *cells, *([number(floor)] if floor else [])])
    heads = [f"`{version}`" for version in versions] + ["best of MHive"] * has_mhive
    heads += [f"`{version}`" for version in KERNELS]
    rate = rate_of(problems[0], given)
    heads += [f"byte floor at {rate:.3g} TB/s"] if rate else []
    return table(["matrix", *heads], rows)


def best_table(problems, given):
    """The fastest of MHive's versions and ours on each matrix, beside the baselines."""
    heads = [
        "matrix",
        "best version",
        "µs per iteration",
        f"over `{BASE}`",
        "over the best graph",
    ]
    heads += [
        "over `grid_sync`",
        *(["of the byte floor"] if rate_of(problems[0], given) else []),
    ]
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        best, rate = p.fastest(jacobi.is_best_of), rate_of(p, given)
        if best is None:
            rows.append([label, *[NONE] * (len(heads) - 1)])
            continue
        cells = [f"`{best.name}`", number(best.median)]
        for over in (
            p.arm(BASE),
            p.fastest(is_graph),
            p.fastest(is_grid_sync),
        ):
            cells.append(NONE if over is None else interval(rcm_interval(speedup(over, best))))
        rows.append([label, *cells, *([percent(p.floor_us(rate) / best.median)] if rate else [])])
    return table(heads, rows, left=2)


def memory_table(problems):
    """Millions of bytes on the device, least and most, and the value of Eq. 8.3."""
    kinds = {"as published": jacobi.SCHEDULED, "baselines": jacobi.BASELINES}
    kinds |= {f"`{version}`": [version] for version in jacobi.OURS}
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        cells = [label, number(p.thesis_bytes / 1e6)]
        for versions in kinds.values():
            held = [a.device_bytes / 1e6 for a in p.arms.values() if a.version in versions]
            held = sorted(value for value in held if value > 0)
            ends = dict.fromkeys(number(value) for value in (*held[:1], *held[-1:]))
            cells.append(" to ".join(ends) or NONE)
        rows.append(cells)
    return table(["matrix", "Eq. 8.3", *kinds], rows)


def setup_table(problems):
    """The set-up of the arms, and after how many iterations the best version is faster with its
    set-up."""
    rows = []
    for label, p in zip(labels_of(problems), problems, strict=True):
        rivals = [p.arm(BASE), p.fastest(is_graph), p.fastest(is_grid_sync)]
        best = p.fastest(jacobi.is_best_of)
        cells = [f"`{best.name}`" if best else NONE]
        set_ups = (arm.setup_ms if arm else np.nan for arm in (best, *rivals))
        cells += [NONE if np.isnan(ms) else number(ms) for ms in set_ups]
        after = (jacobi.made_up_after(arm, best) for arm in rivals)
        rows.append([label, *cells, *(NONE if n is None else f"{n:,}" for n in after)])
    heads = [
        "matrix",
        "best version",
        "its set-up",
        f"`{BASE}`",
        "best graph",
        "`grid_sync`",
    ]
    heads += [f"iterations: over `{BASE}`", "over the best graph", "over `grid_sync`"]
    return table(heads, rows, left=2)


def texts_of(path, read_tb_s=None):
    problems = jacobi.problems_of(read_runs(path))
    machines = sorted({f"{p.machine} ({p.backend})" for p in problems})
    if len(machines) > 1:
        raise PlotError(f"expected the results of one machine, got {', '.join(machines)}")
    found = {"8_4": matrices_table(problems)}
    for scheduler in jacobi.schedulers_of(problems):
        found[MODELS.get(scheduler, scheduler)] = model_table(problems, scheduler)
    found["baselines"] = baselines_table(problems, read_tb_s)
    found["best"] = best_table(problems, read_tb_s)
    found["memory"] = memory_table(problems)
    if not all(np.isnan(arm.setup_ms) for p in problems for arm in p.arms.values()):
        found["setup"] = setup_table(problems)
    return found
