"""Runs of OpenMP sources translated by juggler-cc and by GCC, as peers/openmp_peer.py stores them.

openmp-loops.h5 beside the file has the hand-written runtime on the kernels of the sources, by the
program juggler with `--kernels loops --method lts`."""

from pathlib import Path

import numpy as np

from gridloom.juggler.data import APPS
from gridloom.results import PlotError, read_meta, read_runs
from gridloom.statistics import median_interval, median_ratio
from gridloom.text import NONE, in_order, interval, table, times_text

TRANSLATED, HOST, OFFLOAD = "juggler", "gcc", "nvptx"
ARMS = {
    TRANSLATED: "`juggler-cc`",
    "juggler-host": "`juggler-cc`, host threads",
    HOST: "`gcc`, host threads",
    OFFLOAD: "`gcc`, offload",
}
THIRD = {"heat": "steps", "jacobi": "steps", "int_hist": "bins"}
METHOD = "lts"  # the method that runs translated programs


def times_of(rows, arm, case, column="region_ms"):
    own = rows.only(arm=arm, case=case, status="ok")
    times = np.asarray(own[column], dtype=float)
    return times[np.isfinite(times)]


def times_cell(rows, arm, case):
    """The median with its interval, and the status of processes without a right result."""
    times, own = times_of(rows, arm, case), rows.only(arm=arm, case=case)
    ends = own.drop_duplicates(["of_process", "status"])["status"].tolist()
    bad = sorted({status for status in ends if status != "ok"})
    if not len(times):
        return ", ".join(bad) or NONE
    counts = [f"{ends.count(status)} of {len(ends)}: {status}" for status in bad]
    return interval(median_interval(times)) + (f" ({', '.join(counts)})" if counts else "")


def ratio_cell(over, under):
    return times_text(median_ratio(over, under)) if len(over) and len(under) else NONE


def regions_table(rows, cases):
    arms = in_order(set(map(str, rows["arm"])), ARMS)
    heads = ["case", "tasks", *(f"{ARMS.get(arm, arm)}, ms" for arm in arms)]
    heads.append("`gcc` on the host over `juggler-cc`")
    lines = []
    for case in cases:
        tasks = max(int(number) for number in rows.only(case=case)["tasks"])
        cells = [times_cell(rows, arm, case) for arm in arms]
        ratio = ratio_cell(times_of(rows, HOST, case), times_of(rows, TRANSLATED, case))
        lines.append([f"`{case}`", f"{tasks:,}" if tasks >= 0 else NONE, *cells, ratio])
    return table(heads, lines)


def hand_written(loops, case):
    """The hand-written runs with the size of a case."""
    app, *arguments = case.split()
    if len(arguments) < 2:
        return loops.only(app=app, rows=-1)
    tiles, side = map(int, arguments[:2])
    wanted = {"app": app, "rows": tiles * side, "tile": side}
    if app in THIRD and len(arguments) > 2:
        wanted[THIRD[app]] = int(arguments[2])
    return loops.only(**wanted, method=METHOD, kernels="loops", status="ok")


def kernels_table(rows, cases, loops):
    lines = []
    for case in cases:
        translated = times_of(rows, TRANSLATED, case, "run_ms")
        written = np.asarray(hand_written(loops, case)["elapsed_ms"], dtype=float)
        if not len(translated) or not len(written):
            continue
        cells = [interval(median_interval(times)) for times in (translated, written)]
        app = case.split()[0]
        lines.append([APPS.get(app, app), f"`{case}`", *cells, ratio_cell(translated, written)])
    heads = ["application", "case", "translated, ms", "written by hand, ms", "translated over that"]
    return table(heads, lines, left=2)


def texts_of(path):
    """Table `openmp`, and table `openmp-kernels` if openmp-loops.h5 exists; value
    openmp-card."""
    rows = read_runs(path)
    cases = list(dict.fromkeys(map(str, rows["case"])))
    if not cases:
        raise PlotError("no run of a region")
    card = str(read_meta(path).get("gpu", "")) or NONE
    texts = {"openmp": regions_table(rows, cases), "openmp-card": card}
    path = Path(path)
    beside = path.with_name(f"{path.stem}-loops.h5")
    if beside.is_file():
        texts["openmp-kernels"] = kernels_table(rows, cases, read_runs(beside))
    return texts
