"""The numbers behind the claims of Kartsaklis et al., from a file of `wavefront`.

The published algorithms are compared on the grid of the single queue: 220 blocks of 32 threads in
the paper and on a device."""

import numpy as np

from gridloom.claims import Value
from gridloom.results import PlotError
from gridloom.statistics import median_interval, median_ratio
from gridloom.text import duration
from gridloom.wavefront.data import OWN_HASHES, PUBLISHED, WAVES, throughput
from gridloom.wavefront.metg import equal_tasks

RIVALS = (*WAVES, "omp_tasks")


def lattice(source, counters=0):
    """The rows of Fig. 3: no-op tasks on one lattice."""
    rows = source.runs.only(experiment="fig3", body="noop", status="ok", counters=counters)
    if not len(rows):
        raise PlotError("no no-op tasks of experiment fig3")
    return rows


def of(rows, algorithm, **more):
    """The rows of an algorithm on the single queue's grid."""
    grid = rows.only(algorithm="single_queue")
    found = rows.only(algorithm=algorithm, **more)
    if len(grid):
        found = found.mask(found["workers"] == grid["workers"][0])
    if not len(grid) or not len(found):
        raise PlotError(f"no rows of {algorithm} on the grid of single_queue")
    return found


def arms(rows):
    return [own for _, own in rows.groups(["arm", "workers", "threads"])]


def fastest(rows):
    found = arms(rows)
    if not found:
        raise PlotError("no rows of these algorithms")
    return min(found, key=lambda own: np.median(own["elapsed_ms"]))


def input_of(rows):
    size = f"{rows['rows'][0]:,} × {rows['cols'][0]:,} tasks"
    grids = {(b, t) for b, t in zip(rows["workers"], rows["threads"], strict=True)}
    if len(grids) > 1:
        return size
    [(blocks, threads)] = grids
    if rows["backend"][0] == "host":
        return f"{size}, {blocks:,} host threads"
    return f"{size}, {blocks:,} blocks of {threads}"


def rate_of(rows):
    return Value(median_interval(throughput(rows)), "tasks/s", input_of(rows))


def times_as_fast(fast, slow):
    return Value(median_ratio(slow["elapsed_ms"], fast["elapsed_ms"]), "×", input_of(fast))


def a_task(rows, *columns):
    """Samples of the sum of these columns, per task."""
    return sum(rows[column].astype(float) for column in columns) / rows["tasks"]


def ratio_of(own, other, *columns):
    numbers = median_ratio(a_task(own, *columns), a_task(other, *columns))
    return Value(numbers, "×", input_of(own))


def on_grid(algorithm):
    return lambda source: of(source.of(lattice), algorithm)


def multi(source):
    """The fastest multi queue on the single queue's grid."""
    return fastest(of(source.of(lattice), "multi_queue"))


def over(fast, slow):
    return lambda source: times_as_fast(fast(source), slow(source))


def counted(source):
    return lattice(source, counters=1)


def best_rate(*algorithms):
    """The best rate of these algorithms on any grid."""

    def rate(source):
        rows = source.of(lattice)
        rows = rows.mask(~rows["hash"].isin(OWN_HASHES))
        return rate_of(fastest(rows.mask(rows["algorithm"].isin(algorithms))))

    return rate


def most_over_fewest(rows):
    """The rate with most queues over that with fewest, for hash a."""
    rows = rows.only(hash="a")
    ends = [rows.only(queues=end) for end in (rows["queues"].max(), rows["queues"].min())]
    return times_as_fast(*ends)


def on_all_blocks(source):
    """The multi queue on a smaller lattice, with as many blocks as fit."""
    rows = source.runs.only(experiment="peak", algorithm="multi_queue", status="ok")
    if not len(rows):
        raise PlotError("no rows of experiment peak")
    return rows.only(workers=rows["workers"].max())


def on_largest_grid(rows, algorithm):
    """The rows of an algorithm on its largest grid, if that is larger than the single queue's."""
    found = rows.only(algorithm=algorithm)
    found = found.only(workers=found["workers"].max())
    if not len(found) or found["workers"][0] <= of(rows, "single_queue")["workers"][0]:
        raise PlotError(f"no rows of {algorithm} on a larger grid than that of single_queue")
    return found


def b_over_a(queues_per_block, grid=of):
    def ratio(source):
        rows = grid(source.of(lattice), "multi_queue")
        rows = rows.mask(rows["queues"] == (rows["workers"] * queues_per_block).astype(int))
        own = [rows.only(hash=name) for name in "ba"]
        if not all(map(len, own)):
            raise PlotError("no such number of queues with both hashes")
        return times_as_fast(*own)

    return ratio


def compare_and_swap(algorithm, most=False):
    """Compare-and-swap operations over those of the fastest multi queue, or of the one with
    most."""

    def ratio(source):
        rows = source.of(counted)
        own = of(rows, algorithm)
        if most:
            others = arms(of(rows, "multi_queue"))
            other = max(others, key=lambda found: np.median(a_task(found, "cas")))
        else:
            other = of(rows, "multi_queue", arm=multi(source)["arm"][0])
        return ratio_of(own, other, "cas")

    return ratio


def accesses_of_scanning(source):
    """Accesses of scanning over the most that another published algorithm makes."""
    rows, columns = source.of(counted), ("loads", "stores")
    others = [*arms(of(rows, "single_queue")), *arms(of(rows, "multi_queue"))]
    most = max(others, key=lambda own: np.median(a_task(own, *columns)))
    return ratio_of(of(rows, "scanning"), most, *columns)


def constant_part(algorithm):
    """Costs that long tasks do not hide: a line through the times with the two longest durations,
    at no duration, in percent of the time with the longest."""

    def percent(source):
        rows = equal_tasks(source.runs).only(algorithm=algorithm)
        rows = rows.mask(~rows["hash"].isin(OWN_HASHES))
        times = sorted(rows.groupby("work_ns")["elapsed_ms"].median().items())[-2:]
        if len(times) < 2:
            raise PlotError(f"no two durations of {algorithm}")
        (shorter, first), (longest, last) = times
        constant = last - longest * (last - first) / (longest - shorter)
        workers = rows["workers"].max()
        return Value((100 * constant / last,) * 3, "%", f"{duration(longest)}, {workers:,} workers")

    return percent


QUANTITIES = {
    "paper_grid_rate": lambda source: rate_of(multi(source)),
    "published_rate": best_rate(*PUBLISHED),
    "rival_rate": best_rate(*RIVALS),
    "scanning_over_single": over(on_grid("scanning"), on_grid("single_queue")),
    "multi_over_single": over(multi, on_grid("single_queue")),
    "multi_over_scanning": over(multi, on_grid("scanning")),
    "most_over_fewest_queues": lambda s: most_over_fewest(of(s.of(lattice), "multi_queue")),
    "most_over_fewest_most_blocks": lambda source: most_over_fewest(on_all_blocks(source)),
    "b_over_a_all": b_over_a(1),
    "b_over_a_half": b_over_a(0.5),
    "b_over_a_quarter": b_over_a(0.25),
    "b_over_a_most_blocks": b_over_a(1, on_largest_grid),
    "cas_of_single": compare_and_swap("single_queue"),
    "cas_of_single_least": compare_and_swap("single_queue", most=True),
    "cas_of_scanning": compare_and_swap("scanning"),
    "accesses_of_scanning": accesses_of_scanning,
    "constant_of_multi": constant_part("multi_queue"),
    "constant_of_scanning": constant_part("scanning"),
    "constant_of_single": constant_part("single_queue"),
}
