"""What the figures and tables of mhive-rcm share: rows of all arms as comparable times, speedups.

A results file has /runs (one row per arm, matrix and repetition) and perhaps /parts (one row per
arm, matrix and task type). Matrices are paired by name over the arms. So all rows must come from
one machine and one method to choose start nodes. Only SciPy and cuSOLVER may choose their own."""

import re

import numpy as np

from gridloom import statistics
from gridloom.results import PlotError
from gridloom.style import Arms
from gridloom.text import plural

MERGED = ["tsk_merged", "mk_merged", "pdc_merged", "resident_merged"]
ARMS = [
    "cusolver", "scipy", "serial", "two_threads", "cpu_gpu", "tsk", "mk", "pdc", "resident",
    *MERGED, "levels",
]  # fmt: skip
FAMILIES = Arms(
    published=["tsk", "mk", "pdc", "cpu_gpu"],
    rivals=["cusolver", "scipy"],
    ours=["levels", "resident", "two_threads", "serial", *MERGED],
)
TITLES = {"cusolver": "cuSOLVER", "scipy": "SciPy", "cpu_gpu": "CPU–GPU"}
TITLES |= {name: name.upper() for name in ("tsk", "mk", "pdc")}
TITLES |= {name: name.split("_")[0].upper() + ", merged" for name in MERGED[:3]}
TITLES["resident_merged"] = "resident, merged"
ONE_THREAD = {"cusolver", "scipy", "serial", "two_threads"}  # whatever workers are asked for
# These versions give the same order, so any of them serves. The experiment checks this.
OURS = ["levels", "serial", "two_threads", "resident", "pdc", "mk", "tsk", "cpu_gpu"]
HOST_ARMS = ("serial", "two_threads", "scipy")  # what needs no GPU and is not cuSOLVER's
LARGE = 50_000  # rows from which means are counted
LONG, FLAT = 20_000, 300  # least rows of a real matrix, most levels of a flat one
ENDINGS = re.compile(r"\.(gz|h5|hdf5|mtx|graph|metis|txt|edges|el|tsv|csv)$")


def short(matrix):
    """The name of a matrix without its file's endings. A generator's text is unchanged."""
    if ":" in matrix:
        return matrix
    while (name := ENDINGS.sub("", matrix)) != matrix and name:
        matrix = name
    return matrix


def title(label):
    """An arm's name for readers. `label` may include a number of workers."""
    arm, _, workers = label.partition(", ")
    name = TITLES.get(arm, arm)
    return f"{name}, {workers}" if workers else name


def arm_place(label):
    """(family, number within it) of the arm. `label` may include a number of workers."""
    return FAMILIES.place(label.partition(", ")[0])


def place(label):
    """A sort key for labels in the order of ARMS."""
    arm, _, workers = label.partition(", ")
    known = ARMS.index(arm) if arm in ARMS else len(ARMS)
    return known, arm, int(workers.split()[0]) if workers else 0


def prepared(runs):
    """The rows with a column `label`: the arm, and the number of workers if the arm ran with
    several. Calls of a library on the host do not time search and ordering separately. Then
    `both_ms` is the whole call. Raises PlotError for rows that cannot be compared."""
    for column in ("arm", "matrix", "rows", "both_ms", "start", "candidates", "workers"):
        runs[column]  # says which is missing
    chosen = runs.mask(runs["start"] != "own")
    for column, what in (("start", "way to choose start nodes"), ("candidates", "limit")):
        values = sorted({str(value) for value in chosen[column]})
        if len(values) > 1:
            raise PlotError(f"expected one {what} (/runs/{column}), got {', '.join(values)}")
    for backend in ("host", "cuda"):
        machines = sorted(set(runs.only(backend=backend)["machine"]))
        if len(machines) > 1:
            raise PlotError(f"expected the results of one machine, got {', '.join(machines)}")
    sizes = {}
    for key, _ in runs.groups(["matrix", "rows"]):
        if sizes.setdefault(key["matrix"], key["rows"]) != key["rows"]:
            raise PlotError(f"expected one matrix {key['matrix']}, got several sizes of it")
    several = {}
    for key, _ in runs.groups(["arm", "workers"]):
        several.setdefault(key["arm"], set()).add(key["workers"])
    labels = [
        f"{arm}, {plural(workers, 'worker')}"
        if len(several[arm]) > 1 and arm not in ONE_THREAD
        else arm
        for arm, workers in zip(runs["arm"], runs["workers"], strict=True)
    ]
    both, elapsed, ok = runs["both_ms"], runs["elapsed_ms"], runs["status"] == "ok"
    both = np.where(ok & both.isna(), elapsed, both)
    return runs.assign(label=labels, both_ms=both)


def labels_of(runs):
    return sorted(set(runs["label"]), key=place)


def matrices_of(runs):
    """Names of the matrices, smallest first."""
    sizes = dict(zip(runs["matrix"], runs["rows"], strict=True))
    return sorted(sizes, key=lambda name: (sizes[name], name))


def size_of(runs, matrix):
    """(rows, entries) of a matrix."""
    rows = runs.only(matrix=matrix)
    return int(rows["rows"][0]), int(rows["entries"][0])


def real_and_generated(runs, collection, at_least=0):
    """Names of the matrices that the collection has, and of all others, smallest first."""
    names = [name for name in matrices_of(runs) if size_of(runs, name)[0] >= at_least]
    real = [n for n in names if collection.row(short(n), *size_of(runs, n)) is not None]
    return real, [name for name in names if name not in real]


def bandwidth_of(runs, matrix, arms):
    """The bandwidth after the first of `arms` that ordered the matrix, or None."""
    for arm in arms:
        rows = runs.only(matrix=matrix, arm=arm, status="ok")
        if len(rows):
            return int(rows["bandwidth"][0])
    return None


def samples(runs, matrix, label, column):
    """The times of an arm on a matrix in ms: the positive times of runs that ended well; may be
    empty."""
    rows = runs.only(matrix=matrix, label=label, status="ok")
    values = np.asarray(rows[column], dtype=float)
    return values[values > 0]


def resampled_medians(values, seed):
    return statistics.resampled_medians(values, np.random.default_rng(seed))


def fastest(runs, matrix, labels, column="both_ms"):
    """The label among `labels` with the smallest median on the matrix, or None."""
    times = {label: samples(runs, matrix, label, column) for label in labels}
    medians = {label: np.median(values) for label, values in times.items() if len(values)}
    return min(medians, key=medians.get, default=None)


def ratio(number, theirs, ours):
    """(ratio, resampled ratios) of two times. Each is the sum of the medians of several samples."""
    middles, again = [], []
    for k, parts in enumerate((theirs, ours)):
        middles.append(sum(float(np.median(part)) for part in parts))
        again.append(sum(resampled_medians(part, (number, k, i)) for i, part in enumerate(parts)))
    return middles[0] / middles[1], again[0] / again[1]


def speedups(runs, over, label, columns=("both_ms", "both_ms"), at_least=0, search=None):
    """{matrix: (speedup, resampled speedups)} of `label` over the arm `over`, as ratios of medians.

    If `over` has several arms, the fastest on each matrix counts. `columns` are the time of `over`
    and that of `label`. Only matrices with `at_least` rows that both arms ordered count. `search`
    is an arm whose search for start nodes is added to the time of `label`."""
    found = {}
    for number, matrix in enumerate(matrices_of(runs)):
        if runs.only(matrix=matrix)["rows"][0] < at_least:
            continue
        base = over if isinstance(over, str) else fastest(runs, matrix, over, columns[0])
        theirs = [samples(runs, matrix, base, columns[0])]
        ours = [samples(runs, matrix, label, columns[1])]
        if search:
            ours.append(samples(runs, matrix, search, "start_ms"))
        if all(len(part) for part in (*theirs, *ours)):
            found[matrix] = ratio(number, theirs, ours)
    return found


def geometric_mean(found):
    """(mean, low, high) over the matrices of `speedups`, with the bootstrap 95 % interval."""
    mean = float(np.exp(np.mean([np.log(value) for value, _ in found.values()])))
    again = np.exp(np.mean([np.log(values) for _, values in found.values()], axis=0))
    return mean, *statistics.ends(again)


def interval(found):
    """(speedup, low, high) of one entry of `speedups`."""
    value, again = found
    return value, *statistics.ends(again)
