"""The numbers behind the claims of Messina's thesis, from files of `pets`.

Times are those of `pets_append` on the largest graph of a file, beside one thread of the same
machine."""

import numpy as np

from gridloom.claims import Value
from gridloom.pets import data, times
from gridloom.results import PlotError
from gridloom.statistics import median_ratio
from gridloom.text import counted

THESIS_TASKS = 4096  # of the graphs on which the thesis compares devices
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
    """The same of a graph as large as the thesis's."""
    return largest(source, THESIS_TASKS)


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


def over_other(value, over, under, most=np.inf):
    """The time of one implementation over that of another, on the largest graph of both with at
    most so many tasks."""

    def ratio(source):
        rows = data.only_algorithm(source.of(runs_of), "pets_append")
        both = [set(rows.only(implementation=name)["tasks"]) for name in (over, under)]
        sizes = [tasks for tasks in both[0] & both[1] if tasks <= most]
        if not sizes:
            raise PlotError(f"no graph with times of {over} and {under}")
        rows = rows.only(tasks=max(sizes))
        times = [data.numbers(value(arm(rows, name, value=value))) for name in (over, under)]
        return Value(median_ratio(*times), "×", input_of(rows))

    return ratio


def on_both(source, bounded, most=np.inf):
    """[(layout, rows on the GPU, rows on host threads)] on the largest graph with kernels on both.
    bounded: graphs whose degrees the generator bounds, so that they have no hubs."""
    rows = data.only_algorithm(source.of(runs_of), "pets_append")
    parameters = data.parameters_of(source.of(results).table("graphs"))
    found = [
        (int(graph["tasks"][0]), name, *both)
        for graph, name, *both in times.on_both(rows)
        if graph["tasks"][0] <= most
        and (data.parameters_for(parameters, graph.iloc[0])["degree"] > 0) == bounded
    ]
    if not found:
        raise PlotError("no such graph with kernels on both the GPU and host threads")
    tasks = max(found)[0]
    return [own for size, *own in found if size == tasks]


def order_over_host_threads(which, **graph):
    """How many times as fast the same kernels are on the GPU as on all host threads. `which`: the
    least (min) or the most (max) of the thesis's layouts."""

    def speedup(source):
        found = [
            (median_ratio(*(data.numbers(data.order_ms(own)) for own in (threads, gpu))), gpu)
            for _, gpu, threads in on_both(source, most=THESIS_TASKS, **graph)
        ]
        numbers, gpu = which(found, key=lambda own: own[0])
        return Value(numbers, "×", input_of(gpu))

    return speedup


def rates_and_copies(source, own):
    """Samples of the bandwidth of entry discovery and metrics, and of a copy on their machine."""
    memory = source.of(results).table("memory")
    copies = data.machine_gb_per_s(memory, own["bench"][0], own["backend"][0])
    rates = data.numbers(data.gb_per_s(own))
    if not len(copies) or not len(rates):
        raise PlotError("no bytes or no copy")
    return rates, copies


def bandwidth_over_host_threads(over_copies, **graph):
    """The bandwidth of the thesis's best kernels on the GPU over theirs on all host threads.
    over_copies: in shares of a copy's rate on each."""

    def ratio(source):
        both = {name: own for name, *own in on_both(source, **graph)}
        if "rectangular_vectorised" not in both:
            raise PlotError("no rectangular_vectorised on both the GPU and host threads")
        gpu, threads = both["rectangular_vectorised"]
        rates, copies = zip(*(rates_and_copies(source, own) for own in (gpu, threads)), strict=True)
        scale = median_ratio(*copies)[0] if over_copies else 1
        return Value(tuple(value / scale for value in median_ratio(*rates)), "×", input_of(gpu))

    return ratio


def share_of_queue(graph):
    """Bytes that vectorised rectangles read from the queue, in percent of all that they move."""

    def share(source):
        own = arm(source.of(graph), "rectangular_vectorised")
        read = 4.0 * own["tasks"][0] * own["launches"][0]  # a word per task in each launch
        return Value((100 * read / own["metrics_bytes"][0],) * 3, "%", input_of(own))

    return share


def growth(most=np.inf):
    """The power of tasks × most edges of a task with which the time of levels and ranks grows, by
    vectorised rectangles on graphs of at most so many tasks: least squares of logarithms."""

    def power(source):
        rows = data.only_algorithm(source.of(runs_of), "pets_append")
        rows = rows.only(implementation="rectangular_vectorised")
        rows = rows.mask(rows["tasks"] <= most)
        if "cuda" in set(rows["backend"]):
            rows = rows.only(backend="cuda")
        found = rows.assign(cells=rows["padding"] * rows["edges"], ms=data.metrics_ms(rows))
        medians = found.groupby(data.GRAPH)[["cells", "ms"]].median()
        if medians["cells"].nunique() < 2:
            raise PlotError("no two graphs with times of rectangular_vectorised")
        slope = np.polyfit(*np.log(medians.to_numpy()).T, 1)[0]
        return Value((slope,) * 3, "", counted(medians, "graph", "graphs"))

    return power


def share_of_copy(*implementations, graph=largest):
    """Bytes that entry discovery and metrics move over their time, in percent of a copy's rate."""

    def share(source):
        own = arm(source.of(graph), *implementations)
        percent = tuple(100 * value for value in median_ratio(*rates_and_copies(source, own)))
        return Value(percent, "%", input_of(own))

    return share


def mean_slr_over(rival, pets=PETS):
    """PETS's mean schedule length ratio over that of another algorithm. Below 1, PETS is better."""

    def ratio(source):
        tables = source.of(results)
        names = [pets, rival]
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
    "bitonic_over_radix": over_other(data.column("sort_ms"), "csr", "in_order"),
    "least_over_host_threads": order_over_host_threads(min, bounded=False),
    "most_over_host_threads": order_over_host_threads(max, bounded=False),
    "least_over_host_threads_bounded": order_over_host_threads(min, bounded=True),
    "most_over_host_threads_bounded": order_over_host_threads(max, bounded=True),
    "thesis_order": over_host(data.order_ms, *data.LAYOUTS),
    "hand_over_order": over_host(data.order_ms, "hand_over"),
    "in_order_order": over_host(data.order_ms, "in_order"),
    "selection": over_host(SELECTION, "in_order", "hand_over"),
    "selection_as_in_thesis": over_host(SELECTION, "in_order", "hand_over", graph=as_in_thesis),
    "selection_insertion": over_host(SELECTION, "in_order", graph=largest_by_insertion),
    "bandwidths": bandwidth_over_host_threads(False, bounded=False, most=THESIS_TASKS),
    "bandwidths_bounded": bandwidth_over_host_threads(False, bounded=True, most=THESIS_TASKS),
    "bandwidths_over_copies": bandwidth_over_host_threads(True, bounded=False, most=THESIS_TASKS),
    "growth_as_in_thesis": growth(THESIS_TASKS),
    "growth": growth(),
    "queue_as_in_thesis": share_of_queue(as_in_thesis),
    "queue": share_of_queue(largest),
    "bandwidth_as_in_thesis": share_of_copy("rectangular_vectorised", graph=as_in_thesis),
    "bandwidth": share_of_copy("rectangular_vectorised"),
    "slr_over_heft": mean_slr_over(HEFT),
    "slr_over_heft_append": mean_slr_over(HEFT, APPENDED[PETS]),
    "slr_over_cpop": mean_slr_over(CPOP),
    "slr_over_cpop_append": mean_slr_over(CPOP, APPENDED[PETS]),
    "time_of_heft": time_over(HEFT, PETS),
    "time_of_heft_append": time_over(APPENDED[HEFT], APPENDED[PETS]),
    "time_of_heft_append_on_small": time_over(APPENDED[HEFT], APPENDED[PETS], min),
    "time_of_cpop": time_over(CPOP, PETS),
    "time_of_cpop_append": time_over(APPENDED[CPOP], APPENDED[PETS]),
}
for regime, most in (("as_in_thesis", THESIS_TASKS), ("largest", np.inf)):
    for name, over, under in (
        ("matrix_over_rectangles", "adjacency", "rectangular"),
        ("transpose_over_matrix", "transposed", "adjacency"),
        ("matrix_over_eight", "adjacency", "rectangular_vectorised"),
        ("one_over_eight", "rectangular", "rectangular_vectorised"),
    ):
        QUANTITIES[f"{name}_{regime}"] = over_other(data.metrics_ms, over, under, most)
