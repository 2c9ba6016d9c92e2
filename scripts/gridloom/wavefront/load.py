"""The load in a trace of wavefront: running tasks over time, by worker, by queue.

A trace file of `wavefront --trace` has /trace (one row per task) and /workers (one row per arm)."""

from dataclasses import dataclass

import numpy as np

from gridloom.results import PlotError, machine_of, read_table

TASKS = ["arm", "worker", "task", "begin_ns", "end_ns"]
ARMS = ["arm", "algorithm", "tasks", "workers", "threads", "width", "queues"]
WRITER = "wavefront --trace"


@dataclass
class Traced:
    """One arm: its configuration, and its tasks as arrays. Times count from its first begin."""

    config: dict
    worker: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @property
    def workers(self):
        """Number of blocks, or of all their threads if a lane runs a task."""
        lanes = self.config["threads"] if self.config["width"] == "lane" else 1
        return int(self.config["workers"] * lanes)

    @property
    def makespan(self):
        return float(self.end.max())


def read(path):
    """Returns ([Traced], machine). Raises PlotError."""
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


def tasks_of_workers(traced):
    return np.bincount(traced.worker, minlength=traced.workers)


def tasks_of_queues(traced):
    """Tasks taken from each queue; None if there are fewer than two queues."""
    queues = int(traced.config["queues"])
    return np.bincount(traced.worker % queues, minlength=queues) if queues > 1 else None
