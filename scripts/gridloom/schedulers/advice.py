"""The advice: which scheduler to take for a graph, from a model of the time of each scheduler.

    time = overhead + work
    overhead = fixed + a level · levels + a task · tasks + an edge · edges + a round · rounds
    work = bound + wait · (levels in turn - bound) + share · uneven shares

`bound` is the larger of the critical path and of the work divided by the workers. `levels in turn`
is the time if every level waits for the end of the one before. `rounds` is the sum over levels of
tasks / workers, rounded up. `uneven shares` is by how much the largest share of the work exceeds
the mean, if tasks of wide levels are dealt without looking at durations. In the fit, levels are
taken to be of equal width; a graph from a file has its own. The seven coefficients are fitted to
the logarithms of the times, and to the runs of the search for METG, which have the shortest tasks.
Set-up is a fixed time and one per level, task and edge.

The families of graphs are divided into two halves. Each half is judged by a fit to the other one,
which does not see exponential durations either. The advice itself is fitted to all."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import least_squares, nnls

from gridloom.results import PlotError
from gridloom.schedulers.data import CASE, cases, read_part
from gridloom.statistics import geometric_mean

PARTS = ("matrix", "break-even", "advice")
HELD_OUT_LAW = "exponential"
# Names of the coefficients, in the words of a reason.
TERMS = ["fixed cost", "cost of a level", "cost of a task", "cost of an edge", "cost of a round"]
WORK = ["bound of the work", "waiting at the end of levels", "unevenness of shares"]
SET_UP = "set-up"
PULL = 0.2  # towards the first costs, so that one that these cases do not show is not 0
RARE, TIMES = 0.01, 50  # of task_durations.hpp: one task in a hundred is so many times as long


def longest_of(law, count):
    """The expected longest of `count` durations with mean 1. For costs of a graph it is a guess:
    most tasks of a factorization have the same type."""
    count = np.maximum(np.asarray(count, dtype=float), 1)
    usual = 1 / (1 - RARE + RARE * TIMES)
    return {
        "constant": np.ones_like(count),
        "graph": np.full_like(count, 1.2),
        "uniform": 2 * count / (count + 1),
        "exponential": np.log(count) + 0.577 + 0.423 / count,
        "rare-long": usual * (1 + (TIMES - 1) * (1 - (1 - RARE) ** count)),
    }[law]


# Standard deviations of durations with mean 1. That of the costs of a graph is a guess, too.
DEVIATIONS = {
    "constant": 0,
    "graph": 0.4,
    "uniform": 3**-0.5,
    "exponential": 1,
    "rare-long": (((1 - RARE) + RARE * TIMES**2) / (1 - RARE + RARE * TIMES) ** 2 - 1) ** 0.5,
}


def with_laws(table):
    """Adds what a case tells of its distribution: `deviation_ns`, and `levels`, an array of rows
    (how many levels, their tasks, their longest duration in ns). A graph from a file has them."""
    if "levels" in table:
        return table
    width = table["tasks"] / table["depth"]
    longest = [float(longest_of(*pair)) for pair in zip(table["durations"], width, strict=True)]
    alike = np.stack([table["depth"], width, longest * table["work_ns"]], axis=1)
    deviation = table["durations"].map(DEVIATIONS) * table["work_ns"]
    return table.assign(levels=list(alike[:, None, :]), deviation_ns=deviation)


def level_sums(row, workers):
    """(rounds, levels in turn in ns) of a case. Of equal durations, a started round is a whole
    one."""
    many, width, longest = row["levels"].T
    rounds = np.ceil(width / workers)
    share = rounds if row["durations"] == "constant" else width / workers
    return many @ rounds, many @ np.maximum(longest, share * row["work_ns"])


def features(table, workers):
    """Two arrays with one row per case, in ms: (overheads at 1 ns each, in the order of TERMS) and
    (bound, waiting, uneven shares). `table` has the columns of data.cases()."""
    table = with_laws(table)
    names = ["depth", "tasks", "edges", "work_ns", "critical_path_ns", "deviation_ns"]
    depth, tasks, edges, mean, path, deviation = table[names].to_numpy(dtype=float).T
    rounds, in_turn = np.array([level_sums(row, workers) for _, row in table.iterrows()]).T
    share = tasks / depth / workers  # tasks of a level per worker
    counts = np.stack([np.ones_like(depth), depth, tasks, edges, rounds])
    bound = np.maximum(path, tasks * mean / workers)
    # The largest of many sums of `share` durations, as far as a worker has more than one.
    uneven = deviation * np.sqrt(2 * np.log(workers) * share) * np.minimum(share, 1)
    return 1e-6 * counts.T, 1e-6 * np.stack([bound, np.maximum(in_turn - bound, 0), uneven]).T


@dataclass(frozen=True)
class Model:
    """The fitted costs in ns (in the order of TERMS), the factors of WORK, and the costs of set-up
    in ns (the first four of TERMS)."""

    name: str
    workers: float
    costs: np.ndarray
    factors: np.ndarray
    set_up: np.ndarray

    def parts(self, table):
        """{name of a part: its ms}, with one number per case."""
        counts, work = features(table, self.workers)
        columns = [*(counts * self.costs).T, *(work * self.factors).T]
        return dict(zip([*TERMS, *WORK], columns, strict=True))

    def time_ms(self, table):
        return sum(self.parts(table).values())

    def set_up_ms(self, table):
        return features(table, self.workers)[0][:, :4] @ self.set_up


def fitted(name, table):
    """The model of one scheduler, fitted to its rows of data.cases()."""
    workers, times = table["workers"].max(), np.log(table["elapsed_ms"].to_numpy())
    counts, work = features(table, workers)

    start = np.array([*np.log([5000, 1000, 10, 1, 100]), 0.1, 0.1])

    def misses(x):
        missed = np.log(counts @ np.exp(x[:5]) + work @ [1, *x[5:]]) - times
        return np.concatenate([missed, PULL * (x - start)[:5]])

    least, most = [*[-5] * 5, 0, 0], [*np.log([1e6, 1e5, 1e4, 1e3, 1e5]), 1, 2]
    x = least_squares(misses, start, bounds=(least, most), loss="soft_l1", f_scale=0.2).x
    known = table["setup_ms"].to_numpy()
    own = counts[known > 0, :4] / known[known > 0, None]
    set_up = nnls(own, np.ones(len(own)))[0] if len(own) else np.full(4, np.nan)
    factors = np.array([1, *x[5:]])
    return Model(name, workers, np.exp(x[:5]), factors, set_up)


def halves(table):
    """Both halves of the families of graphs: (cases that the fit sees, cases that judge it)."""
    families = sorted(set(table["family"]))
    for own in (families[::2], families[1::2]):
        is_own = table["family"].isin(own)
        yield table[is_own & (table["durations"] != HELD_OUT_LAW)], table[~is_own]


@dataclass(frozen=True)
class Advice:
    models: list
    regrets: np.ndarray  # one per case, by the fit that did not see it
    rule: tuple  # the best schedulers for equal and for other durations, and their mean regret

    @property
    def told(self):
        """(geometric mean, worst, number of cases)."""
        return geometric_mean(self.regrets), float(self.regrets.max()), len(self.regrets)


def whole_cases(path):
    """The cases of 128 threads, with the schedulers that ran in all of them. Plans ran in few."""
    table = cases(read_part(path, *PARTS))
    table = table[table["threads"] == table["threads"].max()]
    runs = table.groupby("scheduler")["scheduler"].transform("size")
    table = table[runs > runs.max() / 2]
    counts = table.groupby(CASE)["scheduler"].transform("size")
    return table[counts == counts.max()]


def short_tasks(path, table):
    """The runs of the search for METG with the families and schedulers of a table, if any."""
    try:
        found = cases(read_part(path, "metg"))
    except PlotError:
        return []
    for column in ("family", "scheduler", "threads", "workers"):
        found = found[found[column].isin(set(table[column]))]
    return [found]


def models_of(path, table):
    """The models of all schedulers, fitted to the rows of a table and to its short tasks."""
    known = pd.concat([table, *short_tasks(path, table)])
    return [fitted(name, own) for name, own in known.groupby("scheduler", sort=False)]


def advice_of(path):
    """Fits the models to the cases of a results file, and judges the fits of its halves."""
    table = whole_cases(path)
    all_times, all_chosen = [], []
    for seen, held in halves(table):
        if not len(seen) or not len(held):
            raise PlotError(f"{path}: expected several families of graphs in /runs")
        times = held.pivot(index=CASE, columns="scheduler", values="elapsed_ms")
        facts = held.drop_duplicates(CASE).set_index(CASE, drop=False).loc[times.index]
        known = {model.name: model.time_ms(facts) for model in models_of(path, seen)}
        all_chosen += [times.columns[np.stack([known[name] for name in times]).argmin(axis=0)]]
        all_times += [times]
    times = pd.concat(all_times)
    regret = times.div(times.min(axis=1), axis=0)
    chosen = regret.columns.get_indexer(np.concatenate(all_chosen))
    regrets = regret.to_numpy()[np.arange(len(times)), chosen]
    equal = regret.index.get_level_values("durations") == "constant"
    names = [regret[own].apply(geometric_mean).idxmin() for own in (equal, ~equal)]
    by_rule = np.where(equal, regret[names[0]], regret[names[1]])
    return Advice(models_of(path, table), regrets, (*names, geometric_mean(by_rule)))


def ranked(advice, facts, runs=None):
    """[(expected ms of a run, model)] for a table of one case, the shortest time first. With
    `runs`, each run has its share of the set-up."""

    def expected(model):
        share = model.set_up_ms(facts) / runs if runs else 0
        return float((model.time_ms(facts) + share)[0])

    known = [(expected(model), model) for model in advice.models]
    return sorted((one for one in known if one[0] == one[0]), key=lambda one: one[0])


def reason(facts, first, second, runs=None):
    """What makes the first model faster than the second: (term, its ms, the other's ms)."""

    def terms(model):
        own = {name: float(ms[0]) for name, ms in model.parts(facts).items()}
        return own | ({SET_UP: float(model.set_up_ms(facts)[0]) / runs} if runs else {})

    one, other = terms(first), terms(second)
    term = max(one, key=lambda name: other[name] - one[name])
    return term, one[term], other[term]
