"""The cost of scheduling in MHive: arms in their order."""

from gridloom.style import Arms

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
EXPERIMENTS = ["queue", "throughput", "latency"]


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
