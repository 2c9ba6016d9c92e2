"""Load of the wavefront schedulers: how busy workers are, and how even workers and queues.

TRACE.h5 is from `wavefront --trace`."""

import numpy as np

from gridloom.text import NONE, duration, number, table
from gridloom.timeline import active, busy_share
from gridloom.wavefront.data import RUNS_A_TASK
from gridloom.wavefront.load import read, tasks_of_queues, tasks_of_workers


def spread(counts):
    """The smallest and the largest count over the mean."""
    if counts is None:
        return NONE
    return f"{number(counts.min() / counts.mean())} to {number(counts.max() / counts.mean())}"


def texts_of(path):
    found, machine = read(path)
    lines = []
    for traced in found:
        config = traced.config
        _, tasks = active(traced, 200)
        cells = [f"`{config['arm']}`", RUNS_A_TASK[config["width"]]]
        cells += [f"{config['workers']:,} × {config['threads']}", duration(traced.makespan)]
        cells += [f"{100 * busy_share(traced):.0f} %", number(float(np.mean(tasks)))]
        cells += [number(float(np.max(tasks))), spread(tasks_of_workers(traced))]
        lines.append([*cells, spread(tasks_of_queues(traced))])
    heads = ["arm", "runs on", "blocks × threads", "time", "workers are busy"]
    heads += ["tasks at work, mean", "most", "tasks of a worker, over the mean"]
    heads += ["tasks of a queue, over the mean"]
    return {"load": table(heads, lines, left=3), "load-machine": machine}
