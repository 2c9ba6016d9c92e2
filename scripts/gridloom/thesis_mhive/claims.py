"""The numbers behind the claims of Pichler's thesis, from files of its four programs."""

from gridloom.claims import Value
from gridloom.results import PlotError
from gridloom.statistics import median_ratio
from gridloom.thesis_mhive import jacobi_claims, rcm_claims

TSK, MK, PDC = "time_sliced", "megakernel", "device_controller"
SHORT = {"tsk": TSK, "mk": MK, "pdc": PDC}


def ratio(over, under, what):
    """The ratio of the times of the rows `over` to those of the rows `under`."""
    if not len(over) or not len(under):
        raise PlotError("no rows of one of both")
    return Value(median_ratio(over["elapsed_ms"], under["elapsed_ms"]), "×", what(over))


def grouped_over_individual(scheduler, pick):
    """Times of empty tasks of 32 threads in groups of at least 32: the largest ratio, or the least,
    by `pick`."""

    def value(source):
        rows = source.runs.only(scheduler=scheduler, worker_size=32, status="ok")
        rows = rows.mask(rows["width"] == rows["width"].max())
        other, groups = rows.only(form="individual"), rows.mask(rows["group"] >= 32)
        found = [
            ratio(own, other, lambda r: f"groups of {r['group'][0]:,} empty tasks")
            for _, own in groups.groups(["group"])
        ]
        if not found:
            raise PlotError("no groups of at least 32 tasks")
        return pick(found, key=lambda one: one.numbers[0])

    return value


def groups_over_individual(name, pick):
    return {
        f"groups_{name}_{short}": grouped_over_individual(scheduler, pick)
        for short, scheduler in SHORT.items()
    }


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
        for short, scheduler in SHORT.items()
    }


QUANTITIES = {
    **groups_over_individual("slowest", max),
    **groups_over_individual("fastest", min),
    **individual_over_phases("fig7.1"),
    **individual_over_phases("fig7.2"),
    "registers": trees("fig7.2", (MK, "individual"), ("megakernel_1024", "individual")),
    **rcm_claims.QUANTITIES,
    **jacobi_claims.QUANTITIES,
}
