"""METG(50 %), the minimum effective task granularity (Slaughter et al., Task Bench).

It is the task duration from which on the efficiency is at least half. Between measured durations it
is interpolated linearly in their logarithm."""

import numpy as np

from gridloom.text import duration

LEVEL = 0.5


def metg(durations, efficiencies):
    """The duration in ns. It is an upper bound if all points reach the level, and None if none
    does.

    The efficiency of an arm may fall again for the longest tasks. The last point above the level
    counts."""
    efficiencies = np.asarray(efficiencies, dtype=float)
    reached = np.flatnonzero(efficiencies >= LEVEL)
    if len(reached) == 0:
        return None
    below = np.flatnonzero(efficiencies[: reached[-1]] < LEVEL)
    if len(below) == 0:
        return float(durations[0])
    around = slice(below[-1], below[-1] + 2)
    return float(np.exp(np.interp(LEVEL, efficiencies[around], np.log(durations[around]))))


def metg_text(durations, efficiencies):
    """metg() as text, with "≤" or ">" before a bound."""
    value = metg(durations, efficiencies)
    if value is None:
        return f"> {duration(durations[-1])}"
    return f"≤ {duration(value)}" if value == durations[0] else duration(value)
