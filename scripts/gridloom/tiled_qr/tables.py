"""Tables and values of tiled-qr's stored runs."""

import numpy as np

from gridloom.results import PlotError, read_meta, read_runs
from gridloom.statistics import median_ratio
from gridloom.text import NONE, in_order, interval, number, span, table
from gridloom.text import size as size_text
from gridloom.tiled_qr.compared import cells_of
from gridloom.tiled_qr.data import METHODS, OURS, single

RIVAL = "cusolver"
RIVALS = [RIVAL, "lapack", "lapack_all"]
PUBLISHED = "fr3"
HOSTS = ["fr1", "lapack"]  # on one thread of the host, beside the GPU


class Runs:
    """The runs of random matrices that ended well, by precision, size and method. The file may be
    of one backend, or only that of `backend` counts."""

    def __init__(self, path, **backend):
        self.path = path
        self.runs = single(read_runs(path)).only(status="ok", input="random", **backend)
        self.copy_gbs = float(read_meta(path).get("floor_copy_gbs", "nan"))
        self.own = {}
        for key, rows in self.runs.groups(["precision", "rows", "cols", "method"]):
            place = str(key["precision"]), (int(key["rows"]), int(key["cols"])), str(key["method"])
            self.own[place] = rows
        if not self.own:
            raise PlotError(f"{path}: no run of a random matrix ended well")

    def sizes(self, precision, *methods):
        """The sizes on which all of these methods ran, smallest first."""
        found = [{size for p, size, m in self.own if (p, m) == (precision, one)} for one in methods]
        return sorted(set.intersection(*found))

    def times(self, precision, size, method, column="elapsed_ms"):
        return self.own[precision, size, method][column].to_numpy()

    def ratio(self, size, over, under):
        """How many times as long `over` takes as `under`, with interval."""
        return median_ratio(*(self.times("double", size, method) for method in (over, under)))


def time_table(runs, precision, column="elapsed_ms"):
    """One row per size: the median of a time of every method, with its interval. Times on the
    device are shown beside the memory floor."""
    methods = in_order({m for p, _, m in runs.own if p == precision}, list(METHODS.places))
    sizes = sorted({size for p, size, _ in runs.own if p == precision})
    rows = []
    for size in sizes:
        own = [method for method in methods if (precision, size, method) in runs.own]
        times = {method: runs.times(precision, size, method, column) for method in own}
        cells = cells_of(methods, times)
        # To read and write the matrix once, at the bandwidth of a copy in the same run.
        count = 2 * size[0] * size[1] * np.dtype(precision).itemsize
        floor = number(count / runs.copy_gbs / 1e6) if np.isfinite(runs.copy_gbs) else NONE
        rows.append([size_text(*size), *cells, *([floor] if column == "elapsed_ms" else [])])
    floor = ["read and written once, ms"] if column == "elapsed_ms" else []
    return table(["size", *(f"`{m}`, ms" for m in methods), *floor], rows)


def kernel_table(runs):
    """One row per kernel: the resources that the compiler gave it, and the sizes if a method has
    several."""
    names = ["method", "precision", "threads", "registers", "shared_bytes"]
    kernels = [(key, own) for key, own in runs.runs.groups(names) if key["registers"] >= 0]
    kernel_keys = [(key["method"], key["precision"]) for key, _ in kernels]
    rows = []
    for key, own in kernels:
        blocks = sorted(set(own["blocks_per_multiprocessor"]))
        cells = [key["threads"], key["registers"], key["shared_bytes"], blocks[0]]
        sizes = sorted(set(zip(own["rows"], own["cols"], strict=True)))
        is_only = kernel_keys.count((key["method"], key["precision"])) == 1
        which = "all" if is_only else ", ".join(size_text(*size) for size in sizes)
        numbers = (f"{int(c):,}" for c in cells)
        rows.append([f"`{key['method']}`", key["precision"], which, *numbers])
    head = [
        "method", "precision", "sizes", "threads", "registers", "shared bytes",
        "blocks per multiprocessor",
    ]  # fmt: skip
    return table(head, rows)


def memory_table(runs):
    """One row per size and precision: memory of our methods besides the matrix, in percent of the
    matrix."""
    methods = in_order(
        {m for _, _, m in runs.own if METHODS.family(m) != "rivals"}, list(METHODS.places)
    )
    found = {(p, size) for p, size, m in runs.own if m in methods}
    rows = []
    for precision, size in sorted(found):
        cells = []
        for own in (runs.own.get((precision, size, method)) for method in methods):
            share = None if own is None else (own["extra_bytes"] / own["matrix_bytes"]).max()
            cells.append(NONE if share is None else f"{number(100 * share)} %")
        rows.append([size_text(*size), precision, *cells])
    return table(["size", "precision", *(f"`{m}`" for m in methods)], rows, left=2)


def span_of_processes(runs, size, over, under):
    """The smallest and the largest ratio of medians over the processes that ran both."""
    by_process = [
        {key["process"]: rows for key, rows in runs.own["double", size, method].groups(["process"])}
        for method in (over, under)
    ]
    both = by_process[0].keys() & by_process[1].keys()
    medians = [np.array([rows[p]["elapsed_ms"].median() for p in both]) for rows in by_process]
    return span(medians[0] / medians[1])


def worker_values(runs):
    """FR2 relative to FR1, pooled and by process, and FR1's share of LAPACK's speed on one
    thread."""
    found = {}
    for size in runs.sizes("double", "fr1", "fr2"):
        place = f"{size[0]}-{size[1]}"
        found[f"fr2-over-fr1-{place}"] = interval(runs.ratio(size, "fr1", "fr2"))
        found[f"fr2-over-fr1-processes-{place}"] = span_of_processes(runs, size, "fr1", "fr2")
    for size in runs.sizes("double", "fr1", "lapack"):
        share = 100 * runs.ratio(size, "lapack", "fr1")[0]
        found[f"fr1-of-lapack-{size[0]}-{size[1]}"] = f"{number(share)} %"
    return found


def shape_texts(gpu, host):
    """FR1 to FR3 and their rivals on the GPU beside FR1 and LAPACK on one thread of the host: a
    table with one row per size, and how many times as fast FR3 is as the host's FR1."""
    methods = in_order({method for _, _, method in gpu.own}, list(METHODS.places))
    ratios, rows = [], []
    for size in gpu.sizes("double", PUBLISHED):
        times = {m: gpu.times("double", size, m) for m in methods if ("double", size, m) in gpu.own}
        there = {m: host.times("double", size, m) for m in HOSTS if ("double", size, m) in host.own}
        ratio = NONE
        if "fr1" in there:
            ratios.append(median_ratio(there["fr1"], times[PUBLISHED])[0])
            ratio = number(ratios[-1])
        rows.append([size_text(*size), *cells_of(methods, times), *cells_of(HOSTS, there), ratio])
    heads = [*(f"`{m}`, ms" for m in methods), *(f"host's `{m}`, ms" for m in HOSTS)]
    heads = ["size", *heads, f"`{PUBLISHED}` × host's `fr1`"]
    texts = {"shapes": table(heads, rows)}
    return texts | {"fr3-over-host-fr1": span(ratios)} if ratios else texts


def texts_of(path):
    runs = read_runs(path)
    if len(runs.only(backend="cuda")) and len(runs.only(backend="host", method="fr1")):
        return shape_texts(*(Runs(path, backend=one) for one in ("cuda", "host")))
    runs = Runs(path)
    texts = {
        f"time-{precision}": time_table(runs, precision)
        for precision in ("double", "float")
        if any(p == precision for p, _, _ in runs.own)
    }
    texts["end-to-end-double"] = time_table(runs, "double", "end_to_end_ms")
    texts["kernels"] = kernel_table(runs)
    texts["memory"] = memory_table(runs)
    texts |= worker_values(runs)
    for one in [PUBLISHED, *OURS]:
        for size in runs.sizes("double", one, RIVAL):
            if one == "gram_panels":
                chains = set(runs.own["double", size, one]["chains"])
                texts[f"{one}-chains-{size[0]}-{size[1]}"] = span(chains, "{:,}".format)
            ratio = runs.ratio(size, RIVAL, one)[0]
            texts[f"{one}-ratio-{size[0]}-{size[1]}"] = f"{number(ratio)} ×"
    return texts
