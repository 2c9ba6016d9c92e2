#!/usr/bin/env python3
"""Checks the schedulers' own access counts against the hardware counters of Nsight Compute.

    ncu_counters.py --program BIN/wavefront --output counters.h5

Runs the counting build of each algorithm under ncu on a small lattice, with one scheduling thread a
warp, so that a request of the memory pipe is an access. Writes one row an algorithm to /ncu and
prints a table. Spinning differs from run to run, so both counts come from the same kernel launch.
"""

import argparse
import csv
import io
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

METRIC = "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum"
KINDS = ["ld", "st", "atom", "red"]
# Why a warp does not issue, in cycles an instruction; what is left of the latency is the issue
# itself.
REASONS = ["membar", "long_scoreboard", "short_scoreboard", "wait", "branch_resolving"]
REASONS += ["no_instruction", "barrier", "sleeping", "lg_throttle", "dispatch_stall", "imc_miss"]
REASONS += ["math_pipe_throttle"]
STALLS = [f"smsp__average_warps_issue_stalled_{r}_per_issue_active.ratio" for r in REASONS]
STALLS += ["smsp__average_warp_latency_per_inst_issued.ratio", "smsp__inst_executed.sum"]
# Algorithm and its own arguments; blocks of one thread where a warp would schedule as a whole.
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
    done = subprocess.run(full, capture_output=True, text=True, timeout=300)
    lines = done.stdout.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if done.returncode != 0 or start is None:
        raise SystemExit(f"ncu_counters: ncu failed: {done.stdout[-600:]} {done.stderr[-300:]}")
    values = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        values[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return values


def count(program, ncu, algorithm, arguments, side):
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "counts.h5")
        command = [program, "--backend", "cuda", "--quiet", "--algorithm", algorithm, *arguments]
        command += ["--rows", str(side), "--cols", str(side), "--counters", "--measure", "counts"]
        command += ["--no-verify", "--output", results]
        metrics = [METRIC.format(kind) for kind in KINDS]
        hardware = run_under_ncu(ncu, metrics, f"{algorithm}.*full_probe", command)
        with h5py.File(results) as file:
            runs = file["runs"]
            own = {name: int(runs[name][0]) for name in ["loads", "stores", "atomics", "cas"]}
            own["workers"] = int(runs["blocks"][0])
            own["tasks"] = int(runs["tasks"][0])
    return own, [hardware[m] for m in metrics]


def stalls(program, ncu):
    """Why the warps of the timed ticket queue wait, on a lattice wide enough for all lanes."""
    command = [program, "--backend", "cuda", "--quiet", "--algorithm", "ticket_queue"]
    command += ["--rows", "12000", "--cols", "4000"]
    command += ["--repeat", "1", "--warmup", "0", "--no-verify"]
    return run_under_ncu(ncu, STALLS, "ticket_queue.*silent_probe", command)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--side", type=int, default=200, help="side of the lattice")
    options = parser.parse_args()
    rows = []
    print(f"{'algorithm':14} {'loads':>22} {'stores':>22} {'atomics and CAS':>22}   own / hardware")
    for algorithm, arguments in ARMS.items():
        own, (ld, st, atom, red) = count(
            options.program, options.ncu, algorithm, arguments, options.side
        )
        # Each worker adds its four sums at the end: the counting build's own atomics.
        atomics = own["atomics"] + own["cas"] + 4 * own["workers"]
        accesses = (own["loads"], ld, own["stores"], st, atomics, atom + red)
        rows.append((algorithm, own["tasks"], *accesses))
        _, _, a, b, c, d, e, f = rows[-1]
        print(f"{algorithm:14} {a:10.0f}/{b:11.0f} {c:10.0f}/{d:11.0f} {e:10.0f}/{f:11.0f}")
    why = stalls(options.program, options.ncu)
    for name, value in why.items():
        print(f"{name} {value:.3f}")
    names = ["tasks"]
    for name in ("loads", "stores", "atomics"):
        names += [name, f"hardware_{name}"]
    partial = options.output + ".part"
    with h5py.File(partial, "w") as file:
        table = file.create_group("ncu")
        table.create_dataset("algorithm", data=[r[0] for r in rows], dtype=h5py.string_dtype())
        for k, name in enumerate(names, start=1):
            table.create_dataset(name, data=np.array([r[k] for r in rows], dtype=np.float64))
            table[name].attrs["unit"] = "1"
        for name, value in why.items():
            file.create_group("stalls") if "stalls" not in file else None
            file["stalls"].attrs[name] = value
        file.create_group("meta").attrs["argv"] = " ".join(map(os.path.basename, sys.argv))
    os.replace(partial, options.output)
    # Of all accesses of an algorithm, how many the two counts disagree on.
    worst = max(
        sum(abs(r[k] - r[k + 1]) for k in (2, 4, 6)) / sum(r[k + 1] for k in (2, 4, 6))
        for r in rows
    )
    print(f"largest difference: {100 * worst:.3f} % of an algorithm's accesses")
    return 0 if worst < 0.001 else 1


if __name__ == "__main__":
    sys.exit(main())
