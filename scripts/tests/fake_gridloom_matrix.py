"""Stands in for gridloom-matrix. `convert` writes what `info --json` prints, as JSON. `generate`
knows the A3 of the tests.

Reads the simplest Matrix Market coordinate files. FAKE_CONVERT in the environment makes `convert`
fail: at once (`fail`), or after writing half a file (`half`)."""

import gzip
import json
import os
import sys
from pathlib import Path


def measure(path):
    reader = gzip.open if path.name.endswith(".gz") else open
    with reader(path, "rt") as file:
        head = file.readline()
        if not head.startswith("%%MatrixMarket"):
            raise ValueError(f"{path}:1: expected %%MatrixMarket, got '{head.strip()}'")
        lines = [line.split() for line in file if not line.startswith("%")]
    entries = {(int(row), int(column)) for row, column, *_ in lines[1:]}
    if "symmetric" in head:
        entries |= {(column, row) for row, column in entries}
    lower = max([0, *(row - column for row, column in entries)])
    upper = max([0, *(column - row for row, column in entries)])
    return {
        "num_rows": int(lines[0][0]), "num_cols": int(lines[0][1]), "entries": len(entries),
        "lower_bandwidth": lower, "upper_bandwidth": upper,
    }  # fmt: skip


def main(command, path, *rest):
    path = Path(path)
    if command == "info":
        print(path.read_text())
        return 0
    output = Path(rest[0])
    if command == "generate":
        size = {"num_rows": 3, "num_cols": 3, "entries": 3} if str(path) == "A3" else {}
        output.write_text(json.dumps(size))
        return 0
    wish = os.environ.get("FAKE_CONVERT", "")
    if wish == "half":
        output.write_text('{"num_rows":')
    if wish:
        print("gridloom-matrix: no luck", file=sys.stderr)
        return 1
    try:
        facts = measure(path)
    except (ValueError, IndexError, OSError) as error:
        print(f"gridloom-matrix: {error}", file=sys.stderr)
        return 2
    facts["source"] = rest[rest.index("--source") + 1] if "--source" in rest else ""
    output.write_text(json.dumps(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
