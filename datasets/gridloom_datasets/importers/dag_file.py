"""Writes an imported task graph to HDF5. The layout is that of gridloom/taskgraph/graph_file.hpp,
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

import numpy as np

from gridloom_datasets import hdf5
from gridloom_datasets.hdf5_text import set_attributes

MAX_ATTRIBUTE_CHARACTERS = 1000


def write(path, dag):
    """Writes the file completely or not at all. Raises OSError."""
    hdf5.write(path, lambda file: _fill(file.create_group("graph"), dag))


def _fill(graph, dag):
    about = {"kind": "dag", "n": np.uint64(dag.tasks)}
    for name, value in dag.attributes.items():
        is_text = isinstance(value, str)
        about[name] = value[:MAX_ATTRIBUTE_CHARACTERS] if is_text else np.uint64(value)
    set_attributes(graph, about)
    hdf5.add(graph, "row_offsets", dag.row_offsets)
    hdf5.add(graph, "columns", dag.columns)
    hdf5.add(graph, "costs", dag.costs, unit=dag.cost_unit)
    hdf5.add(graph, "weights", dag.weights, unit=dag.weight_unit)
    if dag.machines:
        speeds, ran_on = dag.machines
        hdf5.add(graph, "machine_speeds", np.array(speeds, dtype=np.uint64), unit="MHz")
        hdf5.add(graph, "ran_on", np.array(ran_on, dtype=np.uint32))
    hdf5.add(graph, "names", np.array(dag.names, dtype=object))
