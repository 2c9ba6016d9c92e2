"""METG(50 %), the minimum effective task granularity (Slaughter et al., Task Bench).

It is the duration of a task from which on the efficiency is at least half, read off between the
measured durations by linear interpolation in their logarithm.
"""

from gridloom.statistics import log_crossing
from gridloom.text import duration

LEVEL = 0.5


def metg(durations, efficiencies):
    """The duration in ns, or None if no measured duration reaches the level."""
    return log_crossing(durations, efficiencies, LEVEL)


def metg_text(durations, efficiencies):
    """The same as text, with the sign that says when it lies outside the measured durations."""
    value = metg(durations, efficiencies)
    if value is None:
        return f"> {duration(durations[-1])}"
    return duration(value) if min(efficiencies) < LEVEL else f"≤ {duration(value)}"
