#!/usr/bin/env python3
"""PETS: bandwidth of entry discovery and metrics beside the machine's own (Messina, 5.0.1).

The bandwidth is the bytes that the kernels read and write, estimated from the layout, over their
time. The machine's own is that of copying a large array in the same run."""

from gridloom.charts import draw_curve, frame, left_out_note, legend_below, wrapped_panels
from gridloom.figure import main
from gridloom.pets import data
from gridloom.pets.drawing import ALGORITHM_OPTION, ARMS, draw_levels, handles_of, shared_title
from gridloom.results import PlotError, joined
from gridloom.statistics import median_interval
from gridloom.text import number, si


def machines_of(memory, setting, curves):
    """{backend: (median, low, high)} of the setting, and of the host if the reference is drawn."""
    found = {}
    for backend in dict.fromkeys(
        [setting.backend, *(["host"] if data.REFERENCE in curves else [])]
    ):
        samples = data.machine_gb_per_s(memory, setting.bench, backend)
        if len(samples):
            found[backend] = median_interval(samples)
    if setting.backend not in found:
        raise PlotError(f"no rows of backend {setting.backend} in /memory")
    return found


def draw_panel(axes, setting, curves, machines):
    axes.set_xscale("log")
    axes.set_yscale("log")
    for name, points in curves.items():
        own = machines.get("host" if name == data.REFERENCE else setting.backend)
        tasks, rate = points[-1][:2]
        share = f" ({data.percent(rate / own[0])} at {si(tasks)})" if own else ""
        draw_curve(axes, f"{name}{share}", points, ARMS.line(name))
    for (backend, (rate, low, high)), dash in zip(machines.items(), ("-", ":"), strict=False):
        label = f"copy of memory, {backend}: {number(rate)} GB/s"
        axes.axhline(rate, color="black", linewidth=1.4, linestyle=dash, label=label)
        axes.axhspan(low, high, color="black", alpha=0.12, linewidth=0)
    whole = machines[setting.backend][0]
    right = axes.secondary_yaxis(
        "right", functions=(lambda rate: rate / whole * 100, lambda share: share * whole / 100)
    )
    right.set_ylabel(f"% of the copy, {setting.backend}")
    for axis in (axes.yaxis, right.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_major_formatter(lambda value, _: si(value))
    tasks = [point[0] for points in curves.values() for point in points]
    axes.set_xlim(min(tasks) / 1.5, max(tasks) * 1.5)  # the machine's lines set no limits
    axes.set_xlabel("tasks")
    axes.set_ylabel("GB/s")
    legend_below(axes, ncols=2, fontsize=7.5)


def draw(results, algorithm="pets_append"):
    memory = results.table("memory")
    sweeps, notes = data.sweeps_of(results, algorithm)
    drawn = set()
    shared, panel_title = shared_title(sweeps)
    figure, grid = wrapped_panels(
        len(sweeps), 2, lambda columns, rows: (2 + 5.4 * columns, 4.7 * rows)
    )
    for axes, (setting, family, rows) in zip(grid.flat, sweeps, strict=False):
        curves = data.by_size(rows, data.gb_per_s)
        if not curves:
            raise PlotError(f"no rows with status ok, metrics_ms and metrics_bytes of {algorithm}")
        drawn |= set(curves)
        machines = machines_of(memory, setting, curves)
        draw_panel(axes, setting, curves, machines)
        axes.set_title(panel_title(setting, family), fontsize=9)
        draw_levels(axes, data.levels_by_size(rows))
    first = "Medians with bootstrap 95 % intervals; bytes are estimated from the layout."
    own = joined([rows for *_, rows in sweeps])
    title = "PETS: bandwidth of entry discovery, levels and ranks (5.0.1)"
    notes = [first, *notes, *left_out_note(own, "implementation")]
    return frame(figure, title, shared, notes, handles_of(drawn))


if __name__ == "__main__":
    main("pets_bandwidth", __doc__, draw, more=ALGORITHM_OPTION, read=data.Results)
