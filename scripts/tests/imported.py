"""Writes, imports, reads back and checks files of task graphs."""

from itertools import pairwise
from types import SimpleNamespace

import h5py
import numpy as np

from conftest import ROOT
from gridloom_datasets.hdf5_text import attributes_of, plain
from gridloom_datasets.importers import import_dag

SEEDS = ROOT / "scripts" / "tests" / "task_graphs"


def write_dag(path, successors, costs=None, weights=None):
    """Writes a task graph as the importers do, from a list of successors per task. Without costs it
    has only dependences."""
    with h5py.File(path, "w") as file:
        group = file.create_group("graph")
        group.attrs["kind"], group.attrs["n"] = "dag", np.uint64(len(successors))
        group["row_offsets"] = np.cumsum([0, *map(len, successors)]).astype(np.uint64)
        group["columns"] = np.array([c for row in successors for c in row], dtype=np.uint32)
        if costs is not None:
            group["costs"] = np.array(costs, dtype=np.uint64)
            group["weights"] = np.array(weights, dtype=np.uint64)
    return path


def read_back(path):
    """The whole file as plain lists and texts."""
    with h5py.File(path) as file:
        graph = file["graph"]
        arrays = ("row_offsets", "columns", "costs", "weights")
        return SimpleNamespace(
            attributes=attributes_of(graph),
            names=[name.decode() for name in graph["names"][...]],
            units=tuple(plain(graph[name].attrs["unit"]) for name in ("costs", "weights")),
            **{name: graph[name][...].tolist() for name in arrays},
        )


def edges_of(graph):
    """{(parent, child): weight} by name."""
    edges = {}
    for task, name in enumerate(graph.names):
        for k in range(graph.row_offsets[task], graph.row_offsets[task + 1]):
            edges[name, graph.names[graph.columns[k]]] = graph.weights[k]
    return edges


def import_files(folder, files, *, kind=None, **options):
    """Imports the first of files (name -> text or bytes) written to folder: graph, summary."""
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)
    output = folder / "graph.h5"
    summary = import_dag(folder / next(iter(files)), output, kind, **options)
    return read_back(output), summary


def check_graph(path):
    """Checks that the file has a task graph in the documented layout. Shares no code with the
    importers."""
    with h5py.File(path) as file:
        graph = file["graph"]
        n = int(graph.attrs["n"])
        offsets, columns = graph["row_offsets"][...], graph["columns"][...]
        costs, weights = graph["costs"][...], graph["weights"][...]
        names = [name.decode() for name in graph["names"][...]]
        units = tuple(plain(graph[name].attrs["unit"]) for name in ("costs", "weights"))
        assert (
            plain(graph.attrs["kind"]) == "dag" and graph.attrs["format"] and graph.attrs["source"]
        )
    types = [array.dtype for array in (offsets, columns, costs, weights)]
    assert types == [np.dtype(t) for t in ("u8", "u4", "u8", "u8")]
    assert units in (("us", "byte"), ("1", "1"))
    assert 1 <= n <= 2**31 - 2 and len(offsets) == n + 1
    assert costs.ndim == 2 and len(costs) == n and costs.shape[1] >= 1
    assert len(names) == n == len(set(names)) and all(names)
    bounds = offsets.tolist()
    assert bounds[0] == 0 and bounds[-1] == len(columns) == len(weights)
    assert all(a <= b for a, b in pairwise(bounds))
    rows = [columns[a:b].tolist() for a, b in pairwise(bounds)]
    waiting = [0] * n
    for task, row in enumerate(rows):
        assert row == sorted(set(row)) and task not in row
        for successor in row:
            assert successor < n
            waiting[successor] += 1
    assert sum(sum(row) for row in costs.tolist()) + sum(weights.tolist()) <= 2**63 - 1
    ready = [task for task in range(n) if not waiting[task]]
    for task in ready:
        for successor in rows[task]:
            waiting[successor] -= 1
            if not waiting[successor]:
                ready.append(successor)
    assert len(ready) == n, "a cycle"
