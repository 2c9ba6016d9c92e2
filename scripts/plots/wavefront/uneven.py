#!/usr/bin/env python3
"""Efficiency against the mean duration of tasks with drawn durations, one panel per distribution.

gridloom/wavefront/metg.py defines efficiency. There is one row of panels for each graph and task
width, a block or a lane."""

from gridloom.charts import INTERVALS, draw_metg, family_handles, frame, panel_grid
from gridloom.figure import main
from gridloom.labels import split_labels
from gridloom.style import GREY
from gridloom.wavefront.data import ALGORITHMS, PARTS, WIDTH, line_of
from gridloom.wavefront.metg import DURATIONS, uneven

ARMS = [  # a panel shows those of a GPU or of a host, at most eight
    "in_order", "in_order_ticket", "ticket_queue", "multi_queue", "single_queue", "waves_graph_pdl",
    "waves_graph", "waves_barrier", "omp_tasks",
]  # fmt: skip
NOTE = "Efficiency: work over units, or the longest path if that is longer, over the run's time."


def name_of(config):
    return config["arm"].split()[0]


def draw_panel(axes, found, title):
    known = [line for line in found if name_of(line[0]) in ARMS]
    known.sort(key=lambda line: ARMS.index(name_of(line[0])))
    lines = [
        (
            name_of(c),
            [(x, *values) for x, values in zip(durations, points, strict=True)],
            line_of(c),
        )
        for c, durations, points in known
    ]
    draw_metg(axes, lines, "mean duration of a task", dotted=False, fontsize=7)
    axes.set_ylim(0, 1.05)
    axes.set_title(title, fontsize=8.5, color=GREY, fontweight="normal")
    return {ALGORITHMS.family(name) for name, _, _ in lines}


def draw(runs):
    found = uneven(runs)
    columns = [kind for kind in DURATIONS if any(kind in own for own in found.values())]
    figure, panels = panel_grid(
        len(found), len(columns), (3.1 * len(columns) + 0.6, 4.1 * len(found)), sharey=True
    )
    configs = [lines[0][0] for own in found.values() for lines in own.values()]
    shared, texts = split_labels(configs, PARTS | WIDTH)
    texts = iter(texts)
    families = set()
    for axes_row, own in zip(panels, found.values(), strict=True):
        for axes, kind in zip(axes_row, columns, strict=True):
            if kind in own:
                families |= draw_panel(
                    axes, own[kind], "\n".join(filter(None, [kind, next(texts)]))
                )
            else:
                axes.set_visible(False)
        axes_row[0].set_ylabel("efficiency")
    lines = [line for own in found.values() for lines in own.values() for line in lines]
    left_out = sorted({name_of(config) for config, _, _ in lines} - set(ARMS))
    notes = [INTERVALS, NOTE]
    if left_out:
        notes.append(f"Not drawn: {', '.join(left_out)}.")
    title = "Wavefront: tasks of uneven durations"
    return frame(figure, title, shared, notes, family_handles(families))


if __name__ == "__main__":
    main("wavefront_uneven", __doc__, draw)
