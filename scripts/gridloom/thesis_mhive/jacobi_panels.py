"""The layout of mhive-jacobi's figures: one row per system, one dot per arm, panels side by
side."""

from dataclasses import dataclass

import numpy as np

from gridloom import charts
from gridloom.results import PlotError
from gridloom.style import GREY, Arms, dot_style
from gridloom.text import si
from gridloom.thesis_mhive import jacobi
from gridloom.thesis_mhive.rcm import geometric_mean
from gridloom.thesis_mhive.series import draw_series, name_series_rows
from gridloom_datasets.errors import say

ARMS = Arms(rivals=jacobi.BASELINES, ours=jacobi.OURS)


@dataclass(frozen=True)
class Dots:
    """An arm of a panel. `arm_of(problem)` returns the arm for a system, or None."""

    label: str
    arm_of: object
    family: str
    number: int
    shape: str = ""  # the family whose symbols it has, if not its own

    @property
    def style(self):
        own = dot_style(self.family, self.number)
        if not self.shape:
            return own
        colours = {name: own[name] for name in ("color", "markerfacecolor")}
        return dot_style(self.shape, self.number) | colours


@dataclass(frozen=True)
class Panel:
    title: str
    problems: list
    dots: list
    shared: bool = False  # its symbols are those of other panels, below the figure


@dataclass(frozen=True)
class Page:
    """Inches; 7.4 are the width of a printed page."""

    columns: int = 3
    width: float = 11.2
    row: float = 0.22
    legend: int = 5  # columns


PAGE = Page()


def plain_dots(version):
    """The dots of a version without a scheduler."""
    return Dots(version, lambda problem: problem.arm(version), *ARMS.place(version))


def scheduler_family(scheduler):
    return "published" if scheduler in jacobi.PUBLISHED else "ours"


def scheduled_dots(version, scheduler):
    """The dots of an MHive version: the symbol shows the version, the colour its family."""
    number = (
        jacobi.SCHEDULED.index(version) if version in jacobi.SCHEDULED else len(jacobi.SCHEDULED)
    )
    family = scheduler_family(scheduler) if version in jacobi.AS_PUBLISHED else "ours"
    return Dots(
        version, lambda problem: problem.arm(version, scheduler), family, number, "published"
    )


def best_dots(label, wanted, family, number):
    return Dots(label, lambda problem: problem.fastest(wanted), family, number)


def scheduler_title(scheduler):
    return jacobi.SCHEDULERS.get(scheduler, scheduler)


def over_base(problem, arm):
    """An entry for rcm.speedups(), or None."""
    base = problem.arm(jacobi.BASE)
    return None if base is None or arm.version == jacobi.BASE else jacobi.speedup(base, arm)


def mark_one(axes, _):
    axes.axvline(1, color="black", linewidth=1)


def print_means(panels):
    say(f"geometric mean of the speedup over {jacobi.BASE} [95 %]")
    for panel in panels:
        say(f"  {', '.join(panel.problems[0].setting)}: {' '.join(panel.title.split())}")
        for dots in panel.dots:
            found = {}
            for number, problem in enumerate(panel.problems):
                base, arm = problem.arm(jacobi.BASE), dots.arm_of(problem)
                if base is not None and arm is not None and arm is not base:
                    found[problem] = jacobi.speedup(base, arm, number)
            if found:
                mean, low, high = geometric_mean(found)
                count = f"{len(found)} of {len(panel.problems)} systems"
                say(f"    {dots.label:<28} {mean:.3g} [{low:.3g}, {high:.3g}], {count}")


def rows_of(problems, means):
    """[(text, names of systems)]. A heading has no system, a system one, and a mean all of its
    group."""
    systems = sorted({(p.entries, p.name) for p in problems})
    rows = []
    limit = f"{jacobi.SMALL:,} entries"
    for heading, large in ((f"fewer than {limit}", False), (f"{limit} and more", True)):
        own = [one for one in systems if (one[0] >= jacobi.SMALL) == large]
        if own:
            rows.append((heading, []))
            rows += [(f"{name}  {si(entries)}", [name]) for entries, name in own]
            rows += [("geometric mean", [name for _, name in own])] * (means and len(own) > 1)
    return rows


def draw_panel(axes, panel, rows, value):
    series = []
    for dots in panel.dots:
        arms = {problem.name: (problem, dots.arm_of(problem)) for problem in panel.problems}
        entries = {name: value(*pair) for name, pair in arms.items() if pair[1] is not None}
        found = {name: entry for name, entry in entries.items() if entry is not None}
        series.append((dots.label, found, dots.style))
    draw_series(axes, rows, series, 0.7)
    axes.set_title(panel.title, fontsize=8.5)
    if not panel.shared:
        charts.legend_below(axes, ncols=2, fontsize=7.5, columnspacing=1, handletextpad=0.3)


def shared_symbols(panels):
    """The style in panels without legends, which uses no family's colour."""
    dots = {dots.label: dots for panel in panels if panel.shared for dots in panel.dots}
    grey = {"color": GREY, "markerfacecolor": GREY}
    return charts.entries({label: d.style | grey for label, d in dots.items()})


def draw_panels(panels, value, title, xlabel, notes, runs, finish=None, means=True, page=PAGE):
    """Draws the figure. `value(problem, arm)` returns (number, resampled numbers), as
    rcm.speedups() has them, or None.

    `finish(axes, panel)` is called for each panel. Raises PlotError if no panel has a dot."""
    panels = [panel for panel in panels if panel.dots]
    problems = [problem for panel in panels for problem in panel.problems]
    rows = rows_of(problems, means)
    settings = list(dict.fromkeys(", ".join(p.setting) for p in problems))
    legend = 0.6 * any(not panel.shared for panel in panels)
    height = 0.7 + page.row * len(rows)
    figure, grid = charts.wrapped_panels(
        len(panels), page.columns, lambda _, lines: (page.width, height * lines + legend),
        sharex=True, sharey=True,
    )  # fmt: skip
    for axes, panel in zip(grid.flat, panels, strict=False):
        draw_panel(axes, panel, rows, value)
        if finish:
            finish(axes, panel)
        axes.set_xlabel(xlabel)
        axes.tick_params(axis="x", labelbottom=True)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="y", linestyle=":")
    drawn = [x for axes in grid.flat for line in axes.get_lines() for x in line.get_xdata()]
    drawn = [x for x in map(float, drawn) if np.isfinite(x) and x > 0]
    if not drawn:
        raise PlotError(f"no rows with status ok for {title}")
    grid[0][0].set_xlim(min(drawn) / 1.4, max(drawn) * 1.4)
    for first in grid[:, 0]:
        name_series_rows(first, rows)
    names = [
        version if scheduler == "none" else f"{version} under {scheduler}"
        for version, scheduler in zip(runs["version"], runs["scheduler"], strict=True)
    ]
    families = {dots.family for panel in panels for dots in panel.dots}
    shared = settings[0] if len(settings) == 1 else ""
    lines = [f"Systems with their entries. {charts.INTERVALS}", *notes]
    lines += charts.left_out_note(runs.assign(arm=names))
    handles = [*charts.family_handles(families), *shared_symbols(panels)]
    return charts.frame(figure, title, shared, lines, handles, columns=page.legend)
