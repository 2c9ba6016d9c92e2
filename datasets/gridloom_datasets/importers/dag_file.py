"""Writes an imported task graph to HDF5. The layout is that of gridloom/sparse/graph_file.hpp,
which every scheduler reads, and what list schedulers need besides.

/graph               attributes kind = "dag", n (uint64, number of tasks),
                     format ("DAX 2.1", "WfFormat 1.5", "STG", "CSV matrix", ...),
                     source (name of the imported file, without its folder); by format also
                     workflow (its name), machines (uint64, how many ran it)
/graph/row_offsets   uint64 [n + 1]
/graph/columns       uint32 [edges]: the successors of task u are
                     columns[row_offsets[u]] .. columns[row_offsets[u + 1] - 1], ascending
/graph/costs         uint64 [n, p]: execution time of a task on each of p processors; p = 1: one
                     time a task, of a reference machine. Attribute unit: "us" or "1"
/graph/weights       uint64 [edges], beside columns: what a parent hands to its child.
                     Attribute unit: "byte" (sizes of files) or "1" (time, or zeros where the
                     format knows none)
/graph/names         UTF-8 text of variable length [n], distinct
/graph/machine_speeds, /graph/ran_on
                     uint64 [machines] in MHz, and uint32 [n], which machine ran each task: only
                     where the file tells both of all machines and tasks

The graph has no cycle, no self edge and no edge twice. Tasks keep the order of their file, so an
edge may go from a larger to a smaller index. The sum over all costs and weights is at most
2^63 - 1: no scheduler's sum over them can overflow.
"""

import h5py
import numpy as np

from gridloom_datasets import hdf5

MAX_ATTRIBUTE_CHARACTERS = 1000  # HDF5 holds 64 KiB in an object header


def write(path, dag):
    """The file is there whole or not at all. Raises OSError."""
    hdf5.write(path, lambda file: _fill(file.create_group("graph"), dag))


def _fill(graph, dag):
    graph.attrs["kind"] = "dag"
    graph.attrs["n"] = np.uint64(dag.tasks)
    for name, value in dag.attributes.items():
        is_text = isinstance(value, str)
        graph.attrs[name] = value[:MAX_ATTRIBUTE_CHARACTERS] if is_text else np.uint64(value)
    graph["row_offsets"] = dag.row_offsets
    graph["columns"] = dag.columns
    graph["costs"] = dag.costs
    graph["costs"].attrs["unit"] = dag.cost_unit
    graph["weights"] = dag.weights
    graph["weights"].attrs["unit"] = dag.weight_unit
    if dag.machines:
        speeds, ran_on = dag.machines
        graph["machine_speeds"] = np.array(speeds, dtype=np.uint64)
        graph["machine_speeds"].attrs["unit"] = "MHz"
        graph["ran_on"] = np.array(ran_on, dtype=np.uint32)
    graph.create_dataset("names", data=dag.names, dtype=h5py.string_dtype("utf-8"))
