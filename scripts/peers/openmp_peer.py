#!/usr/bin/env python3
"""Makes a results file of what openmp_run.py wrote.

    openmp_peer.py RUNS.jsonl --output RESULTS.h5 [--gpu NAME] [--append]

A row is a run of a region. `run_ms` is what Juggler's report says: the tasks alone, with the data
on the device. `region_ms` is the region as the program sees it, with copies, inspection and the
graph. A process that failed is a row without times. A result is right where it is gcc's of the same
case.
"""

import gridloom_datasets.endings  # noqa: F401

import json
import math
import sys
from pathlib import Path

from gridloom.command_line import Parser, exit_code
from gridloom.results_file import Column, collect_meta, require_output, write
from gridloom_datasets.errors import InputError

TABLES = {
    "runs": [
        Column("arm", "text", "", "juggler, juggler-host, gcc or nvptx, see openmp_run.py"),
        Column("app", "text", "", "whose tasks"),
        Column("case", "text", "", "the application and its arguments"),
        Column("repetition", "whole numbers", "1", "number of the run in its process; -1: none"),
        Column("of_process", "whole numbers", "1", "number of the arm's process"),
        Column("tasks", "whole numbers", "1", "by Juggler's report; -1: not told"),
        Column("edges", "whole numbers", "1", "by Juggler's report; -1: not told"),
        Column("inspection_ms", "reals", "ms", "inspection loop; NaN: not told"),
        Column("graph_ms", "reals", "ms", "buildCSR; NaN: not told"),
        Column("run_ms", "reals", "ms", "all tasks, data on the device; NaN: not told"),
        Column("region_ms", "reals", "ms", "the region with its copies; NaN: none"),
        Column("threads", "whole numbers", "1", "asked of a block of juggler; 0: its default"),
        Column("workers", "whole numbers", "1", "asked of juggler; 0: as many as fit"),
        Column("cores", "whole numbers", "1", "threads that gcc has on the host"),
        Column("verified", "text", "", "its result is gcc's up to 1e-10: yes, no; off: none"),
        Column("complaint", "text", "", "last line of a process that failed"),
        Column("status", "text", "", "ok, wrong, timeout or failed"),
    ]
}  # fmt: skip


def same_numbers(one, other):
    a, b = one.split(), other.split()
    return bool(a) and len(a) == len(b) and all(
        math.isclose(float(x), float(y), rel_tol=1e-10) for x, y in zip(a, b, strict=True)
    )  # fmt: skip


def rows_of(told, expected):
    shared = {
        "arm": told["arm"], "app": told["case"].split()[0], "case": told["case"],
        "of_process": told["process"], "cores": told["cores"] or -1, "status": told["status"],
        "threads": told["threads"], "workers": told["workers"], "complaint": told["complaint"],
        "verified": "off", "tasks": -1, "edges": -1,
    }  # fmt: skip
    if told["status"] == "ok" and expected:
        shared["verified"] = "yes" if same_numbers(told["result"], expected) else "no"
        shared["status"] = "ok" if shared["verified"] == "yes" else "wrong"
    none = dict.fromkeys(("inspection_ms", "graph_ms", "run_ms", "region_ms"), math.nan)
    if told["status"] != "ok":
        return [shared | none | {"repetition": -1}]
    rows = []
    for k, region_ms in enumerate(told["region_ms"][told["warmup"] :]):
        report = told["reports"][told["warmup"] + k] if told["reports"] else {}
        facts = report | {name: int(report[name]) for name in ("tasks", "edges") if name in report}
        rows.append(shared | none | facts | {"region_ms": region_ms, "repetition": k})
    return rows


def run(arguments):
    parser = Parser(prog="openmp_peer.py", description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, metavar="RUNS.jsonl")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE")
    parser.add_argument("--gpu", default="none", help="which one it was (default: %(default)s)")
    parser.add_argument("--append", action="store_true", help="extend the file if it is there")
    options = parser.parse_args(arguments)
    try:
        lines = options.runs.read_text(encoding="utf-8").splitlines()
        all_told = [json.loads(line) for line in lines]
        expected = {t["case"]: t["result"] for t in all_told if t["arm"] == "gcc"}
        rows = [row for t in all_told for row in rows_of(t, expected.get(t["case"]))]
    except (OSError, ValueError, TypeError, KeyError, IndexError) as error:
        raise InputError(f"{options.runs}: expected lines of openmp_run.py ({error})") from error
    if not rows:
        raise InputError(f"{options.runs}: expected lines of openmp_run.py, got none")
    meta = collect_meta("peer-openmp", "peers/openmp_peer.py", arguments) | {"gpu": options.gpu}
    inputs = [options.runs]
    require_output(options.output, options.append, meta, TABLES, machine="gpu", inputs=inputs)
    write(options.output, meta, TABLES, {"runs": rows}, options.append, machine="gpu")
    return 0


def main(arguments=None):
    return exit_code("openmp_peer", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
