#!/usr/bin/env python3
"""What was measured of each claim of the thesis, as values for the sentences of the pages.

    scripts/tables/thesis_mhive/verdicts.py MACHINE.h5 [--prefix NAME-]

MACHINE.h5 is of mhive-overhead; the files of the other programs stand beside it as MACHINE-rcm.h5
and so on.
"""

import gridloom_datasets.endings  # noqa: F401

import sys

import numpy as np

from gridloom.readme import main
from gridloom.results import read_runs, read_table
from gridloom.text import duration, number
from gridloom.thesis_mhive import jacobi, rcm
from gridloom.thesis_mhive.collection import Collection
from gridloom.thesis_mhive.stored import Stored, is_base

SHORT = {"time_sliced": "TSK", "megakernel": "MK", "device_controller": "PDC"}
RIVALS = [("cuSOLVER", "cusolver"), ("SciPy", "scipy"), ("the best host arm", rcm.HOST_ARMS)]
SORTING = ["sort_block", "sort_delegate", "sort_global"]


def mean(values):
    return float(np.exp(np.mean(np.log(list(values)))))


def spread(values, unit=" ×"):
    values = list(values)
    return f"{mean(values):.3g}{unit} ({min(values):.3g} to {max(values):.3g})"


def by_scheduler(ratios):
    named = zip(jacobi.PUBLISHED, ratios, strict=True)
    return ", ".join(f"{SHORT[scheduler]} {ratio:.2f} ×" for scheduler, ratio in named)


def framework(stored):
    """Empty tasks, and the execution trees with phases and with individual dependencies."""

    def time(experiment, form, scheduler, unit):
        rows = stored.overhead.only(experiment=experiment, form=form, scheduler=scheduler)
        return float(np.median(rows["elapsed_ms"] * 1e6 / rows[unit]))

    def tree(name, scheduler, kind):
        rows = stored.generic.only(tree=name, scheduler=scheduler, dependencies=kind)
        return float(np.median(rows["elapsed_ms"]))

    changes = [(s, time("latency", "phases", s, "layers")) for s in jacobi.PUBLISHED]
    yield "mhive-change-of-phase", ", ".join(f"{SHORT[s]} {duration(ns)}" for s, ns in changes)
    for form, other in (("individual", "phases"), ("grouped", "individual")):
        for experiment, unit in (("throughput", "tasks"), ("latency", "layers")):
            pairs = [
                [time(experiment, one, s, unit) for one in (form, other)] for s in jacobi.PUBLISHED
            ]
            yield f"mhive-{experiment}-{form}-over-{other}", by_scheduler(a / b for a, b in pairs)
    both = [time("throughput", "individual", s, "tasks") for s in ("megakernel", "megakernel_1024")]
    yield "mhive-throughput-bounded", f"{both[0] / both[1]:.2f} ×"
    for name in ("fig7.1", "fig7.2"):
        ratios = [tree(name, s, "individual") / tree(name, s, "phases") for s in jacobi.PUBLISHED]
        yield f"mhive-{name.replace('.', '-')}", by_scheduler(ratios)
        bounded = [
            f"{tree(name, 'megakernel', kind) / tree(name, 'megakernel_1024', kind):.2f} ×"
            for kind in ("phases", "individual")
        ]
        yield f"mhive-{name.replace('.', '-')}-bounded", " and ".join(bounded)


def traces(stored):
    """One traced run of each tree, as the plots of Figs. 7.1 and 7.2 show it."""
    for name in ("fig7.1", "fig7.2"):
        path = stored.beside(f"{name}-trace")
        tree = read_table(path, "tree")
        phase_of = dict(zip(tree["node"], tree["phase"], strict=True))
        events = read_table(path, "trace")
        ratios, overlaps = [], []
        for scheduler in jacobi.PUBLISHED:
            phases, individual = (
                events.only(arm=f"{scheduler}, {kind}") for kind in ("phases", "individual")
            )
            ratios.append(span(individual) / span(phases))
            overlaps.append(f"{SHORT[scheduler]} {100 * ahead(individual, phase_of):.0f} %")
        yield f"mhive-{name.replace('.', '-')}-trace", by_scheduler(ratios)
        yield f"mhive-{name.replace('.', '-')}-ahead", ", ".join(overlaps)


def span(events):
    return float(events["end_ns"].max() - events["begin_ns"].min())


def ahead(events, phase_of):
    """The share of tasks that began before the last task of an earlier phase had ended."""
    phases = events["node"].map(phase_of).to_numpy()
    ends = {
        phase: events["end_ns"].to_numpy()[phases < phase].max(initial=0) for phase in set(phases)
    }
    return float(np.mean([b < ends[p] for b, p in zip(events["begin_ns"], phases, strict=True)]))


def orderings(stored):
    """Reverse Cuthill-McKee."""
    runs = stored.rcm
    names = rcm.matrices_of(runs)

    def median(matrix, label, column="order_ms"):
        return float(np.median(rcm.samples(runs, matrix, label, column)))

    how = {"columns": ("both_ms", "order_ms"), "search": "serial"}
    found = {m: v for m, (v, _) in rcm.speedups(runs, "cusolver", "pdc", **how).items()}
    small = [m for m in names if rcm.size_of(runs, m)[0] < rcm.LARGE]
    for part, own in (("real", [*small, *stored.inputs["real"]]), ("all", names)):
        best = max(own, key=found.get)
        yield f"rcm-up-to-{part}", f"{found[best]:.3g} × (`{rcm.short(best)}`)"
    large = [value for m, value in found.items() if m not in small]
    real, _ = rcm.real_and_generated(runs, Collection())
    yield (
        "rcm-searched-mean",
        f"{mean(found[m] for m in real):.3g} × over the {len(real)} real ones, "
        f"{mean(large):.3g} × over the {len(large)} of at least {rcm.LARGE:,} rows, most of them "
        "generated",
    )
    for label, other in (("pdc", "cusolver"), ("levels", "scipy")):
        behind = [m for m in names if median(m, label, "both_ms") > median(m, other, "both_ms")]
        which = ", ".join(f"`{rcm.short(m)}`" for m in behind)
        yield f"rcm-{label}-behind-{other}", f"{len(behind)} of {len(names)} matrices ({which})"
    ahead = rcm.speedups(runs, rcm.HOST_ARMS, "levels")
    behind = ", ".join(f"`{rcm.short(m)}`" for m in names if ahead[m][0] < 1)
    yield "rcm-levels-behind-host", behind
    means = [
        f"{mean(rcm.speedups(runs, over, 'levels')[m][0] for m in real):.3g} × {name}"
        for name, over in RIVALS
    ]
    yield "rcm-levels-all-real", "{}, {} and {}".format(*means)
    yield "rcm-count-all-real", str(len(real))
    for label in ("tsk", "mk", "cpu_gpu"):
        ratios = [median(m, label) / median(m, "pdc") for m in names]
        yield f"rcm-{label.replace('_', '-')}-over-pdc", spread(ratios)
    bands = [
        rcm.bandwidth_of(runs, m, rcm.OURS) / rcm.bandwidth_of(runs, m, ["cusolver"]) for m in names
    ]
    yield "rcm-bandwidth", spread(bands)
    refused = runs.only(arm="cusolver", verified="no")["matrix"].nunique()
    yield "rcm-cusolver-refused", f"{refused} of {len(names)}"
    parts = read_table(stored.beside("rcm"), "parts").only(arm="pdc")
    sums = {key["matrix"]: rows for key, rows in parts.groups(["matrix"])}
    whole = {m: rows["elapsed_ms"].sum() for m, rows in sums.items()}
    sorting = {
        m: rows.mask(rows["part"].isin(SORTING))["elapsed_ms"].sum() for m, rows in sums.items()
    }
    yield "rcm-sorting", share([sorting[m] / whole[m] for m in sums])
    yield "rcm-tasks", share([whole[m] / median(m, "pdc") for m in sums])


def share(values):
    return f"{100 * np.median(values):.0f} % ({100 * min(values):.0f} to {100 * max(values):.0f})"


def systems(stored):
    """The Jacobi method."""
    problems = stored.jacobi
    best, counted = (
        {p.name: p.fastest(is_base).median / p.fastest(own).median for p in problems}
        for own in (jacobi.is_published, jacobi.is_as_published)
    )
    name = max(counted, key=counted.get)
    yield "jacobi-up-to-as-published", f"{counted[name]:.3g} × (`{name}`)"
    for size, own in halves(problems).items():
        name = max((p.name for p in own), key=best.get)
        yield f"jacobi-up-to-{size}", f"{best[name]:.3g} × (`{name}`)"
        first = [SHORT[p.fastest(jacobi.is_published).scheduler] for p in own]
        counts = {word: first.count(word) for word in ("MK", "PDC", "TSK") if word in first}
        yield f"jacobi-first-{size}", ", ".join(f"{word} on {n}" for word, n in counts.items())
    for kind, own in (("random", random(problems)), ("grids", grids(problems))):
        yield f"jacobi-fine-over-phases-{kind}", spread(fine_over_phases(p) for p in own)
    pdc = "device_controller"
    yield (
        "jacobi-stages",
        spread(
            p.arm("stages_phases", pdc).median / p.arm("stages_individual", pdc).median
            for p in problems
        ),
    )


def halves(problems):
    return {
        "below": [p for p in problems if p.entries < jacobi.SMALL],
        "above": [p for p in problems if p.entries >= jacobi.SMALL],
    }


def random(problems):
    return [p for p in problems if p.name.startswith("A")]


def grids(problems):
    return [p for p in problems if not p.name.startswith("A")]


def fine_over_phases(p):
    """How many times as fast individual dependencies on values are as phases, under PDC."""
    fine = p.fastest(lambda a: a.scheduler == "device_controller" and "stages" not in a.version)
    return p.arm("stages_phases", "device_controller").median / fine.median


def minutes(stored):
    """Minutes of the timed runs in each file, without set-up, warm-up and checks."""
    files = {"overhead": stored.path}
    files |= {name: stored.beside(name) for name in ("generic", "rcm", "jacobi", "jacobi-every")}
    for name, path in files.items():
        yield f"mhive-minutes-{name}", number(np.ceil(read_runs(path)["elapsed_ms"].sum() / 6e4))


def tables(path):
    stored = Stored(path)
    return {
        name: text
        for part in (framework, traces, orderings, systems, minutes)
        for name, text in part(stored)
    }


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
