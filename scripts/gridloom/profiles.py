"""Tables of profiled kernels, from files that scripts/profile writes.

Table `profiles` has all kernels, `profiles-WORD` those of names that begin with WORD-.
"""

import re

import numpy as np

from gridloom.readme import NONE, table
from gridloom.results import PlotError, Runs, read_column, read_meta, read_runs
from gridloom.results_file import read_results
from gridloom.stored_files import processes_of
from gridloom.text import number

MOST = 4  # states in a cell
ISSUES = "selected"  # this state is no waiting
STATES = {
    "barrier": "the other warps of its block at a barrier",
    "branch_resolving": "the target of a branch",
    "dispatch_stall": "the dispatcher",
    "drain": "its last writes before it ends",
    "imc_miss": "a constant that is not cached",
    "lg_throttle": "room in the queue of accesses to global memory",
    "long_scoreboard": "the result of an access to global memory, L2 or L1",
    "math_pipe_throttle": "a busy arithmetic unit",
    "membar": "a fence",
    "mio_throttle": "room in the queue of accesses to shared memory",
    "misc": "something else",
    "no_instructions": "its next instructions to be fetched",
    "not_selected": "its turn, though ready",
    "short_scoreboard": "the result of an access to shared memory",
    "sleeping": "the end of a sleep that it asked for",
    "tex_throttle": "room in the queue of the texture unit",
    "wait": "the fixed latency of its last instruction",
    "warpgroup_arrive": "the warps of its group",
}


def said_by_all(path, name):
    """What the processes of a file say of themselves, each text once, without those unknown."""
    texts = [process.get(name) for process in processes_of(path)]
    return list(dict.fromkeys(text for text in texts if text not in (None, "unknown")))


def read_stalls(path):
    def read(file):
        if "stalls" not in file:
            raise PlotError(f"{path}: no group /stalls; not a file of scripts/profile")
        return {name: read_column(data) for name, data in file["stalls"].items()}

    return Runs(read_results(path, read, PlotError))


def kernel_of(name):
    """A kernel's name without types and arguments; of ours, what its entry is of."""
    found = re.search(r"kernel_entry<(?:[\w<>]+::)*(\w+)", name) or re.match(
        r"(?:void )?([\w:]+)", name
    )
    return found[1] if found else name


def percent(value):
    return NONE if np.isnan(value) else f"{value:.3g} %"


def shares_of(stalls, launches):
    """(state, share of all states) from the largest on; samples where there are any."""
    own = stalls.mask(np.isin(stalls["launch"], launches))
    samples = own.only(measure="samples")
    own = samples if len(samples) else own
    amounts = {}
    for state, amount in zip(own["state"], np.nan_to_num(own["amount"]), strict=True):
        amounts[state] = amounts.get(state, 0.0) + amount
    whole = sum(amounts.values())
    shares = [(state, amount / whole) for state, amount in amounts.items() if amount > 0]
    return sorted(shares, key=lambda share: -share[1])


def waiting(shares):
    found = [share for share in shares if share[0] != ISSUES][:MOST]
    return ", ".join(f"{percent(100 * share)} `{state}`" for state, share in found) or NONE


def profiles_of(path):
    """(name, cells of the row, shares of states) of each kernel."""
    runs, stalls = read_runs(path), read_stalls(path)
    for key, rows in runs.groups(["name", "pattern", "kernel"]):
        own = stalls.only(name=key["name"], pattern=key["pattern"])
        shares = shares_of(own, rows["launch"])
        time_us = np.median(rows["time_us"])
        cells = [f"`{key['name']}`", f"`{kernel_of(key['kernel'])}`"]
        cells += [waiting(shares), str(len(rows)), NONE if np.isnan(time_us) else number(time_us)]
        for column in ("dram_percent", "l2_percent", "sm_percent", "occupancy_percent"):
            cells.append(percent(np.median(rows[column])))
        yield key["name"], cells, shares


def profiles_table(profiles, path):
    shown = {state for _, cells, _ in profiles for state in re.findall(r"`(\w+)`", cells[2])}
    states = ", ".join(f"`{state}` {STATES[state]}" for state in sorted(shown & set(STATES)))
    ncu = " ".join(["Nsight Compute", " and ".join(said_by_all(path, "ncu"))]).strip()
    cold = "from cold caches, " if said_by_all(path, "cache_control") == ["all"] else ""
    caption = (
        f"By {ncu} on {read_meta(path).get('gpu', 'unknown')}; it runs kernels one by one, {cold}"
        "several times over, so times are not those of the other tables. Throughputs are fractions "
        "of the peak; medians of the launches. Warps wait for (shares of all warps found resident, "
        f"those that issue included; the {MOST} largest)"
    )
    caption += f": {states}." if states else "."
    heads = ["profile", "kernel", "warps wait for", "launches", "µs", "DRAM", "L2"]
    heads += ["multiprocessors", "occupancy"]
    return f"{caption}\n\n{table(heads, [cells for _, cells, _ in profiles], left=3)}"


def texts_of(path):
    profiles = list(profiles_of(path))
    found = {"profiles": profiles_table(profiles, path)}
    for word in dict.fromkeys(name.split("-")[0] for name, _, _ in profiles):
        own = [one for one in profiles if one[0].split("-")[0] == word]
        found[f"profiles-{word}"] = profiles_table(own, path)
    return found
