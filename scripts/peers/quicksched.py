#!/usr/bin/env python3
"""Measures QuickSched's published example, which has the tasks of `tiled-tasks --client qr`.

    quicksched.py CHECKOUT --output RESULTS.h5 [--threads N] [--repeat N] [--timeout S]

GCC compiles its sources unchanged, in a temporary folder. One process factorises 2048² in tiles of
64, another one 32² in tiles of 1: these tasks are nearly empty. The first of a process's runs takes
the example's costs of tasks, later runs the measured ones. The example checks no result."""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from gridloom.command_line import Parser, exit_code, whole_number
from gridloom.results_file import Column, answer, collect_meta, require_output, write
from gridloom_datasets.children import CAPTURED, run_child
from gridloom_datasets.errors import FetchError, InputError, one_line

TEXTS = {"client": "qr", "method": "quicksched", "backend": "host", "priority": "critical-path"}
COUNTS = ("rows", "tile", "tasks", "edges", "uses", "workers", "repetition")
TABLES = {
    "runs": [
        *(Column(name, "text", "", "as in tiled-tasks") for name in (*TEXTS, "status")),
        *(Column(name, "whole numbers", "1", "as in tiled-tasks; -1: not told") for name in COUNTS),
        Column("setup_ms", "reals", "ms", "making the graph; NaN: not told"),
        Column("elapsed_ms", "reals", "ms", "qsched_run(); NaN: none"),
    ]
}
SOURCES = ("examples/test_qr.c", "src/qsched.c", "src/queue.c")
# The optimisation is that of QuickSched's configure. Only a disabled check multiplies matrices.
FLAGS = "-std=gnu11 -w -O3 -march=native -ffast-math -fomit-frame-pointer -fopenmp -DTIMERS"
FLAGS += " -DHAVE_OPENMP=1 -DHAVE_PTHREAD=1 -Dcblas_dgemm(...)="
# cycle.h's clock is replaced by one in ns.
FLAGS += " -DHAVE_TICK_COUNTER -Dticks=long -Dgetticks()=(long)(1e9*omp_get_wtime())"


def measure(program, tile, options):
    """The rows of one process. A process without times is one row."""
    words = f"-m 32 -n 32 -k {tile} -t {options.threads} -r {options.repeat}".split()
    try:
        done = run_child([program, *words], timeout=options.timeout, **CAPTURED)
        status, told = "failed" if done.returncode else "ok", done.stdout
    except subprocess.TimeoutExpired:
        status, told = "timeout", ""
    times = [int(ns) / 1e6 for ns in re.findall(r"run took (\d+) ticks", told)]
    count = dict(re.findall(r"(\w+)(?:: |=)(\d+)", told))
    row = TEXTS | {"rows": 32 * tile, "tile": tile, "workers": options.threads, "status": status}
    for name, its in (("tasks", "tasks"), ("edges", "deps"), ("uses", "locks")):
        row[name] = int(count.get(its, -1))
    row["setup_ms"] = float(count.get("setup", "nan")) / 1e6
    if status != "ok" or len(times) != options.repeat:
        row["status"], times = status.replace("ok", "failed"), [float("nan")]
    elif (row["tasks"], row["edges"]) != (11440, 32240):
        row["status"] = "wrong"
    return [row | {"repetition": k, "elapsed_ms": ms} for k, ms in enumerate(times)]


def run(arguments):
    parser = Parser(prog="quicksched.py", description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, metavar="CHECKOUT")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE")
    defaults = {"threads": len(os.sched_getaffinity(0)), "repeat": 20, "timeout": 120}
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=whole_number(1, 100_000), default=value)
    options = parser.parse_args(arguments)
    sources = [options.checkout.absolute() / name for name in SOURCES]
    if lost := [str(path) for path in sources if not path.is_file()]:
        raise InputError(f"{lost[0]}: expected a checkout of QuickSched with this file")
    git = answer("git", f"--git-dir={options.checkout / '.git'}", "rev-parse", "HEAD")
    meta = collect_meta("peer-quicksched", "peers/quicksched.py", arguments) | {"flags": FLAGS}
    meta |= {"peer_revision": git or "unknown", "compiler": answer("gcc", "--version") or "none"}
    require_output(options.output, False, meta, TABLES, inputs=sources)
    with TemporaryDirectory() as folder:
        for name in ("config.h", "cblas.h"):  # FLAGS has what these would define
            (Path(folder) / name).touch()
        words = ["gcc", *FLAGS.split(), f"-I{folder}", f"-I{sources[1].parent}", *sources, "-lm"]
        done = run_child([*words, "-o", f"{folder}/qr"], **CAPTURED)
        if done.returncode != 0:
            raise FetchError(f"gcc: {one_line(done.stderr)[:300]}")
        rows = [row for tile in (64, 1) for row in measure(f"{folder}/qr", tile, options)]
    write(options.output, meta, TABLES, {"runs": rows}, False)
    for row in rows:
        print(f"tiles of {row['tile']}: {row['elapsed_ms']:.3f} ms, {row['status']}")
    return 0 if all(row["status"] == "ok" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(exit_code("quicksched", run, None))
