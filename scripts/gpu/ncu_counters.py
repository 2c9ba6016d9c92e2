#!/usr/bin/env python3
"""Checks the schedulers' own access counts against the hardware counters of Nsight Compute.

    ncu_counters.py --program BIN/wavefront [--graph random.h5] [--in-order-graph layered.h5]
        --output counters.h5

Runs the counting build of each algorithm under ncu on a small lattice. Each warp has one scheduling
thread, so that a request of the memory pipe is one access. Writes one row per algorithm to /ncu and
prints a table. Spinning differs from run to run, so both counts come from the same kernel launch.
Then the script profiles what the warps of the ticket queue wait for: on a lattice (/stalls), and on
the graph of --graph (/stalls_graph), on which a hop costs more. It does the same for in_order on
the graph of --in-order-graph (/stalls_in_order)."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import h5py

from gridloom.command_line import Parser, exit_code, whole_number
from gridloom.results_file import Column, add_table, collect_meta, read_results, require_output
from gridloom_datasets import hdf5
from gridloom_datasets.errors import FetchError, InputError, reason
from gridloom_datasets.hdf5_text import set_attributes

METRIC = "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum"
KINDS = ["ld", "st", "atom", "red"]
# Reasons for which a warp does not issue, in cycles per instruction. The rest of the latency is
# the issue itself.
REASONS = ["membar", "long_scoreboard", "short_scoreboard", "wait", "branch_resolving"]
REASONS += ["no_instruction", "barrier", "sleeping", "lg_throttle", "dispatch_stall", "imc_miss"]
REASONS += ["math_pipe_throttle"]
STALLS = [f"smsp__average_warps_issue_stalled_{r}_per_issue_active.ratio" for r in REASONS]
STALLS += ["smsp__average_warp_latency_per_inst_issued.ratio", "smsp__inst_executed.sum"]
# Use of the level-2 cache, in percent of its peak.
L2_BUSY = "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"
STALLS.append(L2_BUSY)
ACCESSES = ("loads", "stores", "atomics")
COLUMNS = [
    Column("algorithm", "text", "", "scheduler"),
    Column("tasks", "reals", "1", "tasks of the lattice"),
    *(
        Column(f"{by}{kind}", "reals", "1", f"{kind} of one launch, as {who} counts them")
        for kind in ACCESSES
        for by, who in (("", "the counting build"), ("hardware_", "the hardware"))
    ),
]
# Algorithms with their arguments. Blocks have one thread if a warp would schedule as a whole.
ARMS = {
    "scanning": ["--threads", "32", "--workers", "20"],
    "single_queue": ["--threads", "32", "--workers", "20"],
    "multi_queue": ["--threads", "32", "--workers", "20"],
    "ticket_queue": ["--threads", "1", "--workers", "64"],
    "stripes": ["--threads", "1", "--workers", "64"],
}


def run_under_ncu(ncu, metrics, kernel, command):
    """Metric values of the one kernel whose name matches, by metric."""
    full = [ncu, "--clock-control", "none", "--csv", "--kernel-name-base", "demangled"]
    full += ["--kernel-name", f"regex:{kernel}", "--metrics", ",".join(metrics), *command]
    try:
        done = subprocess.run(full, capture_output=True, text=True, timeout=300)
    except OSError as error:
        raise InputError(f"{ncu}: {reason(error)}") from None
    except subprocess.TimeoutExpired as error:
        raise FetchError(f"{ncu}: expected it to end within {error.timeout:.0f} s") from None
    lines = done.stdout.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if done.returncode != 0 or start is None:
        said = f"{done.stdout[-600:]} {done.stderr[-300:]}".strip()
        raise FetchError(f"{ncu}: failed: {said}")
    values = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        values[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return values


def count(program, ncu, algorithm, arguments, side):
    with TemporaryDirectory() as folder:
        results = os.path.join(folder, "counts.h5")
        command = [program, "--backend", "cuda", "--quiet", "--algorithm", algorithm, *arguments]
        command += ["--rows", str(side), "--cols", str(side), "--counters", "--measure", "counts"]
        command += ["--no-verify", "--output", results]
        metrics = [METRIC.format(kind) for kind in KINDS]
        hardware = run_under_ncu(ncu, metrics, f"{algorithm}.*full_probe", command)
        names = ["loads", "stores", "atomics", "cas", "workers", "tasks"]
        own = read_results(results, lambda file: {n: int(file["runs"][n][0]) for n in names})
        own["machine"] = read_results(results, machine_of)
    return own, [hardware[m] for m in metrics]


def machine_of(file):
    """Facts about the GPU from a results file of the program, with the program's own commit."""
    there = file["meta"].attrs if "meta" in file else {}
    return {name: there[name] for name in ("gpu", "driver", "cuda") if name in there}


# The lattice is wide enough for all lanes.
WIDE_LATTICE = ["--rows", "12000", "--cols", "4000"]


def stalls(program, ncu, algorithm, graph):
    """The stall reasons of the warps of a timed algorithm."""
    command = [program, "--backend", "cuda", "--quiet", "--algorithm", algorithm, *graph]
    command += ["--repeat", "1", "--warmup", "0", "--no-verify"]
    return run_under_ncu(ncu, STALLS, f"{algorithm}.*silent_probe", command)


def row_of(program, ncu, algorithm, arguments, side):
    """One row of the table, and its machine."""
    own, (ld, st, atom, red) = count(program, ncu, algorithm, arguments, side)
    # At its end, each worker adds its four sums by atomics of the counting build.
    atomics = own["atomics"] + own["cas"] + 4 * own["workers"]
    counted = (own["tasks"], own["loads"], ld, own["stores"], st, atomics, atom + red)
    names = [column.name for column in COLUMNS]
    return dict(zip(names, (algorithm, *map(float, counted)), strict=True)), own["machine"]


def difference(row):
    """The difference of the two counts of an algorithm's accesses."""
    apart = sum(abs(row[kind] - row[f"hardware_{kind}"]) for kind in ACCESSES)
    return apart / sum(row[f"hardware_{kind}"] for kind in ACCESSES)


def parse(arguments):
    parser = Parser(prog="ncu_counters.py", description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, metavar="FILE")
    parser.add_argument("--output", required=True, type=Path, metavar="COUNTERS.h5")
    parser.add_argument("--ncu", default="ncu", metavar="PROGRAM")
    parser.add_argument(
        "--graph", metavar="FILE", help="to profile the ticket queue on beside a lattice"
    )
    parser.add_argument("--in-order-graph", metavar="FILE", help="to profile in_order on")
    parser.add_argument(
        "--side", type=whole_number(1, 10_000), default=200, metavar="N", help="of the lattice"
    )
    return parser.parse_args(arguments)


def run(arguments):
    options = parse(arguments)
    meta = collect_meta("ncu_counters.py", "ncu_counters.py", arguments)
    graphs = {"--graph": options.graph, "--in-order-graph": options.in_order_graph}
    graphs = {option: path for option, path in graphs.items() if path is not None}
    require_output(options.output, False, meta, {}, inputs=[options.program, *graphs.values()])
    for option, path in graphs.items():
        if not os.path.isfile(path) or not h5py.is_hdf5(path):
            raise InputError(f"{option}: expected an HDF5 file, got {path or 'nothing'}")
    rows = []
    print(f"{'algorithm':14} {'loads':>22} {'stores':>22} {'atomics and CAS':>22}   own / hardware")
    for algorithm, own in ARMS.items():
        row, machine = row_of(options.program, options.ncu, algorithm, own, options.side)
        rows.append(row)
        meta |= machine
        pairs = [(rows[-1][kind], rows[-1][f"hardware_{kind}"]) for kind in ACCESSES]
        print(f"{algorithm:14} {' '.join(f'{a:10.0f}/{b:11.0f}' for a, b in pairs)}")
    profiles = {"stalls": ("ticket_queue", WIDE_LATTICE)}
    if options.graph is not None:
        profiles["stalls_graph"] = ("ticket_queue", ["--graph", options.graph])
    if options.in_order_graph is not None:
        profiles["stalls_in_order"] = ("in_order", ["--graph", options.in_order_graph])
    why = {name: stalls(options.program, options.ncu, *of) for name, of in profiles.items()}
    for name, values in why.items():
        for metric, value in values.items():
            print(f"{name} {metric} {value:.3f}")

    def fill(file):
        set_attributes(file.create_group("meta"), meta)
        add_table(file, "ncu", COLUMNS, rows)
        for name, values in why.items():
            file.create_group(name).attrs.update(values)

    hdf5.write(options.output, fill)
    worst = max(map(difference, rows))
    print(f"largest difference: {100 * worst:.3f} % of an algorithm's accesses")
    return 0 if worst < 0.001 else 1


def main(arguments=None):
    return exit_code("ncu_counters.py", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
