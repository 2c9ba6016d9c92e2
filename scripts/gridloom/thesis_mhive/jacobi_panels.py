"""How the figures of mhive-jacobi look: panels of curves against the entries of the systems."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from gridloom.charts import footnote
from gridloom.results import PlotError
from gridloom.style import line_style, use_style
from gridloom.text import in_order, si
from gridloom.thesis_mhive.jacobi import (
    BASELINES,
    OURS,
    SCHEDULED,
    SCHEDULERS,
    schedulers_of,
    versions_of,
)

BEST_OF_MHIVE = "best of MHive"


def panels_of(problems):
    """(title, [(label, arm of a system or None)]): one without schedulers, one a scheduler."""
    plain = [
        (version, lambda p, v=version: p.arm(v))
        for version in in_order(versions_of(problems, "none"), [*OURS, *BASELINES])
    ]
    if any(arm.is_mhive for p in problems for arm in p.arms.values()):
        plain.append((BEST_OF_MHIVE, lambda p: p.fastest(lambda arm: arm.is_mhive)))
    if plain:
        yield "baselines, ours, and the best of MHive", plain
    for scheduler in schedulers_of(problems):
        title = f"{scheduler} ({SCHEDULERS.get(scheduler, 'MHive')})"
        curves = [
            (version, lambda p, v=version, s=scheduler: p.arm(v, s))
            for version in versions_of(problems, scheduler)
        ]
        yield title, curves


def style_index(label, labels):
    """The same for a version in every panel and figure; those not known come after."""
    for known in (SCHEDULED, [*OURS, *BASELINES, BEST_OF_MHIVE]):
        if label in known:
            return known.index(label)
    return len(OURS) + len(BASELINES) + 1 + labels.index(label)


def draw_curve(axes, label, points, index):
    """`points`: (entries, median, low, high). Ours are filled and thick, the others hollow."""
    own = label in OURS
    style = line_style(index) | {"elinewidth": 0.8, "capsize": 1.5}
    style |= {"linewidth": 2.0 if own else 1.0, "markersize": 5 if own else 4}
    style["markerfacecolor"] = style["color"] if own else "white"
    entries, middles, lows, highs = (np.array(values) for values in zip(*points, strict=True))
    errors = [np.maximum(middles - lows, 0), np.maximum(highs - middles, 0)]
    axes.errorbar(entries, middles, yerr=np.array(errors).tolist(), label=label, **style)


def draw_panels(problems, value, title, ylabel, finish=None):
    """A panel for what needs no scheduler and one a scheduler, against the entries.

    `value(problem, arm)`: (median, low, high), or None where there is nothing to show.
    `finish(axes, problems)` adds to each panel. Each machine, backend and precision has panels of
    its own. Raises PlotError when no panel has a point.
    """
    drawn = []
    for setting in dict.fromkeys(p.setting for p in problems):
        own = [p for p in problems if p.setting == setting]
        for panel, curves in panels_of(own):
            lines = [(label, points_of(own, arm_of, value)) for label, arm_of in curves]
            if any(points for _, points in lines):
                drawn.append((setting, panel, own, lines))
    if not drawn:
        raise PlotError(f"no rows with status ok for {title}")
    settings = list(dict.fromkeys(setting for setting, *_ in drawn))
    use_style()
    columns = min(3, len(drawn))
    count = -(-len(drawn) // columns)
    figure, grid = plt.subplots(
        count, columns, figsize=(2 + 4.2 * columns, 0.8 + 4.6 * count), layout="constrained",
        squeeze=False, sharex=True, sharey=True,
    )  # fmt: skip
    for axes, (setting, panel, own, lines) in zip(grid.flat, drawn, strict=False):
        axes.set_xscale("log")
        axes.set_yscale("log")
        labels = [label for label, _ in lines]
        for label, points in lines:
            if points:
                draw_curve(axes, label, points, style_index(label, labels))
        if finish:
            finish(axes, own)
        several = f"\n{', '.join(setting)}" if len(settings) > 1 else ""
        axes.set_title(panel + several, fontsize=9)
        axes.tick_params(labelbottom=True, labelleft=True)
        axes.set_xlabel("entries")
        axes.set_ylabel(ylabel)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, fontsize=7)
    for axes in list(grid.flat)[len(drawn) :]:
        axes.set_visible(False)
    used = list(grid.flat)[: len(drawn)]
    set_ticks(used, "x", [p.entries for p in problems], si)
    # Lines are the curves, the ends of their intervals and what `finish` drew.
    drawn_y = [y for axes in used for line in axes.get_lines() for y in line.get_ydata() if y > 0]
    set_ticks(used, "y", drawn_y, "{:g}".format)
    shared = f"\n{', '.join(settings[0])}" if len(settings) == 1 else ""
    figure.suptitle(title + shared, fontsize=10.5, fontweight="bold")
    return figure


def set_ticks(panels, which, values, text):
    """Limits of an axis that all panels share, with numbers at decades or between them, too."""
    low, high = min(values) / 1.4, max(values) * 1.4
    panels[0].set(**{f"{which}lim": (low, high)})
    subs = (1, 2, 5) if high / low < 200 else (1,)
    for axes in panels:
        axis = axes.xaxis if which == "x" else axes.yaxis
        axis.set_major_locator(LogLocator(subs=subs))
        axis.set_major_formatter(FuncFormatter(lambda value, _: text(value)))
        axis.set_minor_formatter(NullFormatter())


def points_of(problems, arm_of, value):
    """[(entries, median, low, high)] by the entries."""
    points = []
    for problem in problems:
        arm = arm_of(problem)
        found = value(problem, arm) if arm is not None else None
        if found is not None:
            points.append((problem.entries, *found))
    return points


def finish_notes(figure, runs, problems, notes=()):
    """Below the figure: what the numbers are, which system has how many entries, and `notes`."""
    names = [
        version if scheduler == "none" else f"{version} under {scheduler}"
        for version, scheduler in zip(runs["version"], runs["scheduler"], strict=True)
    ]
    footnote(figure, runs.assign(arm=names))
    systems = dict.fromkeys(f"{p.name} ({si(p.entries)})" for p in problems)
    lines = textwrap.wrap(f"Systems and their entries: {', '.join(systems)}", 150)
    text = "\n".join([figure.get_supxlabel(), *lines, *notes])
    figure.supxlabel(text, fontsize=7.5, color="#444444")
