"""What the figures of MHive share: reading a trace file, packing tasks into rows, drawing.

A trace file of mhive-generic holds /trace (one row per task), /tree (one per task type) and /edges.
A figure shows the execution tree beside the scheduling plot of one scheduler, with phases above and
with individual dependencies below, on one time axis.
"""

import heapq
from pathlib import Path

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from gridloom import figure as command
from gridloom.charts import frame, panel_grid
from gridloom.results import PlotError, machine_names, read_column, read_meta
from gridloom.results_file import read_results
from gridloom.style import FILLS, GREY
from gridloom.text import duration

KINDS = ["phases", "individual"]
TITLES = {"phases": "phases", "individual": "individual dependencies"}
COLUMNS = {
    "trace": ["arm", "worker", "node", "begin_ns", "end_ns"],
    "tree": ["node", "name", "phase", "worker", "flops"],
    "edges": ["from", "to", "probability"],
}
MOST_ROWS = 125  # two pixels each
LARGE = 256  # threads of a worker from which on a node is a square


def read_trace(path):
    """The three tables as dicts of columns, and /meta. Raises PlotError."""
    path = Path(path)
    if not path.exists():
        raise PlotError(f"{path}: no such file")

    def read(file):
        tables = {}
        for table, names in COLUMNS.items():
            missing = [n for n in names if table not in file or n not in file[table]]
            if missing:
                raise PlotError(f"{path}: no /{table}/{missing[0]}; not a trace of mhive-generic")
            tables[table] = {name: read_column(file[table][name]) for name in names}
        # Older files have no such table; a trace that was cut was refused then.
        dropped = int(file["traced/dropped"][()].sum()) if "traced/dropped" in file else 0
        return tables, dropped

    tables, dropped = read_results(path, read, PlotError)
    if len(tables["trace"]["arm"]) == 0:
        raise PlotError(f"{path}: /trace has no rows")
    meta = read_meta(path)
    machine = machine_names(meta, path)[meta.get("backend") == "cuda"]
    return tables, meta | {"machine": machine, "dropped": int(dropped)}


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


def fill_of(node):
    return FILLS[node % len(FILLS)]


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
                "arrowstyle": "-|>", "color": GREY, "linewidth": 0.5 + p,
                "linestyle": "-" if p >= 1 else "--", "shrinkA": 9, "shrinkB": 9,
                "connectionstyle": f"arc3,rad={0.2 if far else 0}",
            },
        )  # fmt: skip
    for node, (x, y) in place.items():
        axes.scatter(
            [x], [y], s=300, marker="o" if tree["worker"][node] < LARGE else "s",
            facecolor=fill_of(node), edgecolor="black", linewidth=0.8, zorder=3,
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


def busiest(begin, end):
    """When the most of these tasks run, the middle of the first such time."""
    order = np.argsort(np.concatenate([end, begin]), kind="stable")  # ends come first
    times = np.concatenate([end, begin])[order]
    running = np.cumsum(np.where(order < len(end), -1, 1))
    at = int(np.argmax(running))
    return (times[at] + times[min(at + 1, len(times) - 1)]) / 2


def draw_tasks(axes, part, names, unit):
    """One box per task, without an outline: most are few pixels high or wide.

    Of many workers, each nth is drawn. A name stands where the most tasks of its type run.
    """
    rows = pack(part["begin_ns"], part["end_ns"])
    begin, end = part["begin_ns"] / unit, part["end_ns"] / unit
    count = int(rows.max()) + 1
    each = -(-count // MOST_ROWS)
    shown = -(-count // each)
    for node in np.unique(part["node"]):
        every = part["node"] == node
        mine = every & (rows % each == 0)
        boxes = [
            [(b, row - 0.5), (e, row - 0.5), (e, row + 0.5), (b, row + 0.5)]
            for b, e, row in zip(begin[mine], end[mine], rows[mine] // each, strict=True)
        ]
        axes.add_collection(
            PolyCollection(boxes, facecolor=fill_of(int(node)), linewidth=0, rasterized=True)
        )
        # Among the type's own rows, further down for each type, so that names seldom meet.
        height = np.quantile(rows[every] / each, 0.08 + 0.84 * node / max(1, len(names) - 1))
        axes.text(
            busiest(begin[every], end[every]), height, names[node],
            ha="center", va="center", fontsize=7,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85},
        )  # fmt: skip
    axes.set_ylim(shown - 0.5, -0.5)
    axes.set_ylabel(f"{count} workers" + (f", one in {each} drawn" if each > 1 else ""))
    axes.set_yticks([])
    axes.grid(visible=False, axis="y")
    axes.axvline(end.max(), color="black", linewidth=0.9, linestyle=":")


def notes_of(tree, edges):
    notes = [
        "One run. The thesis gives no numbers of its tree: this one is ours. "
        "Dotted line: the last task ends."
    ]
    if max(tree["worker"]) >= LARGE:
        notes.append(f"Circles: workers of fewer than {LARGE} threads; squares: of more.")
    if min(edges["probability"]) < 1:
        notes.append("Arrows: solid, a task always enqueues the next; dashed, with a probability.")
    return notes


def draw(trace, scheduler, title):
    """The figure. Raises PlotError when an arm is not in the trace."""
    tables, meta = trace
    parts = {kind: arm_of(tables["trace"], scheduler, kind) for kind in KINDS}
    tree = tables["tree"]
    figure, grid = panel_grid(2, 2, (9.6, 5.4), width_ratios=[1, 2.1])
    longest = max(part["end_ns"].max() for part in parts.values())
    units = ((1e6, "ms"), (1e3, "µs"), (1, "ns"))
    unit, name = next((u, n) for u, n in units if longest >= 2 * u or u == 1)
    for (left, right), kind in zip(grid, KINDS, strict=True):
        draw_tree(left, tree, tables["edges"], by_phase=kind == "phases")
        draw_tasks(right, parts[kind], tree["name"], unit)
        right.set_xlim(0, 1.03 * longest / unit)
        right.set_title(f"{TITLES[kind]}: {duration(parts[kind]['end_ns'].max())}")
    grid[1][1].set_xlabel(f"time in {name}")
    handles = [
        Patch(
            facecolor=fill_of(node), edgecolor="black", linewidth=0.6,
            label=f"{task}: {tree['worker'][node]} × {tree['flops'][node]:,}",
        )
        for node, task in enumerate(tree["name"])
    ]  # fmt: skip
    subtitle = f"{scheduler}, {meta.get('instances', '?')} instances of the tree, "
    subtitle += f"{meta['machine']} ({meta.get('backend', '?')})"
    notes = ["Boxes: threads of a worker × floating-point operations of a task."]
    if meta["dropped"]:
        notes.append(f"{meta['dropped']:,} tasks found no room in the trace and are missing.")
    return frame(
        figure, title, subtitle, notes + notes_of(tree, tables["edges"]), handles, columns=6
    )


def main(name, description, title, preset, arguments=None):
    """Runs one plotting script and exits."""

    def read(path):
        tables, meta = read_trace(path)
        if meta.get("tree") != preset:
            raise PlotError(f"{path}: expected a trace of {preset}, got {meta.get('tree')}")
        return tables, meta

    more = {"scheduler": {"default": "megakernel", "help": "default: %(default)s"}}
    file = {"nargs": None, "metavar": "TRACE.h5", "help": "written by mhive-generic --trace"}
    command.main(
        name, description, lambda trace, scheduler: draw(trace, scheduler, title), arguments,
        more=more, read=read, files=file,
    )  # fmt: skip
