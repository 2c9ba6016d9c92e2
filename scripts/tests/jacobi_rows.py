"""What the tests of mhive-jacobi's tables and figures share: rows of /runs made by hand."""

from conftest import write_results

# One row of mhive-jacobi's /runs, as far as tables and figures read it.
ROW = {
    "version": "kernel_by_kernel", "scheduler": "none", "matrix": "small.mtx.gz", "rows": 100,
    "entries": 500, "precision": "double", "backend": "cuda", "workers": 0, "tasks": 3,
    "max_iterations": 10, "tolerance": 0.0, "check_every": 10, "repetition": 0, "iterations": 10,
    "elapsed_ms": 1.0, "device_bytes": 10_000, "thesis_bytes": 67_000_000, "floor_bytes": 8804,
    "status": "ok",
}  # fmt: skip
H200 = "NVIDIA H200"


def row(**values):
    assert set(values) <= set(ROW), values
    return ROW | values


def timed(version, *times_us, scheduler="none", **values):
    """Yields one row per time of an iteration."""
    made = [row(version=version, scheduler=scheduler, **values) for _ in times_us]
    for k, (one, us) in enumerate(zip(made, times_us, strict=True)):
        one |= {"repetition": k, "elapsed_ms": us * one["iterations"] / 1e3}
    return made


def write(path, rows, **meta):
    meta = {"program": "mhive-jacobi", "gpu": H200, "cpu": "TestCPU"} | meta
    return write_results(path, list(rows), ROW, **meta)


def sample_rows():
    """Two small systems and a large one. Ours is 10 times as fast as kernel by kernel on `a`, and 4
    times on `b`. On `c` it reaches 80 % of a copy's bandwidth."""
    for matrix, entries, ours in (("a.mtx.gz", 1000, 2.0), ("b", 2000, 5.0)):
        of = {"matrix": matrix, "entries": entries}
        yield from timed("kernel_by_kernel", 19.0, 20.0, 21.0, **of)
        yield from timed("graph_fused", 6.0, 6.0, **of)
        yield from timed("graph_fused", 5.5, **of)
        yield from timed("grid_sync", 5.0, **of)
        yield from timed("neighbours", ours, **of)
        yield from timed("stages_phases", 12.0, scheduler="megakernel", **of)
        yield from timed("autonomous", 8.0, scheduler="time_sliced", device_bytes=12_000, **of)
        yield from timed("autonomous", 7.0, scheduler="device_controller", **of)
    of = {"matrix": "c", "rows": 1_000_000, "entries": 5_000_000, "floor_bytes": 79_000_000}
    yield from timed("kernel_by_kernel", 50.0, **of)
    yield from timed("graph_rows", 26.0, **of)
    yield from timed("neighbours", 25.0, **of)  # 79 MB at 3.95 TB/s take 20 µs
    yield row(**of, version="autonomous", scheduler="megakernel", status="timeout", elapsed_ms=0)
