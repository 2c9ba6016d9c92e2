#!/usr/bin/env python3
"""The picture of the front page: how many times as fast as the best rival each work is.

    front_page.py [--output-dir docs]

A dot is the geometric mean over the cases of a row. A line reaches from the smallest to the largest
case. The best rival is the fastest in each case, by the same time. All rows come from stored
files."""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from gridloom.figure import main
from gridloom.paths import ROOT
from gridloom.results import read_runs
from gridloom.style import dot_style, use_style

RUN, WHOLE = "run", "with set-up and copies"


def medians(rows, case, arm):
    """Medians of both times by case and arm."""
    if "whole_ms" not in rows:
        rows["whole_ms"] = rows["setup_ms"].fillna(0) + rows["end_to_end_ms"]
    return pd.DataFrame(rows).groupby([*case, arm])[["elapsed_ms", "whole_ms"]].median()


def fastest(table, arms):
    """The fastest of the arms that match a regular expression, in each case, by each time."""
    names = table.index.get_level_values(-1)
    cases = list(range(table.index.nlevels - 1))
    return table[names.str.fullmatch(arms)].groupby(level=cases).min()


def wavefront(files):
    """Lattices and graphs of 4 million tasks. Ours have empty tasks, or tasks with results to pass
    on."""
    rows = read_runs(files["wavefront/reference/gpu.h5"])
    rows = rows.mask(rows["experiment"].isin(["fig3", "custom"]) & (rows["counters"] == 0))
    case = ["body", "graph", "input", "tasks"]
    published = medians(rows.only(body="noop"), case, "algorithm")
    general = medians(read_runs(files["wavefront/reference/general.h5"]), case, "algorithm")
    rivals = pd.concat([fastest(general, "waves_.*"), fastest(published, "waves_.*")])
    rivals = rivals.groupby(level=[0, 1, 2, 3]).min()
    queues = "scanning|single_queue|multi_queue"
    return fastest(published, queues), fastest(general, "in_order"), rivals


def thesis_mhive(files):
    """RCM of real matrices. The published arm is PDC after a search for start nodes by one host
    thread."""
    rows = read_runs(files["thesis_mhive/reference/nvidia-h200-rcm.h5"])
    rows = rows.mask(rows["matrix"].str.contains(".mtx", regex=False))
    rows["whole_ms"] = rows["end_to_end_ms"]
    serial = rows.only(arm="serial").groupby("matrix")["start_ms"].median()
    pdc = rows["arm"] == "pdc"
    search = rows["matrix"].map(serial) - rows["start_ms"]
    for column in ("elapsed_ms", "whole_ms"):
        rows.loc[pdc, column] = rows[column][pdc] + search[pdc]
    table = medians(rows, ["matrix"], "arm")
    rivals = "cusolver|scipy|serial|two_threads"
    return fastest(table, "pdc"), fastest(table, "levels"), fastest(table, rivals)


def juggler(files):
    """Seven applications with the paper's numbers of tasks."""
    rows = read_runs(files["juggler/reference/gpu.h5"]).only(experiment="paper")
    table = medians(rows, ["app", "rows", "tile"], "method")
    rivals = "barriers|graph|graph_pdl|grid_sync|static_lists|ticket"
    known = "|diagonal|look_back|temporal|cusolver"
    return fastest(table, "grr"), fastest(table, "chains"), fastest(table, rivals + known)


def tiled_qr(files):
    """Random matrices in double, Q implicit. FR3 has 2,048 rows and 64 to 2,048 columns; ours has
    squares of 128 to 2,048 rows."""

    def table_of(name):
        rows = read_runs(files[f"tiled_qr/reference/{name}.h5"])
        rows = rows.only(precision="double", q="implicit")
        return medians(rows.mask(rows["rows"] <= 2048), ["rows", "cols"], "method")

    table = pd.concat({name: table_of(name) for name in ("shapes", "gpu")})
    ours, rivals = "gram_panels|blocked_panels|cholesky_panels", "cusolver|lapack|lapack_all"
    return fastest(table.loc[["shapes"]], "fr3"), fastest(table, ours), fastest(table, rivals)


def pets(files):
    """Random graphs of 4,096 to 1,000,000 tasks; the rival is one host thread."""
    rows = read_runs(files["pets/reference/nvidia-h200.h5"])
    table = medians(rows.mask(rows["tasks"] >= 4096), ["tasks"], "implementation")
    return fastest(table, "rectangular"), fastest(table, "hand_over"), fastest(table, "host")


WORKS = {
    wavefront: ("wavefront", "multi_queue; in_order"),
    thesis_mhive: ("thesis_mhive, RCM", "PDC; levels"),
    juggler: ("juggler", "GRR; chains"),
    tiled_qr: ("tiled_qr", "FR3; three QRs by panels"),
    pets: ("pets", "rectangular; hand_over"),
}
FILES = [
    "wavefront/reference/gpu.h5",
    "wavefront/reference/general.h5",
    "thesis_mhive/reference/nvidia-h200-rcm.h5",
    "juggler/reference/gpu.h5",
    "tiled_qr/reference/gpu.h5",
    "tiled_qr/reference/shapes.h5",
    "pets/reference/nvidia-h200.h5",
]


def draw(files):
    use_style()
    figure, axes = plt.subplots(figsize=(8, 3.9), layout="constrained")
    labels = []
    for row, (work, (name, arms)) in enumerate(WORKS.items()):
        published, ours, rivals = work(files)
        for family, table, offset in (("published", published, -0.2), ("ours", ours, 0.2)):
            for time, column, shift in ((RUN, "elapsed_ms", -0.07), (WHOLE, "whole_ms", 0.07)):
                speeds = (rivals[column] / table[column]).dropna()
                mean = float(np.exp(np.log(speeds).mean()))
                print(f"{name}: {family}, {time}: {mean:.3g} ({speeds.min():.3g} to"
                      f" {speeds.max():.3g}) in {len(speeds)} cases")  # fmt: skip
                style = dot_style(family)
                if time == WHOLE:
                    style |= {"markerfacecolor": "white", "markeredgewidth": 1.2}
                label = f"{'published' if family == 'published' else 'ours'}, {time}"
                axes.errorbar(
                    mean, row + offset + shift, xerr=[[mean - speeds.min()], [speeds.max() - mean]],
                    label=None if row else label, **style,
                )  # fmt: skip
        labels.append(f"{name}\n{arms}")
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.axvline(1, color="#444444", linewidth=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("times as fast as the best rival")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


if __name__ == "__main__":
    if not any(name.endswith(".h5") for name in sys.argv[1:]):
        sys.argv[1:1] = [str(ROOT / file) for file in FILES]
    main("front_page", __doc__, lambda files: draw(dict(zip(FILES, files, strict=True))), read=list)
