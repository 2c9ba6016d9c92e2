"""The whole tables of wavefront/docs/results.md, made from stored results alone."""

from gridloom.results import read_meta, read_runs
from gridloom.statistics import median_interval
from gridloom.text import NONE, number, si, table
from gridloom.wavefront.data import (
    CONFIGURATION,
    RUNS_A_TASK,
    arms,
    counted,
    graph_text,
    rate,
    setup_ms,
)

HEADS = ["arm", "graph", "runs on", "blocks × threads", "runs", "run, ms"]
HEADS += ["95 % interval", "tasks/s", "ns per hop", "set-up, ms"]
HEADS += ["CAS, atomics, loads + stores per task", "scheduler bytes per task"]


def counts_of(runs, config):
    """CAS, other atomics, and loads with stores per task, from the counting build, or a dash."""
    own = {name: config[name] for name in CONFIGURATION if name in config}
    own |= {name: config[name] for name in ("experiment", "body", "edges")}
    found = {name: counted(runs, name, **own) for name in ("cas", "atomics", "loads", "stores")}
    if None in found.values():
        return NONE
    return f"{found['cas']:.3g}, {found['atomics']:.3g}, {found['loads'] + found['stores']:.3g}"


def throughput_table(runs, **wanted):
    lines = []
    for config, rows in arms(runs, **wanted):
        middle, low, high = median_interval(rows["elapsed_ms"])
        cells = [f"`{config['arm']}`", graph_text(config), RUNS_A_TASK[config["width"]]]
        cells += [f"{config['workers']} × {config['threads']}", str(len(rows)), f"{middle:.4g}"]
        cells.append(f"{low:.4g} to {high:.4g}" if len(rows) > 1 else "one run")
        cells += [si(rate(config, rows)), f"{middle * 1e6 / rows['depth'][0]:.0f}"]
        cells += [number(setup_ms(rows)), counts_of(runs, config)]
        lines.append([*cells, f"{rows['bytes_per_task'][0]:.2g}"])
    return table(HEADS, lines, left=4) if lines else None


def card(meta):
    return meta["gpu"] if meta.get("gpu", "none") != "none" else meta["cpu"]


def machine_table(path):
    """The machine, the commit, and the floors that the first process measured."""
    meta = read_meta(path)
    floors = (meta.get(f"floor_{n}") for n in ("signal_ns", "atomic_ns"))
    cells = [card(meta), meta.get("driver") or NONE, meta.get("cuda") or NONE, meta["commit"][:12]]
    cells += [NONE if ns is None else f"{float(ns):.0f}" for ns in floors]
    heads = ["machine", "driver", "CUDA", "commit", "signal between workers, ns"]
    return table([*heads, "atomic, result used, ns"], [cells], left=4)


def texts_of(path):
    runs = read_runs(path)
    found = {
        "machine": machine_table(path),
        "card": card(read_meta(path)),
        "fig3": throughput_table(runs, experiment="fig3", body="noop"),
        "fig3-recurrence": throughput_table(runs, experiment="fig3", body="recurrence"),
        "custom": throughput_table(runs, experiment="custom"),
    }
    return {name: table for name, table in found.items() if table}
