"""Plain names and units for columns and attributes of results files."""

import re

COLUMNS = {
    "both_ms": "search and ordering",
    "elapsed_ms": "run time",
    "end_to_end_ms": "run time with copies",
    "order_ms": "ordering",
    "per_iteration_us": "time of an iteration",
    "setup_ms": "set-up",
    "start_ms": "search for start nodes",
    "workers": "blocks, or host threads",
    "cpu_ms": "time on the processor",
    "instances": "instances of the tree",
    "layers": "layers",
    "slr": "schedule length ratio",
    "threads": "threads per block",
    "width": "tasks per layer",
    "work": "multiply-adds per task and thread",
    "work_ns": "length of a task",
    "worker_size": "threads per task",
}
UNITS = {"us": "µs", "1": ""}

# Attributes of /meta; those of a run's own arguments are not among them: its command shows them.
MACHINE = {
    "cpu": "processor",
    "logical_cores": "logical cores",
    "gpu": "GPU",
    "driver": "driver",
    "cuda": "CUDA",
    "compilers": "compilers",
    "flags": "flags",
    "version": "version of Gridloom",
}
# Measured by each program before it runs.
FLOORS = {
    "floor_copy_gbs": "copy of memory, GB/s",
    "floor_read_gbs": "reading of memory, GB/s",
    "floor_launch_ns": "launch of a kernel, ns",
    "floor_signal_ns": "signal between workers, ns",
    "floor_atomic_ns": "atomic, result used, ns",
}


def described(text):
    """A description from a file, with plain names for other columns."""
    for name, plain in COLUMNS.items():
        if "_" in name:
            text = re.sub(rf"\b{name}\b", plain, text)
    return text


def column(name, unit=""):
    """A name with its unit, as in "run time, ms"."""
    plain = COLUMNS.get(name) or re.sub(r"_(ms|us|ns|gbs|bytes)$", "", name).replace("_", " ")
    unit = UNITS.get(unit, unit)
    return f"{plain}, {unit}" if unit else plain
