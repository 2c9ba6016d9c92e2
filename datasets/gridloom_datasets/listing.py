"""Shows which matrices are in the data folder and which are missing."""

import json


def file_bytes(path):
    return path.stat().st_size if path and path.is_file() else None


def status_of(matrix, folder):
    """The state of a matrix: "ready", "generated", "local", "downloaded", "partial" or
    "missing"."""
    if folder.is_ready(matrix.name):
        return "ready"
    if matrix.generate:
        return "generated"
    if folder.local(matrix.name):
        return "local"
    if file_bytes(folder.download(matrix.name)) is not None:
        return "downloaded"
    return "missing" if file_bytes(folder.part(matrix.name)) is None else "partial"


def describe(matrix, folder):
    """Describes one matrix as a dict for --json. Sizes are null without a file."""
    download = file_bytes(folder.download(matrix.name))
    known = ("name", "group", "kind", "n", "entries", "nonzeros", "sets", "tables", "url")
    return {name: getattr(matrix, name) for name in known} | {
        "status": status_of(matrix, folder),
        "csr_bytes": file_bytes(folder.csr(matrix.name)),
        "download_bytes": download,
        "partial_bytes": file_bytes(folder.part(matrix.name)),
        "local_file": str(folder.local(matrix.name) or ""),
    }


def megabytes(size):
    return "-" if size is None else f"{size / 1e6:,.1f}"


HEADER = ["name", "group", "n", "entries", "sets", "status", "download MB", "CSR MB"]
TO_THE_RIGHT = {"n", "entries", "download MB", "CSR MB"}


def as_table(matrices, folder):
    rows = [HEADER]
    for facts in (describe(matrix, folder) for matrix in matrices):
        size = facts["download_bytes"] or facts["partial_bytes"]
        rows.append([
            facts["name"], facts["group"] or "-", f"{facts['n']:,}", f"{facts['entries']:,}",
            ",".join(facts["sets"]), facts["status"], megabytes(size),
            megabytes(facts["csr_bytes"]),
        ])  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(HEADER, row, widths, strict=True)
        aligned = (f"{c:>{w}}" if h in TO_THE_RIGHT else f"{c:<{w}}" for h, c, w in cells)
        yield "  ".join(aligned).rstrip()


def as_json(matrices, folder):
    facts = [describe(matrix, folder) for matrix in matrices]
    return json.dumps({"data_dir": str(folder.root), "matrices": facts}, indent=2)
