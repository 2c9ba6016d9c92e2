#!/usr/bin/env python3
"""Fig. 8.2 of the MHive thesis: the time of the ordering by task type and scheduler.

There is one bar per arm, as long as the median time of its ordering without a trace. Its boxes come
from a further run with a trace, which mhive-rcm --parts makes. A box is the time during which at
least one task of a type ran. Phases separate the types, so these times add up. The rest of the bar
is white: no task runs while phases change, queues are filled and the counts of children are
prepared."""

import numpy as np
from matplotlib.patches import Patch

from gridloom.charts import frame, left_out_note, wrapped_panels
from gridloom.figure import main
from gridloom.results import PlotError, joined, read_files, read_table
from gridloom.style import GREY, fill_style
from gridloom.text import duration
from gridloom.thesis_mhive import rcm
from gridloom.thesis_mhive.collection import Collection
from gridloom_datasets.errors import say

ARMS = ["tsk", "mk", "pdc"]
COLUMNS = ["arm", "matrix", "place", "part", "elapsed_ms"]
SORTING = ["sort_block", "sort_delegate", "sort_global"]
MOST = 6  # a figure has at most so many matrices
WIDTH = 7.4  # width of a printed page in inches
# Greys for what comes before the sort, one colour in three shades for the sort.
BOXES = {"create_sort_data": 0, "compress_sort_data": 5, "delegate": 10}
BOXES |= {"sort_block": 6, "sort_delegate": 1, "sort_global": 11}
IDLE = {"facecolor": "white", "edgecolor": GREY, "linewidth": 0.6, "linestyle": ":"}


def read(paths):
    """(runs, /parts of all files). Raises PlotError."""
    runs = rcm.prepared(read_files(paths))
    if several := sorted({label for label in runs["label"] if "," in label}, key=rcm.place):
        raise PlotError(f"expected one number of workers, got {'; '.join(several)}")
    tables = [read_table(path, "parts", COLUMNS, "mhive-rcm --parts") for path in paths]
    return runs, joined(tables)


def largest(runs, wanted):
    """MOST of the matrices, which are sorted by size: the largest real ones, and as many others."""
    real, others = (
        [name for name in names if name in wanted]
        for names in rcm.real_and_generated(runs, Collection())
    )
    half = min(len(others), max(MOST // 2, MOST - len(real)))
    return real[-(MOST - half) :] + others[-half:] if half else real[-MOST:]


def thesis_name(part):
    """The thesis's name of a part: create_sort_data is CreateSortData there."""
    return "".join(word.capitalize() for word in part.split("_"))


def box_style(part, wide=True):
    return fill_style(BOXES.get(part, 4), hatched=wide and part in SORTING)


def shares_text(times, whole):
    """The shares of the bar's parts in percent, as text."""
    sorting = sum(ms for part, ms in times.items() if part in SORTING)
    others = sum(times.values()) - sorting
    shares = {"sorting": sorting, "other tasks": others, "no task": whole - sorting - others}
    return ", ".join(f"{100 * ms / whole:.0f} % {name}" for name, ms in shares.items() if ms > 0)


def draw_matrix(axes, matrix, bars, medians):
    """Horizontal bars of `bars` ({arm: {part: ms}}), as long as their medians in ms."""
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
                y, ms / unit, left=left / unit, height=0.46, edgecolor="black",
                linewidth=0.5 if wide else 0, **box_style(part, wide),
            )  # fmt: skip
            left += ms
        if arm not in medians:
            continue
        whole = medians[arm]
        if whole > left:
            axes.barh(y, (whole - left) / unit, left=left / unit, height=0.46, **IDLE)
        axes.annotate(
            duration(whole * 1e6), (max(whole, left) / unit, y), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize=8,
        )  # fmt: skip
        axes.annotate(
            shares_text(times, whole), (0, y + 0.26), xytext=(2, 0), textcoords="offset points",
            va="top", fontsize=7.5, color=GREY,
        )  # fmt: skip
    axes.set_yticks(range(len(bars)), [rcm.title(arm) for arm in bars])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(bars) - 0.35, -0.4)
    axes.set_xlim(0, 1.25 * longest / unit)
    axes.set_xlabel(f"time of the ordering in {name}")
    axes.set_title(matrix, fontsize=8.5)
    axes.grid(visible=False, axis="y")


def draw(tables):
    """Draws the figure. Raises PlotError if the arms have no rows."""
    runs, parts = tables
    # The medians if the file has several traced runs, in the order of phases.
    parts = parts.sort_values("place", kind="stable")
    there = {}
    for name in rcm.matrices_of(runs):
        for arm in (arm for arm in ARMS if len(parts.only(matrix=name, arm=arm))):
            times = parts.only(matrix=name, arm=arm).groupby("part", sort=False)["elapsed_ms"]
            there.setdefault(name, {})[arm] = times.median().to_dict()
    wanted = list(there)
    if not wanted:
        raise PlotError(f"no traced run of {', '.join(ARMS)} in /parts")
    if len(wanted) > MOST:
        kept = largest(runs, wanted)
        lost = ", ".join(rcm.short(name) for name in wanted if name not in kept)
        say(f"Left out, more than {MOST} matrices: {lost}")
        wanted = kept
    arms = [arm for arm in ARMS if any(arm in there[name] for name in wanted)]
    types = list(dict.fromkeys(p for m in wanted for arm in there[m].values() for p in arm))
    height = 0.46 * len(arms) + 0.7
    figure, grid = wrapped_panels(len(wanted), 2, lambda _, rows: (WIDTH, height * rows))
    for axes, name in zip(grid.flat, wanted, strict=False):
        found = {arm: rcm.samples(runs, name, arm, "order_ms") for arm in there[name]}
        medians = {arm: float(np.median(values)) for arm, values in found.items() if len(values)}
        draw_matrix(axes, rcm.short(name), there[name], medians)
    handles = [
        Patch(edgecolor="black", linewidth=0.5, label=thesis_name(part), **box_style(part))
        for part in types
    ]
    handles.append(Patch(label="no task runs", **IDLE))
    own = runs.mask(np.isin(runs["arm"].astype(str), ARMS))
    notes = [
        "Whole bar: the median of the runs without a trace. Boxes: the time during which at least",
        "one task of a type ran, in one more run, with a trace. Hatched: the tasks that sort;",
        "SortDelegate also places sorted vertices. White: phases change, queues are filled.",
        *left_out_note(own),
    ]
    heading = "MHive: reverse Cuthill–McKee by task type (Fig. 8.2)"
    return frame(
        figure, heading, f"{own['machine'][0]} ({own['backend'][0]})", notes, handles, columns=4
    )


FILES = {"help": "written by mhive-rcm --parts"}
if __name__ == "__main__":
    main("mhive_fig8_2", __doc__, draw, read=read, files=FILES)
