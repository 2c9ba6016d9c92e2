"""What the tests of mhive-rcm's tables and figures share: rows of /runs and /parts made by hand."""

import h5py

from conftest import write_results

# One row of mhive-rcm's /runs with harmless values.
ROW = {
    "arm": "levels", "matrix": "small.mtx.gz", "rows": 1000, "entries": 4500, "components": 1,
    "levels": 30, "start": "pseudo-peripheral", "candidates": 8, "backend": "cuda", "workers": 0,
    "repetition": 0, "place": 0, "searches": 3, "start_ms": 1.0, "order_ms": 0.5, "both_ms": 1.4,
    "elapsed_ms": 1.6, "bandwidth_before": 1999, "bandwidth": 121, "half_bandwidth": 60,
    "bytes": 2_000_000, "equation_bytes": 48_064_000, "same": "yes", "verified": "yes",
    "status": "ok", "process": 0,
}  # fmt: skip
OWN = {
    "cusolver": {"start": "own", "start_ms": -1.0, "order_ms": -1.0, "bytes": 0},
    "scipy": {"start": "own", "start_ms": -1.0, "order_ms": -1.0, "bytes": 0, "backend": "host",
              "workers": 1, "candidates": 0},
}  # fmt: skip


def row(**values):
    assert set(values) <= set(ROW), values
    return ROW | OWN.get(values.get("arm"), {}) | values


def timed(arm, matrix, rows, *times_ms, **values):
    """A row a time of both; the copies take a tenth more."""
    return [
        row(
            arm=arm, matrix=matrix, rows=rows, repetition=k, both_ms=ms, elapsed_ms=1.1 * ms,
            **values,
        )
        for k, ms in enumerate(times_ms)
    ]  # fmt: skip


def write(path, rows, parts=(), **meta):
    """`parts`: (arm, matrix, place, part, tasks, elapsed_ms)."""
    meta = {"program": "mhive-rcm", "gpu": "TestGPU", "cpu": "TestCPU"} | meta
    write_results(path, list(rows), ROW, **meta)
    if parts:
        names = ["arm", "matrix", "place", "part", "tasks", "elapsed_ms"]
        with h5py.File(path, "r+") as file:
            for name, values in zip(names, zip(*parts, strict=True), strict=True):
                kind = h5py.string_dtype() if isinstance(values[0], str) else None
                file.create_dataset(f"parts/{name}", data=list(values), dtype=kind)
            file["parts/busy_ms"] = file["parts/elapsed_ms"][...]
    return path
