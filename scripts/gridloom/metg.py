"""METG(50 %), the minimum effective task granularity (Slaughter et al., Task Bench).

It is the task duration from which on the efficiency is at least half. Between measured durations it
is interpolated linearly in their logarithm."""

import numpy as np

from gridloom.statistics import log_crossing
from gridloom.text import duration

LEVEL = 0.5


def metg(durations, efficiencies):
    """The duration in ns. It is an upper bound if all points reach the level, and None if none
    does.

    The efficiency of an arm may fall again for the longest tasks. The last point above the level
    counts."""
    reached = np.flatnonzero(np.asarray(efficiencies) >= LEVEL)
    if len(reached) == 0:
        return None
    end = reached[-1] + 1
    return log_crossing(durations[:end], efficiencies[:end], LEVEL)


def metg_text(durations, efficiencies):
    """metg() as text, with "≤" or ">" before a bound."""
    value = metg(durations, efficiencies)
    if value is None:
        return f"> {duration(durations[-1])}"
    return f"≤ {duration(value)}" if value == durations[0] else duration(value)
