"""Task graphs as two CSV files: NAME_edges.csv, and NAME_costs.csv, beside it or given by an
option.

The header of the file of edges tells its form:
    source,target,weight   then one edge per row; an edge with weight 0 costs nothing
    ANY,A,B,C,...          then one row per task, in the order of the header: communication costs
                           from this task to each task; 0 means no edge (the form in which the
                           example of Topcuoglu, Hariri and Wu, 2002, circulates)
The file of costs has a header, then one row per task: its name and its cost on each processor, or
one cost.

Tasks have the order of the matrix's header, or that of the file of costs for a list of edges. Names
in the two files must agree, at least without underscores: the circulating example calls the same
task T0 and T_0."""

import csv
from array import array

from . import dag
from .quantities import whole_number
from .source import Source, quoted

EDGE_LIST = ["source", "target", "weight"]


class _Rows:
    """The rows of a CSV file that are not blank. `line` is the line in which the last one ended."""

    def __init__(self, source):
        self.source = source
        self.rows = csv.reader(source.lines(), strict=True)

    @property
    def line(self):
        return self.rows.line_num

    def __iter__(self):
        try:
            for row in self.rows:
                if row:
                    yield [cell.strip() for cell in row]
        except csv.Error as error:
            raise self.error(f"expected CSV, got {error}") from None

    def error(self, what):
        return self.source.error(what, self.line)

    def number(self, text, what):
        return self.source.number(whole_number, text, what, self.line)

    def header(self, least):
        header = next(iter(self), None)
        if header is None or len(header) < least:
            columns = len(header or ())
            raise self.error(f"expected a header of at least {least} columns, got {columns}")
        return header

    def name(self, text, known):
        """Checks and returns the name of a new task."""
        if problem := dag.bad_name(text):
            raise self.error(problem)
        if text in known:
            raise self.error(f"expected each task once, got {quoted(text)} again")
        return text


def read(source, costs=None):
    """Reads both files into a checked dag.Dag. Raises InputError that names the wrong file."""
    cost_source = Source(_beside(source) if costs is None else costs)
    cost_of = _read_costs(_Rows(cost_source))
    rows = _Rows(source)
    header = rows.header(2)
    if header == EDGE_LIST:
        names, form = list(cost_of), "CSV edge list"
        edges = _read_list(rows, names)
    else:
        names, form = [rows.name(cell, ()) for cell in header[1:]], "CSV matrix"
        if len(set(names)) != len(names):
            raise rows.error("expected distinct tasks in the header")
        edges = _read_matrix(rows, names)
        cost_of = _renamed(cost_source, cost_of, names)
    costs = [cost_of[name] for name in names]
    return dag.build(source, names, costs, edges, units=("1", "1"), attributes={"format": form})


def _beside(source):
    """Path of NAME_costs.csv for NAME_edges.csv; either may be packed."""
    name = source.path.name
    stem, found, suffix = name.rpartition("_edges.csv")
    if not found or suffix not in ("", ".gz"):
        raise source.error("expected a name like NAME_edges.csv, or the option costs")
    for ending in dict.fromkeys((suffix, "", ".gz")):
        path = source.path.with_name(f"{stem}_costs.csv{ending}")
        if path.exists():
            return path
    return source.path.with_name(f"{stem}_costs.csv")


def _read_costs(rows):
    width = len(rows.header(2))
    cost_of = {}
    for row in rows:
        if len(row) != width:
            raise rows.error(f"expected {width} columns, got {len(row)}")
        name = rows.name(row[0], cost_of)
        cost_of[name] = array("Q", (rows.number(cell, "a cost") for cell in row[1:]))
    return cost_of


def _read_matrix(rows, names):
    edges, task = {}, 0
    for row in rows:
        if task == len(names):
            raise rows.error(f"expected the end after {len(names)} tasks, got another row")
        if row[0] != names[task]:
            raise rows.error(f"expected the row of {quoted(names[task])}, got {quoted(row[0])}")
        if len(row) != len(names) + 1:
            raise rows.error(f"expected {len(names) + 1} columns, got {len(row)}")
        for other, cell in enumerate(row[1:]):
            if cell != "0" and (weight := rows.number(cell, "a communication cost")):
                edges[task, other] = weight
        if (task, task) in edges:
            name, cell = quoted(names[task]), row[task + 1]
            raise rows.error(f"expected 0 from {name} to itself, got {cell}")
        task += 1
    if task != len(names):
        raise rows.error(f"expected {len(names)} rows of tasks, got {task}")
    return edges


def _read_list(rows, names):
    index = {name: k for k, name in enumerate(names)}
    edges = {}
    for row in rows:
        if len(row) != len(EDGE_LIST):
            raise rows.error(f"expected {','.join(EDGE_LIST)}, got {len(row)} columns")
        for name in row[:2]:
            if name not in index:
                raise rows.error(f"expected a task of the costs file, got {quoted(name)}")
        edge = index[row[0]], index[row[1]]
        if edge[0] == edge[1]:
            raise rows.error(f"expected two tasks, got {quoted(row[0])} twice")
        if edge in edges:
            shown = f"{quoted(row[0])} -> {quoted(row[1])}"
            raise rows.error(f"expected each edge once, got {shown} again")
        edges[edge] = rows.number(row[2], "a weight")
    return edges


def _renamed(source, cost_of, names):
    """The costs, keyed by the names of the matrix."""
    if cost_of.keys() != set(names):

        def bare(name):
            return name.replace("_", "")

        by_bare = {bare(name): costs for name, costs in cost_of.items()}
        wanted = [bare(name) for name in names]
        if len(by_bare) != len(cost_of) or len(set(wanted)) != len(wanted):
            raise source.error("expected the names of the matrix's tasks, got others")
        for name, key in zip(names, wanted, strict=True):
            if key not in by_bare:
                raise source.error(f"expected the costs of {quoted(name)}, got none")
        if len(by_bare) != len(names):
            raise source.error(f"expected {len(names)} tasks as in the matrix, got {len(by_bare)}")
        cost_of = {name: by_bare[key] for name, key in zip(names, wanted, strict=True)}
    return cost_of
