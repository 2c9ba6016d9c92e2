"""What the figures of MHive share: reading a trace file, packing tasks into rows, drawing.

A trace file of mhive-generic holds /trace (one row a task), /tree (one a task type) and /edges.
A figure shows the execution tree beside the scheduling plot of one scheduler, with phases above and
with individual dependencies below, on one time axis.
"""

import argparse
import heapq
import sys
from pathlib import Path

import h5py
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from gridloom.figure import save
from gridloom.results import PlotError, read_column, read_meta
from gridloom.style import FILLS, HATCHES, use_style
from gridloom.text import duration

KINDS = ["phases", "individual"]
TITLES = {"phases": "phases", "individual": "individual dependencies"}
COLUMNS = {
    "trace": ["arm", "worker", "node", "begin_ns", "end_ns"],
    "tree": ["node", "name", "phase", "worker", "flops"],
    "edges": ["from", "to", "probability"],
}
MOST_ROWS = 200  # beyond, a figure is no longer readable: the first are drawn


def read_trace(path):
    """The three tables as dicts of columns, and /meta. Raises PlotError."""
    path = Path(path)
    if not path.is_file():
        raise PlotError(f"{path}: no such file")
    try:
        with h5py.File(path, "r") as file:
            tables = {}
            for table, names in COLUMNS.items():
                missing = [n for n in names if table not in file or n not in file[table]]
                if missing:
                    raise PlotError(
                        f"{path}: no /{table}/{missing[0]}; not a trace of mhive-generic"
                    )
                tables[table] = {name: read_column(file[table][name]) for name in names}
    except OSError as error:
        raise PlotError(f"{path}: not a readable HDF5 file ({error})") from error
    if len(tables["trace"]["arm"]) == 0:
        raise PlotError(f"{path}: /trace has no rows")
    return tables, read_meta(path)


def arm_of(trace, scheduler, kind):
    """The tasks of one arm as a dict of columns, by begin. Raises PlotError when there are none."""
    keep = trace["arm"] == f"{scheduler}, {kind}"
    if not keep.any():
        arms = ", ".join(f"'{arm}'" for arm in dict.fromkeys(trace["arm"].tolist()))
        raise PlotError(f"no tasks of '{scheduler}, {kind}' in /trace, only of {arms}")
    part = {name: values[keep] for name, values in trace.items()}
    order = np.argsort(part["begin_ns"], kind="stable")
    return {name: values[order] for name, values in part.items()}


def pack(begin, end):
    """A row for each task, tasks sorted by begin: the row that has been free longest, else a new
    one. No two tasks of a row overlap, and there are as few rows as tasks at one moment."""
    rows = np.empty(len(begin), dtype=int)
    busy = []  # (end of its last task, row)
    for task, (first, last) in enumerate(zip(begin, end, strict=True)):
        row = heapq.heappop(busy)[1] if busy and busy[0][0] <= first else len(busy)
        heapq.heappush(busy, (last, row))
        rows[task] = row
    return rows


def levels(tree, edges, by_phase):
    """A level for each node: its phase, or the longest way from a root."""
    if by_phase:
        return [int(phase) for phase in tree["phase"]]
    level = [0] * len(tree["node"])
    # Edges lead to higher numbers, sorted by target: one pass settles all.
    for source, target in zip(edges["from"], edges["to"], strict=True):
        level[target] = max(level[target], level[source] + 1)
    return level


def style_of(node):
    """Neighbours differ in lightness and hatch; both repeat at different lengths."""
    shift = node // len(FILLS)
    return FILLS[node % len(FILLS)], HATCHES[(node + shift) % len(HATCHES)]


def draw_tree(axes, tree, edges, by_phase):
    level = levels(tree, edges, by_phase)
    place = {}
    for depth in sorted(set(level)):
        nodes = [node for node in range(len(level)) if level[node] == depth]
        for k, node in enumerate(nodes):
            # A little slanted, so that edges over several levels do not run through nodes.
            place[node] = (k - (len(nodes) - 1) / 2, -depth - 0.16 * (k % 2))
    for source, target, p in zip(edges["from"], edges["to"], edges["probability"], strict=True):
        far = level[target] - level[source] > 1
        axes.annotate(
            "", place[target], place[source],
            arrowprops={
                "arrowstyle": "-|>", "color": "#444444", "linewidth": 0.5 + p,
                "linestyle": "-" if p >= 1 else "--", "shrinkA": 9, "shrinkB": 9,
                "connectionstyle": f"arc3,rad={0.2 if far else 0}",
            },
        )  # fmt: skip
    for node, (x, y) in place.items():
        fill, hatch = style_of(node)
        axes.scatter(
            [x], [y], s=300, marker="o" if tree["worker"][node] < 256 else "s",
            facecolor=fill, hatch=hatch, edgecolor="black", linewidth=0.8, zorder=3,
        )  # fmt: skip
        axes.text(
            x, y, tree["name"][node], ha="center", va="center", fontsize=6.5, zorder=4,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85},
        )  # fmt: skip
    axes.margins(0.18)
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.spines[["left", "bottom"]].set_visible(False)
    if by_phase:
        depths = sorted(set(level))
        axes.set_yticks([-d - 0.05 for d in depths], [f"phase {d}" for d in depths])
        axes.tick_params(axis="y", length=0)
    else:
        axes.set_yticks([])


def draw_tasks(axes, part, unit):
    rows = pack(part["begin_ns"], part["end_ns"])
    begin, end = part["begin_ns"] / unit, part["end_ns"] / unit
    for node in np.unique(part["node"]):
        fill, hatch = style_of(int(node))
        mine = (part["node"] == node) & (rows < MOST_ROWS)
        boxes = [
            [(b, row - 0.42), (e, row - 0.42), (e, row + 0.42), (b, row + 0.42)]
            for b, e, row in zip(begin[mine], end[mine], rows[mine], strict=True)
        ]
        axes.add_collection(
            PolyCollection(boxes, facecolor=fill, hatch=hatch, edgecolor="black", linewidth=0.3)
        )
    count = int(rows.max()) + 1
    axes.set_ylim(min(count, MOST_ROWS) - 0.4, -0.6)
    axes.set_ylabel("workers" if count <= MOST_ROWS else f"workers (first {MOST_ROWS} of {count})")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(visible=False, axis="y")
    axes.axvline(end.max(), color="black", linewidth=0.9, linestyle=":")


def draw(tables, meta, scheduler, title):
    """The figure. Raises PlotError when an arm is not in the trace."""
    parts = {kind: arm_of(tables["trace"], scheduler, kind) for kind in KINDS}
    use_style()
    figure, grid = plt.subplots(
        2, 2, figsize=(10, 6.4), layout="constrained", width_ratios=[1, 2.1], squeeze=False
    )
    longest = max(part["end_ns"].max() for part in parts.values())
    units = ((1e6, "ms"), (1e3, "µs"), (1, "ns"))
    unit, name = next((u, n) for u, n in units if longest >= 2 * u or u == 1)
    for (left, right), kind in zip(grid, KINDS, strict=True):
        draw_tree(left, tables["tree"], tables["edges"], by_phase=kind == "phases")
        draw_tasks(right, parts[kind], unit)
        right.set_xlim(0, 1.03 * longest / unit)
        right.set_title(f"{TITLES[kind]}: {duration(parts[kind]['end_ns'].max())}")
    grid[1][1].set_xlabel(f"time in {name}")
    tree = tables["tree"]
    handles = []
    for node, task in enumerate(tree["name"]):
        fill, hatch = style_of(node)
        label = f"{task}: {tree['worker'][node]} × {tree['flops'][node]:,}"
        handles.append(Patch(facecolor=fill, hatch=hatch, edgecolor="black", label=label))
    figure.legend(
        handles=handles, loc="outside lower center", ncols=6, title="task: threads × flops",
        title_fontsize=8,
    )  # fmt: skip
    machine = meta.get("gpu", "none")
    machine = meta.get("cpu", "") if machine in ("", "none") else machine
    figure.suptitle(
        f"{title}\n{scheduler}, {meta.get('instances', '?')} instances of {meta.get('tree', '?')},"
        f" {machine}",
        fontsize=10,
    )
    return figure


def main(name, description, title, preset, arguments=None):
    """Runs one plotting script. Returns the exit code."""
    parser = argparse.ArgumentParser(prog=f"{name}.py", description=description)
    parser.add_argument("trace", metavar="TRACE.h5", help="written by mhive-generic --trace")
    parser.add_argument("--scheduler", default="megakernel", help="default: %(default)s")
    parser.add_argument("--output-dir", default="figures", help="default: %(default)s")
    options = parser.parse_args(arguments)
    try:
        tables, meta = read_trace(options.trace)
        if meta.get("tree") != preset:
            raise PlotError(
                f"{options.trace}: expected a trace of {preset}, got {meta.get('tree')}"
            )
        for path in save(draw(tables, meta, options.scheduler, title), name, options.output_dir):
            print(path)
    except PlotError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    return 0
