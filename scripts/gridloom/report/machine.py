"""The machines of a report: one table of their facts and of the floors measured on them."""

from gridloom.report.html import NONE, table
from gridloom.report.names import FLOORS, MACHINE
from gridloom.text import number


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


def values_text(metas, name):
    return "; ".join(dict.fromkeys(filter(None, (known(meta.get(name, "")) for meta in metas))))


def floor_text(metas, name):
    """The smallest and largest value of all runs, since each run measures the floors again."""
    found = []
    for meta in metas:
        text = known(meta.get(name, ""))
        if text and float(text) > 0:
            found.append(float(text))
    if not found:
        return ""
    return " to ".join(dict.fromkeys(number(value) for value in (min(found), max(found))))


def commit_text(meta):
    commit = known(meta.get("commit", ""))[:12]
    return f"{commit}, changed" if commit and str(meta.get("dirty")) == "1" else commit


def dates_text(metas):
    days = sorted({str(meta.get("date", ""))[:10] for meta in metas} - {""})
    return " to ".join(dict.fromkeys([*days[:1], *days[-1:]]))


def machine_table(here, references):
    """The table. `here` and `references` have the /meta of each file."""
    columns = [(f"here: {name}", own) for name, own in grouped(here)]
    columns += [(f"reference: {name}", own) for name, own in grouped(references)]
    rows = [
        [title, *(values_text(own, name) for _, own in columns)] for name, title in MACHINE.items()
    ]
    rows += [
        [title, *(floor_text(own, name) for _, own in columns)] for name, title in FLOORS.items()
    ]
    commits = [dict.fromkeys(filter(None, map(commit_text, own))) for _, own in columns]
    rows.append(["commit", *("; ".join(own) for own in commits)])
    rows.append(["measured", *(dates_text(own) for _, own in columns)])
    rows.append(["results files", *(f"{len(own)}" for _, own in columns)])
    rows = [[row[0], *(text or NONE for text in row[1:])] for row in rows if any(row[1:])]
    return table(["", *(title for title, _ in columns)], rows, about="machines")
