"""Numbers behind the thesis's claims about the Jacobi method, from files of mhive-jacobi.

"Published" are the schedulers TSK, MK and PDC with the versions of the thesis. Speedups over
several systems are geometric means."""

from gridloom.claims import Value
from gridloom.results import PlotError
from gridloom.text import counted
from gridloom.thesis_mhive import jacobi
from gridloom.thesis_mhive.rcm_claims import largest_of, mean_of

TSK, MK, PDC = jacobi.PUBLISHED


def systems(source):
    return jacobi.problems_of(source.runs)


def published(problem, schedulers=(TSK, MK, PDC), versions=tuple(jacobi.SCHEDULED)):
    """The fastest of the thesis's arms, or None."""
    return problem.fastest(lambda a: a.scheduler in schedulers and a.version in versions)


def solves_over(choose, wanted=lambda problem: True):
    """{system: (speedup, resampled)}. `choose(problem)` returns the dividend and the divisor."""

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
    return problem.entries >= jacobi.SMALL


def is_small(problem):
    return not is_large(problem)


def base_and_published(problem):
    return problem.arm(jacobi.BASE), published(problem)


def published_and_graph(problem):
    return published(problem), problem.fastest(jacobi.is_graph)


def tsk_and_pdc(problem):
    return published(problem, [TSK]), published(problem, [PDC])


def pdc_and_mk(problem):
    return published(problem, [PDC]), published(problem, [MK])


def is_random(problem):
    """Whether the system is one of A3 to A6, whose rows differ most. The other generated systems
    are grids and meshes."""
    return problem.name.startswith(("A", "dominant"))


def is_grid(problem):
    return not is_random(problem)


def phases_and_individual(problem):
    own = [version for version in jacobi.SCHEDULED if not version.startswith("stages")]
    return problem.arm("stages_phases", PDC), published(problem, [PDC], own)


def stages_of_both(problem):
    """The same work and the same check, by phases and by individual dependencies."""
    return problem.arm("stages_phases", PDC), problem.arm("stages_individual", PDC)


def most_over_base(source):
    return largest_of(solves_over(base_and_published)(source))


def most_as_published(source):
    """The largest speedup without the counts by neighbouring tasks, which are ours."""

    def pair(problem):
        return problem.arm(jacobi.BASE), problem.fastest(jacobi.is_as_published)

    return largest_of(solves_over(pair)(source))


def handed_over(source):
    """Number of entries of the largest system that MK solves faster than PDC."""
    arms = [(p, published(p, [MK]), published(p, [PDC])) for p in source.of(systems)]
    entries = [p.entries for p, mk, pdc in arms if mk and pdc and mk.median < pdc.median]
    if not entries:
        raise PlotError("no system that MK solves faster")
    return Value((max(entries),) * 3, "entries", counted(arms, "system", "systems"))


QUANTITIES = {
    "jacobi_most": most_over_base,
    "jacobi_most_as_published": most_as_published,
    "jacobi_small": mean_system(base_and_published, is_small),
    "jacobi_large": mean_system(base_and_published, is_large),
    "jacobi_graph": mean_system(published_and_graph),
    "jacobi_handed_over": handed_over,
    "jacobi_pdc_over_tsk": mean_system(tsk_and_pdc, is_large),
    "jacobi_mk_over_pdc": mean_system(pdc_and_mk, is_small),
    "jacobi_individual": mean_system(phases_and_individual),
    "jacobi_stages": mean_system(stages_of_both),
    "jacobi_individual_random": mean_system(phases_and_individual, is_random),
    "jacobi_individual_grids": mean_system(phases_and_individual, is_grid),
}
