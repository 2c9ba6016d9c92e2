#!/usr/bin/env python3
"""The Jacobi method: speedup over kernel_by_kernel of the best of each kind, one row per system.

A speedup is a ratio of median times per iteration. kernel_by_kernel reads the residual back after
each iteration, as the thesis does. Files in which our kernels check the residual equally often
share a panel. The geometric means are printed."""

from dataclasses import dataclass

from gridloom import charts
from gridloom.figure import main
from gridloom.results import PlotError, joined, read_files
from gridloom.style import Arms, dot_style
from gridloom.text import si
from gridloom.thesis_mhive import jacobi
from gridloom.thesis_mhive.rcm import geometric_mean
from gridloom.thesis_mhive.series import draw_series, name_series_rows
from gridloom_datasets.errors import say

ARMS = Arms(rivals=jacobi.BASELINES, ours=jacobi.KERNELS)


@dataclass(frozen=True)
class Dots:
    """The fastest arm of each system among those for which wanted(arm) holds."""

    label: str
    wanted: object
    style: dict

    def speedups(self, problems):
        """{system: (speedup over kernel_by_kernel, resampled speedups)}."""
        pairs = {p.name: (p.arm(jacobi.BASE), p.fastest(self.wanted)) for p in problems}
        return {name: jacobi.speedup(*arms) for name, arms in pairs.items() if all(arms)}


def version_dots(version):
    return Dots(version, lambda arm: arm.version == version, ARMS.dot(version))


def is_mixed(arm):
    return jacobi.is_published(arm) and not jacobi.is_as_published(arm)


def is_ours_in_mhive(arm):
    return arm.is_mhive and not jacobi.is_published(arm)


DOTS = [
    Dots("TSK, MK, PDC as published", jacobi.is_as_published, dot_style("published", 0)),
    Dots("the same, our counts", is_mixed, dot_style("ours", 5)),
    Dots("our schedulers, shares", is_ours_in_mhive, dot_style("ours", 4)),
    Dots("best graph", jacobi.is_graph, dot_style("rivals", 2)),
    Dots("best grid_sync", jacobi.is_grid_sync, dot_style("rivals", 3)),
    version_dots("stream"),
    version_dots("cusparse"),
    Dots("our kernels", jacobi.is_kernel, dot_style("ours", 0)),
]


def work_text(problems):
    """How often our kernels check the residual. The rivals check it in every iteration."""
    arms = [arm for p in problems for arm in p.arms.values() if jacobi.is_kernel(arm)]
    if not arms:
        return "the best of each"
    every = {arm.check_every for arm in arms}
    if every == {1}:
        return "all check the residual\nin every iteration"
    often = " or ".join(str(number) for number in sorted(every))
    return f"our kernels check the residual\nevery {often} iterations"


def rows_of(systems):
    """[(text, names of systems)]. A heading has no system, a system one, and a mean all of its
    group."""
    rows = []
    limit = f"{jacobi.SMALL:,} entries"
    for heading, large in ((f"fewer than {limit}", False), (f"{limit} and more", True)):
        own = [one for one in sorted(systems) if (one[0] >= jacobi.SMALL) == large]
        if own:
            rows.append((heading, []))
            rows += [(f"{name}  {si(entries)}", [name]) for entries, name in own]
            rows += [("geometric mean", [name for _, name in own])] * (len(own) > 1)
    return rows


def print_means(title, problems):
    say(f"  {', '.join(problems[0].setting)}: {' '.join(title.split())}")
    for dots in DOTS:
        if found := dots.speedups(problems):
            mean, low, high = geometric_mean(found)
            count = f"{len(found)} of {len(problems)} systems"
            say(f"    {dots.label:<28} {mean:.3g} [{low:.3g}, {high:.3g}], {count}")


def draw_panel(axes, title, problems, rows):
    series = [(dots.label, dots.speedups(problems), dots.style) for dots in DOTS]
    draw_series(axes, rows, [one for one in series if one[1]], 0.7)
    charts.legend_below(axes, ncols=2, fontsize=7.5, columnspacing=1, handletextpad=0.3)
    axes.set_title(title, fontsize=8.5)
    axes.set_xlabel(f"times as fast as {jacobi.BASE}")
    axes.axvline(1, color="black", linewidth=1)
    axes.tick_params(axis="x", labelbottom=True)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", linestyle=":")


def read(paths):
    """The rows of all files; one table for those in which our kernels check the residual equally
    often."""
    found = {}
    for path in paths:
        runs = read_files([path])
        own = runs["version"].isin(jacobi.KERNELS)
        found.setdefault(frozenset(runs["check_every"][own].tolist()), []).append(runs)
    return [joined(parts) for parts in found.values()]


def draw(files):
    panels = [own for runs in files for own in jacobi.by_setting(jacobi.problems_of(runs))]
    problems = [problem for own in panels for problem in own]
    rows = rows_of({(p.entries, p.name) for p in problems})
    height = 1.3 + 0.36 * len(rows)
    figure, grid = charts.wrapped_panels(
        len(panels), 2, lambda _, lines: (7.4, height * lines), sharex=True, sharey=True
    )
    say(f"geometric mean of the speedup over {jacobi.BASE} [95 %]")
    for axes, own in zip(grid.flat, panels, strict=False):
        draw_panel(axes, work_text(own), own, rows)
        print_means(work_text(own), own)
    drawn = [f for own in panels for dots in DOTS for f, _ in dots.speedups(own).values()]
    if not drawn:
        raise PlotError(f"no rows with status ok for the speedup over {jacobi.BASE}")
    grid[0][0].set_xlim(min(1, *drawn) / 1.4, max(1, *drawn) * 1.4)
    for first in grid[:, 0]:
        name_series_rows(first, rows)
    runs = joined(files)
    names = [
        version if scheduler == "none" else f"{version} under {scheduler}"
        for version, scheduler in zip(runs["version"], runs["scheduler"], strict=True)
    ]
    notes = [
        f"Systems with their entries. {charts.INTERVALS}",
        "The best of each kind on a system. Our counts: of neighbouring tasks, not of entries.",
        "MHive's versions with checkpoints check the residual as often as our kernels. "
        "Empty rows: not measured.",
        *charts.left_out_note(runs.assign(arm=names)),
    ]
    settings = list(dict.fromkeys(", ".join(p.setting) for p in problems))
    shared = settings[0] if len(settings) == 1 else ""
    handles = charts.family_handles({"published", "rivals", "ours"})
    return charts.frame(
        figure, f"Jacobi method: speedup over {jacobi.BASE}", shared, notes, handles
    )


if __name__ == "__main__":
    main("mhive_jacobi_speedup", __doc__, draw, read=read)
