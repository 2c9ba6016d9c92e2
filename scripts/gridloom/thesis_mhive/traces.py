"""What the figures of MHive share: reading a trace file, packing tasks into rows, drawing.

A trace file of mhive-generic has /trace (one row per task), /tree (one per task type) and /edges. A
figure shows the execution tree beside the scheduling plot of one scheduler. Phases are above and
individual dependencies below, on one time axis."""

from matplotlib.patches import Patch

from gridloom import figure as command
from gridloom.charts import frame, panel_grid
from gridloom.results import PlotError, find_table, machine_of, read_meta, read_table
from gridloom.style import FILLS, GREY
from gridloom.text import duration
from gridloom.timeline import draw_packed

KINDS = ["phases", "individual"]
TITLES = {"phases": "phases", "individual": "individual dependencies"}
COLUMNS = {
    "trace": ["arm", "worker", "node", "begin_ns", "end_ns"],
    "tree": ["node", "name", "phase", "worker", "flops"],
    "edges": ["from", "to", "probability"],
}
LARGE = 256  # threads of a worker from which on a node is a square


def read_trace(path):
    """The three tables by name, and /meta. Raises PlotError."""
    tables = {
        name: read_table(path, name, columns, "mhive-generic --trace")
        for name, columns in COLUMNS.items()
    }
    # Older files have no such table; a trace that was cut was refused then.
    cut = find_table(path, "traced", ["dropped"])
    dropped = 0 if cut is None else int(cut["dropped"].sum())
    return tables, read_meta(path) | {"machine": machine_of(path), "dropped": dropped}


def arm_of(trace, scheduler, kind):
    """The tasks of one arm as a dict of columns, sorted by begin. Raises PlotError if there are
    none."""
    part = trace.only(arm=f"{scheduler}, {kind}")
    if not len(part):
        arms = ", ".join(f"'{arm}'" for arm in dict.fromkeys(trace["arm"]))
        raise PlotError(f"no tasks of '{scheduler}, {kind}' in /trace, only of {arms}")
    return part.sort_values("begin_ns", kind="stable", ignore_index=True)


def levels(tree, edges, by_phase):
    """A level for each node: its phase, or the longest path from a root."""
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
            # Levels slant a little, so that edges over several levels do not run through nodes.
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


def notes_of(tree, edges):
    notes = [
        "One run. The thesis gives no numbers for its tree, so these are ours. "
        "Dotted: end of the last task."
    ]
    if max(tree["worker"]) >= LARGE:
        notes.append(f"Circles: workers of fewer than {LARGE} threads; squares: of more.")
    if min(edges["probability"]) < 1:
        notes.append("Arrows: solid, a task always enqueues the next; dashed, with a probability.")
    return notes


def draw(trace, scheduler, title):
    """Draws the figure. Raises PlotError if an arm is not in the trace."""
    tables, meta = trace
    parts = {kind: arm_of(tables["trace"], scheduler, kind) for kind in KINDS}
    tree = tables["tree"]
    figure, grid = panel_grid(2, 2, (9.6, 5.4), width_ratios=[1, 2.1])
    longest = max(part["end_ns"].max() for part in parts.values())
    units = ((1e6, "ms"), (1e3, "µs"), (1, "ns"))
    unit, name = next((u, n) for u, n in units if longest >= 2 * u or u == 1)
    for (left, right), kind in zip(grid, KINDS, strict=True):
        draw_tree(left, tree, tables["edges"], by_phase=kind == "phases")
        begin, end, node = (parts[kind][n].to_numpy() for n in ("begin_ns", "end_ns", "node"))
        draw_packed(right, begin / unit, end / unit, node, tree["name"], fill_of)
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
    subtitle += meta["machine"]
    notes = ["Boxes: threads of a worker × floating-point operations of a task."]
    if meta["dropped"]:
        notes.append(f"{meta['dropped']:,} tasks did not fit into the trace.")
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
