"""The table of headline figures of thesis_mhive/README.md.

MACHINE.h5 is from mhive-overhead. The files of the other programs have names such as MACHINE-rcm.h5
in the same folder.

The schedulers and versions of the thesis come first, against the best rival. Then come the same
with parts of ours, and at last our own methods. A ratio above 1 means that MHive's side is
faster."""

import numpy as np

from gridloom.statistics import geometric_mean
from gridloom.text import NONE, table
from gridloom.text import interval as text
from gridloom.thesis_mhive import jacobi, rcm
from gridloom.thesis_mhive.collection import Collection
from gridloom.thesis_mhive.stored import Stored, peer_mean, rcm_mean

BELOW, ABOVE = "<", "≥"  # so many entries
SHORT = {"time_sliced": "TSK", "megakernel": "MK", "device_controller": "PDC"}
SEARCHED = {"columns": ("both_ms", "order_ms"), "search": "serial"}
COPIES = {"columns": ("both_ms", "end_to_end_ms")}
RIVALS = [("cuSOLVER", "cusolver"), ("best host arm", rcm.HOST_ARMS)]
WITH_SCIPY = [*RIVALS, ("SciPy", "scipy")]


def over_graph(rows, forms, unit):
    """The fastest published scheduler over the CUDA graph, by the time per unit, with its name."""
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
    return f"{text(rcm.interval(rcm.ratio(0, [graph], [best])))} ({SHORT[name]})"


def scheduling_rows(stored):
    """Empty tasks and the execution trees: a CUDA graph beside MHive's schedulers."""
    for what, experiment, forms, unit in (
        ("a task of one queue", "queue", ["queue"], "tasks"),
        ("a task with its dependency, many per layer", "throughput", ["individual"], "tasks"),
        ("a hop: the same, one task per layer", "latency", ["individual"], "layers"),
    ):
        rows = stored.overhead.only(experiment=experiment)
        yield what, "CUDA graph", NONE, over_graph(rows, ("form", forms), unit)
    for tree in ("fig7.1", "fig7.2"):
        rows = stored.generic.only(tree=tree)
        cell = over_graph(rows, ("dependencies", ["phases", "individual"]), None)
        yield f"execution tree of Fig. {tree[3:]}", "CUDA graph", NONE, cell


def rcm_rows(stored, label, what, rivals=RIVALS):
    for name, over in rivals:
        cells = [text(rcm_mean(stored, over, label, part)) for part in ("real", "generated")]
        copies = [rcm_mean(stored, over, label, part, **COPIES)[0] for part in stored.inputs]
        yield what, name, *cells, *map("{:.3g}".format, copies)


def peer_rows(stored, label, what):
    """The ordering alone over that of a public GPU program, if a file has it."""
    if stored.peer is not None:
        means = [peer_mean(stored, label, part) for part in stored.inputs]
        cells = [text(values) if values else NONE for values in means]
        yield f"{what}, the ordering alone", f"`{stored.peer.name}`", *cells


def jacobi_rows(problems, what, wanted, sizes=(BELOW, ABOVE), graph=False):
    rivals = [
        (f"`{jacobi.BASE}`", lambda arm: arm.version == jacobi.BASE),
        ("best `grid_sync`", jacobi.is_grid_sync),
    ]
    rivals += [("best CUDA graph", jacobi.is_graph)] if graph else []
    known = Collection()

    def alone(own, over):
        seeded = {p: (p.fastest(over), p.fastest(wanted), seed) for seed, p in own}
        found = {p: jacobi.speedup(*arms) for p, arms in seeded.items()}
        return text(rcm.geometric_mean(found)) if found else NONE

    def with_setup(own, over):
        found = [jacobi.with_setup(p, over, wanted) for _, p in own]
        return f"{geometric_mean(found):.3g}" if found else NONE

    for size in sizes:
        words = f"{what if size == sizes[0] else 'the same'}, {size} {jacobi.SMALL:,} entries"
        parts = {True: [], False: []}  # real, generated
        for seed, p in enumerate(problems):
            if (p.entries < jacobi.SMALL) == (size == BELOW):
                parts[known.row(p.name, p.rows, p.entries) is not None].append((seed, p))
        for name, over in rivals:
            cells = [value(own, over) for value in (alone, with_setup) for own in parts.values()]
            yield words, name, *cells


def published_rows(stored):
    yield from scheduling_rows(stored)
    # The published ordering after another search than that of `levels`: the sum of two arms.
    what = "RCM by PDC, start nodes by `serial` (sum of two arms)"
    for name, over in RIVALS:
        yield (
            what,
            name,
            *(text(rcm_mean(stored, over, "pdc", p, **SEARCHED)) for p in stored.inputs),
        )
    yield from peer_rows(stored, "pdc", "RCM by PDC")
    yield from jacobi_rows(
        stored.jacobi,
        "Jacobi, best scheduler, one reduction per entry",
        jacobi.is_as_published,
    )


def mixed_rows(stored):
    """The schedulers of the thesis with start nodes and dependency counts that are ours."""
    yield from rcm_rows(stored, "pdc", "RCM by PDC, start nodes by our `levels`", WITH_SCIPY)
    best = "Jacobi, best scheduler, counts by neighbouring tasks too"
    yield from jacobi_rows(stored.jacobi, best, jacobi.is_published)


def beyond_rows(stored):
    yield from rcm_rows(stored, "levels", "RCM by `levels`, no MHive")
    yield from peer_rows(stored, "levels", "RCM by `levels`")
    yield from rcm_rows(stored, "resident", "RCM by `resident`, start nodes by `levels`")
    yield from jacobi_rows(
        stored.jacobi,
        "Jacobi, best under `resident`",
        lambda arm: arm.is_mhive and arm.scheduler == "resident_controller",
        [BELOW],
    )
    yield from jacobi_rows(
        stored.jacobi_every, "Jacobi, our kernels, equal work", jacobi.is_best_of,
        [BELOW], graph=True,
    )  # fmt: skip
    yield from jacobi_rows(
        stored.jacobi,
        "Jacobi, our kernels, residual every 10 iterations",
        lambda a: a.version in jacobi.OURS,
    )


def headlines_table(stored):
    heads = ["figure", "over", "real inputs", "generated inputs"]
    heads += ["real, end to end", "generated, end to end"]
    groups = [
        ("as published", published_rows(stored)),
        ("published schedulers, parts of ours", mixed_rows(stored)),
        ("beyond the thesis", beyond_rows(stored)),
    ]
    rows = []
    for group, found in groups:
        last = None
        rows.append([f"**{group}**", *[""] * (len(heads) - 1)])
        for what, *cells in found:
            cells += [NONE] * (len(heads) - 1 - len(cells))
            rows.append(["" if what == last else what, *cells])
            last = what
    return table(heads, rows, left=len(heads))


def texts_of(path):
    stored = Stored(path)
    return {"mhive-headlines": headlines_table(stored)}
