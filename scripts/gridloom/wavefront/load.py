"""What a trace of wavefront says of the load: tasks at work over time, by worker, by queue.

A trace file of `wavefront --trace` holds /trace (one row per task) and /workers (one row per arm).
"""

from dataclasses import dataclass

import numpy as np

from gridloom.results import PlotError, machine_of, read_table

TASKS = ["arm", "worker", "task", "begin_ns", "end_ns"]
ARMS = ["arm", "algorithm", "tasks", "blocks", "threads", "width", "queues"]
WRITER = "wavefront --trace"


@dataclass
class Traced:
    """One arm: what it is, and its tasks as arrays. Times from its first begin."""

    config: dict
    worker: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @property
    def workers(self):
        """Blocks, or all their threads where a lane runs per task."""
        lanes = self.config["threads"] if self.config["width"] == "lane" else 1
        return int(self.config["blocks"] * lanes)

    @property
    def makespan(self):
        return float(self.end.max())


def read(path):
    """([Traced], where they ran). Raises PlotError."""
    tasks = read_table(path, "trace", TASKS, WRITER)
    arms = read_table(path, "workers", ARMS, WRITER)
    found = []
    for key, own in tasks.groups(["arm"]):
        config = [config for config, _ in arms.only(arm=key["arm"]).groups(ARMS)]
        if len(config) != 1:
            raise PlotError(f"/workers has {len(config)} rows of '{key['arm']}', not one")
        if len(own) != config[0]["tasks"]:
            raise PlotError(f"{key['arm']}: the trace holds {len(own):,} tasks, not all")
        times = (own[name].to_numpy(dtype=float) for name in ("begin_ns", "end_ns"))
        found.append(Traced(config[0], own["worker"].to_numpy(dtype=int), *times))
    return found, machine_of(path)


def busy_until(begin, end, times):
    """Time that all tasks together had been at work until each of the times."""

    def passed(since):
        since = np.sort(since)
        before = np.searchsorted(since, times, side="right")
        return before * times - np.concatenate([[0.0], np.cumsum(since)])[before]

    return passed(begin) - passed(end)


def active(traced, bins):
    """(edges of the bins, tasks at work in each on average)."""
    edges = np.linspace(0, traced.makespan, bins + 1)
    done = busy_until(traced.begin, traced.end, edges)
    return edges, np.diff(done) / np.diff(edges)


def timeline(traced, rows, bins):
    """Share of the time that workers are busy: a row some neighbouring workers, one column per
    bin."""
    rows = min(rows, traced.workers)
    row_of = traced.worker * rows // traced.workers
    size = np.bincount(np.arange(traced.workers) * rows // traced.workers, minlength=rows)
    edges = np.linspace(0, traced.makespan, bins + 1)
    shares = np.zeros((rows, bins))
    for row in range(rows):
        own = row_of == row
        done = busy_until(traced.begin[own], traced.end[own], edges)
        shares[row] = np.diff(done) / np.diff(edges) / size[row]
    return shares


def busy_share(traced):
    """The share of all workers' time that tasks take."""
    return float((traced.end - traced.begin).sum() / (traced.workers * traced.makespan))


def tasks_of_workers(traced):
    return np.bincount(traced.worker, minlength=traced.workers)


def tasks_of_queues(traced):
    """Tasks taken from each queue; None where there are none or one."""
    queues = int(traced.config["queues"])
    return np.bincount(traced.worker % queues, minlength=queues) if queues > 1 else None
