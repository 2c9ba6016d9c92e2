"""The numbers behind the claims of Messina's thesis, from files of `pets`.

Times are those of `pets_append` on the largest graph of a file, beside one thread of the same
machine."""

import numpy as np

from gridloom.claims import Value
from gridloom.pets import data
from gridloom.results import PlotError
from gridloom.statistics import median_ratio
from gridloom.text import counted

PETS, HEFT, CPOP = "pets_insertion", "heft_insertion", "cpop_insertion"
SELECTION = data.column("selection_ms")
APPENDED = {PETS: "pets_append", HEFT: "heft_append", CPOP: "cpop_append"}


def results(source):
    return data.Results(source.paths)


def runs_of(source):
    return source.of(results).table("runs").only(status="ok")


def largest(source, most=np.inf, algorithm="pets_append"):
    """Rows of the graph with most tasks, of the device if there is one, and of one host thread."""
    rows = data.only_algorithm(source.of(runs_of), algorithm)
    own = rows.mask((rows["implementation"] != data.REFERENCE) & (rows["tasks"] <= most))
    if not len(own):
        raise PlotError("no implementation beside the reference")
    place = int(np.argmax(own["tasks"]))
    return rows.only(**{name: own[name][place] for name in data.GRAPH})


def as_in_thesis(source):
    """The same of a graph as large as those on which the thesis compares devices."""
    return largest(source, 4096)


def largest_by_insertion(source):
    return largest(source, algorithm=PETS)


def input_of(rows):
    return f"{rows['tasks'][0]:,} tasks, {rows['depth'][0]:,} levels"


def arm(rows, *implementations, value=data.elapsed_ms):
    """The rows of the fastest of these implementations."""
    own = rows.mask(rows["implementation"].isin(implementations))
    parts = [part for _, part in own.groups(["implementation"]) if len(data.numbers(value(part)))]
    if not parts:
        raise PlotError(f"no times of {' or '.join(implementations)}")
    return min(parts, key=lambda part: np.median(data.numbers(value(part))))


def over_host(value, *implementations, graph=largest):
    """How many times as fast the fastest of these is as one host thread."""

    def speedup(source):
        rows = source.of(graph)
        own, host = (
            arm(rows, *names, value=value) for names in (implementations, [data.REFERENCE])
        )
        times = [data.numbers(value(part)) for part in (host, own)]
        return Value(median_ratio(*times), "×", input_of(own))

    return speedup


def over_other(value, over, under):
    """The time of one implementation over that of another, on the largest graph of both."""

    def ratio(source):
        rows = data.only_algorithm(source.of(runs_of), "pets_append")
        both = [set(rows.only(implementation=name)["tasks"]) for name in (over, under)]
        if not both[0] & both[1]:
            raise PlotError(f"no graph with times of {over} and {under}")
        rows = rows.only(tasks=max(both[0] & both[1]))
        times = [data.numbers(value(arm(rows, name, value=value))) for name in (over, under)]
        return Value(median_ratio(*times), "×", input_of(rows))

    return ratio


def share_of_copy(*implementations):
    """Bytes that entry discovery and metrics move over their time, in percent of a copy's rate."""

    def share(source):
        own = arm(source.of(largest), *implementations)
        copies = data.machine_gb_per_s(
            source.of(results).table("memory"), own["bench"][0], own["backend"][0]
        )
        rates = data.numbers(data.gb_per_s(own))
        if not len(copies) or not len(rates):
            raise PlotError("no bytes or no copy")
        percent = tuple(100 * value for value in median_ratio(rates, copies))
        return Value(percent, "%", input_of(own))

    return share


def mean_slr_over(rival):
    """PETS's mean schedule length ratio over that of another algorithm. Below 1, PETS is better."""

    def ratio(source):
        tables = source.of(results)
        names = [PETS, rival]
        graphs = tables.table("graphs").only(kind="random")[data.GRAPH].drop_duplicates()
        runs = source.of(runs_of)
        runs = runs.mask(runs["algorithm"].isin(names)).merge(graphs, on=data.GRAPH)
        # Repetitions and implementations give one schedule, so the first row stands for all.
        slr = runs.groupby([*data.GRAPH, "algorithm"])["slr"].first().unstack().dropna()
        if not len(slr) or not set(names) <= set(slr.columns):
            raise PlotError(f"no schedules of {' and '.join(names)}")
        means = slr[names].mean()
        middle = float(means.iloc[0] / means.iloc[1])
        return Value((middle,) * 3, "×", counted(slr, "random graph", "random graphs"))

    return ratio


def time_over(rival, pets, size_of=max):
    """An algorithm's time over that of PETS, both on one host thread, on the graphs with most tasks
    that both scheduled; with `min`, on those with fewest tasks."""

    def ratio(source):
        runs = source.of(runs_of).only(implementation=data.REFERENCE)
        theirs, own = (runs.only(algorithm=name) for name in (rival, pets))
        both = set(theirs["tasks"]) & set(own["tasks"])
        if not both:
            raise PlotError("no graph with times of both")
        size = size_of(both)
        times = [rows.only(tasks=size)["elapsed_ms"] for rows in (theirs, own)]
        return Value(median_ratio(*times), "×", f"{size:,} tasks")

    return ratio


QUANTITIES = {
    "matrix_over_rectangles": over_other(data.metrics_ms, "adjacency", "rectangular"),
    "transpose_over_matrix": over_other(data.metrics_ms, "transposed", "adjacency"),
    "one_over_eight": over_other(data.metrics_ms, "rectangular", "rectangular_vectorised"),
    "bitonic_over_radix": over_other(data.column("sort_ms"), "csr", "in_order"),
    "thesis_order": over_host(data.order_ms, *data.LAYOUTS),
    "thesis_whole": over_host(data.elapsed_ms, *data.LAYOUTS),
    "hand_over_order": over_host(data.order_ms, "hand_over"),
    "in_order_order": over_host(data.order_ms, "in_order"),
    "selection": over_host(SELECTION, "in_order", "hand_over"),
    "selection_as_in_thesis": over_host(SELECTION, "in_order", "hand_over", graph=as_in_thesis),
    "selection_insertion": over_host(SELECTION, "in_order", graph=largest_by_insertion),
    "bandwidth": share_of_copy("rectangular_vectorised"),
    "slr_over_heft": mean_slr_over(HEFT),
    "slr_over_cpop": mean_slr_over(CPOP),
    "time_of_heft": time_over(HEFT, PETS),
    "time_of_heft_append": time_over(APPENDED[HEFT], APPENDED[PETS]),
    "time_of_heft_append_on_small": time_over(APPENDED[HEFT], APPENDED[PETS], min),
    "time_of_cpop": time_over(CPOP, PETS),
    "time_of_cpop_append": time_over(APPENDED[CPOP], APPENDED[PETS]),
}
