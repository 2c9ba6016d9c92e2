#!/usr/bin/env python3
"""Measures how good the schedules of all list schedulers are on published task graphs.

    pets_workflows.py --output RESULTS.h5 [--data DIR] [--bandwidth MB/s] [--processors P...]

Reads DIR/dags (by default of $GRIDLOOM_DATA_DIR): workflows (dax/, wfformat/) and Standard Task
Graphs (stg/). The files *_OPT.csv have optimal makespans, or their bounds, on P identical
processors without communication. Every graph is imported, and scheduled by every algorithm of pets
on 2, 4, 8 and 16 processors. Workflows transfer data over links of one bandwidth. They run on
identical processors, and on processors with alternating speeds 1 and 2. Standard Task Graphs run on
identical processors. pets checks every schedule. GRIDLOOM_BIN_DIR names the folder of pets."""

import gridloom.environment  # noqa: F401 (continues in .venv if packages are missing)

# isort: split
import csv
import io
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from gridloom.command_line import Parser, exit_code, whole_number
from gridloom.pets.data import ALGORITHMS
from gridloom.results import read_table
from gridloom.results_file import Column, collect_meta, require_output, write
from gridloom.sources import hash_of
from gridloom_datasets import matrix_program
from gridloom_datasets.errors import InputError
from gridloom_datasets.files import open_input
from gridloom_datasets.importers import import_dag

TABLES = {
    "runs": [
        Column("family", "text", "", "stg, workflows, or mixed: workflows, speeds 1 and 2 in turn"),
        Column("graph", "text", "", "file of the task graph"),
        Column("format", "text", "", "as the importer names it"),
        Column("sha256", "text", "", "of the file"),
        Column("tasks", "whole numbers", "1", "tasks"),
        Column("edges", "whole numbers", "1", "edges"),
        Column("depth", "whole numbers", "1", "tasks on the longest path"),
        Column("processors", "whole numbers", "1", "processors"),
        Column("platform", "text", "", "what the processors are, and what data pass between them"),
        Column("algorithm", "text", "", "list scheduler and policy"),
        Column("makespan", "whole numbers", "1", "finish of the last task, in the column unit"),
        Column("unit", "text", "", "us or 1"),
        Column("lower_bound", "whole numbers", "1",
               "critical path with least costs, or least costs over the processors"),
        Column("optimum_low", "whole numbers", "1", "no schedule is shorter, as published; or -1"),
        Column("optimum_high", "whole numbers", "1",
               "the best schedule known, as published: the optimum where it is optimum_low; or -1"),
        Column("slr", "reals", "1", "makespan over the critical path with least costs"),
        Column("elapsed_ms", "reals", "ms", "of one run, on one thread"),
        Column("status", "text", "", "ok, or what pets says"),
    ]
}  # fmt: skip


def read_bounds(folder):
    """{(file, processors): (low, high)} of *_OPT.csv."""
    bounds = {}
    for path in sorted(folder.glob("*_OPT.csv")):
        with open_input(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
            for line, row in enumerate(csv.reader(text), start=1):
                try:
                    name, processors, *limits = row
                    low, high = int(limits[0]), int(limits[-1])
                    bounds[Path(name).name, int(processors)] = low, high
                except (ValueError, IndexError):
                    what = "expected a file, processors and one or two makespans"
                    raise InputError(f"{path}:{line}: {what}") from None
    return bounds


def schedule_all(program, folder, processors, options, timeout_s):
    """The tables runs and graphs that pets writes for a folder of graphs."""
    output = folder / "runs" / "r.h5"
    output.parent.mkdir(exist_ok=True)
    matrix_program.run(
        program, "--dag", folder, "--processors", str(processors), "--implementation", "host",
        "--algorithm", ",".join(ALGORITHMS), "--repeat", "1", "--warmup", "0", "--no-floors",
        "--no-schedules", "--quiet", "--backend", "host", "--output", output, *options,
        timeout=timeout_s,
    )  # fmt: skip
    return read_table(output, "runs"), read_table(output, "graphs")


def rows_of(family, imported, bounds, runs, graphs):
    about = {
        name: {key: graphs[key][k] for key in ("platform", "lower_bound")}
        for k, name in enumerate(graphs["graph"])
    }
    for k, name in enumerate(runs["graph"]):
        path, digest = imported[name]
        low, high = bounds.get((path.name, int(runs["processors"][k])), (-1, -1))
        yield {
            "family": family, "graph": path.name, "format": path.parent.name, "sha256": digest,
            "optimum_low": low, "optimum_high": high,
            "platform": str(about[name]["platform"]),
            "lower_bound": int(about[name]["lower_bound"]),
            **{key: int(runs[key][k]) for key in
               ("tasks", "edges", "depth", "processors", "makespan")},
            **{key: float(runs[key][k]) for key in ("slr", "elapsed_ms")},
            **{key: str(runs[key][k]) for key in ("algorithm", "unit", "status")},
        }  # fmt: skip


def parse(arguments):
    parser = Parser(prog="pets_workflows.py", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GRIDLOOM_DATA_DIR"),
                        metavar="DIR", help="default: $GRIDLOOM_DATA_DIR")  # fmt: skip
    parser.add_number("--bandwidth", 1, 10_000_000, 100, "of links", "MB/s")
    parser.add_argument("--processors", nargs="+", type=whole_number(1, 4096),
                        default=[2, 4, 8, 16], metavar="P", help="default: 2 4 8 16")  # fmt: skip
    parser.add_number("--timeout", 1, 86_400, 3600, "seconds for a run of pets", "S")
    parser.add_results(append=False)
    return parser.parse_args(arguments)


def run(arguments):
    options = parse(arguments)
    if not options.data:
        raise InputError("--data: expected the folder of the task graphs, or GRIDLOOM_DATA_DIR")
    dags = options.data / "dags"
    stg = sorted((dags / "stg").rglob("*.stg"))
    workflows = sorted([*(dags / "dax").glob("*.xml"), *(dags / "wfformat").glob("*.json")])
    if not stg and not workflows:
        raise InputError(f"{dags}: expected task graphs in stg, dax or wfformat, got none")
    meta = collect_meta("pets_workflows", "pets_workflows.py", arguments)
    meta |= {"backend": "host", "gpu": "none", "bandwidth": str(options.bandwidth)}
    require_output(options.output, False, meta, TABLES, inputs=[*stg, *workflows])
    program, bounds, rows = matrix_program.find_program(name="pets"), read_bounds(dags / "stg"), []
    with TemporaryDirectory() as name:
        for kind, paths in (("stg", stg), ("workflows", workflows)):
            folder = Path(name) / kind
            folder.mkdir()
            imported = {}
            for path in paths:
                import_dag(path, folder / f"{path.stem}.h5")
                imported[f"{path.stem}.h5"] = path, hash_of(path)
            for count in options.processors if imported else []:
                speeds = ",".join(str(1 + k % 2) for k in range(count))
                families = {"stg": []}
                if kind == "workflows":
                    links = ["--bandwidth", str(options.bandwidth)]
                    families = {"workflows": links, "mixed": [*links, "--speeds", speeds]}
                for family, more in families.items():
                    tables = schedule_all(program, folder, count, more, options.timeout)
                    own = list(rows_of(family, imported, bounds, *tables))
                    rows += own
                    print(f"{family}, {count} processors: {len(own):,} schedules", flush=True)
    write(options.output, meta, TABLES, {"runs": rows}, False)
    return 0 if all(row["status"] == "ok" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(exit_code("pets_workflows", run, None))
