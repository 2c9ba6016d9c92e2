"""What the counting build counts beside the hardware's counters, and what a warp waits for.

COUNTERS.h5 is of scripts/gpu/ncu_counters.py.
"""

import re

from gridloom.readme import table
from gridloom.results import PlotError, read_table
from gridloom.results_file import read_results
from gridloom.text import number

KINDS = ("loads", "stores", "atomics")
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")
L2_BUSY = "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"
WORDS = {
    "wait": "the fixed latency of an instruction",
    "long_scoreboard": "memory",
    "branch_resolving": "branches",
    "membar": "fences",
    "no_instruction": "instructions on their way",
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


def stalls_text(path, group="stalls"):
    """The four longest waits of a warp, in cycles an instruction; None without a profile."""

    def read(file):
        attributes = file[group].attrs.items() if group in file else ()
        return {m[1]: float(v) for name, v in attributes if (m := STALL.match(name))}

    found = read_results(path, read, PlotError)
    if not found:
        return None
    longest = sorted(found, key=lambda state: -found[state])[:4]
    return ", ".join(f"{WORDS.get(s, f'`{s}`')} {found[s]:.2f}" for s in longest)


def busy_text(path, group):
    """How busy the level-2 cache was, or None without a profile that says so."""

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
        "stalls": stalls_text(path),
        "stalls-graph": stalls_text(path, "stalls_graph"),
        "stalls-in-order": stalls_text(path, "stalls_in_order"),
        "l2-in-order": busy_text(path, "stalls_in_order"),
    }
    return {name: text for name, text in found.items() if text}
