#!/usr/bin/env python3
"""The table of headline figures of thesis_mhive/README.md and its row of the repository's README.

scripts/tables/thesis_mhive/headlines.py MACHINE.h5 [--prefix NAME-]

prints them; --write PAGE puts them in, --check PAGE exits 1 if they differ. MACHINE.h5 is of
mhive-overhead; the files of the other programs stand beside it as MACHINE-rcm.h5 and so on.

What the schedulers and versions of the thesis reach comes first, against the best rival; apart from
that, what goes beyond the thesis. A ratio above 1 says that MHive's side is faster.
"""

import sys

import numpy as np

from gridloom.readme import NONE, main, table
from gridloom.text import number
from gridloom.thesis_mhive import jacobi, rcm
from gridloom.thesis_mhive.rcm import interval
from gridloom.thesis_mhive.stored import Stored, is_base, jacobi_mean, peer_mean, rcm_mean

BELOW, ABOVE = {"below": jacobi.SMALL}, {"at_least": jacobi.SMALL}
SHORT = {"time_sliced": "TSK", "megakernel": "MK", "device_controller": "PDC"}
COPIES = {"columns": ("both_ms", "end_to_end_ms")}
RIVALS = [("cuSOLVER", "cusolver"), ("SciPy", "scipy"), ("best host arm", rcm.HOST_ARMS)]


def text(values):
    return "{:.3g} [{:.3g}, {:.3g}]".format(*values)


def over_graph(rows, forms, unit):
    """The fastest published scheduler over the CUDA graph by the time of a unit, with its name."""
    rows = rows.assign(each=rows["elapsed_ms"] / (rows[unit] if unit else 1))
    arms = {
        scheduler: rows.mask((rows["scheduler"] == scheduler) & rows[forms[0]].isin(forms[1]))
        for scheduler in jacobi.PUBLISHED
    }
    times = [
        (name, part["each"].to_numpy())
        for name, own in arms.items()
        for _, part in own.groups([forms[0]])
    ]
    name, best = min(times, key=lambda item: np.median(item[1]))
    graph = rows.only(scheduler="graph")["each"].to_numpy()
    return f"{text(interval(rcm.ratio(0, [graph], [best])))} ({SHORT[name]})"


def scheduling_rows(stored):
    """Empty tasks and the execution trees: a CUDA graph beside MHive's schedulers."""
    for what, experiment, forms, unit in (
        ("a task of one queue", "queue", ["queue"], "tasks"),
        ("a task with its dependency, many a layer", "throughput", ["individual"], "tasks"),
        ("a hop: the same, one task a layer", "latency", ["individual"], "layers"),
    ):
        rows = stored.overhead.only(experiment=experiment)
        yield what, "CUDA graph", NONE, over_graph(rows, ("form", forms), unit), NONE
    for tree in ("fig7.1", "fig7.2"):
        rows = stored.generic.only(tree=tree)
        cell = over_graph(rows, ("dependencies", ["phases", "individual"]), None)
        yield f"execution tree of Fig. {tree[3:]}", "CUDA graph", NONE, cell, NONE


def rcm_rows(stored, label, what):
    for name, over in RIVALS:
        cells = [text(rcm_mean(stored, over, label, part)) for part in ("real", "generated")]
        copies = [rcm_mean(stored, over, label, part, **COPIES)[0] for part in stored.inputs]
        yield what, name, *cells, "with copies {:.3g}; {:.3g}".format(*copies)


def searched_row(stored):
    """The published ordering after a search for start nodes that is not `levels`."""
    how = {"columns": ("both_ms", "order_ms"), "search": "serial"}
    cells = [text(rcm_mean(stored, "cusolver", "pdc", part, **how)) for part in stored.inputs]
    return "RCM by PDC, start nodes by `serial` on the host", "cuSOLVER", *cells, NONE


def peer_rows(stored, label, what):
    """The ordering alone over that of a public GPU program, where a file has it."""
    if stored.peer is not None:
        means = [peer_mean(stored, label, part) for part in stored.inputs]
        cells = [text(values) if values else NONE for values in means]
        yield f"{what}, the ordering alone", f"`{stored.peer.name}`", *cells, NONE


def jacobi_rows(problems, what, wanted, sizes=(BELOW, ABOVE), grid=False):
    rivals = [(f"`{jacobi.BASE}`", is_base), ("best CUDA graph", jacobi.is_graph)]
    rivals += [("best `grid_sync`", jacobi.is_grid_sync)] if grid else []
    for size in sizes:
        words = f"{'<' if 'below' in size else '≥'} {jacobi.SMALL:,} entries"
        for name, over in rivals:
            cell = text(jacobi_mean(problems, over, wanted, **size))
            yield f"{what}, {words}", name, NONE, cell, pays(problems, over, wanted, size)


def pays(problems, over, wanted, size):
    """From how many iterations on the set-up is made up for, from system to system."""
    low, high = size.get("at_least", 0), size.get("below", float("inf"))
    own = [p for p in problems if low <= p.entries < high]
    counts = [jacobi.made_up_after(p.fastest(over), p.fastest(wanted)) for p in own]
    if any(count is None for count in counts):
        return NONE
    return f"ahead after {min(counts):,} to {max(counts):,} iterations"


def published_rows(stored):
    yield from scheduling_rows(stored)
    yield from rcm_rows(stored, "pdc", "RCM by PDC, start nodes by `levels`")
    yield searched_row(stored)
    yield from peer_rows(stored, "pdc", "RCM by PDC")
    best = "Jacobi, best of TSK, MK and PDC"
    yield from jacobi_rows(stored.jacobi, best, jacobi.is_published)
    yield from list(
        jacobi_rows(stored.jacobi, f"{best}, a reduction an entry", jacobi.is_as_published)
    )[::2]


def beyond_rows(stored):
    yield from rcm_rows(stored, "levels", "RCM by `levels`, no MHive")
    yield from peer_rows(stored, "levels", "RCM by `levels`")
    yield from jacobi_rows(
        stored.jacobi_every, "Jacobi, our kernels, equal work", jacobi.is_best_of,
        [BELOW], grid=True,
    )  # fmt: skip
    yield from jacobi_rows(
        stored.jacobi,
        "Jacobi, our kernels, residual every 10 iterations",
        lambda a: a.version in jacobi.OURS,
    )


def headlines_table(stored):
    heads = ["figure", "over", "real inputs", "generated inputs", "end to end (real; generated)"]
    groups = [("as published", published_rows(stored)), ("beyond the thesis", beyond_rows(stored))]
    rows = []
    for group, found in groups:
        last = None
        rows.append([f"**{group}**", *[""] * (len(heads) - 1)])
        for what, *cells in found:
            rows.append(["" if what == last else what, *cells])
            last = what
    return table(heads, rows, left=len(heads))


def row(stored):
    """For the table of artifacts in the repository's README."""

    def rcm_text(label):
        means = [
            f"{number(rcm_mean(stored, over, label, part)[0])} × {name}"
            for part in ("all", "real")
            for name, over in RIVALS[:2]
        ]
        return "{} and {} ({} and {} on real ones)".format(*means)

    def jacobi_text(problems, over, wanted, **size):
        return f"{number(jacobi_mean(problems, over, wanted, **size)[0])} ×"

    own, equal = stored.jacobi, stored.jacobi_every
    small, large = (
        [jacobi_text(own, over, jacobi.is_published, **size) for over in (is_base, jacobi.is_graph)]
        for size in (BELOW, ABOVE)
    )
    ours = [jacobi_text(equal, o, jacobi.is_best_of, **BELOW) for o in (is_base, jacobi.is_graph)]
    counts = [len(names) for names in stored.inputs.values()]
    return (
        f"{stored.machine}. As published: RCM by PDC, start nodes by `levels`, over {sum(counts)} "
        f"matrices, {counts[0]} of them real, {rcm_text('pdc')}; "
        f"Jacobi {small[0]} kernel by kernel below {jacobi.SMALL:,} entries and {large[0]} above, "
        f"where a CUDA graph is ahead ({small[1]} and {large[1]}). Beyond it: `levels` "
        f"{rcm_text('levels')}; our Jacobi kernels at equal work {ours[0]} kernel by kernel "
        f"and {ours[1]} a CUDA graph below {jacobi.SMALL:,} entries"
    )


def tables(path):
    stored = Stored(path)
    return {"mhive-headlines": headlines_table(stored), "mhive-row": row(stored)}


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
