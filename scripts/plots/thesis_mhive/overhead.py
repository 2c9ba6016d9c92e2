#!/usr/bin/env python3
"""MHive: time per empty task, time per layer of one task, and METG(50 %), by scheduler and form.

Empty tasks show what a queue, an enqueue, a dependency or a phase costs a task when there are
many; a layer of one task shows the latency of one hop or change of phase. For METG(50 %) the
efficiency is an arm's work rate over the best rate that any arm of the same machine, backend and
width reached, the graph of kernels and all worker sizes included; the granularity is
elapsed × cores / tasks; cores are the warp schedulers (four a multiprocessor) of a GPU, or the
threads of a host that were used. It is read off between the measured points by linear
interpolation in the logarithm, and goes to standard output as a table. An arm that never reaches
half of that common peak has none. Panels without rows are left out.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import LogLocator

from gridloom.charts import footnote
from gridloom.figure import main
from gridloom.labels import split_labels
from gridloom.results import PlotError
from gridloom.statistics import median_interval
from gridloom.style import DASHES, FILLS, HATCHES, INKS, MARKERS, use_style
from gridloom.text import duration
from gridloom.thesis_mhive.overhead import (
    EXPERIMENTS,
    FORMS,
    GROUP,
    LEVEL,
    SERIES,
    curves,
    group_key,
    metg_text,
    place,
    series_key,
)


def of_experiments(runs, names):
    return runs.mask(np.isin(runs["experiment"].astype(str), names))


def statistics(rows, value):
    """[(config, median, low, high)], one an arm, of `value(rows)`; rows that failed are no arm."""
    for config, group in rows.only(status="ok").groups([*SERIES, *GROUP, "worker_size"]):
        yield config, *median_interval(value(group))


def ns_per_task(rows):
    return rows["elapsed_ms"] * 1e6 / rows["tasks"]


def ns_per_layer(rows):
    return rows["elapsed_ms"] * 1e6 / rows["layers"]


# --- bars ----------------------------------------------------------------------------------


def bar_size(sizes):
    """The worker size that bars show: a warp, where it was measured."""
    return 32 if 32 in sizes else min(sizes)


def draw_bars(axes, points, series, ylabel):
    """Groups of bars, one a scheduler; markers over them for every worker size."""
    sizes = sorted({config["worker_size"] for config, *_ in points})
    groups = {}
    for config, *values in sorted(points, key=lambda p: (group_key(p[0]), series_key(p[0]))):
        key = tuple(config[name] for name in SERIES)
        bars = groups.setdefault(tuple(config[name] for name in GROUP), {})
        bars.setdefault(key, {})[config["worker_size"]] = values
    step = 0.8 / max(map(len, groups.values()))
    for x, bars in enumerate(groups.values()):
        for slot, (key, by_size) in enumerate(bars.items()):
            style = series.index(key)
            at = x + (slot - (len(bars) - 1) / 2) * step
            if bar_size(sizes) in by_size:
                axes.bar(at, by_size[bar_size(sizes)][0], width=step, edgecolor="black",
                         color=FILLS[style % len(FILLS)], hatch=HATCHES[style % len(HATCHES)],
                         linewidth=0.6)  # fmt: skip
            for size, (median, low, high) in by_size.items():
                axes.errorbar(at, median, yerr=[[median - low], [high - median]], color="black",
                              marker=MARKERS[sizes.index(size) % len(MARKERS)], markersize=4,
                              markerfacecolor="white", linewidth=0.8, capsize=1.5)  # fmt: skip
    axes.set_yscale("log")
    lowest = min(low for _, _, low, _ in points if low > 0)
    axes.set_ylim(bottom=lowest / 3)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
    axes.yaxis.set_major_formatter(lambda value, _: duration(value))
    names = [f"{form}\n{width:,} × {layers:,}" for _, form, width, layers in groups]
    axes.set_xticks(range(len(groups)), names, fontsize=8)
    axes.grid(visible=False, axis="x")
    axes.set_ylabel(ylabel)
    return sizes


def bar_legend(axes, series, names, sizes):
    """What the bars and the markers are. On the host every worker is one thread."""
    handles = [
        plt.Rectangle((0, 0), 1, 1, facecolor=FILLS[i % len(FILLS)], edgecolor="black",
                      hatch=HATCHES[i % len(HATCHES)] * 2, linewidth=0.6)
        for i in range(len(series))
    ]  # fmt: skip
    labels = list(names)
    for index, size in enumerate(sizes):
        marker = MARKERS[index % len(MARKERS)]
        handles.append(plt.Line2D([], [], color="black", marker=marker, markersize=4,
                                  markerfacecolor="white", linestyle=""))  # fmt: skip
        shown = " (bars)" if size == bar_size(sizes) else ""
        labels.append(f"{size} {'thread' if size == 1 else 'threads'} a worker{shown}")
    axes.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3)


# --- METG ----------------------------------------------------------------------------------


def curve_names(lines):
    """(what all lines share, [what is particular to each])."""
    shared, own = split_labels([config for config, *_ in lines])
    names = []
    for (config, *_), text in zip(lines, own, strict=True):
        form = "" if config["form"] == config["scheduler"] else f" {config['form']}"
        names.append(f"{config['scheduler']}{form}, {config['width']:,} wide")
        names[-1] += f" [{text}]" if text else ""
    sizes = {config["worker_size"] for config, *_ in lines}
    if len(sizes) > 1:
        names = [
            f"{n}, {c['worker_size']} threads" for n, (c, *_) in zip(names, lines, strict=True)
        ]
    return shared, names


def cores_name(lines):
    names = {"cuda": "warp schedulers", "host": "threads"}
    backends = {config["backend"] for config, *_ in lines}
    return names[backends.pop()] if len(backends) == 1 else "warp schedulers or host threads"


def draw_metg(axes, lines, series):
    """Ink and marker say the scheduler, dashes the form, filled markers the widest layers.

    Where there are several worker sizes, the others than a warp's are in the printed table only.
    """
    shared, names = curve_names(lines)
    sizes = {config["worker_size"] for config, *_ in lines}
    shown = {32} if len(sizes) > 1 and 32 in sizes else sizes
    forms = sorted({config["form"] for config, *_ in lines}, key=lambda f: place(f, FORMS))
    widest = max(config["width"] for config, *_ in lines)
    print(f"METG(50 %) of the best rate of all arms of a width, {shared}")
    for (config, granularity, efficiency), name in zip(lines, names, strict=True):
        style = series.index(tuple(config[name] for name in SERIES))
        ink = INKS[style % len(INKS)]
        metg = metg_text(granularity, efficiency)
        print(f"  {name:<60} {metg}")
        if config["worker_size"] not in shown:
            continue
        axes.plot(granularity, efficiency, color=ink, marker=MARKERS[style % len(MARKERS)],
                  linestyle=DASHES[forms.index(config["form"]) % len(DASHES)], linewidth=1.1,
                  markersize=4, markerfacecolor=ink if config["width"] == widest else "white",
                  label=f"{name.removesuffix(', 32 threads')}: METG {metg}")  # fmt: skip
    axes.axhline(LEVEL, color="black", linewidth=1)
    axes.annotate("50 %", (1, LEVEL), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: duration(value))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.set_ylim(0, 1.05)
    axes.set_xlabel(f"task granularity: elapsed × {cores_name(lines)} / tasks")
    axes.set_ylabel("work rate / best of all arms of the width")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), fontsize=6.5, handlelength=3,
                ncols=3 if len(lines) > 6 else 2)  # fmt: skip


# --- figure --------------------------------------------------------------------------------


def draw(runs):
    parts = {
        "time per empty task": list(
            statistics(of_experiments(runs, ["queue", "throughput"]), ns_per_task)
        ),
        "time per layer of one task": list(
            statistics(of_experiments(runs, ["latency"]), ns_per_layer)
        ),
        "efficiency and METG(50 %)": curves(runs),
    }
    there = {title: points for title, points in parts.items() if points}
    if not there:
        raise PlotError("no rows with experiment queue, throughput, latency or metg and status ok")
    configs = sorted((p[0] for points in there.values() for p in points), key=series_key)
    series = list(dict.fromkeys(tuple(config[name] for name in SERIES) for config in configs))
    shared, own = split_labels([dict(zip(SERIES, key, strict=True)) for key in series])
    names = [
        key[-1] + (f"  [{text}]" if text else "") for key, text in zip(series, own, strict=True)
    ]

    use_style()
    heights = [0.34 * len(points) ** 0.5 + 3.6 for points in there.values()]
    figure, panels = plt.subplots(
        len(there), 1, figsize=(9.5, sum(heights)), layout="constrained", squeeze=False,
        height_ratios=heights,
    )  # fmt: skip
    for axes, (title, points) in zip(panels[:, 0], there.items(), strict=True):
        if title.startswith("efficiency"):
            draw_metg(axes, points, series)
        else:
            sizes = draw_bars(axes, points, series, title)
            bar_legend(axes, series, names, sizes)
        axes.set_title(title, fontsize=9)
    figure.suptitle(f"MHive: what scheduling costs\n{shared}", fontweight="bold")
    # An arm's rows that failed are named by what tells arms apart here.
    arms = runs["scheduler"] + " " + runs["form"]
    footnote(figure, of_experiments(runs.assign(arm=arms), EXPERIMENTS))
    for title in (title for title in parts if title not in there):
        note = f"Left out, no rows: {title}"
        print(note)
        figure.supxlabel(f"{figure.get_supxlabel()}\n{note}", fontsize=7.5, color="#444444")
    return figure


if __name__ == "__main__":
    sys.exit(main("mhive_overhead", __doc__, draw))
