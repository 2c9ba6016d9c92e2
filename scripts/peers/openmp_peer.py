#!/usr/bin/env python3
"""Makes a results file from the output of openmp_run.py.

    openmp_peer.py RUNS.jsonl... --output RESULTS.h5 [--append]

One row per run of a region. `run_ms` comes from Juggler's report: the tasks alone, with the data
on the device. `region_ms` is the time that the program measures, with copies, inspection and the
graph. A process that failed is a row without times. A result is right if it equals gcc's result
of the same case.

Commit, date and machine are those of the runs, not of this script. All runs of a file must have
the same commit and machine.
"""

import json
import math
import sys
from pathlib import Path

from gridloom.command_line import Parser, exit_code
from gridloom.results import read_meta
from gridloom.results_file import Column, collect_meta, require_output, write
from gridloom_datasets.errors import InputError, shortened

# Facts that all runs of a file share, and facts of one call of openmp_run.py.
ORIGIN = (
    "commit", "dirty", "gcc", "nvcc", "juggler_cc",
    "host", "cpu", "logical_cores", "gpu", "driver",
)  # fmt: skip
OF_CALL = ("date", "runs")
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


def require_same(one, other, where):
    for name in ORIGIN:
        if one[name] != other[name]:
            there, here = shortened(one[name]), shortened(other[name])
            raise InputError(
                f'{where}: expected runs of one commit and machine, got {name} "{there}", "{here}"'
            )


def read_runs_of(path):
    """The processes in a file of openmp_run.py, and the contents of its {"meta"} lines."""
    told, origins = [], []  # runs, and what the lines before them say
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            if "meta" in one:
                origins.append({name: str(one["meta"][name]) for name in (*ORIGIN, *OF_CALL)})
            else:
                rows_of(one, None)
                told.append(one)
            if not origins:
                raise ValueError("no commit and machine before the runs")
    except (OSError, ValueError, TypeError, KeyError, IndexError) as error:
        raise InputError(f"{path}: expected lines of openmp_run.py ({error})") from error
    if not told:
        raise InputError(f"{path}: expected lines of openmp_run.py, got none")
    return told, origins


def origin_of(files):
    """Commit, date and machine for /meta. `files` has the results of read_runs_of, by path."""
    every = []
    for path, (_, origins) in files.items():
        for origin in origins:
            every.append(origin)
            require_same(every[0], origin, path)
    return every[0] | {
        "date": min(origin["date"] for origin in every),
        "runs": "; ".join(origin["runs"] for origin in every),
    }


def run(arguments):
    parser = Parser(prog="openmp_peer.py", description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUNS.jsonl")
    parser.add_results()
    options = parser.parse_args(arguments)
    files = {path: read_runs_of(path) for path in options.runs}
    origin = origin_of(files)
    all_told = [one for told, _ in files.values() for one in told]
    expected = {t["case"]: t["result"] for t in all_told if t["arm"] == "gcc"}
    try:
        rows = [row for t in all_told for row in rows_of(t, expected.get(t["case"]))]
    except ValueError as error:  # a result is not a number
        raise InputError(f"{options.runs[0]}: expected lines of openmp_run.py ({error})") from error
    own = collect_meta("peer-openmp", "peers/openmp_peer.py", arguments)
    meta = own | origin | {"stored_commit": own["commit"], "stored_date": own["date"]}
    inputs = options.runs
    require_output(options.output, options.append, meta, TABLES, machine="gpu", inputs=inputs)
    if options.append and options.output.exists():
        # Rows of two machines or commits in one file would look comparable.
        there = dict.fromkeys(ORIGIN, "none") | read_meta(options.output)
        there = {name: str(value) for name, value in there.items()}
        require_same(there, origin, options.output)
    write(options.output, meta, TABLES, {"runs": rows}, options.append, machine="gpu")
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("openmp_peer", run, None))
