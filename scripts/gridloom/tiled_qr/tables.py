"""Tables and values of tiled-qr's stored runs."""

import numpy as np

from gridloom.results import PlotError, read_meta, read_runs
from gridloom.statistics import median_ratio
from gridloom.text import NONE, in_order, interval, number, span, table
from gridloom.text import size as size_text
from gridloom.tiled_qr.compared import cells_of
from gridloom.tiled_qr.data import METHODS, OURS, single

RIVAL = "cusolver"
PUBLISHED = "fr3"
# On the host beside the GPU; fr1 and lapack on one thread.
HOSTS = ["fr1", "fr2", "lapack", "lapack_all"]


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

    def over(self, other, size, over, under):
        """How many times as long `over` takes in other Runs as `under` in these, with interval."""
        return median_ratio(other.times("double", size, over), self.times("double", size, under))

    def ratio(self, size, over, under):
        return self.over(self, size, over, under)


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


def worker_values(runs):
    """FR2 relative to FR1, and FR1's share of LAPACK's speed on one
    thread."""
    found = {}
    for size in runs.sizes("double", "fr1", "fr2"):
        place = f"{size[0]}-{size[1]}"
        found[f"fr2-over-fr1-{place}"] = interval(runs.ratio(size, "fr1", "fr2"))
    for size in runs.sizes("double", "fr1", "lapack"):
        share = 100 * runs.ratio(size, "lapack", "fr1")[0]
        found[f"fr1-of-lapack-{size[0]}-{size[1]}"] = f"{number(share)} %"
    return found


def time_of_a_task(rows):
    return f"{number(float(np.median(rows['elapsed_ms'] / rows['tasks'])) * 1e3)} µs"


def shape_texts(gpu, host):
    """A table with one row per size: FR1 to FR3 and their rivals on the GPU, FR1, FR2 and LAPACK on
    the host, and how many times as fast FR3 is as the host's FR1. Values: FR3's time per task with
    most tasks."""
    methods = in_order({method for _, _, method in gpu.own}, list(METHODS.places))
    hosts = [m for m in HOSTS if any(m == method for _, _, method in host.own)]
    rows = []
    for size in gpu.sizes("double", PUBLISHED):
        times = {m: gpu.times("double", size, m) for m in methods if ("double", size, m) in gpu.own}
        there = {m: host.times("double", size, m) for m in hosts if ("double", size, m) in host.own}
        ratio = number(gpu.over(host, size, "fr1", PUBLISHED)[0]) if "fr1" in there else NONE
        rows.append([size_text(*size), *cells_of(methods, times), *cells_of(hosts, there), ratio])
    heads = [*(f"`{m}`, ms" for m in methods), *(f"host's `{m}`, ms" for m in hosts)]
    texts = {"shapes": table(["size", *heads, f"`{PUBLISHED}` × host's `fr1`"], rows)}
    for name in (PUBLISHED, f"{PUBLISHED}_one_thread"):
        if sizes := gpu.sizes("double", name):
            texts[f"{name}-a-task"] = time_of_a_task(gpu.own["double", max(sizes), name])
    return texts


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
