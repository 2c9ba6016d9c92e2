#!/usr/bin/env python3
"""PETS: time by step of one graph, one bar per implementation.

The left panel stacks milliseconds, the right one shares, because implementations can differ a
lot."""

import numpy as np
from matplotlib.patches import Patch

from gridloom.charts import frame, left_out_note, panel_grid
from gridloom.figure import main
from gridloom.pets import data
from gridloom.pets.drawing import ALGORITHM_OPTION
from gridloom.results import PlotError, joined
from gridloom.statistics import median_interval
from gridloom.style import fill_style
from gridloom.text import number

REST = "the rest"


def parts_of(rows):
    """{step: median ms} of one implementation, and (median, low, high) of the total. The time
    outside of all steps is a part of its own if it is at least a hundredth of the total."""
    whole = median_interval(data.elapsed_ms(rows))
    steps = {title: data.step_ms(rows, column) for column, title in data.STEPS.items()}
    parts = {title: float(np.median(ms)) for title, ms in steps.items()}
    rest = float(np.median(data.elapsed_ms(rows) - sum(steps.values())))
    return parts | {REST: rest if rest > 0.01 * whole[0] else 0.0}, whole


def sum_of(bars, relative):
    """The length of the longest bar."""
    return 100 if relative else max(sum(parts.values()) for parts, _ in bars.values())


def draw_bars(panels, bars, steps):
    """`bars`: {implementation: (parts, whole)}."""
    for axes, relative in zip(panels, (False, True), strict=True):
        left = np.zeros(len(bars))
        for step in steps:
            index = [*data.STEPS.values(), REST].index(step)
            sums = [sum(parts.values()) if relative else 1 for parts, _ in bars.values()]
            values = np.array([parts[step] for parts, _ in bars.values()])
            values = values / np.array(sums) * (100 if relative else 1)
            least = sum_of(bars, relative) / 150
            for y, value in enumerate(values):
                # Narrow parts have no outline: it would be all that is seen of them.
                wide = value > least
                axes.barh(
                    y, value, left=left[y], height=0.7, edgecolor="black",
                    linewidth=0.5 if wide else 0, **fill_style(index, hatched=wide),
                )  # fmt: skip
            left += values
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
    for y, (parts, (median, low, high)) in enumerate(bars.values()):
        panels[0].annotate(
            f"{number(median)} [{number(low)}, {number(high)}]", (sum(parts.values()), y),
            xytext=(4, 0), textcoords="offset points", va="center", fontsize=7.5,
        )  # fmt: skip
    panels[0].set_yticks(range(len(bars)), list(bars))
    panels[1].set_yticks(range(len(bars)), [])
    panels[0].set_xlim(0, 1.3 * sum_of(bars, relative=False))
    panels[1].set_xlim(0, 100)
    panels[0].set_xlabel("ms, with the median of the whole")
    panels[1].set_xlabel("% of the steps")


def rows_of(results, algorithm, graph):
    """[(setting, rows of one graph)]. Settings without the requested graph are left out."""
    runs = data.only_algorithm(
        data.require(results.table("runs"), "implementation", *data.STEPS), algorithm
    )
    runs = runs.mask(runs["metrics_ms"].notna() | (runs["status"] != "ok"))
    if not len(runs):
        raise PlotError(f"no rows of {algorithm} in /runs tell its steps apart")
    settings = data.settings_of(runs)
    having = [(setting, rows) for setting, rows in settings if graph in (None, *rows["graph"])]
    return [(setting, data.chosen_graph(rows, graph)) for setting, rows in having or settings]


def draw(results, algorithm="pets_append", graph=None):
    drawn = rows_of(results, algorithm, graph)
    bars = []
    for _, rows in drawn:
        good = data.ok(rows)
        names = data.implementations_of(good)
        bars.append({name: parts_of(good.only(implementation=name)) for name in names})
    used = {s for own in bars for parts, _ in own.values() for s, ms in parts.items() if ms > 0}
    steps = [step for step in [*data.STEPS.values(), REST] if step in used]
    heights = [0.9 + 0.36 * len(own) for own in bars]
    figure, grid = panel_grid(
        len(drawn), 2, (9.6, 0.4 + sum(heights)), height_ratios=heights, width_ratios=[3, 2]
    )
    for panels, (setting, rows), own in zip(grid, drawn, bars, strict=True):
        draw_bars(panels, own, steps)
        sizes = (rows[name][0] for name in ("tasks", "edges", "depth", "processors"))
        text = "{:,} tasks, {:,} edges, {:,} levels, {} processors".format(*sizes)
        panels[0].set_title(f"{setting.title}; {rows['graph'][0]}\n{text}", fontsize=9, loc="left")
    handles = [
        Patch(edgecolor="black", linewidth=0.5, label=step,
              **fill_style([*data.STEPS.values(), REST].index(step)))
        for step in steps
    ]  # fmt: skip
    notes = [
        "Medians; whole: with bootstrap 95 % intervals. Levels and ranks include entry discovery "
        "without a time.",
        *left_out_note(joined([rows for _, rows in drawn]), "implementation"),
    ]
    return frame(figure, f"PETS: time by step ({algorithm})", "", notes, handles, columns=5)


MORE = ALGORITHM_OPTION | {"graph": {"help": "default: that of the most tasks"}}

if __name__ == "__main__":
    main("pets_phases", __doc__, draw, more=MORE, read=data.Results)
