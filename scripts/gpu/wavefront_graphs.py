#!/usr/bin/env python3
"""Makes the general graphs that wavefront is measured on and runs its experiment `rivals` on each.

    wavefront_graphs.py --program BIN/wavefront --graphs FOLDER --output results.h5

The graphs are of scripts/make_dag and stay in the folder; those that are there are taken as they
are. Then comes the paper's lattice. All rows go to one file, a process a graph. Tasks do nothing,
or need the results of their predecessors.
"""

import gridloom_datasets.endings  # noqa: F401

import subprocess
import sys
from pathlib import Path

from gridloom.command_line import Parser, exit_code, whole_number
from gridloom_datasets.errors import FetchError, InputError, reason, say

MAKE_DAG = Path(__file__).resolve().parents[1] / "make_dag"
TASKS, SIDE, LATTICE = 4_000_000, 2_000, 10_000
LATTICE_NAME = "lattice"  # of indices, from no file


def graphs(shrink):
    """{name: (arguments of make_dag or None, threads of a rival's block)}.

    Where few tasks can run at once, more threads a block change nothing.
    """
    tasks, side = TASKS // shrink**2, SIDE // shrink
    random = ["random", "--tasks", tasks, "--degree", 4, "--window"]
    return {
        "layered": (
            ["layered", "--layers", side, "--width", side, "--degree", 3],
            "64,128,256,512,1024",
        ),
        "window-4000": ([*random, 4_000 // shrink], "64,128,256,512"),
        "window-200": ([*random, max(200 // shrink, 4)], "32,128"),
        "lattice-waves": (
            ["lattice", "--rows", side, "--cols", side, "--numbered", "waves"],
            "64,128,256,512,1024",
        ),
        LATTICE_NAME: (None, "64,128,256,512,1024"),
    }


def done_by(command):
    try:
        done = subprocess.run([str(word) for word in command])
    except OSError as error:
        raise InputError(f"{command[0]}: {reason(error)}") from None
    if done.returncode != 0:
        raise FetchError(f"{Path(command[0]).name}: ended with {done.returncode}")


def commands(options):
    """(what makes the graph or None, what runs it), a graph each."""
    for name, (made, sizes) in graphs(options.shrink).items():
        if options.only and name not in options.only:
            continue
        run = [options.program, "--experiment", "rivals", "--backend", options.backend]
        run += ["--repeat", options.repeat, "--timeout-s", 300, "--output", options.output]
        run += ["--append"]
        if options.backend != "host":
            run += ["--block-sizes", sizes]
        if options.algorithm:
            run += ["--algorithm", options.algorithm]
        if made is None:
            side = LATTICE // options.shrink
            yield None, [*run, "--rows", side, "--cols", side]
            continue
        path = options.graphs / f"{name}.h5"
        make = [sys.executable, MAKE_DAG, *made, "--output", path]
        yield None if path.exists() else make, [*run, "--graph", path]


def parse(arguments):
    parser = Parser(prog="wavefront_graphs.py", description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, metavar="FILE")
    parser.add_argument("--graphs", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--output", required=True, type=Path, metavar="RESULTS.h5")
    parser.add_argument("--backend", choices=["auto", "host", "cuda"], default="auto")
    parser.add_argument("--repeat", type=whole_number(1, 1_000), default=7, metavar="N")
    parser.add_argument("--algorithm", help="only these, as wavefront takes them")
    parser.add_argument("--only", nargs="+", choices=list(graphs(1)), help="default: all graphs")
    parser.add_argument(
        "--shrink", type=whole_number(1, 100), default=1, metavar="N",
        help="sides a so manieth, tasks its square",
    )  # fmt: skip
    return parser.parse_args(arguments)


def run(arguments):
    options = parse(arguments)
    options.graphs.mkdir(parents=True, exist_ok=True)
    for make, measure in commands(options):
        if make:
            done_by(make)
        say(" ".join(map(str, measure)))
        sys.stdout.flush()
        done_by(measure)
    return 0


def main(arguments=None):
    return exit_code("wavefront_graphs.py", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
