"""Chrome trace events (JSON), which Perfetto opens, from the trace file of any program.

A traced run is a process, a worker is a thread, and a task is an event. If the file has the graph,
arrows run along its dependences, and the critical path is marked: the chain from the task that ends
last, back over the predecessors that ended last. The path also has a row of its own."""

import itertools
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from gridloom.command_line import Parser
from gridloom.results import PlotError, Runs, find_table, made_of, read_table
from gridloom.results_file import require_output
from gridloom.timeline import pack
from gridloom_datasets.errors import say
from gridloom_datasets.files import write_text

MOST_EVENTS = 1_000_000  # about 130 MB of text
PATH = "critical path"


class Traced(NamedTuple):
    arm: str
    tasks: Runs
    edges: Runs | None  # None if the file has no graph of this run
    types: dict  # names of the task types by number


def read(path):
    """All traced runs, in the order of the file. Raises PlotError."""
    tasks = read_table(path, "trace", writer="a program's --trace")
    traced = find_table(path, "traced")
    if traced is None:  # older files
        return [Traced(key["arm"], own, None, {}) for key, own in tasks.groups(["arm"])]
    if traced["events"].sum() != len(tasks):
        raise PlotError(f"/traced counts {traced['events'].sum():,} tasks of {len(tasks):,}")
    parts = np.repeat(np.arange(len(traced)), traced["events"])
    graphs = traced["graph"] if "graph" in traced else [-1] * len(traced)
    edges, types = find_table(path, "dependences"), find_table(path, "task_types")
    found = []
    for part, (arm, graph) in enumerate(zip(traced["arm"], graphs, strict=True)):
        own = None if edges is None or graph < 0 else edges.only(graph=graph)
        named = None if types is None else types.only(graph=graph)
        names = {} if named is None else dict(zip(named["type"], named["name"], strict=True))
        found.append(Traced(arm, tasks.mask(parts == part), own, names))
    return [run for run in found if len(run.tasks)]


def rows_of(edges, tasks):
    """The rows of the tasks at both ends of each edge, without edges of tasks not in the trace."""
    if edges is None:
        return np.empty((2, 0), dtype=int)
    rows = pd.Index(tasks["task"])
    if not rows.is_unique:
        raise PlotError("/trace has a task twice in one run")
    ends = np.array([rows.get_indexer(edges[side]) for side in ("from", "to")])
    return ends[:, (ends >= 0).all(axis=0)]


def critical_path(source, target, end):
    """The rows of its tasks. Empty if no edge is known."""
    if not len(source):
        return []
    order = np.argsort(end[source], kind="stable")
    before = np.full(len(end), -1)
    before[target[order]] = source[order]  # the last value of a repeated index stays
    path = [int(np.argmax(end))]
    while before[path[-1]] >= 0:
        path.append(int(before[path[-1]]))
        if len(path) > len(end):
            raise PlotError("/dependences has a cycle")
    return path[::-1]


def labels(tasks, types):
    if "name" in tasks:
        return tasks["name"].tolist()
    pairs = zip(tasks["task"].tolist(), tasks["type"].tolist(), strict=True)
    return [f"{types[t]} {task}" if t in types else f"task {task}, type {t}" for task, t in pairs]


def threads(tasks, ids):
    """(thread of each task, names of the threads). Events of one thread must not overlap, so a
    worker that executed several tasks at once has further threads."""
    thread, names = np.empty(len(tasks), dtype=int), {}
    for worker, own in sorted(tasks.groupby("worker").indices.items()):
        rows = pack(tasks["begin_ns"].iloc[own], tasks["end_ns"].iloc[own])
        numbers = [next(ids) for _ in range(rows.max() + 1)]
        thread[own] = np.take(numbers, rows)
        names |= dict.fromkeys(numbers, f"worker {worker}")
    return thread.tolist(), names


def events(name, run, ids):
    """The events of one run. Processes, threads and arrows get different `ids`, because Perfetto
    confuses threads of one number and takes a thread with its process's number for the main one."""
    tasks = run.tasks.sort_values(["begin_ns", "end_ns"], kind="stable", ignore_index=True)
    source, target = rows_of(run.edges, tasks)
    path = critical_path(source, target, tasks["end_ns"].to_numpy())
    place = {row: number for number, row in enumerate(path, 1)}
    process, path_row = next(ids), next(ids)
    thread, names = threads(tasks, ids)
    names = ({path_row: PATH} if path else {}) | names
    yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": name}}
    for number, text in names.items():
        yield {"ph": "M", "name": "thread_name", "pid": process, "tid": number,
               "args": {"name": text}}  # fmt: skip

    arrows = [[] for _ in thread]
    for a, b in zip(source.tolist(), target.tolist(), strict=True):
        on_path = a in place and place[a] + 1 == place.get(b)
        arrow = {"name": "dependence", "cat": PATH if on_path else "dependence", "id": next(ids)}
        arrows[a].append(arrow | {"ph": "s"})
        arrows[b].append(arrow | {"ph": "f", "bp": "e"})

    about = tasks[[column for column in ("task", "type", "node") if column in tasks]]
    columns = (tasks["begin_ns"] / 1000, (tasks["end_ns"] - tasks["begin_ns"]) / 1000)
    values = zip(labels(tasks, run.types), *(c.tolist() for c in columns), strict=True)
    for row, ((label, begin, length), args) in enumerate(
        zip(values, about.to_dict("records"), strict=True)
    ):
        at = {"pid": process, "tid": thread[row], "ts": begin}
        event = {"ph": "X", "name": label, "cat": "task", **at, "dur": length, "args": args}
        if row in place:
            args[PATH] = f"{place[row]} of {len(path)}"
            yield event | {"cat": PATH, "tid": path_row}
            # Perfetto chooses colours by name, and Chrome by `cname`.
            event |= {"name": f"{label}, critical", "cat": PATH, "cname": "terrible"}
        yield event
        # An arrow belongs to the latest event of its thread, so it follows at the same time.
        yield from (arrow | at for arrow in arrows[row])


def text_of(runs):
    """The file's text. Raises PlotError for more events than Perfetto can show."""
    count = sum(len(run.tasks) + (0 if run.edges is None else 2 * len(run.edges)) for run in runs)
    if count > MOST_EVENTS:
        raise PlotError(
            f"expected at most {MOST_EVENTS:,} tasks and ends of arrows, got {count:,}; "
            "name one --arm, or trace a smaller graph"
        )
    ids, lines, used = itertools.count(1), [], {}
    arms = [run.arm for run in runs]
    for run in runs:
        used[run.arm] = used.get(run.arm, 0) + 1
        name = f"{run.arm} ({used[run.arm]})" if arms.count(run.arm) > 1 else run.arm
        for event in events(name, run, ids):
            lines.append(json.dumps(event, separators=(",", ":"), allow_nan=False))
    return '{"displayTimeUnit":"ns","traceEvents":[\n' + ",\n".join(lines) + "\n]}\n"


def run(arguments):
    parser = Parser(prog="trace_to_perfetto", description=__doc__.splitlines()[0])
    parser.add_argument(
        "trace", type=Path, metavar="TRACE.h5", help="written by the --trace of any program"
    )
    parser.add_argument("--arm", help="convert only the runs of this arm; default: all")
    parser.add_argument("--output", type=Path, metavar="TRACE.json", required=True)
    options = parser.parse_args(arguments)
    require_output(options.output, append=False, meta={}, tables={}, inputs=[options.trace])
    with made_of(options.trace):
        runs = read(options.trace)
        arms = ", ".join(dict.fromkeys(run.arm for run in runs))
        runs = [run for run in runs if options.arm in (None, run.arm)]
        if not runs:
            raise PlotError(f"--arm: expected one of {arms}, got {options.arm}")
        text = text_of(runs)
    write_text(options.output, text)
    tasks = sum(len(run.tasks) for run in runs)
    edges = sum(0 if run.edges is None else len(run.edges) for run in runs)
    say(f"{options.output}: traced runs: {len(runs)}, tasks: {tasks:,}, dependences: {edges:,}")
    return 0
