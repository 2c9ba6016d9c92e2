#!/usr/bin/env python3
"""MHive: speedup of every ordering over cuSOLVER's, one row per matrix (data of table 8.3).

There is one dot per matrix and arm: the ratio of the median times of start nodes and ordering
together, with its bootstrap 95 % interval. cuSOLVER needs a CUDA build. Without its rows, SciPy is
the baseline, and without SciPy the serial arm. Real and generated matrices are separate, each with
their geometric mean. The means of all matrices are printed as a table."""

from gridloom import charts
from gridloom.figure import main
from gridloom.results import PlotError
from gridloom.style import dot_style
from gridloom.text import si
from gridloom.thesis_mhive import rcm
from gridloom.thesis_mhive.collection import Collection
from gridloom.thesis_mhive.series import draw_series, name_series_rows
from gridloom_datasets.errors import say

BASELINES = ["cusolver", "scipy", "serial"]


def print_means(found, over):
    say(f"geometric mean of the speedup over {rcm.title(over)} [95 %]")
    for label, by_matrix in found.items():
        mean, low, high = rcm.geometric_mean(by_matrix)
        worst = min(by_matrix, key=lambda matrix: by_matrix[matrix][0])
        least = f"least {by_matrix[worst][0]:.3g} ({rcm.short(worst)})"
        count = f"{len(by_matrix)} matrices"
        say(f"  {rcm.title(label):<24} {mean:.3g} [{low:.3g}, {high:.3g}], {count}, {least}")


def panels_of(labels, runs):
    """{title: labels}: the published arms, and the other arms."""
    published = [label for label in labels if rcm.arm_place(label)[0] == "published"]
    others = [label for label in labels if label not in published]
    on_device = "cuda" in set(runs.mask(runs["label"].isin(published))["backend"])
    whose = "start nodes by our levels" if on_device else "start nodes by a host thread"
    named = {f"orderings of the thesis,\n{whose}": published, "SciPy and ours": others}
    return {name: own for name, own in named.items() if own}


def rows_of(runs):
    """[(text at the left, matrices of the row)]: one matrix, all for a mean, or none for a
    heading."""
    rows = []
    headings = ("real matrices", "generated and rebuilt matrices")
    for heading, own in zip(headings, rcm.real_and_generated(runs, Collection()), strict=True):
        if own:
            rows.append((heading, []))
            rows += [(f"{rcm.short(m)}  {si(rcm.size_of(runs, m)[0])}", [m]) for m in own]
            rows += [(f"geometric mean of {len(own)}", own)] * (len(own) > 1)
    return rows


def draw_panel(axes, rows, found, labels):
    series = [
        (rcm.title(label), found[label], dot_style(*rcm.arm_place(label))) for label in labels
    ]
    draw_series(axes, rows, series, 0.5)
    axes.axvline(1, color="black", linewidth=1)
    charts.legend_below(axes, ncols=4, columnspacing=1)


def draw(runs):
    runs = rcm.prepared(runs)
    over = next((arm for arm in BASELINES if len(runs.only(arm=arm, status="ok"))), None)
    if over is None:
        told = f"no rows with arm {', '.join(BASELINES)} and status ok: no speedup over any"
        raise PlotError(told)
    alike = set(rcm.MERGED) - {"pdc_merged"}  # the other schedulers give about the same times
    labels = [label for label in rcm.labels_of(runs) if label != over and label not in alike]
    found = {label: rcm.speedups(runs, over, label) for label in labels}
    found = {label: by_matrix for label, by_matrix in found.items() if by_matrix}
    if not found:
        raise PlotError(f"no matrix that {over} and another arm ordered")
    print_means(found, over)
    rows = rows_of(runs)
    panels = panels_of(sorted(found, key=rcm.place), runs)
    figure, grid = charts.panel_grid(
        1, len(panels), (3.2 + 3.4 * len(panels), 1.1 + 0.25 * len(rows)), sharex=True, sharey=True
    )
    for axes, (name, own) in zip(grid[0], panels.items(), strict=True):
        draw_panel(axes, rows, found, own)
        axes.set_title(name)
        axes.set_xlabel(f"times as fast as {rcm.title(over)}")
        axes.tick_params(axis="y", length=0)
    ends = [rcm.interval(entry) for by_matrix in found.values() for entry in by_matrix.values()]
    grid[0][0].set_xlim(min(low for _, low, _ in ends) / 1.5, max(high for *_, high in ends) * 1.5)
    name_series_rows(grid[0][0], rows)
    for axes in grid[0][1:]:
        axes.grid(axis="y", linestyle=":")
    machines = sorted({f"{m} ({b})" for m, b in zip(runs["machine"], runs["backend"], strict=True)})
    notes = [
        "Start nodes and reverse Cuthill–McKee order together. " + charts.INTERVALS,
        *(["cuSOLVER's reverse Cuthill–McKee runs on the host."] if over == "cusolver" else []),
        "Matrices with their rows; a mean is of the arms that ordered all of them.",
        *charts.left_out_note(runs),
    ]
    families = {rcm.arm_place(label)[0] for label in found}
    what = f"MHive: reverse Cuthill–McKee, speedup over {rcm.title(over)} (data of table 8.3)"
    return charts.frame(figure, what, ", ".join(machines), notes, charts.family_handles(families))


if __name__ == "__main__":
    main("mhive_fig8_3", __doc__, draw)
