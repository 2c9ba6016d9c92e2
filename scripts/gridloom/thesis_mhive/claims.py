"""The numbers behind the claims of Pichler's thesis, from files of its four programs."""

from gridloom.claims import Value
from gridloom.results import PlotError
from gridloom.statistics import median_ratio
from gridloom.thesis_mhive import jacobi_claims, rcm_claims

TSK, MK, PDC = "time_sliced", "megakernel", "device_controller"


def ratio(over, under, what):
    """The ratio of the times of the rows `over` to those of the rows `under`."""
    if not len(over) or not len(under):
        raise PlotError("no rows of one of both")
    return Value(median_ratio(over["elapsed_ms"], under["elapsed_ms"]), "×", what(over))


def grouped_over_individual(scheduler, size_of=max):
    """Times of empty tasks of 32 threads in their largest groups, or in others by `size_of`."""

    def value(source):
        rows = source.runs.only(scheduler=scheduler, worker_size=32, status="ok")
        sizes = set(rows.only(form="grouped")["width"]) - {1}
        rows = rows.only(width=size_of(sizes, default=0))
        own, other = (rows.only(form=form) for form in ("grouped", "individual"))
        return ratio(own, other, lambda r: f"groups of {r['width'][0]:,} empty tasks")

    return value


def trees(name, over, under):
    """Times of an execution tree. `over` and `under` are (scheduler, dependencies)."""

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


QUANTITIES = {
    "grouped_over_individual": grouped_over_individual(MK),
    "grouped_over_individual_pdc": grouped_over_individual(PDC),
    "small_groups_pdc": grouped_over_individual(PDC, min),
    **individual_over_phases("fig7.1"),
    **individual_over_phases("fig7.2"),
    "registers": trees("fig7.2", (MK, "individual"), ("megakernel_1024", "individual")),
    **rcm_claims.QUANTITIES,
    **jacobi_claims.QUANTITIES,
}
