"""The cost of scheduling in MHive: arms in their order, and METG(50 %).

For METG(50 %) (gridloom/metg.py) the efficiency is an arm's work rate over the best rate of all
arms with the same machine, backend and width. The graph of kernels and all worker sizes count. The
granularity is elapsed × cores / tasks. Cores are the warp schedulers of a GPU (four per
multiprocessor), or the host threads in use."""

import numpy as np

from gridloom.style import Arms

WARP_SCHEDULERS = 4  # of a multiprocessor
MACHINE = ["machine", "backend"]
SERIES = [*MACHINE, "scheduler"]
GROUP = ["experiment", "form", "width", "layers"]
SCHEDULERS = [
    "time_sliced", "megakernel", "device_controller", "megakernel_1024", "megakernel_1536",
    "resident_controller", "graph",
]  # fmt: skip
ARMS = Arms(published=SCHEDULERS[:3], ours=SCHEDULERS[3:6], rivals=SCHEDULERS[6:])
SHORT = {
    "time_sliced": "TSK", "megakernel": "MK", "device_controller": "PDC",
    "megakernel_1024": "MK 1,024", "megakernel_1536": "MK 1,536",
    "resident_controller": "PDC resident", "graph": "graph",
}  # fmt: skip
TITLES = {
    "time_sliced": "TSK: time_sliced",
    "megakernel": "MK: megakernel",
    "device_controller": "PDC: device_controller",
    "megakernel_1024": "MK 1,024: registers for 1,024 threads",
    "megakernel_1536": "MK 1,536: registers for 1,536 threads",
    "resident_controller": "PDC resident: workers that stay",
    "graph": "graph: a graph of kernels",
}
FORMS = ["queue", "enqueue", "individual", "grouped", "phases", "graph"]
EXPERIMENTS = ["queue", "throughput", "latency", "metg"]


def place(name, known):
    """A sort key by a list. Names that are not in the list come last."""
    return (known.index(name), "") if name in known else (len(known), name)


def series_key(config):
    scheduler = place(config["scheduler"], SCHEDULERS)
    return (config["machine"], config["backend"], scheduler)


def group_key(config):
    """A sort key that puts the baseline, a graph of kernels, last among the forms of an
    experiment."""
    experiment = place(config["experiment"], EXPERIMENTS)
    sizes = (config["width"], config["layers"])
    return (experiment, place(config["form"], FORMS), *sizes)


def cores(rows):
    """The number of cores: all warp schedulers of a GPU, or the host's threads, or fewer if
    requested."""
    multiprocessors = rows["multiprocessors"]
    threads = multiprocessors
    if "workers" in rows:
        asked = rows["workers"]
        threads = np.where(asked > 0, np.minimum(asked, multiprocessors), multiprocessors)
    return np.where(rows["backend"] == "cuda", WARP_SCHEDULERS * multiprocessors, threads)


def work_rate(rows):
    """Fused multiply-adds per ms of all threads. On the host a worker is one thread."""
    threads = np.where(rows["backend"] == "cuda", rows["worker_size"], 1)
    return rows["tasks"] * rows["work"] * threads / rows["elapsed_ms"]


def curves(runs):
    """[(config, granularity in ns, efficiency)], one per arm, with ascending granularity.

    Both arrays have one point per amount of work: medians over the repetitions. The efficiency is
    the work rate over the peak, the best rate of all arms of the machine, backend and width."""
    rows = runs.only(experiment="metg", status="ok")
    rows = rows.mask(rows["work"] > 0)
    measured, peaks = [], {}
    for config, group in rows.groups([*SERIES, *GROUP, "worker_size"]):
        points = [group.only(work=work) for work in np.unique(group["work"])]
        granularity = np.array(
            [np.median(p["elapsed_ms"] * 1e6 * cores(p) / p["tasks"]) for p in points]
        )
        rate = np.array([np.median(work_rate(p)) for p in points])
        order = np.argsort(granularity)
        measured.append((config, granularity[order], rate[order]))
        peaks[peak_key(config)] = max(rate.max(), peaks.get(peak_key(config), 0))
    result = [(c, granularity, rate / peaks[peak_key(c)]) for c, granularity, rate in measured]
    return sorted(result, key=lambda c: (series_key(c[0]), group_key(c[0]), c[0]["worker_size"]))


def peak_key(config):
    return tuple(config[name] for name in [*MACHINE, "width"])
