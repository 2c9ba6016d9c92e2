"""The claims of a document with our verdicts, and its numbers beside stored and new ones."""

from gridloom.claims import VERDICTS
from gridloom.report.html import name_of, prose, table
from gridloom.report.machine import machine_of
from gridloom.results import PlotError, read_meta
from gridloom.text import NONE


def verdict_text(verdict):
    return f'<span class="verdict {name_of(verdict)}">{verdict}</span>'


def claims_list(claims):
    items = "".join(
        f'<li class="{name_of(claim.verdict)}">{verdict_text(claim.verdict)} '
        + (f"today {verdict_text(claim.today)} " if claim.today else "")
        + f"<strong>{prose(claim.text)}</strong>"
        + (f" ({prose(claim.section)})" if claim.section else "")
        + (f" {prose(claim.why)}" if claim.why else "")
        + "</li>\n"
        for claim in claims
    )
    return f'<ol class="claims">{items}</ol>\n'


def counts(claims):
    """A text such as "5 reproduced, 2 not reproduced", with the verdicts marked."""
    found = [(sum(claim.verdict == verdict for claim in claims), verdict) for verdict in VERDICTS]
    return "".join(
        f'<div class="count">{count} {verdict_text(verdict)}</div>'
        for count, verdict in found
        if count
    )


def machines_of(paths):
    names = [machine_of(read_meta(path)) for path in paths if path.is_file()]
    return ", ".join(dict.fromkeys(names))


def shown(sources, artifact, quantity, paths, absent):
    """(value, its input, its machine) as text."""
    there = [path for path in paths if path.is_file()]
    if not there:
        return absent, "", ""
    try:
        value = sources.value(artifact, quantity, there)
    except (OSError, PlotError):
        value = None
    if value is None:
        return "not measured", "", ""
    return value.text, value.input, machines_of(there)


def limit_text(holds):
    """A limit as text, as in "≥ 15"."""
    if not holds:
        return NONE
    sign, limit = holds.split()
    return f"{sign.replace('>=', '≥').replace('<=', '≤')} {float(limit):,.6g}"


def with_machine(text, machine, is_one):
    """The text with its machine, if the column has several machines."""
    more = f"<br><small>{prose(machine)}</small>" if machine and not is_one else ""
    return (f"{prose(text)}{more}",)


def values_table(outcome, sources, results):
    """A table with columns for paper, reference and this machine. One function computes both
    numbers of a row."""
    lines = []
    for number, claim in enumerate(outcome.claims, 1):
        for quantity in claim.values:
            reference = [outcome.folder / "reference" / name for name in quantity.reference]
            here = [results / name for name in quantity.here] if outcome.results else []
            found = [
                shown(sources, outcome.artifact.name, quantity, paths, absent)
                for paths, absent in ((reference, "no file"), (here, "not run"))
            ]
            lines.append((number, quantity, *found))
    if not lines:
        return ""
    machines = [{line[column][2] for line in lines} - {""} for column in (2, 3)]
    one = [len(names) == 1 for names in machines]
    heads = [
        f"{word}: {next(iter(names))}" if len(names) == 1 else word
        for word, names in zip(("reference", "here"), machines, strict=True)
    ]
    rows, last = [], None
    for number, quantity, (stored, stored_input, there), (own, own_input, here) in lines:
        number, last = "" if number == last else str(number), number
        values = with_machine(stored, there, one[0]), with_machine(own, here, one[1])
        inputs = stored_input or NONE, own_input or NONE
        about = number, quantity.full_name, quantity.paper or NONE
        rows.append([*about, *values, *inputs, limit_text(quantity.holds)])
    titles = ["claim", "quantity", "paper", *heads]
    titles += ["input of the reference", "input here", "holds if (reference only)"]
    return table(titles, rows, about="paper, reference, here")
