"""Rows and tables that the tests of wavefront's tables share."""

from conftest import ROW, row, write_results

# Columns that files of older programs do not have.
MORE = ROW | {
    "input": "", "critical_path": 100, "durations": "", "work_total_ms": 0.0, "work_path_ms": 0.0,
    "tile": 0, "waves_ms": 0.0, "record_ms": 0.0, "numbering": "",
}  # fmt: skip


def arm(name, ms, setup_ms=0.0, **values):
    return row(arm=name, algorithm=name.split()[0], elapsed_ms=ms, setup_ms=setup_ms, **values)


def cells(table):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def written(path, rows):
    return write_results(path, [MORE | own for own in rows], MORE)


def uneven_row(name, work_ns, efficiency, durations="exponential", path=0.5, **values):
    """A row of 1,000 tasks on 4 units; `path`: the critical path over the work per unit."""
    total = 1.1 * 1_000 * work_ns / 1e6  # what was drawn is more than the mean says
    least = max(total / 4, path * total / 4)
    base = {"experiment": "metg", "body": "work", "tasks": 1_000, "units": 4, "width": "block"}
    base |= {"work_total_ms": total, "work_path_ms": path * total / 4, "work_ns": work_ns}
    label = name if durations == "constant" else f"{name} {durations}"
    own = {"arm": label, "algorithm": name, "durations": durations}
    return base | own | {"elapsed_ms": least / efficiency} | values
