"""What the tests of the importers share: an import of given texts, and what it wrote."""

from types import SimpleNamespace

import h5py

import importer_property
from conftest import ROOT
from gridloom_datasets.importers import import_dag

check_graph = importer_property.check_graph
SEEDS = ROOT / "datasets" / "fuzz" / "seeds"


def read_back(path):
    """The whole file as plain lists and texts."""
    with h5py.File(path) as file:
        graph = file["graph"]
        arrays = ("row_offsets", "columns", "costs", "weights")
        return SimpleNamespace(
            attributes=dict(graph.attrs),
            names=[name.decode() for name in graph["names"][...]],
            units=(graph["costs"].attrs["unit"], graph["weights"].attrs["unit"]),
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
