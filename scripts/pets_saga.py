#!/usr/bin/env python3
"""Measures HEFT of the Python library SAGA beside that of the program pets, on the same graphs.

    pets_saga.py --output RESULTS.h5 [--append] [--tasks N...] [--processors P] [--repeat N]
                 [--seed N] [--saga-python FILE] [--timeout S]

The graphs are random and layered, and both programs represent them exactly. Every second processor
is twice as fast, work is even, and links are alike. A turn is one call of SAGA and five calls of
heft_insertion in one process of pets. Turns alternate in which comes first. One call of each goes
before and does not count.

The time is that of making a schedule from a graph in memory. For SAGA it is
HeftScheduler().schedule() with its graphs made before (see scripts/peers/saga_worker.py). For pets
it is elapsed_ms of its results. SAGA's calls are so long that other processes may interrupt them,
so their processor time is stored, too. This script checks every schedule. SAGA has its own
environment, see scripts/peers/saga_requirements.txt. --saga-python or GRIDLOOM_SAGA_PYTHON names
its Python, by default that of this script. GRIDLOOM_BIN_DIR names the folder of pets."""

import gridloom.environment  # noqa: F401 (continues in .venv if packages are missing)

# isort: split
import contextlib
import json
import os
import select
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from gridloom.command_line import Parser, exit_code, whole_number
from gridloom.paths import ROOT
from gridloom.results_file import Column, collect_meta, read_results, require_output, write
from gridloom.statistics import median_interval
from gridloom_datasets import matrix_program
from gridloom_datasets.children import child
from gridloom_datasets.errors import FetchError, InputError, reason
from gridloom_datasets.hdf5_text import attributes_of
from gridloom_datasets.importers import dag_file
from gridloom_datasets.importers.dag import Dag

WORKER = ROOT / "scripts" / "peers" / "saga_worker.py"
# Our program is called so often in a turn, because its times are small.
CALLS = 5

TABLES = {
    "runs": [
        Column("peer", "text", "", "saga, or pets: our program"),
        Column("tasks", "whole numbers", "1", "tasks"),
        Column("edges", "whole numbers", "1", "edges"),
        Column("processors", "whole numbers", "1", "processors"),
        Column("graph_seed", "whole numbers", "1", "seed of the graph"),
        Column("repetition", "whole numbers", "1", "number of the turn"),
        Column("place", "whole numbers", "1", "0: the first peer of the turn, 1: the second"),
        Column("elapsed_ms", "reals", "ms", "from the graph to the schedule; -1: none in time"),
        Column("cpu_ms", "reals", "ms", "of it, on a processor; -1: not told"),
        Column("makespan", "whole numbers", "1", "finish of the last task; -1: none in time"),
        Column("status", "text", "", "ok, wrong: the schedule is none, or timeout"),
    ]
}


# --- graphs ----------------------------------------------------------------------------------


class Graph(NamedTuple):
    """A task graph of whole numbers. Edges are sorted by source, then target, and numbers rise
    along them."""

    speeds: np.ndarray  # speeds of the processors
    work: np.ndarray  # time of each task at speed 1
    sources: np.ndarray
    targets: np.ndarray
    sizes: np.ndarray  # time from one processor to another

    @property
    def times(self):
        """(tasks, processors): exact times, because generate() makes work a multiple of the
        speeds."""
        return self.work[:, None] // self.speeds


def generate(tasks, processors, seed):
    """Makes √tasks layers between an entry and an exit. A task has 1 to 7 predecessors in the
    previous layer. Transfers take about as long as work."""
    numbers = np.random.default_rng(seed)
    inner, width = tasks - 2, round((tasks - 2) ** 0.5)
    edges, childless = set(), set(range(1, inner + 1))
    for task in range(1, inner + 1):
        before = (task - 1) // width * width - width
        parents = [0]
        if before >= 0:
            count = min(int(numbers.integers(1, 8)), width)
            parents = 1 + before + numbers.choice(width, count, replace=False)
        edges.update((int(parent), task) for parent in parents)
        childless.difference_update(map(int, parents))
    edges.update((task, inner + 1) for task in childless)
    pairs = np.array(sorted(edges), dtype=np.int64)
    return Graph(
        speeds=1 + np.arange(processors) % 2,
        work=2 * numbers.integers(1, 101, tasks),
        sources=pairs[:, 0],
        targets=pairs[:, 1],
        sizes=numbers.integers(1, 151, len(pairs)),
    )


def write_dag(path, graph):
    """Writes the file as the importers write task graphs."""
    tasks = len(graph.work)
    offsets = np.zeros(tasks + 1, dtype=np.uint64)
    np.cumsum(np.bincount(graph.sources, minlength=tasks), out=offsets[1:])
    names, targets = [f"T{k}" for k in range(tasks)], graph.targets.astype(np.uint32)
    costs = graph.times.astype(np.uint64), graph.sizes.astype(np.uint64), "1", "1"
    about = {"format": "layered", "source": "pets_saga.py"}
    dag_file.write(path, Dag(names, offsets, targets, *costs, about))


def what_is_wrong(graph, placements):
    """Why an array of (processor, start, finish) by task is no schedule of the graph, or None."""
    tasks, processors = graph.times.shape
    if placements.shape != (tasks, 3) or not np.all(placements == np.floor(placements)):
        return f"expected three whole numbers for each of {tasks} tasks"
    where, start, finish = placements.astype(np.int64).T
    if not np.all((where >= 0) & (where < processors) & (start >= 0)):
        return "expected processors and times that there are"
    if not np.array_equal(finish - start, graph.times[np.arange(tasks), where]):
        return "expected every task to take its time"
    moved = np.where(where[graph.sources] == where[graph.targets], 0, graph.sizes)
    if np.any(start[graph.targets] < finish[graph.sources] + moved):
        return "expected no task before its data"
    order = np.lexsort((finish, start, where))
    before, after = order[:-1], order[1:]
    if np.any((where[before] == where[after]) & (finish[before] > start[after])):
        return "expected one task at a time on a processor"
    return None


# --- peers -----------------------------------------------------------------------------------


class TooLong(Exception):
    """There was no schedule within the time limit."""


class Saga:
    """SAGA's HEFT in its own process, which holds the graph in SAGA's form."""

    name = "saga"

    def __init__(self, python, graph, folder, timeout_s):
        self.timeout_s = timeout_s
        path = folder / "graph.json"
        edges = np.stack([graph.sources, graph.targets, graph.sizes], axis=1)
        told = {"speeds": graph.speeds, "work": graph.work, "edges": edges}
        path.write_text(json.dumps({name: values.tolist() for name, values in told.items()}))
        with contextlib.ExitStack() as stack:
            errors = open(folder / "saga.txt", "w+", encoding="utf-8", errors="replace")  # noqa: SIM115
            self.errors = stack.enter_context(errors)
            try:
                # SAGA goes through sets of names: a fixed hash makes it break ties alike each time.
                self.process = stack.enter_context(child(
                    [python, WORKER, path], env=os.environ | {"PYTHONHASHSEED": "0"},
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
                ))  # fmt: skip
            except OSError as error:
                what = f"{python}: expected a Python with SAGA, got {reason(error)}"
                raise InputError(what) from error
            self.about = self.answer()
            if "missing" in self.about:
                raise InputError(
                    f"expected SAGA in the environment of {python}, got: {self.about['missing']}; "
                    "scripts/peers/saga_requirements.txt says how to install it"
                )
            stack.callback(self.process.kill)
            self.close = stack.pop_all().close

    def answer(self):
        if not select.select([self.process.stdout], [], [], self.timeout_s)[0]:
            self.process.kill()  # it must not disturb the other peer
            raise TooLong
        if line := self.process.stdout.readline():
            return json.loads(line)
        self.errors.seek(0)
        last = (self.errors.read().strip().splitlines() or ["no message"])[-1]
        raise FetchError(f"SAGA ended with {self.process.wait()}: {last}")

    def schedule(self):
        """[(elapsed_ms, cpu_ms, placements)] of one call."""
        with contextlib.suppress(BrokenPipeError):  # answer() says why the pipe broke
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        got = self.answer()
        placements = np.array(
            [[-1, -1, -1] if one is None else one for one in got["placements"]], dtype=float
        )
        return [(got["elapsed_ms"], got["cpu_ms"], placements)]


class Pets:
    """heft_insertion of the program pets."""

    name = "pets"

    def __init__(self, program, graph, folder, timeout_s):
        self.program, self.folder, self.timeout_s = program, folder, timeout_s
        write_dag(folder / "graph.h5", graph)
        self.about = {}

    def schedule(self, repeat=CALLS):
        """[(elapsed_ms, -1, placements)] of the calls of one process; they have one schedule."""
        output = self.folder / "runs.h5"
        words = ["--dag", self.folder / "graph.h5", "--algorithm", "heft_insertion"]
        words += ["--backend", "host", "--repeat", str(repeat), "--quiet"]
        words += ["--no-floors", "--output", output]
        try:
            matrix_program.run(self.program, *words, timeout=self.timeout_s)
        except subprocess.TimeoutExpired:
            raise TooLong from None

        def read(file):
            names = ("task", "processor", "start", "finish")
            columns = [file["schedules"][name][...] for name in names]
            return columns, attributes_of(file["meta"]), file["runs/elapsed_ms"][...].tolist()

        (task, *placed), meta, times_ms = read_results(output, read)
        placements = np.stack(placed, axis=1).astype(float)[np.argsort(task)]
        names = ("version", "commit", "dirty", "compilers", "flags")
        self.about = {f"pets_{name}": meta[name] for name in names}
        return [(elapsed_ms, -1.0, placements) for elapsed_ms in times_ms]

    def close(self):
        pass


def measure(graph, seed, peers, repeat):
    """The rows of one graph. A peer that exceeded the time limit once is not called again."""
    tasks, processors = graph.times.shape
    rows, late = [], set()
    for turn in range(-1, repeat):
        for place, peer in enumerate(peers if turn % 2 else reversed(peers)):
            shared = {
                "peer": peer.name, "tasks": tasks, "edges": len(graph.sizes), "place": place,
                "processors": processors, "graph_seed": seed, "repetition": turn,
            }  # fmt: skip
            if peer.name in late:
                continue
            try:
                calls = peer.schedule()
            except TooLong:
                late.add(peer.name)
                none = {"elapsed_ms": -1.0, "cpu_ms": -1.0, "makespan": -1, "status": "timeout"}
                rows.append(shared | {"repetition": max(turn, 0)} | none)
                continue
            if turn < 0:
                continue
            for elapsed_ms, cpu_ms, placements in calls:
                wrong = what_is_wrong(graph, placements)
                if wrong:
                    print(f"{peer.name}, {tasks:,} tasks: {wrong}", file=sys.stderr)
                rows.append(shared | {
                    "elapsed_ms": elapsed_ms, "cpu_ms": cpu_ms,
                    "makespan": -1 if wrong else int(placements[:, 2].max()),
                    "status": "wrong" if wrong else "ok",
                })  # fmt: skip
    return rows


def summary(rows):
    """One line of text: both times, how many times as fast our program is, and the makespans."""
    parts, medians = [f"{rows[0]['tasks']:,} tasks, {rows[0]['edges']:,} edges"], {}
    for peer in ("saga", "pets"):
        own = [row for row in rows if row["peer"] == peer and row["status"] == "ok"]
        if not own:
            parts.append(f"{peer}: none")
            continue
        middle, low, high = median_interval([row["elapsed_ms"] for row in own])
        medians[peer] = middle
        parts.append(f"{peer} {middle:.2f} ms [{low:.2f}, {high:.2f}], {own[0]['makespan']:,}")
    if len(medians) == 2:
        parts.append(f"{medians['saga'] / medians['pets']:,.0f} times as fast")
    return "; ".join(parts)


# --- command line ----------------------------------------------------------------------------


def parse(arguments):
    parser = Parser(prog="pets_saga.py", description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="+", type=whole_number(3, 1_000_000),
                        default=[1_000, 3_000, 10_000], metavar="N",
                        help="sizes of the graphs (default: 1000 3000 10000)")  # fmt: skip
    parser.add_number("--processors", 1, 64, 8, "processors", "P")
    parser.add_number("--repeat", 1, 1_000_000, 5, "measured turns")
    parser.add_number("--seed", 0, 2**63 - 1, 1, "of the graphs")
    parser.add_number("--timeout", 1, 86_400, 600, "seconds for a peer's turn", "S")
    parser.add_argument("--saga-python", metavar="FILE",
                        default=os.environ.get("GRIDLOOM_SAGA_PYTHON") or sys.executable,
                        help="Python of the environment that has SAGA")  # fmt: skip
    parser.add_results()
    return parser.parse_args(arguments)


def run(arguments):
    options = parse(arguments)
    meta = collect_meta("pets_saga", "pets_saga.py", arguments)
    meta |= {"backend": "host", "gpu": "none", "repeat": str(options.repeat)}
    require_output(options.output, options.append, meta, TABLES)
    program = matrix_program.find_program(name="pets")
    rows, started = [], [(Saga, options.saga_python), (Pets, program)]
    for tasks in options.tasks:
        graph = generate(tasks, options.processors, options.seed)
        with TemporaryDirectory() as name, contextlib.ExitStack() as stack:
            peers = []
            for kind, path in started:
                peers.append(kind(path, graph, Path(name), options.timeout))
                stack.callback(peers[-1].close)
            found = measure(graph, options.seed, peers, options.repeat)
            meta |= {"saga": peers[0].about["saga"], "saga_python": peers[0].about["python"]}
            meta |= peers[1].about
        print(summary(found), flush=True)
        rows += found
    write(options.output, meta, TABLES, {"runs": rows}, options.append)
    return 0 if all(row["status"] == "ok" for row in rows) else 1


def main(arguments=None):
    try:
        return exit_code("pets_saga", run, arguments)
    except TooLong:
        print("pets_saga: SAGA did not take the graph in time", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
