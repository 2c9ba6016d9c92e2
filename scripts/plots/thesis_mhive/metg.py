#!/usr/bin/env python3
"""MHive: efficiency against task granularity, and METG(50 %), by scheduler and form.

The efficiency is an arm's work rate over the best rate of any arm of the same machine, backend and
width. The graph of kernels and all worker sizes count. The granularity is elapsed × cores / tasks.
Cores are the warp schedulers of a GPU (four per multiprocessor), or the host threads in use.
METG(50 %) is interpolated linearly between the measured points, in the logarithm. Arms that never
reach half of the common peak have none. If there are several worker sizes, the panels show that of
a warp, and all are printed."""

from gridloom.charts import efficiency_axes, frame, left_out_note, legend_below, panel_grid, plain
from gridloom.figure import main
from gridloom.metg import metg_text
from gridloom.results import PlotError
from gridloom.thesis_mhive.overhead import ARMS, FORMS, MACHINE, SHORT, curves, place
from gridloom.thesis_mhive.overhead_panels import machine_text, symbols, worker_text
from gridloom_datasets.errors import say

BASELINE = "graph"  # drawn in the panels of all other forms


def sizes_shown(lines):
    sizes = {config["worker_size"] for config, *_ in lines}
    return {32} if len(sizes) > 1 and 32 in sizes else sizes


def print_table(lines):
    say("METG(50 %) of the best rate of all arms of a width")
    for config, granularity, efficiency in lines:
        parts = [machine_text(config), config["scheduler"], config["form"]]
        parts += [f"{config['width']:,} wide", worker_text(config)]
        say(f"  {', '.join(parts):<92} {metg_text(granularity, efficiency, may_sink=True)}")


def draw_panel(axes, lines):
    for config, granularity, efficiency in lines:
        name = config["scheduler"]
        label = f"{SHORT.get(name, name)}: {metg_text(granularity, efficiency, may_sink=True)}"
        axes.plot(granularity, efficiency, label=label, **plain(ARMS.line(name)))
    efficiency_axes(axes, "task granularity")
    axes.set_ylim(0, 1.05)
    axes.tick_params(labelsize=8)
    legend_below(
        axes, title="METG(50 %)", title_fontsize=7.5, fontsize=7.5, ncols=2, handlelength=2.6,
        columnspacing=1,
    )  # fmt: skip


def panels_of(lines):
    """{(machine, backend, width): {form: lines with the baseline's}}."""
    found = {}
    for line in lines:
        config = line[0]
        key = (*(config[name] for name in MACHINE), config["width"])
        found.setdefault(key, {}).setdefault(config["form"], []).append(line)
    for forms in found.values():
        baseline = forms.pop(BASELINE, []) if len(forms) > 1 else []
        for own in forms.values():
            own += baseline
    return dict(sorted(found.items()))


def draw(runs):
    lines = curves(runs)
    if not lines:
        raise PlotError("no rows with experiment metg, work above 0 and status ok")
    print_table(lines)
    shown = sizes_shown(lines)
    panels = panels_of([line for line in lines if line[0]["worker_size"] in shown])
    forms = sorted({f for own in panels.values() for f in own}, key=lambda f: place(f, FORMS))
    figure, grid = panel_grid(
        len(panels), len(forms), (0.6 + 3.3 * len(forms), 3.5 * len(panels)), sharey=True
    )
    machines = list(dict.fromkeys(machine_text(line[0]) for line in lines))
    for row, ((*_, width), own) in zip(grid, panels.items(), strict=True):
        for axes, form in zip(row, forms, strict=True):
            if form not in own:
                axes.set_visible(False)
                continue
            draw_panel(axes, own[form])
            several = f"{machine_text(own[form][0][0])}\n" if len(machines) > 1 else ""
            axes.set_title(f"{several}{form}, {width:,} tasks per layer")
        row[0].set_ylabel("work rate / best of all arms")
    shared = [machines[0]] if len(machines) == 1 else []
    workers = list(dict.fromkeys(worker_text(c) for c, *_ in lines if c["worker_size"] in shown))
    shared += workers if len(workers) == 1 else []
    notes = [
        "Medians. METG(50 %): the task granularity at which an arm works half as fast as the best "
        "arm at its best.",
        "Task granularity: elapsed × cores / tasks; cores are the warp schedulers of a GPU, or the "
        "threads of a host.",
        "> or ≤: outside of what was measured; –: never half as fast.",
    ]
    failed = runs.only(experiment="metg")
    notes += left_out_note(failed.assign(arm=failed["scheduler"] + " " + failed["form"]))
    schedulers = {line[0]["scheduler"] for line in lines}
    title = "MHive: efficiency and METG(50 %)"
    return frame(figure, title, ", ".join(shared), notes, symbols(schedulers, ARMS.line), columns=3)


if __name__ == "__main__":
    main("mhive_metg", __doc__, draw)
