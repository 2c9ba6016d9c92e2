"""Figure 6: misses of the L2 cache by policy, from the results of scripts/profile.

A profile has the launches of one run of each method. The kernel's name tells the application and
the method of a launch."""

import re

from gridloom.juggler.data import APPS, BARRIERS, POLICIES
from gridloom.results import PlotError, read_runs
from gridloom.text import NONE, in_order, number, table

KERNELS = {
    "local_round_robin": "lrr",
    "global_round_robin": "grr",
    "global_round_robin_by_block": "grr-block",
    "local_first": "lf",
    "local_first_of_task": "lf-task",
    "local_then_shorter": "lts",
    "local_then_shorter_slots": "lts-slots",
}
METHODS = [BARRIERS, *POLICIES]
KINDS = {"writes": ("l2_writes", "l2_write_misses"), "reads": ("l2_reads", "l2_read_misses")}


def app_of(kernel):
    """The application whose functor the kernel runs, or None."""
    found = re.search(rf"\b({'|'.join(APPS)})::", kernel)
    if found:
        return found[1]
    # Nsight Compute writes heat::app, but of int_hist::app the last name only.
    return "int_hist" if re.search(r"\b(wave|runtime)_kernel<app,", kernel) else None


def method_of(kernel):
    """The method of a kernel, as --method names it; None for other kernels."""
    if re.search(r"\b(wave|level)_kernel<", kernel):
        return BARRIERS
    policy = re.search(
        r"\bruntime_kernel<.*[ :](?!worker_places)(\w+)(?:, [\w:]*worker_places)?>", kernel
    )
    return KERNELS.get(policy[1]) if policy else None


def sums(runs):
    """{application: {method: {"writes" or "reads": (sectors, those that missed)}}}."""
    found = {}
    for key, rows in runs.groups(["kernel"]):
        app, method = (of(str(key["kernel"])) for of in (app_of, method_of))
        if app is None or method is None:
            continue
        own = found.setdefault(app, {}).setdefault(method, dict.fromkeys(KINDS, (0, 0)))
        for kind, columns in KINDS.items():
            more = (rows[column].sum(skipna=False) for column in columns)
            own[kind] = tuple(float(a + b) for a, b in zip(own[kind], more, strict=True))
    every = [own for methods in found.values() for own in methods.values()]
    if not any(all_ > 0 for own in every for all_, _ in own.values()):
        raise PlotError(
            "no launches of juggler's kernels with misses of the L2; expected profiles of "
            "--counters l2"
        )
    return {app: found[app] for app in in_order(found, list(APPS))}


def rates(runs):
    """{application: {method: {"writes" or "reads": share of sectors that missed}}}, where any was
    looked up."""
    return {
        app: {
            method: {kind: missed / all_ for kind, (all_, missed) in own.items() if all_ > 0}
            for method, own in methods.items()
        }
        for app, methods in sums(runs).items()
    }


def texts_of(path):
    """Table `misses`: one row per application, one column per kind and method, in percent.

    `missed-reads`: the sectors themselves. Waiting workers poll words in the L2, which lowers the
    rate but not the number of misses. `lf-below-METHOD`: the number of applications for which LF
    has fewer misses."""
    runs = read_runs(path)
    found, counts = rates(runs), sums(runs)
    there = in_order({m for methods in found.values() for m in methods}, METHODS)
    columns = [(kind, method) for kind in KINDS for method in there]
    rows = []
    for app, methods in found.items():
        shares = [methods.get(method, {}).get(kind) for kind, method in columns]
        rows.append([APPS[app], *(NONE if s is None else number(100 * s) for s in shares)])
    heads = [f"{kind}, `{method}`, %" for kind, method in columns]
    missed = {
        app: {method: own["reads"][1] for method, own in methods.items()}
        for app, methods in counts.items()
    }
    sectors = [
        [APPS[app], *(f"{own[m] / 1e6:.3f}" if m in own else NONE for m in there)]
        for app, own in missed.items()
    ]
    texts = {
        "misses": table(["application", *heads], rows),
        "missed-reads": table(["application", *(f"`{m}`, M sectors" for m in there)], sectors),
    }
    for method in (m for m in there if m != "lf"):
        both = [own for own in missed.values() if method in own and "lf" in own]
        fewer = sum(own["lf"] < own[method] for own in both)
        texts[f"lf-below-{method}"] = f"{fewer} of {len(both)}"
    return texts
