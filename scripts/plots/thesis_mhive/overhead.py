#!/usr/bin/env python3
"""MHive: time per empty task and time per layer of one task, by scheduler and form.

Many empty tasks show the cost per task of a queue, an enqueue, a dependency or a phase. A layer of
one task shows the latency of one hop or change of phase. A column of panels is a number of threads
per worker. Panels without rows are left out."""

from gridloom import charts
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.style import Arms
from gridloom.text import duration, plural
from gridloom_datasets.errors import say

MACHINE = ["machine", "backend"]
GROUP = ["experiment", "form", "width", "layers"]
SCHEDULERS = [
    "time_sliced", "megakernel", "device_controller", "megakernel_1024", "megakernel_1536",
    "resident_controller", "graph",
]  # fmt: skip
ARMS = Arms(published=SCHEDULERS[:3], ours=SCHEDULERS[3:6], rivals=SCHEDULERS[6:])
TITLES = {
    "time_sliced": "TSK: time_sliced",
    "megakernel": "MK: megakernel",
    "device_controller": "PDC: device_controller",
    "megakernel_1024": "MK 1,024: registers for 1,024 threads",
    "megakernel_1536": "MK 1,536: registers for 1,536 threads",
    "resident_controller": "PDC resident: workers that stay",
    "graph": "graph: a graph of kernels",
}
EXPERIMENTS = ["queue", "throughput", "latency"]
COLUMN = [*MACHINE, "worker_size"]
QUANTITIES = {  # experiments, and what their times are divided by
    "time per empty task": (["queue", "throughput"], "tasks"),
    "time per layer of one task": (["latency"], "layers"),
}
WORDS = {"published": "published", "rivals": "rival", "ours": "ours"}
FORMS = {
    "queue": "from a full queue",
    "enqueue": "each enqueues the next",
    "individual": "individual dependencies",
    "grouped": "a dependency of a group",
    "phases": "phases",
    "graph": "graph of kernels",
}


def place(name, known):
    """A sort key by a list. Names that are not in the list come last."""
    return (known.index(name), "") if name in known else (len(known), name)


def machine_text(config):
    return f"{config['machine']} ({config['backend']})"


def worker_text(config):
    """The worker size as text. On the host every worker is one thread, whatever size a task type
    has."""
    if config["backend"] == "host":
        return "workers of one host thread"
    return f"{plural(config['worker_size'], 'thread')} per worker"


def column_of(config):
    return tuple(config[name] for name in COLUMN)


def row_of(config):
    return tuple(config[name] for name in GROUP)


def group_key(row):
    """A sort key that puts the baseline, a graph of kernels, last among the forms of an
    experiment."""
    experiment, form, *sizes = row
    return place(experiment, EXPERIMENTS), place(form, list(FORMS)), sizes


def draw_panel(axes, points, rows, schedulers):
    """Draws the dots of the schedulers below each other within a row, so that none hides
    another."""
    step = 0.7 / max(1, len(schedulers) - 1)
    for config, values in points:
        y = rows.index(row_of(config)) + (schedulers.index(config["scheduler"]) * step - 0.35)
        if row_of(config)[1] == "graph":
            y = rows.index(row_of(config))
        charts.draw_dot(axes, y, values, ARMS.dot(config["scheduler"]) | {"capsize": 0})
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: duration(value))
    axes.tick_params(axis="x", labelsize=8)
    for y in range(1, len(rows)):
        axes.axhline(y - 0.5, color="#bbbbbb", linewidth=0.6)


def draw(runs):
    parts = {}
    for title, (experiments, by) in QUANTITIES.items():
        own = runs.mask(runs["experiment"].isin(experiments)).only(status="ok")
        parts[title] = [
            (config, median_interval(group["elapsed_ms"] * 1e6 / group[by]))
            for config, group in own.groups([*MACHINE, "scheduler", *GROUP, "worker_size"])
        ]
    there = {title: points for title, points in parts.items() if points}
    if not there:
        raise PlotError("no rows with experiment queue, throughput or latency and status ok")
    configs = [config for points in there.values() for config, _ in points]
    columns = sorted(set(map(column_of, configs)))
    heads = {column_of(config): config for config in configs}
    schedulers = sorted({c["scheduler"] for c in configs}, key=lambda s: place(s, SCHEDULERS))
    rows = {
        title: sorted(dict.fromkeys(row_of(config) for config, _ in points), key=group_key)
        for title, points in there.items()
    }
    heights = [0.5 + 0.52 * len(names) for names in rows.values()]
    figure, grid = charts.panel_grid(
        len(there), len(columns), (max(8.6, 2.2 + 2.9 * len(columns)), sum(heights)),
        height_ratios=heights, sharex="row", sharey="row",
    )  # fmt: skip
    for panels, (title, points) in zip(grid, there.items(), strict=True):
        for axes, column in zip(panels, columns, strict=True):
            own = [point for point in points if column_of(point[0]) == column]
            draw_panel(axes, own, rows[title], schedulers)
            axes.set_xlabel(title)
        names = [
            f"{FORMS.get(f, f)}\n{width:,} × {layers:,}" for _, f, width, layers in rows[title]
        ]
        charts.name_rows(panels[0], names)
        for axes in panels[1:]:
            axes.tick_params(axis="y", length=0)
        ends = [value for _, values in points for value in values if value > 0]
        panels[0].set_xlim(min(ends) / 2, max(ends) * 2)
        for axes in panels:
            axes.grid(visible=False, axis="y")
    machines = list(dict.fromkeys(machine_text(heads[column]) for column in columns))
    for axes, column in zip(grid[0], columns, strict=True):
        several = f"{machine_text(heads[column])}\n" if len(machines) > 1 else ""
        axes.set_title(several + worker_text(heads[column]))
    notes = [
        charts.INTERVALS,
        "Rows: how tasks become ready; below, tasks per layer × layers.",
        *charts.left_out_note(
            runs.assign(arm=runs["scheduler"] + " " + runs["form"]).mask(
                runs["experiment"].isin(EXPERIMENTS)
            )
        ),
    ]
    for title in (title for title in parts if title not in there):
        notes.append(f"Left out, no rows: {title}")
        say(notes[-1])
    shared = machines[0] if len(machines) == 1 else ""
    handles = charts.entries({
        f"{TITLES.get(n, n)} ({WORDS[ARMS.family(n)]})": ARMS.dot(n) for n in schedulers
    })  # fmt: skip
    return charts.frame(figure, "MHive: scheduling cost per task", shared, notes, handles, 3)


if __name__ == "__main__":
    main("mhive_overhead", __doc__, draw)
