"""The frame of a table of bars: what was asked for before it was measured, and what came out."""

from gridloom.readme import NONE, table

UNJUDGED = object()  # where nothing was asked for, or nothing measured
WORDS = {True: "yes", False: "**no**", None: "in part", UNJUDGED: NONE}


def failed_on(lost):
    """What follows a measured text: an arm that failed somewhere has not reached its bar."""
    return f"; failed on {', '.join(lost)}" if lost else ""


def bars_table(rows, measured=("measured",)):
    """`rows`: (figure, bar, a text for each head of `measured`, whether it is reached).

    Reached is True, False, None for in part, or UNJUDGED.
    """
    heads = ["figure", "bar", *measured, "reached"]
    return table(heads, [[*texts, WORDS[reached]] for *texts, reached in rows], left=len(heads))
