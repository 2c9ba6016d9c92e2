"""A task graph in memory, as the importers build it, and the checks that schedulers rely on."""

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from .quantities import MOST
from .source import quoted

MAX_TASKS = 2**31 - 2  # most_tasks of common/taskgraph/include/gridloom/taskgraph/graph_file.hpp


@dataclass
class Dag:
    """n tasks in the order of their file, with costs on p processors (p = 1: on one reference
    machine)."""

    names: list  # n distinct texts
    row_offsets: np.ndarray  # n + 1 elements of uint64
    # The successor of each edge as uint32, ascending within a row.
    columns: np.ndarray
    costs: np.ndarray  # n x p elements of uint64, in cost_unit
    weights: np.ndarray  # one uint64 per edge, in weight_unit
    cost_unit: str
    weight_unit: str
    # Texts or integers: the format, the source, and what else the file says.
    attributes: dict
    notes: list = field(default_factory=list)  # what the summary tells the user
    # The machines' speeds in MHz, and the machine that ran each task.
    machines: tuple | None = None

    @property
    def tasks(self):
        return len(self.names)

    @property
    def edges(self):
        return len(self.columns)


def bad_name(name):
    """What is wrong with a task's name ("expected ..., got ..."), or None."""
    if not name:
        return "expected a task's name, got an empty one"
    if any(c < " " or "\ud800" <= c <= "\udfff" for c in name):
        return f"expected a name without control characters and lone surrogates, got {quoted(name)}"
    return None


def build(source, names, costs, edges, *, units, attributes, notes=(), machines=None):
    """Builds a graph from `edges`, a dict (parent, child) -> weight by task index, and checks it.

    `costs` are n or n × p integers, and `units` those of costs and weights. `source` names the
    input in messages and in the attribute source. Raises InputError."""
    if not names:
        raise source.error("expected at least one task, got none")
    if len(names) > MAX_TASKS:
        raise source.error(f"expected at most {MAX_TASKS} tasks, got {len(names)}")
    n = len(names)
    pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    row_offsets = np.zeros(n + 1, dtype=np.uint64)
    np.cumsum(np.bincount(pairs[:, 0], minlength=n), out=row_offsets[1:])
    costs = np.array(costs, dtype=np.uint64).reshape(n, -1)
    weights = np.array(list(edges.values()), dtype=np.uint64)[order]
    about = {**attributes, "source": source.name}, list(notes), machines
    columns = pairs[order, 1].astype(np.uint32)
    dag = Dag(names, row_offsets, columns, costs, weights, *units, *about)
    _check(source, dag)
    return dag


def _check(source, dag):
    if len(set(dag.names)) != dag.tasks:
        raise source.error("expected distinct names of tasks")
    for name in dag.names:
        if problem := bad_name(name):
            raise source.error(problem)
    # With this bound, no path length, makespan or sum can overflow in a scheduler.
    total = sum(dag.costs.ravel().tolist()) + sum(dag.weights.tolist())
    if total > MOST:
        raise source.error(f"expected costs and weights that add up to at most {MOST}, got {total}")
    rows = np.repeat(np.arange(dag.tasks), np.diff(dag.row_offsets.astype(np.int64)))
    if len(loops := rows[rows == dag.columns]):
        raise source.error(f"expected no edge from a task to itself, got {_shown(dag, loops[:1])}")
    graph = csr_array(
        (np.ones(dag.edges, dtype=np.int8), dag.columns, dag.row_offsets.astype(np.int64)),
        shape=(dag.tasks, dag.tasks),
    )
    count, component = connected_components(graph, directed=True, connection="strong")
    if count != dag.tasks:
        cycle = _cycle_in(dag, component)
        raise source.error(f"expected no cycle, got {_shown(dag, [*cycle, cycle[0]])}")


def _cycle_in(dag, component):
    """The tasks of one cycle. In a strong component, every task has a successor inside."""
    sizes = np.bincount(component)
    task = int(np.flatnonzero(sizes[component] > 1)[0])
    path, place = [], {}
    while task not in place:
        place[task] = len(path)
        path.append(task)
        row = dag.columns[int(dag.row_offsets[task]) : int(dag.row_offsets[task + 1])]
        task = int(row[component[row] == component[task]][0])
    return path[place[task] :]


def _shown(dag, tasks):
    names = [quoted(dag.names[task]) for task in tasks]
    if len(names) > 6:
        names[5:-1] = [f"({len(names) - 6} more)"]
    return " -> ".join(names)
