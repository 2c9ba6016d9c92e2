#!/usr/bin/env python3
"""Writes juggler's runs as tab-separated values, as the paper's script `exp 1` does (appendix A.5).

    scripts/tables/juggler/tsv.py RESULTS.h5 KEY FILE.tsv [--method M,...] [--tile N] [--header]

There is one column per application, in the order DTW, HEAT, INT, JACOBI, SAT, SW, LUD. There is one
row per run: those of LRR, GRR and LF, then those of the barriers, the paper's if the file has
them. A cell is empty if there is no such run. KEY is execTime, check, minTaskLoad, maxTaskLoad,
initAppContext_H, initAppContext_D, initRtContext_D, inspectionLoop, buildCSR or totalTime. Times
are in seconds. execTime has the times of figure 4, with Juggler's overhead; for barriers it is the
run alone. totalTime adds the copies. RESULTS.h5 is from the experiment paper. If RESULTS.h5 is from
scripts/profile --counters l2, KEY is write_sector_misses, write_sector_queries, read_sector_misses
or read_sector_queries. Then a method has one row."""

import argparse
import sys
from pathlib import Path

import numpy as np

from gridloom.command_line import Parser, exit_code, whole_number
from gridloom.juggler.data import BARRIERS, BARRIERS_SYNC, PUBLISHED
from gridloom.juggler.misses import sums
from gridloom.results import PlotError, made_of, read_runs
from gridloom_datasets.errors import say
from gridloom_datasets.files import require_different_files, write_text

APPS = {"dtw": "DTW", "heat": "HEAT", "int_hist": "INT", "jacobi": "JACOBI", "sat": "SAT",
        "sw": "SW", "lud": "LUD"}  # fmt: skip
CHECKS = {"yes": "SUCCESS", "no": "FAIL", "off": ""}
COLUMNS = {
    "check": "verified",
    "minTaskLoad": "min_task_load",
    "maxTaskLoad": "max_task_load",
    "initAppContext_H": "init_app_context_h_ms",
    "initAppContext_D": "init_app_context_d_ms",
    "initRtContext_D": "init_rt_context_d_ms",
    "inspectionLoop": "inspection_ms",
    "buildCSR": "build_csr_ms",
    "totalTime": "end_to_end_ms",
}
# Which of misses.sums() a key is of.
SECTORS = {
    "write_sector_misses": ("writes", 1),
    "write_sector_queries": ("writes", 0),
    "read_sector_misses": ("reads", 1),
    "read_sector_queries": ("reads", 0),
}


def text_of(value, column):
    """The text of a cell; empty if there is no number."""
    if column == "verified":
        return CHECKS[value]
    number = float(value)
    if np.isnan(number):
        return ""
    if column.endswith("_ms"):
        return f"{number / 1000:.9g}"
    return "" if number < 0 else str(int(number))


def cells_of(runs, key, method):
    """One cell per run, in their order. A failed run has no numbers, and FAIL as its check."""
    column = COLUMNS.get(key, "elapsed_ms")
    values = runs[column]
    if key in ("execTime", "totalTime") and method not in (BARRIERS, BARRIERS_SYNC):
        values = values + runs["overhead_ms"]
    if key == "check":
        return ["FAIL" if s == "wrong" else text_of(v, column)
                for s, v in zip(runs["status"], values, strict=True)]  # fmt: skip
    return [text_of(v, column) if s == "ok" else ""
            for s, v in zip(runs["status"], values, strict=True)]  # fmt: skip


def tile_of(runs, tile):
    """The rows of one tile of an application: the requested tile, or the smallest one."""
    own = runs.mask(runs["tile"] == (tile or runs["tile"].min()))
    sizes = [key for key, _ in own.groups(["rows", "cols", "steps"])]
    if len(sizes) > 1:
        raise PlotError(f"expected one size of {own['app'][0]}, got {len(sizes)}")
    return own


def lines_of(runs, key, methods, tile=0):
    """Cells by line. A method has one block of lines, as long as its application with most runs."""
    rows = runs.only(experiment="paper") if "paper" in set(runs["experiment"]) else runs
    by_app = {app: rows.only(app=app) for app in APPS}
    by_app = {app: tile_of(own, tile) if len(own) else own for app, own in by_app.items()}
    if not any(map(len, by_app.values())):
        raise PlotError("no runs of the applications" + (f" in tiles of {tile}" if tile else ""))
    lines = []
    for method in methods:
        cells = [cells_of(own.only(method=method), key, method) for own in by_app.values()]
        most = max(map(len, cells))
        lines += [[own[n] if n < len(own) else "" for own in cells] for n in range(most)]
    return lines


def sector_lines(runs, key, methods):
    """One line per method."""
    found, (kind, place) = sums(runs), SECTORS[key]
    counts = [[found.get(app, {}).get(method, {}).get(kind) for app in APPS] for method in methods]
    return [
        [text_of(own[place], "sectors") if own else "" for own in row]
        for row in counts
    ]  # fmt: skip


def parse(arguments):
    parser = Parser(
        prog="tsv.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, metavar="RESULTS.h5")
    parser.add_argument("key", choices=["execTime", *COLUMNS, *SECTORS], metavar="KEY")
    parser.add_argument("output", type=Path, metavar="FILE.tsv")
    parser.add_argument("--method", type=lambda text: text.split(","), metavar="M,...",
                        help=f"default: {','.join(PUBLISHED)} and the barriers")  # fmt: skip
    parser.add_argument("--tile", type=whole_number(1, 1 << 15), default=0, metavar="N",
                        help="default: the smallest of each application")  # fmt: skip
    parser.add_argument("--header", action="store_true", help="a first line of the applications")
    return parser.parse_args(arguments)


def run(arguments):
    options = parse(arguments)
    require_different_files([("FILE.tsv", options.output)], inputs=[options.results])
    with made_of(options.results):
        lines = read_lines(options)
    write_text(options.output, "".join("\t".join(line) + "\n" for line in lines))
    say(f"{options.output}: {len(lines)} lines")
    return 0


def read_lines(options):
    runs = read_runs(options.results)
    if not options.method:
        sync = "method" in runs and BARRIERS_SYNC in set(runs["method"])
        options.method = [*PUBLISHED, BARRIERS_SYNC if sync else BARRIERS]
    if options.key in SECTORS:
        lines = sector_lines(runs, options.key, options.method)
    else:
        for method in options.method:
            if method not in set(runs["method"]):
                raise PlotError(f"{options.results}: no runs of {method}")
        lines = lines_of(runs, options.key, options.method, options.tile)
    return [[*APPS.values()], *lines] if options.header else lines


if __name__ == "__main__":
    sys.exit(exit_code("tsv.py", run, None))
