"""Accesses counted by the counting build and by the hardware, and the stall reasons of warps.

COUNTERS.h5 is from scripts/gpu/ncu_counters.py."""

import re

from gridloom.results import PlotError, read_table
from gridloom.results_file import read_results
from gridloom.text import NONE, number, table
from gridloom_datasets.hdf5_text import attributes_of

KINDS = ("loads", "stores", "atomics")
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")
L2_BUSY = "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"
STATES = {
    "long_scoreboard": "memory",
    "wait": "fixed latency of an instruction",
    "branch_resolving": "branches",
    "membar": "fences",
    "no_instruction": "instruction fetch",
}
PROFILES = {  # groups of the file: (algorithm, graph)
    "stalls": ("`ticket_queue`", "lattice"),
    "stalls_graph": ("`ticket_queue`", "from a file"),
    "stalls_in_order": ("`in_order`", "layered"),
}


def counters_table(rows):
    heads = ["algorithm", "tasks"]
    heads += [f"{kind}, {by}" for kind in KINDS for by in ("counted", "hardware")]
    lines = [
        [f"`{row['algorithm']}`", f"{row['tasks']:,.0f}"]
        + [f"{row[name]:,.0f}" for kind in KINDS for name in (kind, f"hardware_{kind}")]
        for _, row in rows.iterrows()
    ]
    return table(heads, lines)


def stalls_table(profiles):
    """One row per profile: cycles per instruction that a warp spends in each state."""
    rows = []
    for name, values in profiles.items():
        own = {m[1]: float(v) for key, v in values.items() if (m := STALL.match(key))}
        cells = (f"{own[state]:.2f}" if state in own else NONE for state in STATES)
        rows.append([*PROFILES[name], *cells])
    return table(["algorithm", "graph", *STATES.values()], rows, left=2) if rows else None


def texts_of(path):
    rows = read_table(path, "ncu")
    if "algorithm" not in rows:
        raise PlotError(f"{path}: no /ncu/algorithm; scripts/gpu/ncu_counters.py writes it")

    def read(file):
        return {name: attributes_of(file[name]) for name in PROFILES if name in file}

    profiles = read_results(path, read, PlotError)
    busy = profiles.get("stalls_in_order", {}).get(L2_BUSY)
    found = {
        "counters": counters_table(rows),
        "stalls": stalls_table(profiles),
        "l2-in-order": None if busy is None else f"{number(float(busy))} %",
    }
    return {name: text for name, text in found.items() if text}
