"""The table of headline figures of thesis_mhive/README.md.

MACHINE.h5 is from mhive-overhead. The files of the other programs have names such as MACHINE-rcm.h5
in the same folder.

The schedulers and versions of the thesis come first, against the best rival. Then come the same
with parts of ours, and at last our own methods. A ratio above 1 means that MHive's side is
faster."""

from gridloom.statistics import geometric_mean
from gridloom.text import NONE, number, table
from gridloom.thesis_mhive import jacobi, rcm
from gridloom.thesis_mhive.collection import Collection
from gridloom.thesis_mhive.stored import Stored, peer_mean, rcm_mean

BELOW, ABOVE = "<", "≥"  # so many entries
SHORT = {"time_sliced": "TSK", "megakernel": "MK", "device_controller": "PDC"}
SEARCHED = {"columns": ("both_ms", "order_ms"), "search": "serial"}
COPIES = {"columns": ("both_ms", "end_to_end_ms")}


def mean_text(values):
    """The middle of (middle, low, high)."""
    return number(values[0])


def over_rival(rows, by, unit=None):
    """The fastest published scheduler over the fastest rival, by the time per unit, and its name.
    `rows` are theirs alone; `by` is the column that tells arms of a scheduler apart."""
    rows = rows.assign(each=rows["elapsed_ms"] / (rows[unit] if unit else 1))
    times = rows.groupby(["scheduler", by])["each"].median().groupby(level=0).min()
    own = times[times.index.isin(jacobi.PUBLISHED)]
    return times.drop(own.index).min() / own.min(), SHORT[own.idxmin()]


def searches(stored):
    rows = stored.dynamic.mask(stored.dynamic["scheduler"] != "resident_controller")
    return {s: over_rival(rows.only(search=s), "batch") for s in dict.fromkeys(rows["search"])}


def scheduling_rows(stored):
    """Empty tasks, the execution trees, and searches: MHive's schedulers beside a CUDA graph or
    the best rival."""
    known = [*jacobi.PUBLISHED, "graph"]
    for what, experiment, form, unit in (
        ("a task of one queue", "queue", "queue", "tasks"),
        ("a task with its dependency, many per layer", "throughput", "individual", "tasks"),
        ("a hop: the same, one task per layer", "latency", "individual", "layers"),
    ):
        rows = stored.overhead.only(experiment=experiment)
        rows = rows.mask(rows["scheduler"].isin(known) & rows["form"].isin([form, "graph"]))
        yield what, "CUDA graph", NONE, "{:.3g} ({})".format(*over_rival(rows, "form", unit))
    for tree in ("fig7.1", "fig7.2"):
        rows = stored.generic.only(tree=tree)
        rows = rows.mask(rows["scheduler"].isin(known))
        cell = "{:.3g} ({})".format(*over_rival(rows, "dependencies"))
        yield f"execution tree of Fig. {tree[3:]}", "CUDA graph", NONE, cell
    for search, found in searches(stored).items():
        yield f"search `{search}`", "best rival", NONE, "{:.3g} ({})".format(*found)


def rcm_rows(stored, label, what, **how):
    """An arm over the fastest host arm, and with the copies where it has columns of its own."""
    kinds = [how] if how else [{}, COPIES]
    means = [rcm_mean(stored, rcm.HOST_ARMS, label, p, **kw) for kw in kinds for p in stored.inputs]
    yield what, "best host arm", *map(mean_text, means)


def depth_rows(stored, label, what):
    """An arm over SciPy on real matrices, flat ones and deep ones apart."""
    deep = set(stored.rcm.mask(stored.rcm["levels"] > rcm.FLAT)["matrix"])
    real, _ = rcm.real_and_generated(stored.rcm, Collection(), rcm.LONG)
    found = rcm.speedups(stored.rcm, "scipy", label)
    for words, is_deep in ((f"at most {rcm.FLAT} levels", False), ("more levels", True)):
        part = {m: found[m] for m in real if m in found and (m in deep) == is_deep}
        if part:
            cell = mean_text(rcm.geometric_mean(part))
            yield f"{what}, ≥ {rcm.LONG:,} rows, {words}", "SciPy", cell


def peer_rows(stored, label, what):
    """The ordering alone over that of a public GPU program, if a file has it."""
    if stored.peer is not None:
        means = [peer_mean(stored, label, part) for part in stored.inputs]
        cells = [mean_text(values) if values else NONE for values in means]
        yield f"{what}, the ordering alone", f"`{stored.peer.name}`", *cells


def is_rival(arm):
    return jacobi.is_grid_sync(arm) or jacobi.is_graph(arm)


def is_mhive(arm):
    return arm.is_mhive


def jacobi_rows(problems, what, wanted, sizes=(BELOW, ABOVE)):
    def alone(own):
        seeded = {p: (p.fastest(is_rival), p.fastest(wanted), seed) for seed, p in own}
        found = {p: jacobi.speedup(*arms) for p, arms in seeded.items()}
        return mean_text(rcm.geometric_mean(found)) if found else NONE

    def with_setup(own):
        found = [jacobi.with_setup(p, is_rival, wanted) for _, p in own]
        return f"{geometric_mean(found):.3g}" if found else NONE

    for size in sizes:
        words = f"{f'{what}, ' * (size == sizes[0])}{size} {jacobi.SMALL:,} entries"
        parts = {True: [], False: []}  # real, generated
        for seed, p in enumerate(problems):
            if (p.entries < jacobi.SMALL) == (size == BELOW) and p.fastest(wanted) is not None:
                parts[jacobi.is_real(p)].append((seed, p))
        cells = [value(own) for value in (alone, with_setup) for own in parts.values()]
        yield words, "graph, `grid_sync`", *cells


def published_rows(stored):
    yield from scheduling_rows(stored)
    # The published ordering after another search than that of `levels`: the sum of two arms.
    what = "RCM by PDC, start nodes by `serial` (sum of two arms)"
    yield from rcm_rows(stored, "pdc", what, **SEARCHED)
    yield from peer_rows(stored, "pdc", "RCM by PDC")
    yield from jacobi_rows(
        stored.jacobi,
        "Jacobi, one reduction per entry",
        jacobi.is_as_published,
    )


def mixed_rows(stored):
    """The schedulers of the thesis with start nodes and dependency counts that are ours."""
    yield from rcm_rows(stored, "pdc", "RCM by PDC, start nodes by our `levels`")
    yield from depth_rows(stored, "pdc", "the same")
    best = "Jacobi, best scheduler, counts by neighbouring tasks too"
    yield from jacobi_rows(stored.jacobi, best, jacobi.is_published)


def beyond_rows(stored):
    yield from rcm_rows(stored, "levels", "RCM by `levels`, no MHive")
    yield from peer_rows(stored, "levels", "RCM by `levels`")
    yield from rcm_rows(stored, "resident", "RCM by `resident`, start nodes by `levels`")
    yield from depth_rows(stored, "pdc_merged", "PDC, [narrow levels merged](docs/rcm.md)")
    yield from jacobi_rows(stored.jacobi, "Jacobi, best of MHive", is_mhive)
    yield from jacobi_rows(
        stored.jacobi_every, "Jacobi, our kernels, equal work", jacobi.is_kernel,
        [BELOW],
    )  # fmt: skip
    yield from jacobi_rows(
        stored.jacobi,
        "Jacobi, our kernels, residual every 10 iterations",
        jacobi.is_kernel,
    )


def headlines_table(groups):
    heads = ["figure", "over", "real inputs", "generated inputs"]
    heads += ["real, end to end", "generated, end to end"]
    rows = []
    for group, found in groups.items():
        rows.append([f"**{group}**", *[""] * (len(heads) - 1)])
        rows += [[*cells, *[NONE] * (len(heads) - len(cells))] for cells in found]
    return table(heads, rows, left=len(heads))


def texts_of(path):
    stored = Stored(path)
    groups = {"as published": published_rows(stored), "beyond the thesis": beyond_rows(stored)}
    mixed = {"published schedulers, parts of ours": mixed_rows(stored)}
    texts = {"mhive-headlines": headlines_table(groups), "mhive-mixed": headlines_table(mixed)}
    return texts | {f"search-{s}": f"{found[0]:.3g} ×" for s, found in searches(stored).items()}
