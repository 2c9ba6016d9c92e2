"""What the tables of mhive-jacobi say of its systems, how residuals are judged, and the floor."""

from gridloom.text import in_order
from gridloom.thesis_mhive.jacobi import OURS, RESIDUAL_AT_CHECKS, rate_of


def labels_of(problems):
    """Names of the systems; the precision too where a file has several."""
    several = len({p.precision for p in problems}) > 1
    return [f"`{p.name}`" + (f", {p.precision}" if several else "") for p in problems]


def checks_text(problems):
    """How often residuals are judged: a comparison is of versions that do not do the same there."""
    arms = [arm for p in problems for arm in p.arms.values()]
    at_checks = sorted({a.check_every for a in arms if a.version in RESIDUAL_AT_CHECKS})
    others = sorted({a.check_every for a in arms if a.version not in RESIDUAL_AT_CHECKS})
    never = ", at `graph_while` never" if any(a.version == "graph_while" for a in arms) else ""
    parts = []
    if at_checks:
        names = in_order({a.version for a in arms if a.version in RESIDUAL_AT_CHECKS}, OURS)
        intervals = " or ".join(f"{every:,}" for every in at_checks)
        what = "iteration" if at_checks == [1] else f"{intervals} iterations"
        parts.append(f"{', '.join(f'`{name}`' for name in names)} judge the residual every {what}")
    if others:
        intervals = " or ".join(f"{every:,}" for every in others)
        parts.append(
            "the other versions judge it in every iteration"
            f" (the host looks at streams and graphs every {intervals}{never})"
        )
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def ratio_text(values):
    return "{:.3g} [{:.3g}, {:.3g}]".format(*values)


def at_rate(problem, given):
    """The end of a sentence that names the rate of the byte floor, or nothing."""
    rate = rate_of(problem, given)
    return f"; the byte floor is that of reading memory at {rate:.3g} TB/s" if rate else ""
