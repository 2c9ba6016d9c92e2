"""What the tests of juggler's figures and tables share: rows of its results made by hand."""

import numpy as np

from conftest import write_results
from gridloom.juggler.data import PARTS

# One row with harmless values.
RUN = {
    "experiment": "paper", "app": "lud", "method": "grr", "arm": "grr", "input": "",
    "backend": "cuda", "rows": 960, "cols": 960, "tile": 64, "bins": -1, "steps": -1,
    "tasks": 1240, "depth": 43, "widest_level": 196, "workers": 8,
    "threads": 256, "kernels": "own", "placing": "multiprocessors",
    "max_task_load": 160, "min_task_load": 150, "repetition": 0,
    **dict.fromkeys(PARTS, 0.01), "elapsed_ms": 1.0, "end_to_end_ms": 1.5, "overhead_ms": 0.05,
    "with_overhead_ms": 1.05, "gflops": np.nan, "elements_per_s": np.nan,
    "bytes_per_s": np.nan, "floor_elements_per_s": np.nan, "verified": "yes", "status": "ok",
}  # fmt: skip
LAUNCH = {
    "name": "lud", "pattern": "kernel", "launch": 0, "kernel": "", "backend": "cuda",
    "time_us": 1.0, "l2_reads": 100.0, "l2_read_misses": 10.0, "l2_writes": 50.0,
    "l2_write_misses": 5.0, "status": "ok",
}  # fmt: skip
EVENT = {"arm": "grr", "worker": 0, "task": 0, "type": 0, "begin_ns": 0, "end_ns": 10}
GPU = "TestGPU"
KINDS = {"runs": RUN, "trace": EVENT}
# Milliseconds of lud by method. lts is the fastest policy, grr the fastest of the paper's.
TIMES = {"barriers": 2.0, "graph": 1.6, "lrr": 1.25, "grr": 1.0, "lf": 4.0, "lts": 0.8,
         "serial": 40.0}  # fmt: skip


def run(**values):
    """A row whose overhead is the sum of its parts."""
    assert set(values) <= set(RUN), set(values) - set(RUN)
    row = RUN | {"arm": values.get("method", "grr")} | values
    row["overhead_ms"] = sum(row[part] for part in PARTS)
    row["with_overhead_ms"] = row["overhead_ms"] + row["elapsed_ms"]
    return row


def repeated(times, **values):
    return [run(elapsed_ms=ms, repetition=k, **values) for k, ms in enumerate(times)]


def methods_runs(scale=1.0, times=TIMES, **values):
    """Three runs of each method, 1 % apart."""
    rows = []
    for method, ms in times.items():
        own = {"backend": "host"} if method == "serial" else {}
        spread = [scale * ms * part for part in (0.99, 1, 1.01)]
        rows += repeated(spread, method=method, **values | own)
    return rows


def write(path, columns=None, table="runs", rows=(), **meta):
    """Rows of one table as a results file."""
    own = {"gpu": GPU, "cpu": "TestCPU", "backend": "cuda", "floor_copy_gbs": "4000"}
    own |= {"program": "juggler"} | meta
    return write_results(path, rows, KINDS[table] if columns is None else columns, table, **own)
