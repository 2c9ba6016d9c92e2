#!/usr/bin/env python3
"""How fast Matrix Market files are read, and with how much memory: gridloom-matrix beside SciPy.

    reading.py --output RESULTS.h5 [--entries N] [--repeat R] [--memory-entries N]

Makes the files with gridloom-matrix in a scratch folder, then runs the
arms alternately, each read in a process of its own, in an order that is rotated every repetition.
The timed region is one call, from a path to a matrix in memory:
    gridloom          CSR, rows sorted, duplicates looked for
    scipy_mmread      coordinates in the order of the file (all processors)
    scipy_csr         the same, then .tocsr()
File contents are in the page cache: a first read of each file is not counted.
"""

import gridloom_datasets.endings  # noqa: F401

import json
import os
import sys
from pathlib import Path

import numpy as np
import scipy

from gridloom.command_line import Parser, exit_code, whole_number
from gridloom.paths import ROOT
from gridloom.results_file import Column, collect_meta, require_output, write
from gridloom_datasets.errors import FetchError, InputError, reason
from gridloom_datasets.temporaries import CAPTURED, run_child, temporary_folder

TABLES = {
    "runs": [
        Column("experiment", "text", "", "speed, or memory: large files, each read once"),
        Column("arm", "text", "", "who reads, and into what"),
        Column("file", "text", "", "real, pattern: without values, gzip: compressed"),
        Column("threads", "whole numbers", "1", "threads asked for; 0: the library decides"),
        Column("repetition", "whole numbers", "1", "0-based index of the timed repetition"),
        Column("file_bytes", "whole numbers", "B", "size of the file"),
        Column("entries", "whole numbers", "1", "entries stored"),
        Column("csr_bytes", "whole numbers", "B", "of the matrix in memory; 0: not asked"),
        Column("peak_bytes", "whole numbers", "B", "most memory of the process"),
        Column("elapsed_ms", "reals", "ms", "from a path to a matrix in memory"),
        Column("backend", "text", "", "machine that ran"),
        Column("status", "text", "", "ok"),
    ]
}

SCIPY = """
import json, resource, sys, time
import scipy.io
begin = time.perf_counter()
matrix = scipy.io.mmread(sys.argv[1])
if sys.argv[2] == "csr":
    matrix = matrix.tocsr()
elapsed = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"elapsed_s": elapsed, "peak_bytes": peak, "entries": int(matrix.nnz)}))
"""


def ask(command):
    try:
        done = run_child(command, **CAPTURED)
    except OSError as error:
        raise InputError(f"{command[0]}: {reason(error)}") from None
    if done.returncode != 0:
        raise FetchError(f"{' '.join(command)}: failed: {done.stderr.strip()}")
    return done.stdout


def arms(program, processors):
    """Name, threads (0: the library decides), and the command that reads a file."""
    ours = [program, "time", "{}", "--json", "--threads"]
    yield "gridloom", 1, [*ours, "1"]
    if processors > 1:
        yield "gridloom", processors, [*ours, str(processors)]
    yield "scipy_mmread", 0, [sys.executable, "-c", SCIPY, "{}", "coordinates"]
    yield "scipy_csr", 0, [sys.executable, "-c", SCIPY, "{}", "csr"]


def make_files(program, folder, entries):
    """The kinds of files: random values of all digits, the pattern of it, and gzip."""
    spec = f"dominant:n={entries // 10},nnz={entries}"
    files = {"real": "real.mtx", "real, gzip": "real.mtx.gz", "pattern": "pattern.mtx"}
    for kind, name in files.items():
        values = "none" if kind == "pattern" else "double"
        ask([program, "generate", spec, str(folder / name), "--values", values])
    return {kind: folder / name for kind, name in files.items()}, spec


def row(experiment, arm, kind, threads, repetition, path, told):
    """One read, as the reading process told it."""
    return {
        "experiment": experiment,
        "arm": arm,
        "file": kind,
        "threads": threads,
        "repetition": repetition,
        "file_bytes": path.stat().st_size,
        "entries": told["entries"],
        "csr_bytes": told.get("bytes", 0),
        "peak_bytes": told["peak_bytes"],
        "elapsed_ms": told["elapsed_s"] * 1e3,
        "backend": "host",
        "status": "ok",
    }


def measure(program, kind, path, repeat, processors):
    """One row a read; the first round is the warm-up."""
    rows = []
    order = list(arms(program, processors))
    for repetition in range(-1, repeat):
        for arm, threads, command in order:
            told = json.loads(ask([part.replace("{}", str(path)) for part in command]))
            if repetition < 0:
                continue
            rows.append(row("speed", arm, kind, threads, repetition, path, told))
        order = order[1:] + order[:1]
    return rows


def measure_memory(program, folder, entries, processors):
    """Peak memory of large files, each read once: all entries stored, with and without values."""
    rows = []
    side = max(2, round((entries / 27) ** (1 / 3)))
    spec = f"poisson3d:nx={side},ny={side},nz={side},points=27"
    for values in ("none", "double"):
        path = folder / f"large-{values}.mtx"
        ask([program, "generate", spec, str(path), "--values", values])
        told = json.loads(ask([program, "time", str(path), "--json", "--threads", str(processors)]))
        kind = "pattern" if values == "none" else "real"
        rows.append(row("memory", "gridloom", kind, processors, 0, path, told))
        path.unlink()
    return rows


def meta_of(program, processors, arguments):
    own = {
        "gridloom_matrix": ask([program, "--version"]).strip(),
        "processors": str(processors),
        "scipy": scipy.__version__,
    }
    return collect_meta("reading.py", "reading.py", arguments) | own


def parse(arguments):
    parser = Parser(prog="reading.py", description=__doc__.splitlines()[0])
    entries = whole_number(10, 10**10)
    add = parser.add_argument
    add("--program", default=str(ROOT / "build/host/bin/gridloom-matrix"), metavar="FILE")
    add("--output", required=True, type=Path, metavar="RESULTS.h5")
    add("--entries", type=entries, default=20_000_000, metavar="N")
    add("--memory-entries", type=whole_number(0, 10**10), default=100_000_000, metavar="N",
        help="0: leave out")  # fmt: skip
    add("--repeat", type=whole_number(1, 1_000_000), default=11, metavar="R")
    add("--folder", type=Path, help="for the files (default: a temporary one)")
    return parser.parse_args(arguments)


def run(arguments):
    options = parse(arguments)
    processors = len(os.sched_getaffinity(0))
    meta = meta_of(options.program, processors, arguments)
    require_output(options.output, False, meta, TABLES)
    with temporary_folder(dir=options.folder) as name:
        folder = Path(name)
        files, spec = make_files(options.program, folder, options.entries)
        print(f"reading: {spec}")
        rows = []
        for kind, path in files.items():
            rows += measure(options.program, kind, path, options.repeat, processors)
            path.unlink()
            for arm, threads, _ in arms(options.program, processors):
                found = [
                    r["elapsed_ms"]
                    for r in rows
                    if (r["arm"], r["threads"], r["file"]) == (arm, threads, kind)
                ]
                print(f"  {kind:12} {arm:14} {threads:2} {np.median(found):10.1f} ms")
        if options.memory_entries:
            rows += measure_memory(options.program, folder, options.memory_entries, processors)
            for r in rows[-2:]:
                ratio = r["peak_bytes"] / r["csr_bytes"]
                print(f"  {r['entries']:,} {r['file']}: {ratio:.2f} times the CSR's memory")
    write(options.output, meta, TABLES, {"runs": rows}, append=False)
    return 0


def main(arguments=None):
    return exit_code("reading.py", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
