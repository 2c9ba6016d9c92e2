#!/usr/bin/env python3
"""Fig. 8.2 of the MHive thesis: where the time of the ordering goes, by task type and scheduler.

A bar an arm, from the traced run that mhive-rcm --parts adds: for each task type the time during
which at least one of its tasks ran. Phases keep types apart, so the parts of a bar follow each
other and its rest is the scheduler. The line across is the median of the runs without a trace.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Patch

from gridloom.charts import frame, left_out_note
from gridloom.figure import main
from gridloom.results import PlotError, read_files, read_table
from gridloom.style import fill_style, use_style
from gridloom.text import duration
from gridloom.thesis_mhive.collection import Collection
from gridloom.thesis_mhive.rcm import (
    matrices_of,
    place,
    prepared,
    real_and_generated,
    samples,
    short,
    title,
)

ARMS = ["tsk", "mk", "pdc"]
COLUMNS = ["arm", "matrix", "place", "part", "tasks", "busy_ms", "elapsed_ms"]
MOST = 6  # matrices in one figure


def read(paths):
    """(runs, /parts of all files as one dict of columns). Raises PlotError."""
    runs = prepared(read_files(paths))
    if several := sorted({label for label in runs["label"] if "," in label}, key=place):
        raise PlotError(f"expected one number of workers, got {'; '.join(several)}")
    tables = [parts_of(path) for path in paths]
    return runs, {name: np.concatenate([table[name] for table in tables]) for name in COLUMNS}


def parts_of(path):
    return dict(read_table(path, "parts", COLUMNS, "mhive-rcm --parts"))


def times_of(parts, matrix, arm):
    """{part: ms} in the order of phases; the median where the file has several traced runs."""
    keep = (parts["matrix"] == matrix) & (parts["arm"] == arm)
    values = {}
    for index in sorted(np.flatnonzero(keep), key=lambda i: parts["place"][i]):
        values.setdefault(parts["part"][index], []).append(float(parts["elapsed_ms"][index]))
    return {part: float(np.median(times)) for part, times in values.items()}


def largest(runs, wanted):
    """MOST of the matrices, which come by size: the largest real ones, and as many others."""
    real, others = (
        [name for name in names if name in wanted]
        for names in real_and_generated(runs, Collection())
    )
    half = min(len(others), max(MOST // 2, MOST - len(real)))
    return real[-(MOST - half) :] + others[-half:] if half else real[-MOST:]


def draw_matrix(axes, matrix, bars, medians, types):
    """Horizontal bars of `bars` ({arm: {part: ms}}) with their medians in ms."""
    longest = max([sum(times.values()) for times in bars.values()] + list(medians.values()))
    unit, name = next(
        (u, n) for u, n in ((1e3, "s"), (1, "ms"), (1e-3, "µs")) if longest >= 2 * u or u < 1
    )
    for y, (arm, times) in enumerate(bars.items()):
        left = 0.0
        for part, ms in times.items():
            # Narrow parts have no outline: it would be all that is seen of them.
            wide = ms > longest / 100
            axes.barh(
                y, ms / unit, left=left / unit, height=0.62, edgecolor="black",
                linewidth=0.5 if wide else 0, **fill_style(types.index(part), hatched=wide),
            )  # fmt: skip
            left += ms
        if arm in medians:
            at = medians[arm] / unit
            axes.plot([at, at], [y - 0.42, y + 0.42], color="black", linewidth=1.6)
            axes.annotate(
                duration(medians[arm] * 1e6), (max(at, left / unit), y), xytext=(5, 0),
                textcoords="offset points", va="center", fontsize=8,
            )  # fmt: skip
    axes.set_yticks(range(len(bars)), [title(arm) for arm in bars])
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlim(0, 1.22 * longest / unit)
    axes.set_xlabel(f"time in {name}")
    axes.set_title(matrix, fontsize=8.5)
    axes.grid(visible=False, axis="y")


def draw(tables, matrix=()):
    """The figure. Raises PlotError when there is nothing of the arms, or not of those chosen."""
    (runs, parts), chosen = tables, matrix
    there = {}
    for name in matrices_of(runs):
        bars = {arm: times_of(parts, name, arm) for arm in ARMS}
        if bars := {arm: times for arm, times in bars.items() if times}:
            there[name] = bars
    for name in chosen:
        if name not in map(short, there) and name not in there:
            known = ", ".join(map(short, there)) or "none"
            raise PlotError(f"no traced run of {name} in /parts, only of {known}")
    wanted = [m for m in there if not chosen or m in chosen or short(m) in chosen]
    if not wanted:
        raise PlotError(f"no traced run of {', '.join(ARMS)} in /parts")
    if len(wanted) > MOST:
        kept = largest(runs, wanted)
        lost = ", ".join(short(name) for name in wanted if name not in kept)
        print(f"Left out, more than {MOST} matrices: {lost}")
        wanted = kept
    arms = [arm for arm in ARMS if any(arm in there[name] for name in wanted)]
    types = list(dict.fromkeys(p for m in wanted for arm in there[m].values() for p in arm))
    use_style()
    columns = min(len(wanted), 3)
    height = -(-len(wanted) // columns)
    figure, grid = plt.subplots(
        height, columns, figsize=(3.4 * columns + 0.4, (0.4 * len(arms) + 0.8) * height),
        layout="constrained", squeeze=False,
    )  # fmt: skip
    for axes, name in zip(grid.flat, wanted, strict=False):
        found = {arm: samples(runs, name, arm, "order_ms") for arm in there[name]}
        medians = {arm: float(np.median(values)) for arm, values in found.items() if len(values)}
        draw_matrix(axes, short(name), there[name], medians, types)
    for axes in grid.flat[len(wanted) :]:
        axes.set_visible(False)
    handles = [
        Patch(edgecolor="black", linewidth=0.5, label=part, **fill_style(i))
        for i, part in enumerate(types)
    ]
    handles.append(plt.Line2D([], [], color="black", linewidth=1.6, label="median without trace"))
    own = runs.mask(np.isin(runs["arm"].astype(str), ARMS))
    notes = [
        "One run with a trace: the time during which at least one task of a type ran. What a bar "
        "lacks to its line is the scheduler.",
        *left_out_note(own),
    ]
    heading = "MHive: time of the ordering by task type (Fig. 8.2)"
    frame(figure, heading, f"{own['machine'][0]} ({own['backend'][0]})", notes, handles, columns=5)
    return figure


FILES = {"help": "written by mhive-rcm --parts"}
MATRIX = {
    "action": "append",
    "default": [],
    "metavar": "NAME",
    "help": "default: the largest, real ones and others",
}

if __name__ == "__main__":
    more = {"matrix": MATRIX}
    sys.exit(main("mhive_fig8_2", __doc__, draw, more=more, read=read, files=FILES))
