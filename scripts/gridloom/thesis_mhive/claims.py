"""The numbers that the claims of Pichler's thesis rest on, out of files of its four programs.

"Published" are the schedulers TSK, MK and PDC with the versions of the thesis. Speedups over
several matrices are geometric means.
"""

import numpy as np

from gridloom.claims import Value
from gridloom.results import PlotError
from gridloom.statistics import median_ratio
from gridloom.text import counted
from gridloom.thesis_mhive import jacobi, rcm

TSK, MK, PDC = "time_sliced", "megakernel", "device_controller"
LARGE_ROWS = 50_000  # of a matrix to be ordered
LARGE_ENTRIES = 1_000_000  # of a system to be solved
ONE_ORDER = ["levels", "serial", "pdc", "mk", "tsk"]  # whoever ran: they give the same


def ratio(over, under, what):
    """How many times as long the rows `over` take as the rows `under`."""
    if not len(over) or not len(under):
        raise PlotError("no rows of one of both")
    return Value(median_ratio(over["elapsed_ms"], under["elapsed_ms"]), "×", what(over))


# --- framework -------------------------------------------------------------------------------


def empty_tasks(scheduler, over, under):
    """Times of many empty tasks of 32 threads, ordered in two ways."""

    def value(source):
        rows = source.runs.only(experiment="throughput", scheduler=scheduler, status="ok")
        own, other = (rows.only(worker_size=32, form=form) for form in (over, under))
        return ratio(own, other, lambda r: f"{r['tasks'][0]:,} empty tasks")

    return value


def trees(name, over, under):
    """Times of an execution tree; `over` and `under`: (scheduler, dependencies)."""

    def value(source):
        rows = source.runs.only(tree=name, status="ok")
        own, other = (rows.only(scheduler=s, dependencies=d) for s, d in (over, under))
        return ratio(own, other, lambda r: f"{name}, {r['instances'][0]:,} instances")

    return value


def individual_over_phases(name):
    return {
        f"individual_{name.replace('.', '_')}_{short}": trees(
            name, (scheduler, "individual"), (scheduler, "phases")
        )
        for short, scheduler in (("tsk", TSK), ("mk", MK), ("pdc", PDC))
    }


# --- reverse Cuthill-McKee -------------------------------------------------------------------


def orderings(source):
    return rcm.prepared(source.runs)


def mean_of(found, kind=("matrix", "matrices")):
    """Of {matrix: (speedup, resampled speedups)}; of one matrix its own."""
    if not found:
        raise PlotError("no matrix that both arms did")
    what = rcm.short(next(iter(found))) if len(found) == 1 else counted(found, *kind)
    return Value(rcm.geometric_mean(found), "×", what)


def largest_of(found):
    if not found:
        raise PlotError("no matrix that both arms did")
    return mean_of(dict([max(found.items(), key=lambda item: item[1][0])]))


def orders_over(over, arm, column="both_ms", at_least=0):
    """How many times as fast `arm` is as the arm `over`, of matrices of at least so many rows."""

    def value(source):
        return mean_of(
            rcm.speedups(source.of(orderings), over, arm, (column, column), at_least)
        )  # fmt: skip

    return value


def searched_on_host(source):
    """PDC's speedups over cuSOLVER where one host thread searches for the start nodes.

    The thesis's own search is not among the tasks here, and that of `levels` goes beyond it.
    """
    runs, found = source.of(orderings), {}
    for seed, matrix in enumerate(rcm.matrices_of(runs)):
        wanted = (("cusolver", "both_ms"), ("pdc", "order_ms"), ("serial", "start_ms"))
        parts = [rcm.samples(runs, matrix, arm, column) for arm, column in wanted]
        if all(map(len, parts)):
            whole, order, start = (np.median(part) for part in parts)
            again = [rcm.resampled_medians(part, (seed, k)) for k, part in enumerate(parts)]
            found[matrix] = float(whole / (order + start)), again[0] / (again[1] + again[2])
    return found


def most_over_cusolver(source):
    """Of the collection's matrices; a generated one has a colon in its name."""
    return largest_of({m: own for m, own in searched_on_host(source).items() if ":" not in m})


def mean_over_cusolver(source):
    return mean_of(searched_on_host(source))


def smallest_over_cusolver(source):
    return mean_of(dict(list(searched_on_host(source).items())[:1]))


def bandwidth_over_cusolver(source):
    runs = source.of(orderings).only(status="ok")
    ratios = []
    for matrix in rcm.matrices_of(runs):
        rows = runs.only(matrix=matrix)
        own = rows.mask(rows["arm"].isin(ONE_ORDER))["bandwidth"]
        rival = rows.only(arm="cusolver")["bandwidth"]
        if len(own) and len(rival):
            ratios.append(own[0] / rival[0])
    if not ratios:
        raise PlotError("no matrix that both ordered")
    mean = float(np.exp(np.mean(np.log(ratios))))
    return Value((mean, mean, mean), "×", counted(ratios))


# --- Jacobi ----------------------------------------------------------------------------------


def systems(source):
    return jacobi.problems_of(source.runs)


def published(problem, schedulers=(TSK, MK, PDC), versions=tuple(jacobi.SCHEDULED)):
    """The fastest of the thesis's arms, or None."""
    return problem.fastest(lambda a: a.scheduler in schedulers and a.version in versions)


def solves_over(choose, wanted=lambda problem: True):
    """{system: (speedup, resampled)}; `choose(problem)` gives what is divided, then by what."""

    def found(source):
        pairs = {p.name: choose(p) for p in source.of(systems) if wanted(p)}
        return {
            name: jacobi.speedup(*pair, seed)
            for seed, (name, pair) in enumerate(pairs.items())
            if all(pair)
        }

    return found


def mean_system(choose, wanted=lambda problem: True):
    return lambda source: mean_of(solves_over(choose, wanted)(source), ("system", "systems"))


def is_large(problem):
    return problem.entries >= LARGE_ENTRIES


def is_small(problem):
    return not is_large(problem)


def base_and_published(problem):
    return problem.arm(jacobi.BASE), published(problem)


def published_and_graph(problem):
    return published(problem), problem.fastest(jacobi.is_graph)


def tsk_and_pdc(problem):
    return published(problem, [TSK]), published(problem, [PDC])


def phases_and_individual(problem):
    own = [version for version in jacobi.SCHEDULED if not version.startswith("stages")]
    return problem.arm("stages_phases", PDC), published(problem, [PDC], own)


def most_over_base(source):
    return largest_of(solves_over(base_and_published)(source))


def handed_over(source):
    """Entries of the largest system that MK solves faster than PDC."""
    arms = [(p, published(p, [MK]), published(p, [PDC])) for p in source.of(systems)]
    entries = [p.entries for p, mk, pdc in arms if mk and pdc and mk.median < pdc.median]
    if not entries:
        raise PlotError("no system that MK solves faster")
    return Value((max(entries),) * 3, "entries", counted(arms, "system", "systems"))


QUANTITIES = {
    "individual_over_phases": empty_tasks(MK, "individual", "phases"),
    "phases_over_enqueue": empty_tasks(MK, "phases", "enqueue"),
    "grouped_over_individual": empty_tasks(MK, "grouped", "individual"),
    **individual_over_phases("fig7.1"),
    **individual_over_phases("fig7.2"),
    "registers": trees("fig7.2", (MK, "individual"), ("megakernel_1024", "individual")),
    "tsk_over_graph": trees("fig7.2", (TSK, "phases"), ("graph", "launches")),
    "rcm_most": most_over_cusolver,
    "rcm_mean": mean_over_cusolver,
    "rcm_large": orders_over("cusolver", "pdc", at_least=LARGE_ROWS),
    "rcm_scipy": orders_over("scipy", "pdc", at_least=LARGE_ROWS),
    "rcm_serial": orders_over("serial", "pdc"),
    "rcm_levels": orders_over("cusolver", "levels", at_least=LARGE_ROWS),
    "rcm_smallest": smallest_over_cusolver,
    "rcm_bandwidth": bandwidth_over_cusolver,
    "rcm_pdc_over_tsk": orders_over("tsk", "pdc", "order_ms"),
    "rcm_mk_over_tsk": orders_over("tsk", "mk", "order_ms"),
    "jacobi_most": most_over_base,
    "jacobi_small": mean_system(base_and_published, is_small),
    "jacobi_large": mean_system(base_and_published, is_large),
    "jacobi_graph": mean_system(published_and_graph),
    "jacobi_handed_over": handed_over,
    "jacobi_pdc_over_tsk": mean_system(tsk_and_pdc, is_large),
    "jacobi_individual": mean_system(phases_and_individual),
}
