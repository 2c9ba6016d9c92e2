"""Numbers behind the thesis's claims about reverse Cuthill-McKee, from files of mhive-rcm.

Speedups over several matrices are geometric means."""

import numpy as np

from gridloom.claims import Value
from gridloom.results import PlotError, read_table
from gridloom.statistics import geometric_mean
from gridloom.text import counted
from gridloom.thesis_mhive import rcm
from gridloom.thesis_mhive.collection import Collection

SORTING = ["sort_block", "sort_delegate", "sort_global"]  # task types


def mean_of(found, kind=("matrix", "matrices")):
    """The geometric mean with interval of {matrix: (speedup, resampled speedups)}."""
    if not found:
        raise PlotError("no matrix that both arms did")
    what = rcm.short(next(iter(found))) if len(found) == 1 else counted(found, *kind)
    return Value(rcm.geometric_mean(found), "×", what)


def largest_of(found, choose=max):
    return mean_of(dict([choose(found.items(), key=lambda item: item[1][0])] if found else ()))


def smallest_of(found):
    return largest_of(found, min)


def orderings(source):
    return rcm.prepared(source.runs)


def orders_over(over, arm, of=mean_of):
    """How many times as fast the ordering alone by `arm` is as that by the arm `over`, in the mean
    or by another function `of`."""

    columns = ("order_ms", "order_ms")
    return lambda source: of(rcm.speedups(source.of(orderings), over, arm, columns))


def searched_on_host(source, at_least=0, over="cusolver"):
    """PDC's speedups over an arm or the fastest of several if one host thread searches for the
    start nodes.

    The thesis's own search is not among the tasks here, and that of `levels` is ours."""
    columns = ("both_ms", "order_ms")
    return rcm.speedups(
        source.of(orderings), over, "pdc", columns, at_least, search="serial"
    )  # fmt: skip


def real_over(source, over):
    real, _ = rcm.real_and_generated(source.of(orderings), Collection())
    found = searched_on_host(source, over=over)
    return {matrix: found[matrix] for matrix in real if matrix in found}


def over_arm(over, ending=""):
    return {
        f"rcm_most{ending}": lambda source: largest_of(searched_on_host(source, over=over)),
        f"rcm_most_real{ending}": lambda source: largest_of(real_over(source, over)),
        f"rcm_mean{ending}": lambda source: mean_of(searched_on_host(source, rcm.LARGE, over)),
        f"rcm_mean_real{ending}": lambda source: mean_of(real_over(source, over)),
    }


def largest_behind_cusolver(source):
    """Number of rows of the largest matrix on which PDC is slower."""
    found = searched_on_host(source)
    runs = source.of(orderings)
    rows = [rcm.size_of(runs, m)[0] for m, (ratio, _) in found.items() if ratio < 1]
    if not rows:
        raise PlotError("no matrix on which cuSOLVER is ahead")
    return Value((max(rows),) * 3, "rows", counted(found))


def parts_of_pdc(source):
    """{matrix: (ms of all tasks, ms of sorting tasks, ms of the ordering)}."""
    runs, found = source.of(orderings), {}
    for path in source.paths:
        parts = read_table(path, "parts", ("arm", "matrix", "part", "elapsed_ms")).only(arm="pdc")
        for key, rows in parts.groups(["matrix"]):
            sorting = rows["elapsed_ms"][rows["part"].isin(SORTING)].sum()
            whole = rcm.samples(runs, key["matrix"], "pdc", "order_ms")
            found[key["matrix"]] = rows["elapsed_ms"].sum(), sorting, np.median(whole)
    if not found:
        raise PlotError("no parts of pdc")
    return found


def share_of_parts(part, whole):
    """The median share over the matrices, in percent."""

    def value(source):
        found = source.of(parts_of_pdc)
        shares = [100 * own[part] / own[whole] for own in found.values()]
        return Value((float(np.median(shares)),) * 3, "%", counted(found))

    return value


def bandwidth_over_cusolver(source):
    """The bandwidth over that of cuSOLVER. All our arms give the same order, so any of them
    serves."""
    runs, ratios = source.of(orderings), []
    for matrix in rcm.matrices_of(runs):
        own, rival = (rcm.bandwidth_of(runs, matrix, arms) for arms in (rcm.OURS, ["cusolver"]))
        if own and rival:
            ratios.append(own / rival)
    if not ratios:
        raise PlotError("no matrix that both ordered")
    return Value((geometric_mean(ratios),) * 3, "×", counted(ratios))


QUANTITIES = {
    **over_arm("cusolver"),
    **over_arm(rcm.HOST_ARMS, "_today"),
    # Matrices are sorted by size.
    "rcm_smallest": lambda source: mean_of(dict([*searched_on_host(source).items()][:1])),
    "rcm_mario": lambda source: mean_of(
        {m: f for m, f in searched_on_host(source).items() if rcm.short(m) == "mario001"}
    ),
    "rcm_largest_behind": largest_behind_cusolver,
    "rcm_bandwidth": bandwidth_over_cusolver,
    "rcm_pdc_over_tsk": orders_over("tsk", "pdc"),
    "rcm_mk_over_tsk": orders_over("tsk", "mk"),
    "rcm_cpu_gpu_least": orders_over("pdc", "cpu_gpu", smallest_of),
    "rcm_cpu_gpu_most": orders_over("pdc", "cpu_gpu", largest_of),
    "rcm_sorting": share_of_parts(1, 0),
    "rcm_tasks": share_of_parts(0, 2),
}
