"""Accesses counted by the counting build and by the hardware, and the stall reasons of warps.

COUNTERS.h5 is from scripts/gpu/ncu_counters.py."""

import re

from gridloom.readme import NONE, table
from gridloom.results import PlotError, read_table
from gridloom.results_file import read_results
from gridloom.text import number

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


def stalls_table(path):
    """One row per profile: cycles per instruction that a warp spends in each state."""

    def read(file):
        return {
            name: {m[1]: float(v) for key, v in file[name].attrs.items() if (m := STALL.match(key))}
            for name in PROFILES
            if name in file
        }

    found = read_results(path, read, PlotError)
    rows = [
        [*PROFILES[name], *(f"{own[state]:.2f}" if state in own else NONE for state in STATES)]
        for name, own in found.items()
    ]
    return table(["algorithm", "graph", *STATES.values()], rows, left=2) if rows else None


def busy_text(path, group):
    """The load of the level-2 cache, or None if no profile has it."""

    def read(file):
        return file[group].attrs.get(L2_BUSY) if group in file else None

    found = read_results(path, read, PlotError)
    return None if found is None else f"{number(float(found))} %"


def texts_of(path):
    rows = read_table(path, "ncu")
    if "algorithm" not in rows:
        raise PlotError(f"{path}: no /ncu/algorithm; scripts/gpu/ncu_counters.py writes it")
    found = {
        "counters": counters_table(rows),
        "stalls": stalls_table(path),
        "l2-in-order": busy_text(path, "stalls_in_order"),
    }
    return {name: text for name, text in found.items() if text}
