"""The tables of mhive-overhead and mhive-generic, made from stored results alone."""

from gridloom.metg import metg_text
from gridloom.results import read_runs
from gridloom.statistics import median_interval
from gridloom.thesis_mhive.overhead import curves, place

SCHEDULERS = [
    "time_sliced",
    "megakernel",
    "megakernel_1024",
    "megakernel_1536",
    "device_controller",
    "resident_controller",
    "graph",
]
FORMS = ["enqueue", "individual", "grouped", "phases"]


def cell(rows, divisor, scale):
    """Median and interval of the elapsed time by a count of things, or a dash."""
    if len(rows) == 0:
        return "–"
    middle, low, high = median_interval(rows["elapsed_ms"] * scale / divisor(rows))
    return f"{middle:.3g} [{low:.3g}, {high:.3g}]"


def cost_table(runs):
    """ns per task for wide layers, µs per layer for layers of one task."""
    lines = [
        "| scheduler | `queue` ns | "
        + " | ".join(f"`{form}` ns" for form in FORMS)
        + " | "
        + " | ".join(f"one task per layer, `{form}` µs" for form in FORMS)
        + " |",
        "|---|" + "--:|" * (1 + 2 * len(FORMS)),
    ]
    for scheduler in SCHEDULERS:
        own = runs.only(scheduler=scheduler, worker_size=32, status="ok")
        forms = ["graph"] + [""] * 3 if scheduler == "graph" else FORMS
        cells = [cell(own.only(experiment="queue"), lambda r: r["tasks"], 1e6)]
        for experiment, by, scale in (("throughput", "tasks", 1e6), ("latency", "layers", 1e3)):
            for form in forms:
                rows = own.only(experiment=experiment, form=form)
                cells.append(cell(rows, lambda r, by=by: r[by], scale))
        lines.append(f"| `{scheduler}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def registers_table(runs):
    lines = [
        "| scheduler | form | registers | local bytes | blocks | `throughput` ns per task |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for scheduler in SCHEDULERS[:-1]:
        for form in FORMS:
            rows = runs.only(
                experiment="throughput", scheduler=scheduler, form=form, worker_size=32, status="ok"
            )
            if len(rows) == 0:
                continue
            time = cell(rows, lambda r: r["tasks"], 1e6)
            lines.append(
                f"| `{scheduler}` | `{form}` | {rows['registers'][0]} | {rows['local_bytes'][0]} "
                f"| {rows['blocks_per_multiprocessor'][0]} | {time} |"
            )
    return "\n".join(lines)


def metg_table(runs):
    """METG(50 %) by width; with a column for the worker size where there are several."""
    cells = {}
    for config, granularity, efficiency in curves(runs):
        row = (config["scheduler"], config["form"], config["worker_size"])
        cells.setdefault(row, {})[config["width"]] = metg_text(
            granularity, efficiency, may_sink=True
        )
    widths = sorted({width for row in cells.values() for width in row})
    sized = len({size for _, _, size in cells}) > 1
    lines = [
        "| scheduler | form | "
        + ("worker size | " if sized else "")
        + " | ".join(f"{width:,} tasks per layer" for width in widths)
        + " |",
        "|---|---|" + "--:|" * (len(widths) + sized),
    ]
    in_order = sorted(cells, key=lambda row: (place(row[0], SCHEDULERS), row[1:]))
    for scheduler, form, size in in_order:
        row = cells[scheduler, form, size]
        names = [f"`{scheduler}`", f"`{form}`", *([str(size)] if sized else [])]
        lines.append(f"| {' | '.join([*names, *(row.get(width, '') for width in widths)])} |")
    return "\n".join(lines)


def generic_table(runs):
    """Milliseconds of the execution trees of Figs. 7.1 and 7.2."""
    trees = sorted(set(runs["tree"]))
    names = {t: f"{t}, {int(runs.only(tree=t)['instances'][0]):,} instances, ms" for t in trees}
    lines = [
        "| scheduler | dependencies | " + " | ".join(names[t] for t in trees) + " |",
        "|---|---|" + "--:|" * len(trees),
    ]
    own = runs.only(status="ok")
    for scheduler in SCHEDULERS:
        for kind in ("phases", "individual", "launches"):
            rows = [own.only(scheduler=scheduler, dependencies=kind, tree=t) for t in trees]
            if not any(len(r) for r in rows):
                continue
            label = "–" if kind == "launches" else f"`{kind}`"
            cells = [cell(r, lambda _: 1, 1) for r in rows]
            lines.append(f"| `{scheduler}` | {label} | {' | '.join(cells)} |")
    return "\n".join(lines)


def generic_registers_table(runs):
    lines = [
        "| scheduler | dependencies | registers | local bytes | blocks |",
        "|---|---|--:|--:|--:|",
    ]
    for scheduler in SCHEDULERS:
        for kind in ("phases", "individual", "launches"):
            rows = runs.only(scheduler=scheduler, dependencies=kind, status="ok")
            if len(rows) == 0:
                continue
            label = "–" if kind == "launches" else f"`{kind}`"
            lines.append(
                f"| `{scheduler}` | {label} | {rows['registers'][0]} | {rows['local_bytes'][0]} "
                f"| {rows['blocks_per_multiprocessor'][0]} |"
            )
    return "\n".join(lines)


def texts_of(path):
    runs = read_runs(path)
    if "tree" in runs:
        return {"generic": generic_table(runs), "generic-registers": generic_registers_table(runs)}
    return {
        "cost": cost_table(runs),
        "metg": metg_table(runs),
        "registers": registers_table(runs),
    }
