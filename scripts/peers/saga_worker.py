"""Runs SAGA's HEFT for scripts/pets_saga.py, in the Python in which SAGA is installed.

    saga_worker.py GRAPH.json

GRAPH.json has speeds of the processors, work of the tasks, and edges as (source, target, size).
Answers are lines of JSON on stdout. The first is {"saga": version} when SAGA has the graph, or
{"missing": why}. Then each line on stdin gets the answer {"elapsed_ms": ..., "cpu_ms": ...,
"placements": [[processor, start, finish], ...]}. Work that a scheduler needs only once for all
calls is done before: graphs, NetworkX views of them, hashes. Ranks are part of a call, so SAGA's
cache of them is emptied first."""

import json
import platform
import sys
import time
from importlib import metadata
from itertools import combinations
from pathlib import Path


def version():
    try:
        return metadata.version("anrg-saga")
    except metadata.PackageNotFoundError:
        return "unknown"


def main(path):
    # What libraries print must not be taken for an answer.
    answers, sys.stdout = sys.stdout, sys.stderr

    def answer(**values):
        print(json.dumps(values), file=answers, flush=True)

    try:
        from saga import Network, TaskGraph
        from saga.schedulers.cpop import upward_rank
        from saga.schedulers.heft import HeftScheduler
    except ImportError as error:
        answer(missing=str(error))
        return
    wanted = json.loads(Path(path).read_text(encoding="utf-8"))
    speeds = {f"P{k}": float(speed) for k, speed in enumerate(wanted["speeds"])}
    network = Network.create(
        nodes=speeds.items(), edges=[(a, b, 1.0) for a, b in combinations(speeds, 2)]
    )
    graph = TaskGraph.create(
        tasks=[(f"T{k}", float(work)) for k, work in enumerate(wanted["work"])],
        dependencies=[(f"T{a}", f"T{b}", float(size)) for a, b, size in wanted["edges"]],
    )
    for one in (network, graph):
        hash(one)
        _ = one.graph
    answer(saga=version(), python=platform.python_version())
    for _ in sys.stdin:
        upward_rank.cache_clear()
        begin, cpu_begin = time.perf_counter_ns(), time.process_time_ns()
        schedule = HeftScheduler().schedule(network, graph)
        elapsed_ms = (time.perf_counter_ns() - begin) / 1e6
        cpu_ms = (time.process_time_ns() - cpu_begin) / 1e6
        placements = [None] * len(wanted["work"])
        for processor, tasks in schedule.items():
            for task in tasks:
                placements[int(task.name[1:])] = [int(processor[1:]), task.start, task.end]
        answer(elapsed_ms=elapsed_ms, cpu_ms=cpu_ms, placements=placements)


if __name__ == "__main__":
    main(sys.argv[1])
