"""Tables of profiled kernels, from files that scripts/profile writes.

Table `profiles` has all kernels, `profiles-WORD` those whose names begin with WORD-."""

import re

import numpy as np

from gridloom.results import PlotError, Runs, read_column, read_runs
from gridloom.results_file import read_results
from gridloom.text import NONE, number, table

MOST = 4  # a cell of the table names at most so many states
ISSUES = "selected"  # the only state in which a warp does not wait


def read_stalls(path):
    def read(file):
        if "stalls" not in file:
            raise PlotError(f"{path}: no group /stalls; not a file of scripts/profile")
        return {name: read_column(data) for name, data in file["stalls"].items()}

    return Runs(read_results(path, read, PlotError))


def kernel_of(name):
    """A kernel's name without types and arguments. For our kernels, the functor of the entry
    point."""
    found = re.search(r"kernel_entry<(?:[\w<>]+::)*(\w+)", name) or re.match(
        r"(?:void )?([\w:]+)", name
    )
    return found[1] if found else name


def percent(value):
    return NONE if np.isnan(value) else f"{value:.3g} %"


def shares_of(stalls, launches):
    """(state, share of all states), largest first, from samples if there are any."""
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
    """(name, cells of the row) of each kernel."""
    runs, stalls = read_runs(path), read_stalls(path)
    for key, rows in runs.groups(["name", "pattern", "kernel"]):
        own = stalls.only(name=key["name"], pattern=key["pattern"])
        shares = shares_of(own, rows["launch"])
        time_us = np.median(rows["time_us"])
        cells = [f"`{key['name']}`", f"`{kernel_of(key['kernel'])}`"]
        cells += [waiting(shares), str(len(rows)), NONE if np.isnan(time_us) else number(time_us)]
        for column in ("dram_percent", "l2_percent", "sm_percent", "occupancy_percent"):
            cells.append(percent(np.median(rows[column])))
        yield key["name"], cells


def profiles_table(profiles):
    heads = ["profile", "kernel", "warps wait for", "launches", "µs", "DRAM", "L2"]
    heads += ["multiprocessors", "occupancy"]
    return table(heads, [cells for _, cells in profiles], left=3)


def texts_of(path):
    profiles = list(profiles_of(path))
    found = {"profiles": profiles_table(profiles)}
    for word in dict.fromkeys(name.split("-")[0] for name, _ in profiles):
        own = [one for one in profiles if one[0].split("-")[0] == word]
        found[f"profiles-{word}"] = profiles_table(own)
    return found
