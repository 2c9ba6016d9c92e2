"""Numbers as text, names in a known order, and Markdown tables."""

NONE = "–"


def table(heads, rows, left=1):
    """A Markdown table. The first `left` columns are texts, the others numbers."""
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * left + "--:|" * (len(heads) - left)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def percent(share):
    return f"{100 * share:.3g} %"


def times_text(values):
    """A ratio as in 1.2 ×, or with its interval as in 1.2 [1.1, 1.3] ×."""
    return f"{interval(values) if isinstance(values, tuple) else number(values)} ×"


def si(value):
    """Writes 1.5e6 as '1.5 M', with three significant digits."""
    for factor, prefix in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= factor:
            return f"{value / factor:.3g}{prefix}"
    return f"{value:.3g}"


def number(value):
    """At least three significant digits, and all digits before the point."""
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"


def duration(nanoseconds):
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if nanoseconds >= factor:
            return f"{nanoseconds / factor:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def interval(values, write=number):
    """Writes (median, low, high) as in 1.2 [1.1, 1.3], or only the median of a narrow interval."""
    median, low, high = values
    narrow = 0.99 * median <= low and high <= 1.01 * median
    return write(median) if narrow else "{} [{}, {}]".format(*map(write, values))


def span(values, write=number):
    """A range as in "1.2 to 4.5", or one number if both ends are the same."""
    low, high = write(min(values)), write(max(values))
    return low if low == high else f"{low} to {high}"


def size(rows, cols):
    """The size of a matrix as in 4,096² or 100,000 × 64."""
    return f"{rows:,}²" if rows == cols else f"{rows:,} × {cols:,}"


def in_order(found, known):
    """Known names in their order, then the others by name."""
    found = set(found)
    return [name for name in known if name in found] + sorted(found - set(known))


def plural(count, word):
    return f"{count} {word}{'s' if count != 1 else ''}"


def counted(things, one="matrix", several="matrices"):
    return f"{len(things)} {one if len(things) == 1 else several}"
