"""What the figures and tables of pets share: tables of results files, times by step, graphs.

A results file has up to four tables: /runs (one row per graph, algorithm, implementation and
repetition), /graphs (one row per graph with its parameters), /memory (the machine's own bandwidth),
and /batches. The implementation `host` is the reference on one thread. The others of its file are
compared with it, whatever backend they ran on."""

from dataclasses import dataclass

import numpy as np

from gridloom.results import PlotError, joined, machine_names, read_meta, read_runs
from gridloom.results_file import read_results
from gridloom.statistics import median_interval
from gridloom.text import in_order
from gridloom_datasets.errors import InputError

REFERENCE = "host"
HOSTS = [REFERENCE, "host_4", "host_all"]  # by their threads
LAYOUTS = ["adjacency", "transposed", "rectangular", "rectangular_vectorised"]  # the thesis's
IMPLEMENTATIONS = [*HOSTS, *LAYOUTS, "csr", "hand_over", "in_order"]
ALGORITHMS = [
    "pets_insertion", "pets_append", "pets_literal",
    "heft_insertion", "heft_append", "lookahead_insertion", "peft_insertion",
    "cpop_insertion", "cpop_append",
]  # fmt: skip
STEPS = {
    "entries_ms": "entry discovery",
    "metrics_ms": "levels and ranks",
    "sort_ms": "sort",
    "selection_ms": "selection",
}
GRAPH = ["graph", "graph_seed", "processors"]
PARAMETERS = {"v": "v", "ccr": "CCR", "alpha": "α", "eta": "η", "beta": "β"}
FAMILY = ["kind", "alpha", "beta", "ccr", "eta", "jump", "degree"]
MOST = 3  # a figure shows at most so many families
MEASURES = ["makespan", "slr", "speedup", "efficiency"]


# --- reading -------------------------------------------------------------------------------


class Results:
    """The tables of one or more results files."""

    def __init__(self, *paths):
        self.paths = [
            path for some in paths for path in (some if isinstance(some, list) else [some])
        ]

    def has(self, name):
        return any(has_rows(path, name) for path in self.paths)

    def table(self, name):
        """The rows of all files that have the table, with a column `bench`: the host of the file.
        Raises PlotError if no file has it."""
        parts = [
            read_runs(path, name).assign(bench=machine_names(read_meta(path), path)[0])
            for path in self.paths
            if has_rows(path, name)
        ]
        if not parts:
            files = ", ".join(map(str, self.paths))
            raise PlotError(f"{files}: no rows in a table /{name}, which pets writes")
        return joined(parts)


def has_rows(path, name):
    """Whether the file has rows of the table. True for an unreadable file, so that reading it
    reports why."""
    try:
        return read_results(
            path, lambda file: name in file and any(len(column) for column in file[name].values())
        )
    except InputError:
        return True


def require(rows, *names):
    for name in names:
        rows[name]  # an exception names a missing column
    return rows


# --- rows ----------------------------------------------------------------------------------


def implementations_of(rows):
    return in_order(rows["implementation"].tolist(), IMPLEMENTATIONS)


@dataclass(frozen=True)
class Setting:
    """A machine and backend, on which implementations can be compared."""

    bench: str
    machine: str
    backend: str

    @property
    def title(self):
        return f"{self.machine} ({self.backend})"


def settings_of(runs):
    """[(setting, rows)]: the rows of one machine and backend, and those of the reference."""
    require(runs, "implementation", "backend", "status")
    reference = runs["implementation"].isin(HOSTS)
    own = runs if reference.all() else runs.mask(~reference)
    found = []
    for key, _ in own.groups(["bench", "machine", "backend"]):
        there = (runs["machine"] == key["machine"]) & (runs["backend"] == key["backend"])
        keep = (runs["bench"] == key["bench"]) & (reference | there)
        found.append((Setting(*map(str, key.values())), runs.mask(keep)))
    return found


def only_algorithm(runs, algorithm):
    rows = runs.only(algorithm=algorithm)
    if not len(rows):
        there = in_order(runs["algorithm"].tolist(), ALGORITHMS)
        raise PlotError(f"no rows of {algorithm} in /runs, only of {', '.join(there)}")
    return rows


def ok(rows):
    """The rows that are numbers."""
    good = rows.only(status="ok")
    if not len(good):
        states = ", ".join(sorted(set(map(str, rows["status"]))))
        raise PlotError(f"no rows with status ok in /{rows.table}, only {states}")
    return good


def step_ms(rows, column):
    """The time of a step; 0 if there is none, or if the next step includes it."""
    return np.fmax(np.asarray(rows[column], dtype=float), 0)


def metrics_ms(rows):
    """Time of entries, levels and ranks; NaN if it is not measured separately."""
    metrics = np.asarray(rows["metrics_ms"], dtype=float)
    return step_ms(rows, "entries_ms") + metrics


def order_ms(rows):
    """Time of levels, ranks and order; NaN if it is not measured separately."""
    sort = np.asarray(rows["sort_ms"], dtype=float)
    return metrics_ms(rows) + sort


def column(name):
    """A function of rows that returns the numbers of a column."""
    return lambda rows: rows[name].to_numpy(dtype=float)


elapsed_ms = column("elapsed_ms")


def gb_per_s(rows):
    """Bandwidth of entries and metrics; NaN if it is unknown."""
    ms, moved = metrics_ms(rows), np.asarray(rows["metrics_bytes"], dtype=float)
    known = (ms > 0) & (moved > 0)
    return np.where(known, moved / 1e6 / np.where(known, ms, 1), np.nan)


def numbers(values):
    """The values that a logarithmic axis can show."""
    return values[np.isfinite(values) & (values > 0)]


def machine_gb_per_s(memory, bench, backend):
    """Samples of the rate at which a machine copies its memory, counting reads and writes; may be
    empty."""
    rows = require(memory, "bytes", "elapsed_ms").only(bench=bench, backend=backend)
    ms = elapsed_ms(rows)
    return np.asarray(rows["bytes"], dtype=float)[ms > 0] / 1e6 / ms[ms > 0]


def batch_per_s(rows, column="elapsed_ms"):
    """Graphs per second."""
    ms = np.asarray(rows[column], dtype=float)
    return np.asarray(rows["graphs"], dtype=float)[ms > 0] / ms[ms > 0] * 1e3


def percent(share):
    return f"{100 * share:.3g} %" if share >= 1e-4 else "< 0.01 %"


# --- graphs --------------------------------------------------------------------------------


def parameters_of(graphs):
    """{(graph, graph_seed, processors): {column: value}} of /graphs."""
    found = {}
    names = ["kind", "tasks", "edges", "depth", *PARAMETERS, "jump", "degree"]
    if "degree" not in graphs:  # files of earlier versions
        graphs = graphs.assign(degree=0.0)
    columns = [require(graphs, *GRAPH, *names)[name].tolist() for name in GRAPH + names]
    for values in zip(*columns, strict=True):
        key, own = values[: len(GRAPH)], dict(zip(names, values[len(GRAPH) :], strict=True))
        if found.setdefault(key, own) != own:
            raise PlotError(f"expected one graph {key[0]}, seed {key[1]}, in /graphs, got several")
    return found


def parameters_for(parameters, key):
    """The parameters of the graph of a row of /runs."""
    own = parameters.get(tuple(key[name] for name in GRAPH))
    if own is None:
        raise PlotError(
            f"no row of {key['graph']}, seed {key['graph_seed']}, "
            f"{key['processors']} processors, in /graphs"
        )
    return own


def families_of(rows, parameters):
    """[(title, rows)]: graphs that differ only in size and seed, in the order of the file."""
    found = {}
    for key, own in rows.groups(GRAPH):
        kind, *values = (parameters_for(parameters, key)[name] for name in FAMILY)
        texts = [
            f"{PARAMETERS.get(name, name)} = {value:g}"
            for name, value in zip(FAMILY[1:], values, strict=True)
            if value != -1 and (name, value) != ("degree", 0)
        ]
        title = ", ".join([str(kind), *texts, f"{key['processors']} processors"])
        found.setdefault(title, []).append(own)
    return [(title, joined(parts)) for title, parts in found.items()]


def sweeps_of(results, algorithm):
    """([(setting, title of the family, rows)], notes): in each setting, the families with most
    sizes. Rows may have any status."""
    runs = only_algorithm(require(results.table("runs"), "implementation"), algorithm)
    parameters = parameters_of(results.table("graphs"))
    found, lost = [], []
    for setting, rows in settings_of(runs):
        families = families_of(rows, parameters)
        sizes = [len(set(own["tasks"].tolist())) for _, own in families]
        wanted = [f for f, count in zip(families, sizes, strict=True) if count == max(sizes)][:MOST]
        found += [(setting, title, own) for title, own in wanted]
        lost += [title for title, _ in families if title not in dict(wanted)]
    lost = list(dict.fromkeys(lost))
    if not lost:
        return found, []
    text = "; ".join(lost) if len(lost) < 4 else f"those of {len(lost)} other sets of parameters"
    return found, [f"Graphs not drawn, of fewer sizes: {text}"]


def by_size(rows, value):
    """{implementation: [(tasks, median, low, high)]} of `value(rows)`. Graphs of one size count
    together."""
    found = {}
    for name in implementations_of(rows):
        own = rows.only(implementation=name, status="ok")
        points = []
        for tasks in sorted(set(own["tasks"].tolist())):
            samples = numbers(value(own.only(tasks=tasks)))
            if len(samples):
                points.append((tasks, *median_interval(samples)))
        if points:
            found[name] = points
    return found


def levels_by_size(rows):
    """{tasks: "984" or "984–1,025"}: the depth of the graphs."""
    found = {}
    for tasks in sorted(set(rows["tasks"].tolist())):
        levels = rows.only(tasks=tasks)["depth"]
        ends = dict.fromkeys([int(levels.min()), int(levels.max())])
        found[tasks] = "–".join(f"{level:,}" for level in ends)
    return found


def chosen_graph(rows, wanted=None):
    """The rows of one graph, with any status: the graph `wanted`, or the largest graph that some
    implementation besides the reference scheduled. If there are several, the first of the file."""
    if wanted is not None:
        names = list(dict.fromkeys(map(str, rows["graph"])))
        if wanted not in names:
            raise PlotError(f"no rows of {wanted} in /runs, only of {', '.join(names)}")
        rows = rows.only(graph=wanted)
    good = ok(rows)
    others = good.mask(good["implementation"] != REFERENCE)
    good = others if len(others) else good
    first = int(np.argmax(good["tasks"]))
    return rows.only(**{name: good[name][first] for name in GRAPH})


def schedules_of(runs, strict=False):
    """{graph: {algorithm: values of MEASURES}}: the quality of schedules, which neither repetition
    nor implementation changes. Raises PlotError if they differ. If `strict`, also raises it for
    wrong schedules, which are otherwise left out."""
    names = [*GRAPH, "algorithm"]
    runs = runs[[*names, *MEASURES, "status"]]
    # Thousands of graphs: one pass over columns, because a data frame for each takes a minute.
    number = runs.groupby(names, sort=False, dropna=False).ngroup()
    good = runs["status"] == "ok"
    values = runs[good].groupby(number[good])[MEASURES].nunique(dropna=False)
    wrong = set(values.index[(values > 1).any(axis=1)])
    if strict:
        wrong |= set(number[~runs["status"].isin(["ok", "timeout"])])
    if wrong:
        first = int(np.argmax(number == min(wrong)))
        told = f"{runs['graph'][first]}, {runs['algorithm'][first]}"
        raise PlotError(f"{told}: no one right schedule")
    kept = runs[good].assign(number=number[good]).drop_duplicates("number").sort_values("number")
    found = {}
    keys = zip(*(kept[name].tolist() for name in GRAPH), strict=True)
    measures = zip(*(kept[name].to_numpy() for name in MEASURES), strict=True)
    for graph, algorithm, own in zip(keys, kept["algorithm"], measures, strict=True):
        found.setdefault(graph, {})[algorithm] = list(own)
    return found


def shares_of_best(makespans):
    """One row per graph, one column per algorithm: True if no other schedule is shorter."""
    makespans = np.asarray(makespans)
    return makespans == makespans.min(axis=1, keepdims=True)
