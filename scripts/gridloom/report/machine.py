"""The machines of a report: one table of their facts and of the floors measured on them."""

from gridloom.report.html import table
from gridloom.report.names import FLOORS, MACHINE
from gridloom.text import NONE, number


def known(value):
    return "" if str(value) in ("", "none", "unknown") else str(value)


def machine_of(meta):
    """A name for readers: the GPU of a run on a device, else the processor."""
    gpu = known(meta.get("gpu", "")) if meta.get("backend") != "host" else ""
    return gpu or known(meta.get("cpu", "")) or known(meta.get("host", "")) or NONE


def grouped(metas):
    """[(name, [meta, ...])], which groups runs by machine and keeps their order."""
    found = {}
    for meta in metas:
        key = (machine_of(meta), known(meta.get("cpu", "")), meta.get("logical_cores", ""))
        found.setdefault(key, []).append(meta)
    return [(key[0], own) for key, own in found.items()]


def commit_text(meta):
    commit = known(meta.get("commit", ""))[:12]
    return f"{commit}, changed" if commit and str(meta.get("dirty")) == "1" else commit


def values_of(metas, name):
    return list(filter(None, (known(meta.get(name, "")) for meta in metas)))


def ends_text(values, write=str):
    """The smallest and the largest value, as in "1 to 2"."""
    ends = (write(end(values)) for end in (min, max)) if values else ()
    return " to ".join(dict.fromkeys(ends))


def machine_table(here, references):
    """The table. `here` and `references` have the /meta of each file."""
    columns = [(f"here: {name}", own) for name, own in grouped(here)]
    columns += [(f"reference: {name}", own) for name, own in grouped(references)]
    metas = [own for _, own in columns]
    rows = [
        [title, *("; ".join(dict.fromkeys(values_of(own, name))) for own in metas)]
        for name, title in MACHINE.items()
    ]
    for name, title in FLOORS.items():  # each run measures them again
        floors = [[x for x in map(float, values_of(own, name)) if x > 0] for own in metas]
        rows.append([title, *(ends_text(values, number) for values in floors)])
    commits = [dict.fromkeys(filter(None, map(commit_text, own))) for own in metas]
    days = [{str(meta.get("date", ""))[:10] for meta in own} - {""} for own in metas]
    rows.append(["commit", *map("; ".join, commits)])
    rows.append(["measured", *map(ends_text, days)])
    rows.append(["results files", *(f"{len(own)}" for own in metas)])
    rows = [[row[0], *(text or NONE for text in row[1:])] for row in rows if any(row[1:])]
    return table(["", *(title for title, _ in columns)], rows, about="machines")
