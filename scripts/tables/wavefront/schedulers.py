#!/usr/bin/env python3
"""The tables of wavefront/README.md, made from stored results so that no number is typed by hand.

    scripts/tables/wavefront/schedulers.py RESULTS.h5 [--prefix NAME-]

Prints the tables; --write README puts them
in, --check README exits 1 if they differ.

A table goes between the lines `<!-- table NAME -->` and `<!-- end -->`, a value between
`<!-- value NAME -->` and `<!-- end -->` in one line.
"""

import sys

import numpy as np

from gridloom.readme import main
from gridloom.results import read_meta, read_runs
from gridloom.statistics import median_interval
from gridloom.text import si
from gridloom.wavefront.data import CONFIGURATION
from gridloom.wavefront.metg import curves, metg_text

CELLS = ["experiment", "body", "edges", *CONFIGURATION]


def counts_of(runs, config):
    """CAS, other atomics, and loads with stores of a task, from the counting build; or a dash."""
    rows = runs.only(counters=1, status="ok", **config)
    if len(rows) == 0:
        return "–"
    tasks = rows["tasks"].astype(float)
    accesses = rows["loads"] + rows["stores"]
    parts = (rows["cas"], rows["atomics"], accesses)
    return ", ".join(f"{np.median(part / tasks):.3g}" for part in parts)


def throughput_table(runs, **wanted):
    lines = [
        "| arm | graph | blocks × threads | runs | ms | 95 % interval | tasks/s | ns a hop "
        "| CAS, atomics, loads + stores a task | scheduler bytes a task |",
        "|---|---|---|--:|--:|---|--:|--:|---|--:|",
    ]
    timed = runs.only(counters=0, status="ok", **wanted)
    found = list(timed.groups(CELLS))
    for config, rows in sorted(found, key=lambda f: np.median(f[1]["elapsed_ms"] / f[1]["tasks"])):
        middle, low, high = median_interval(rows["elapsed_ms"])
        interval = f"{low:.4g} to {high:.4g}" if len(rows) > 1 else "one run"
        sides = [config["rows"], config["cols"]] + [config["depth"]] * (config["depth"] > 1)
        graph = " × ".join(f"{side:,}" for side in sides)
        if config["graph"] == "dag":
            graph = f"DAG, {config['tasks']:,} tasks, {rows['edges'][0]:,} edges"
        tasks = config["tasks"]
        lines.append(
            f"| `{config['arm']}` | {graph} | {config['blocks']} × {config['threads']} "
            f"| {len(rows)} | {middle:.4g} | {interval} | {si(tasks / middle * 1e3)} "
            f"| {middle * 1e6 / rows['critical_path'][0]:.0f} | {counts_of(runs, config)} "
            f"| {rows['scheduler_bytes'][0] / tasks:.2g} |"
        )
    return "\n".join(lines) if found else None


def metg_table(runs):
    if len(runs.only(experiment="metg", counters=0, status="ok")) == 0:
        return None
    lines = ["| algorithm | METG(50 %) |", "|---|--:|"]
    for config, durations, points in curves(runs):
        lines.append(f"| `{config['arm']}` | {metg_text(durations, [p[0] for p in points])} |")
    return "\n".join(lines)


def machine_line(path):
    meta = read_meta(path)
    gpu = meta["gpu"] if meta.get("gpu", "none") != "none" else meta["cpu"]
    signal, atomic = (
        meta.get(f"floor_{name}") or meta[name] for name in ("signal_ns", "atomic_ns")
    )
    driver = f", driver {meta['driver']}, CUDA {meta['cuda']}" if meta.get("driver") else ""
    return (
        f"{gpu}{driver}; commit {meta['commit'][:12]}; floors of the same run: a signal between "
        f"workers {float(signal):.0f} ns, an atomic operation with its result used "
        f"{float(atomic):.0f} ns."
    )


def headline(runs):
    """Best published and own rates on the paper's lattice, as the root README quotes them."""
    rows = runs.only(experiment="fig3", counters=0, status="ok", body="noop")
    best = {}
    for config, group in rows.groups(["algorithm", *CELLS]):
        if config["arm"].endswith("one fence"):  # not the scheduler for any tasks
            continue
        rate = config["tasks"] / np.median(group["elapsed_ms"]) * 1e3
        best[config["algorithm"]] = max(rate, best.get(config["algorithm"], 0))
    if not {"multi_queue", "ticket_queue", "stripes"} <= best.keys():
        return None
    return (
        f"{rows['tasks'][0]:,} no-op tasks, {rows['machine'][0]}: best published algorithm "
        f"{si(best['multi_queue'])} tasks/s, `ticket_queue` {si(best['ticket_queue'])}, "
        f"`stripes` {si(best['stripes'])}"
    )


def tables(path):
    runs = read_runs(path)
    found = {
        "machine": machine_line(path),
        "fig3": throughput_table(runs, experiment="fig3", body="noop"),
        "fig3-recurrence": throughput_table(runs, experiment="fig3", body="recurrence"),
        "custom": throughput_table(runs, experiment="custom"),
        "metg": metg_table(runs),
        "headline": headline(runs),
    }
    return {name: table for name, table in found.items() if table}


if __name__ == "__main__":
    sys.exit(main(__doc__, tables))
