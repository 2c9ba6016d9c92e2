"""Figure 6: misses of the L2 cache by policy, from what scripts/profile stored.

A profile is named by the application. Its launches are those of one run of each method; which
method a launch is of, the name of its kernel says.
"""

import re

from gridloom.juggler.data import APPS, BARRIERS, POLICIES
from gridloom.results import PlotError
from gridloom.text import in_order

KERNELS = {
    "local_round_robin": "lrr",
    "global_round_robin": "grr",
    "local_first": "lf",
    "local_then_shorter": "lts",
    "local_then_shorter_slots": "lts-slots",
}
METHODS = [BARRIERS, *POLICIES]
KINDS = {"writes": ("l2_writes", "l2_write_misses"), "reads": ("l2_reads", "l2_read_misses")}


def method_of(kernel):
    """As --method names it, or None for another kernel."""
    if re.search(r"\bwave_kernel<", kernel):
        return BARRIERS
    policy = re.search(r"\bruntime_kernel<.*::(\w+)>", kernel)
    return KERNELS.get(policy[1]) if policy else None


def rates(runs):
    """{application: {method: {"writes" or "reads": share of sectors that missed}}}."""
    sums = {}
    for key, rows in runs.groups(["name", "kernel"]):
        method = method_of(str(key["kernel"]))
        if key["name"] not in APPS or method is None:
            continue
        own = sums.setdefault(key["name"], {}).setdefault(method, dict.fromkeys(KINDS, (0, 0)))
        for kind, (all_of_them, missed) in KINDS.items():
            found, lost = own[kind]
            own[kind] = (
                found + rows[all_of_them].sum(skipna=False),
                lost + rows[missed].sum(skipna=False),
            )
    found = {
        app: {
            method: {kind: lost / all_ for kind, (all_, lost) in kinds.items() if all_ > 0}
            for method, kinds in sums[app].items()
        }
        for app in in_order(sums, list(APPS))
    }
    known = [share for of_app in found.values() for kinds in of_app.values()
             for share in kinds.values()]  # fmt: skip
    if not known:
        raise PlotError(
            "no launches of juggler's kernels with misses of the L2: profiles that are named by "
            "an application, of --counters l2"
        )
    return found
