"""What must hold for every input of an importer, and how one input is tried.

An import writes a file that passes the checks here, which share no code with the importers, or
raises InputError with one line. Anything else, MAX_SECONDS or MAX_BYTES exceeded included, is a
violation.
"""

import resource
import signal
import time
from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np

from gridloom_datasets.errors import InputError
from gridloom_datasets.importers import import_dag

MAX_SECONDS = 10
MAX_BYTES = 1 << 30
SPLIT = b"\n%%%%\n"  # between the edges and the costs of a pair of CSV files
SUFFIX = {"dax": ".xml", "wfformat": ".json", "stg": ".stg", "csv": ".csv"}


class Violation(Exception):
    """The property does not hold for an input."""


class TookTooLong(BaseException):
    """Not an Exception: the code under test must not catch it."""


def limit_memory():
    """Lets this process grow by MAX_BYTES; beyond, allocations fail with MemoryError."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MAX_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def seeds(kind):
    """The hand-written inputs of a format; a pair of CSV files is joined by SPLIT."""
    folder = Path(__file__).resolve().parent / "seeds" / kind
    if kind != "csv":
        return [path.read_bytes() for path in sorted(folder.iterdir())]
    return [
        edges.read_bytes() + SPLIT + Path(str(edges).replace("_edges", "_costs")).read_bytes()
        for edges in sorted(folder.glob("*_edges.csv"))
    ]


def lay_out(kind, data, folder):
    """Writes an input as the file or files that it stands for; returns the one to import."""
    if kind != "csv":
        path = folder / f"input{SUFFIX[kind]}"
        path.write_bytes(data)
        return path
    edges, _, costs = data.partition(SPLIT)
    (folder / "input_costs.csv").write_bytes(costs)
    path = folder / "input_edges.csv"
    path.write_bytes(edges)
    return path


def try_input(kind, data, folder, run=import_dag):
    """True when data was imported, False when it was refused; raises Violation."""
    path, output = lay_out(kind, data, folder), folder / "output.h5"
    output.unlink(missing_ok=True)
    # The handler runs in Python code; a call into C that never returns is for the outer timeout.
    previous = signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    start = time.process_time()
    try:
        summary = run(path, output, kind)
    except InputError as error:
        summary = None
        if "\n" in str(error) or not str(error).startswith(str(folder)):
            raise Violation(f"no one-line message with the place: {error!r}") from None
        str(error).encode()
    except TookTooLong:
        raise Violation(f"more than {MAX_SECONDS} s") from None
    except BaseException as error:
        raise Violation(f"{type(error).__name__}: {error}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
    if time.process_time() - start > MAX_SECONDS:
        raise Violation(f"more than {MAX_SECONDS} s")
    left = {p.name for p in folder.iterdir()} - {path.name, "input_costs.csv"}
    if left != (set() if summary is None else {output.name}):
        raise Violation(f"left behind: {sorted(left)}")
    if summary is not None:
        if "\n" in summary:
            raise Violation(f"a summary of several lines: {summary!r}")
        check_graph(output)
    return summary is not None


def _ring(*_):
    raise TookTooLong


def check_graph(path):
    """Raises Violation unless the file holds a task graph in the promised layout."""
    with h5py.File(path) as file:
        graph = file["graph"]
        n = int(graph.attrs["n"])
        offsets, columns = graph["row_offsets"][...], graph["columns"][...]
        costs, weights = graph["costs"][...], graph["weights"][...]
        names = [name.decode() for name in graph["names"][...]]
        units = graph["costs"].attrs["unit"], graph["weights"].attrs["unit"]
        require(graph.attrs["kind"] == "dag", "kind")
        require(graph.attrs["format"] and graph.attrs["source"], "format and source")
    require([a.dtype for a in (offsets, columns, costs, weights)]
            == [np.dtype(t) for t in ("u8", "u4", "u8", "u8")], "types")  # fmt: skip
    require(units in (("us", "byte"), ("1", "1")), "units")
    require(1 <= n <= 2**31 - 2 and len(offsets) == n + 1, "n and row_offsets")
    require(costs.ndim == 2 and len(costs) == n and costs.shape[1] >= 1, "shape of costs")
    require(len(names) == n == len(set(names)) and all(names), "names")
    bounds = offsets.tolist()
    require(bounds[0] == 0 and bounds[-1] == len(columns) == len(weights), "number of edges")
    require(all(a <= b for a, b in pairwise(bounds)), "falling offsets")
    rows = [columns[a:b].tolist() for a, b in pairwise(bounds)]
    waiting = [0] * n
    for task, row in enumerate(rows):
        require(row == sorted(set(row)) and task not in row, "successors")
        for successor in row:
            require(successor < n, "range of successors")
            waiting[successor] += 1
    total = sum(sum(row) for row in costs.tolist()) + sum(weights.tolist())
    require(total <= 2**63 - 1, "sum of costs and weights")
    ready = [task for task in range(n) if not waiting[task]]
    for task in ready:
        for successor in rows[task]:
            waiting[successor] -= 1
            if not waiting[successor]:
                ready.append(successor)
    require(len(ready) == n, "a cycle")


def require(condition, what):
    if not condition:
        raise Violation(f"the written graph: {what}")
