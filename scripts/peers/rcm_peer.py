#!/usr/bin/env python3
"""Measures a public program for reverse Cuthill-McKee on the graphs of mhive-rcm.

    rcm_peer.py --program FILE (--matrix FILE... | --generate SPEC...) --output RESULTS.h5
                [--append] [--symmetrize] [--repeat N] [--warmup N] [--timeout S]

The peer gets the pattern that mhive-rcm orders, and the start node that its serial arm found for
the largest component. So only orderings from one start node are compared. The peer and its front
end define what order_ms covers. A process orders one matrix. If it hangs, --timeout ends it, with a
row of status timeout. This script checks the order and computes its bandwidth.
scripts/peers/README.md describes how the program is called. GRIDLOOM_BIN_DIR names mhive-rcm's
folder."""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from gridloom.command_line import Parser, exit_code, require_matrices
from gridloom.orders import bandwidths, levels_from, positions, start_of_largest
from gridloom.results_file import Column, collect_meta, read_results, require_output, write
from gridloom.sparsity import read_csr
from gridloom.statistics import median_interval
from gridloom_datasets import matrix_program
from gridloom_datasets.children import CAPTURED, run_child
from gridloom_datasets.errors import InputError, one_line, reason
from gridloom_datasets.hdf5_text import attributes_of, read_texts

# The peer's description, stored in /meta.
ABOUT = ["name", "repository", "revision", "changes", "compiler", "flags", "gpu", "driver", "cuda"]

# Names, units and meanings are those of mhive-rcm where it has the column.
TABLES = {
    "runs": [
        Column("arm", "text", "", "the peer's name"),
        Column("backend", "text", "", "cuda, or host where the peer knows of no GPU"),
        Column("device", "text", "", "GPU"),
        Column("matrix", "text", "", "file or generator"),
        Column("rows", "whole numbers", "1", "rows and columns"),
        Column("entries", "whole numbers", "1", "stored entries, the diagonal included"),
        Column("components", "whole numbers", "1", "connected components"),
        Column("ordered_entries", "whole numbers", "1", "entries of the graph that the peer orders "
               "after its preparation; -1: it did not come so far"),
        Column("start_node", "whole numbers", "1", "where the order begins"),
        Column("start_levels", "whole numbers", "1", "levels from the start node"),
        Column("workers", "whole numbers", "1", "thread blocks; -1: not told"),
        Column("repetition", "whole numbers", "1", "number of the repetition"),
        Column("order_ms", "reals", "ms", "ordering alone, by the peer's timer; NaN: none"),
        Column("reset_ms", "reals", "ms", "what each ordering needs before that; NaN: not told"),
        Column("bandwidth_before", "whole numbers", "1", "max - min + 1 of row - column"),
        Column("bandwidth", "whole numbers", "1", "the same after ordering; -1: no order"),
        Column("half_bandwidth", "whole numbers", "1", "largest |row - column| after ordering; "
               "-1: no order"),
        Column("same", "text", "", "the order is mhive-rcm's serial arm's: yes, no; off: no order "
               "or several components, which the peer may join"),
        Column("verified", "text", "", "the order holds every row once and, of one component, "
               "levels never fall along it: yes, no, off"),
        Column("status", "text", "", "ok, wrong, timeout or failed"),
    ]
}  # fmt: skip


# --- our side --------------------------------------------------------------------------------


def facts_of(file):
    """The facts that mhive-rcm reports about the matrix and its own build."""
    runs, names = file["runs"], ("rows", "entries", "components", "bandwidth_before")
    facts = {name: int(runs[name][0]) for name in names}
    return {"matrix": read_texts(runs["matrix"])[0]} | facts, attributes_of(file["meta"])


class Graph:
    """The graph of mhive-rcm, with its serial arm's order and start node."""

    def __init__(self, given, symmetrize, folder):
        files = {name: folder / f"{name}.h5" for name in ("output", "pattern")}
        files["order"] = folder / "order.txt"
        words = [*given, *(["--symmetrize"] if symmetrize else [])]
        words += ["--arm", "serial", "--backend", "host", "--repeat", "1", "--warmup", "0"]
        words += ["--no-verify", "--no-floors", "--quiet"]
        for option, path in files.items():
            words += [f"--{option}", path]
        matrix_program.run(matrix_program.find_program(name="mhive-rcm"), *words)
        self.facts, meta = read_results(files["output"], facts_of)
        self.meta = {f"mhive_rcm_{k}": meta[k] for k in ("commit", "dirty")}
        pattern, _ = read_csr(files["pattern"])
        self.offsets, self.columns = pattern.indptr, pattern.indices
        self.order = np.loadtxt(files["order"], dtype=np.int64, ndmin=1)
        start = start_of_largest(pattern, self.order)
        self.level = levels_from(pattern, start)
        self.facts |= {"start_node": start, "start_levels": int(self.level.max())}

    def write(self, path):
        """Writes numbers of rows and entries (64 bits each), then row offsets and columns (32
        bits)."""
        with open(path, "wb") as file:
            np.array([len(self.order), len(self.columns)], dtype="<u8").tofile(file)
            self.offsets.astype("<u4").tofile(file)
            self.columns.astype("<u4").tofile(file)

    def judge(self, order):
        """The columns about the quality of an order, whose last vertex comes first."""
        position = positions(order) if len(order) == len(self.order) else None
        if position is None:
            return {"verified": "no", "status": "wrong"}
        bandwidth, half = bandwidths(self.offsets, self.columns, position)
        verified, status, same = "yes", "ok", "off"
        if self.facts["components"] == 1:
            same = "yes" if np.array_equal(order, self.order) else "no"
            if np.any(np.diff(self.level[order]) > 0):
                verified, status = "no", "wrong"
        return {
            "bandwidth": bandwidth, "half_bandwidth": half, "same": same,
            "verified": verified, "status": status,
        }  # fmt: skip


# --- the peer --------------------------------------------------------------------------------


def about(program):
    """The peer's description."""
    try:
        done = run_child([program, "--about"], timeout=60, stdin=subprocess.DEVNULL, **CAPTURED)
        told = json.loads(done.stdout)
        told = {name: one_line(told[name]) for name in ABOUT}
        if done.returncode != 0 or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", told["name"]):
            raise ValueError("no name in small letters, digits and dashes")
    except (OSError, ValueError, TypeError, KeyError, subprocess.TimeoutExpired) as error:
        why = f"{type(error).__name__}: {reason(error)}" if str(error) else type(error).__name__
        raise InputError(
            f"{program} --about: expected a line of JSON with {', '.join(ABOUT)} ({why})"
        ) from error
    return told


def ask(program, graph, options, folder):
    """(status, lines of JSON, order or None, error message) of one run of the peer."""
    graph.write(folder / "graph.bin")
    numbers = [graph.facts["start_node"], options.warmup, options.repeat]
    command = [program, folder / "graph.bin", *map(str, numbers), folder / "order.bin"]
    with open(folder / "lines.txt", "wb") as out, open(folder / "errors.txt", "wb") as errors:
        try:
            code = run_child(
                command, stdout=out, stderr=errors, stdin=subprocess.DEVNULL,
                timeout=options.timeout,
            ).returncode  # fmt: skip
            status = "ok" if code == 0 else "failed"
        except subprocess.TimeoutExpired:
            status = "timeout"
    lines = []
    for line in (folder / "lines.txt").read_text(errors="replace").splitlines():
        try:
            lines.append(dict(json.loads(line)))
        except (ValueError, TypeError):  # the last line of a process that was ended
            continue
    complaint = (folder / "errors.txt").read_text(errors="replace").strip().splitlines() or [""]
    if status == "ok" and (folder / "order.bin").is_file():
        return status, lines, np.fromfile(folder / "order.bin", dtype="<u4").astype(np.int64), ""
    return ("failed" if status == "ok" else status), lines, None, complaint[-1]


def measure(peer, graph, options, folder):
    """The rows of one matrix, and the error message. A run without times is one row."""
    status, lines, order, complaint = ask(options.program, graph, options, folder)
    samples = [line for line in lines if "order_ms" in line]
    shared = graph.facts | {
        "arm": peer["name"], "device": peer["gpu"],
        "backend": "host" if peer["gpu"] == "none" else "cuda",
        "ordered_entries": next((int(k["entries"]) for k in lines if "entries" in k), -1),
        "bandwidth": -1, "half_bandwidth": -1, "same": "off", "verified": "off", "status": status,
    }  # fmt: skip
    if status == "ok":
        shared |= graph.judge(order)
        if len(samples) != options.repeat:
            shared["status"], complaint = "failed", f"{len(samples)} times of {options.repeat}"
    if shared["status"] in ("failed", "timeout"):
        samples = [{}]
    rows = []
    for k, sample in enumerate(samples):
        times = {name: float(sample.get(name, math.nan)) for name in ("order_ms", "reset_ms")}
        workers = int(sample.get("workers", -1))
        rows.append(shared | times | {"repetition": k, "workers": workers})
    return rows, complaint


# --- command line ----------------------------------------------------------------------------


def parse(arguments):
    parser = Parser(prog="rcm_peer.py", description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, metavar="FILE",
                        help="the peer's front end")  # fmt: skip
    parser.add_matrices("what gridloom-matrix reads")
    parser.add_number("--repeat", 1, 1_000_000, 20, "measured orderings")
    parser.add_number("--warmup", 0, 1_000_000, 20, "orderings before them")
    parser.add_number("--timeout", 1, 86_400, 60, "seconds for a matrix", "S")
    parser.add_results()
    options = parser.parse_args(arguments)
    require_matrices(options)
    if not os.access(options.program, os.X_OK) or not options.program.is_file():
        raise InputError(f"--program: expected a program, got {options.program}")
    options.program = options.program.absolute()
    return options


def summary(rows, complaint):
    name, status = one_line(rows[0]["matrix"]), rows[0]["status"]
    if status in ("failed", "timeout"):
        return f"{name}: {status}" + (f" ({one_line(complaint)})" if complaint else "")
    middle, low, high = median_interval([row["order_ms"] for row in rows])
    text = f"{name}: {middle:.3f} ms [{low:.3f}, {high:.3f}], bandwidth {rows[0]['bandwidth']:,}"
    return text if status == "ok" else f"{text}, {status}"


def run(arguments):
    options = parse(arguments)
    peer = about(options.program)
    meta = collect_meta(f"peer-{peer['name']}", "peers/rcm_peer.py", arguments)
    meta |= {f"peer_{name}": peer[name] for name in ABOUT[:-3]}
    meta |= {name: peer[name] for name in ABOUT[-3:]}
    meta |= {"backend": "host" if peer["gpu"] == "none" else "cuda", "repeat": str(options.repeat)}
    meta |= {"warmup": str(options.warmup), "timeout_s": str(options.timeout)}
    inputs = [options.program, *options.matrix]
    require_output(options.output, options.append, meta, TABLES, machine="gpu", inputs=inputs)
    rows = []
    given = [["--matrix", path] for path in options.matrix]
    given += [["--generate", spec] for spec in options.generate]
    for one in given:
        with TemporaryDirectory() as folder:
            graph = Graph(one, options.symmetrize, Path(folder))
            found, complaint = measure(peer, graph, options, Path(folder))
        meta |= graph.meta
        print(summary(found, complaint), flush=True)
        rows += found
    write(options.output, meta, TABLES, {"runs": rows}, options.append, machine="gpu")
    return 0 if all(row["status"] == "ok" for row in rows) else 1


def main(arguments=None):
    return exit_code("rcm_peer", run, arguments)


if __name__ == "__main__":
    sys.exit(main())
