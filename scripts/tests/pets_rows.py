"""What the tests of pets' tables and figures share: rows of its tables made by hand."""

import h5py

from conftest import add_table, write_results

# One row of each table of pets with harmless values.
RUN = {
    "graph": "v=1000", "graph_seed": 1, "algorithm": "pets_append", "backend": "cuda",
    "implementation": "in_order", "tasks": 1000, "edges": 4000, "depth": 30, "processors": 8,
    "repetition": 0, "elapsed_ms": 10.0, "entries_ms": 0.0, "metrics_ms": 1.0, "sort_ms": 2.0,
    "selection_ms": 7.0, "selection": "device", "setup_ms": 3.0, "fetch_ms": 0.5,
    "metrics_bytes": 4_000_000, "padding": 1.0, "launches": 1, "makespan": 100, "slr": 2.0,
    "speedup": 4.0, "efficiency": 0.5, "verified": 1, "status": "ok",
}  # fmt: skip
GRAPH = {
    "graph": "v=1000", "graph_seed": 1, "processors": 8, "kind": "random", "tasks": 1000,
    "edges": 4000, "depth": 30, "widest_level": 60, "v": 1000.0, "alpha": 1.0, "beta": 4.0,
    "ccr": 1.0, "eta": 0.5, "jump": 1.0,
}  # fmt: skip
GPU, CPU = "TestGPU", "TestCPU"


def made(columns, values):
    assert set(values) <= set(columns), values
    return columns | values


def run(**values):
    return made(RUN, values)


def host(**values):
    """A row of the reference, whose time for entries is part of levels and ranks."""
    own = {"implementation": "host", "backend": "host", "selection": "host"}
    return made(RUN, own | {"entries_ms": -1.0, "metrics_bytes": 0} | values)


def graph(**values):
    return made(GRAPH, values)


def write(path, runs, graphs=()):
    write_results(path, runs, RUN, program="pets", gpu=GPU, cpu=CPU, backend="cuda")
    if graphs:
        with h5py.File(path, "a") as file:
            add_table(file, "graphs", graphs, GRAPH)
    return path


def sizes(*counts, row, **values):
    """(runs, graphs) of random graphs with these numbers of tasks. Times grow with the number."""
    runs, graphs = [], []
    for tasks in counts:
        of = {"graph": f"v={tasks}", "tasks": tasks, "depth": tasks // 100 + 1}
        graphs.append(graph(**of, v=float(tasks)))
        scale = tasks / 1000
        times = {name: row[name] * scale for name in ("elapsed_ms", "metrics_ms", "sort_ms")}
        runs.append(made(row, of | times | values))
    return runs, graphs
