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

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]

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
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"reading: {' '.join(command)} failed: {done.stderr.strip()}")
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


def cpu_name():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def write(path, rows, program, processors):
    import scipy

    units = {"elapsed_ms": "ms", "file_bytes": "B", "csr_bytes": "B", "peak_bytes": "B"}
    partial = path.with_name(path.name + f".part-{os.getpid()}")
    with h5py.File(partial, "w") as file:
        runs = file.create_group("runs")
        for name in rows[0]:
            values = [row[name] for row in rows]
            text = isinstance(values[0], str)
            data = np.array(values, dtype=object if text else None)
            column = runs.create_dataset(
                name, data=data, dtype=h5py.string_dtype() if text else None
            )
            if not text:
                column.attrs["unit"] = units.get(name, "1")
        meta = file.create_group("meta")
        meta.attrs["program"] = "reading.py"
        meta.attrs["argv"] = " ".join(["reading.py", *map(os.path.basename, sys.argv[1:])])
        meta.attrs["gridloom_matrix"] = ask([program, "--version"]).strip()
        meta.attrs["date"] = datetime.now(UTC).isoformat(timespec="seconds")
        meta.attrs["cpu"] = cpu_name()
        meta.attrs["processors"] = processors
        meta.attrs["python"] = platform.python_version()
        meta.attrs["scipy"] = scipy.__version__
    os.replace(partial, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "build/host/bin/gridloom-matrix"))
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--entries", type=int, default=20_000_000)
    parser.add_argument("--memory-entries", type=int, default=100_000_000, help="0: leave out")
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("--folder", type=Path, help="for the files (default: a temporary one)")
    options = parser.parse_args()
    processors = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
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
    write(options.output, rows, options.program, processors)


if __name__ == "__main__":
    main()
