"""Task graphs of other projects, turned into the HDF5 file that Gridloom's schedulers read.

Kinds: dax (Pegasus DAX 2 and 3), wfformat (WfCommons JSON), stg (Standard Task Graph Set), csv
(matrix or edge list with a file of costs). Any of them may be packed (.gz). The layout of the
result is described in dag_file.py.
"""

from pathlib import Path

import h5py

from ..import_file import DAG_ENDINGS, split_name
from . import csv_graph, dag_file, dax, stg, wfformat
from .graph_text import import_graph as import_graph
from .source import Source, quoted

READERS = {"dax": dax.read, "wfformat": wfformat.read, "stg": stg.read, "csv": csv_graph.read}
OPTIONS = {"csv": {"costs"}, "dax": {"negative_sizes"}}


def import_dag(path: Path, output: Path, kind: str | None = None, **options) -> str:
    """Reads the task graph at `path`, writes it to `output`, and returns a one-line summary.

    `kind` is a key of READERS, by default derived from the ending. `options` has for csv `costs`,
    the path of the file of costs, and for dax `negative_sizes`, which "zero" treats as 0. Raises
    InputError with one line if the input or an option is wrong, and OSError if the output cannot be
    written. The output is written completely or not at all."""
    source = Source(path)
    if kind is None:
        kind = DAG_ENDINGS.get(split_name(source.path)[1])
        if not kind:
            raise source.error(f"expected one of {' '.join(DAG_ENDINGS)}, or to be told the kind")
    if kind not in READERS:
        raise source.error(f"expected one of the kinds {', '.join(READERS)}, got {quoted(kind)}")
    if unknown := sorted(options.keys() - OPTIONS.get(kind, set())):
        raise source.error(f"expected no option {unknown[0]} for {kind}")
    output = Path(output)
    if output.exists() and not h5py.is_hdf5(output):
        # It could be one of the inputs.
        raise Source(output).error("expected an HDF5 file to replace, or none, got another file")
    dag = READERS[kind](source, **options)
    dag_file.write(output, dag)
    sizes = f"{dag.tasks:,} tasks", f"{dag.edges:,} edges", f"processors: {dag.costs.shape[1]}"
    return ", ".join([f"{source.name}: {dag.attributes['format']}", *sizes, *dag.notes])
