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


def mean_system(found):
    return mean_of(found, ("system", "systems"))


def solves(over, under, wanted=lambda problem: True, of=mean_system):
    """How many times as fast the arm `under(problem)` is as the arm `over(problem)`, in the mean
    over the wanted systems or by another function `of`."""

    def value(source):
        pairs = {p.name: (over(p), under(p)) for p in source.of(systems) if wanted(p)}
        return of({
            name: jacobi.speedup(*pair, seed)
            for seed, (name, pair) in enumerate(pairs.items())
            if all(pair)
        })  # fmt: skip

    return value


def arm(version, scheduler="none"):
    return lambda problem: problem.arm(version, scheduler)


def by(*schedulers, versions=tuple(jacobi.SCHEDULED)):
    """The fastest published arm under these schedulers."""
    return lambda problem: published(problem, schedulers, versions)


def fastest(wanted):
    return lambda problem: problem.fastest(wanted)


def is_large(problem):
    return problem.entries >= jacobi.SMALL


def is_grid(problem):
    return problem.name.startswith(("poisson", "p1", "gr_", "shallow_water"))


def is_not(kind):
    return lambda problem: not kind(problem)


def handed_over(source):
    """Number of entries of the largest system that MK solves faster than PDC."""
    arms = [(p, published(p, [MK]), published(p, [PDC])) for p in source.of(systems)]
    entries = [p.entries for p, mk, pdc in arms if mk and pdc and mk.median < pdc.median]
    if not entries:
        raise PlotError("no system that MK solves faster")
    return Value((max(entries),) * 3, "entries", counted(arms, "system", "systems"))


BASE = arm(jacobi.BASE)
PHASES, STAGES = (arm(version, PDC) for version in ("stages_phases", "stages_individual"))
INDIVIDUAL = by(PDC, versions=[v for v in jacobi.SCHEDULED if not v.startswith("stages")])


def over_both(name, *wanted, **how):
    """The versions as published over the baseline of the thesis, and over the best CUDA graph."""
    own = fastest(jacobi.is_as_published)
    return {
        name: solves(BASE, own, *wanted, **how),
        f"{name}_today": solves(fastest(jacobi.is_graph), own, *wanted, **how),
    }


QUANTITIES = {
    **over_both("jacobi_most", of=largest_of),
    "jacobi_most_spread": solves(
        arm("kernel_by_kernel_spread"), fastest(jacobi.is_as_published), of=largest_of
    ),
    **over_both("jacobi_small", is_not(is_large)),
    **over_both("jacobi_large", is_large),
    "jacobi_handed_over": handed_over,
    "jacobi_pdc_over_tsk": solves(by(TSK), by(PDC), is_large),
    "jacobi_mk_over_pdc": solves(by(PDC), by(MK), is_not(is_large)),
    "jacobi_mk_over_tsk": solves(by(TSK), by(MK), is_not(is_large)),
    "registers_small": solves(by(MK), by("megakernel_1024"), is_not(is_large)),
    "registers_large": solves(by(MK), by("megakernel_1024"), is_large),
    "jacobi_stages": solves(PHASES, STAGES),  # the same work and the same check
    "jacobi_individual_random": solves(PHASES, INDIVIDUAL, jacobi.is_random),
    "jacobi_individual_grids": solves(PHASES, INDIVIDUAL, is_grid),
}
