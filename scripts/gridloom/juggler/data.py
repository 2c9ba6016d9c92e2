"""Which rows of juggler's results belong together, and how methods and applications are drawn."""

import numpy as np

from gridloom.labels import MACHINE
from gridloom.results import PlotError, joined, read_runs
from gridloom.statistics import median_interval, median_ratio
from gridloom.style import Arms
from gridloom.text import in_order

PUBLISHED = ["lrr", "grr", "lf"]
OURS = ["lts", "lts-slots"]
POLICIES = PUBLISHED + OURS
BARRIERS, GRAPH = "barriers", "graph"
# The best known ways that are no task runtime.
KNOWN = ["look_back", "temporal", "diagonal", "cusolver"]
FLOOR = "floor"  # no arm that does the work: what others are held against
METHODS = Arms(
    published=[*PUBLISHED, BARRIERS],
    rivals=[GRAPH, "graph_pdl", "grid_sync", "static_lists", "ticket", *KNOWN],
    ours=OURS,
    reference=["serial", FLOOR],
)
NAMES = {
    "lrr": "LRR",
    "grr": "GRR",
    "lf": "LF",
    "lts": "local, then shorter",
    "lts-slots": "the same by slots",
    "barriers": "global barriers",
    "graph": "CUDA graph of waves",
    "graph_pdl": "CUDA graph, overlapping",
    "grid_sync": "a grid barrier a wave",
    "static_lists": "lists made on the host",
    "ticket": "tickets to one list",
    "look_back": "one pass, look-back",
    "temporal": "temporal blocking",
    "diagonal": "columns of tiles",
    "cusolver": "cuSOLVER getrf",
    "serial": "one host thread",
}
# As the paper's figures call them, in the order of its table 1.
APPS = {
    "dtw": "DT-WARP",
    "heat": "HEAT-SIM",
    "int_hist": "INT-HIST",
    "jacobi": "JACOBI",
    "lud": "LU-D",
    "sat": "SA-TABLE",
    "sw": "SM-W",
    "graph": "graph",
}
EXPERIMENTS = {
    "paper": "the paper's task counts",
    "wide": "widest wave 1.6 × the multiprocessors",
    "smoke": "small",
    "custom": "by options",
}
SIZE = ["app", "input", "rows", "cols", "tile", "bins", "steps"]
# Parts of what a run costs beside itself, as appendix A.6 names them.
PARTS = {
    "init_app_context_h_ms": "initAppContext_H",
    "inspection_ms": "inspection loop",
    "build_csr_ms": "buildCSR",
    "init_app_context_d_ms": "initAppContext_D",
    "init_rt_context_d_ms": "initRtContext_D",
}


class Case:
    """One application of one size in one experiment: the rows of each method that ended well."""

    def __init__(self, experiment, key, methods):
        self.experiment, self.key, self.methods = experiment, key, methods

    @property
    def app(self):
        return str(self.key["app"])

    @property
    def size(self):
        """960² in tiles of 64"""
        rows, cols, tile = (int(self.key[name]) for name in ("rows", "cols", "tile"))
        text = f"{rows:,}²" if rows == cols else f"{rows:,} × {cols:,}"
        steps = int(self.key["steps"])
        text += f", {steps} steps" if self.app == "jacobi" and steps != 2 else ""
        return f"{text} in tiles of {tile}"

    @property
    def tasks(self):
        return int(next(iter(self.methods.values()))["tasks"].max())

    def fastest(self, among, column="elapsed_ms"):
        """The one of these methods with the least median, or None."""
        there = [method for method in among if method in self.methods]
        return min(there, key=lambda m: np.median(self.methods[m][column]), default=None)

    def median(self, method, column="elapsed_ms"):
        return median_interval(self.methods[method][column])

    def ratio(self, over, under, over_column="elapsed_ms", under_column="elapsed_ms"):
        """How many times as long `over` takes as `under`, with interval."""
        return median_ratio(
            self.methods[over][over_column], self.methods[under][under_column]
        )  # fmt: skip


def read_results(paths):
    """The rows of all files after one another."""
    return joined([read_runs(path) for path in paths])


def cases_of(runs):
    """The cases of matrices, images and series, by experiment, application and size."""
    rows = runs.only(status="ok")
    rows = rows.mask((rows["app"] != "graph") & ~rows["experiment"].isin(["scaling", "grain"]))
    found = []
    for key, own in rows.groups(["machine", "backend", "experiment", *SIZE]):
        methods = {str(one["method"]): part for one, part in own.groups(["method"])}
        found.append(Case(str(key["experiment"]), key, methods))
    if not found:
        raise PlotError("no runs of an application with status 'ok'")
    if len({(case.key["machine"], case.key["backend"]) for case in found}) > 1:
        raise PlotError("expected results of one machine, got several")
    places = {name: place for place, name in enumerate(EXPERIMENTS)}
    apps = {name: place for place, name in enumerate(APPS)}

    def place(case):
        sizes = (int(case.key[name]) for name in ("tile", "rows", "cols", "steps"))
        return places.get(case.experiment, len(places)), apps.get(case.app, len(apps)), *sizes

    return sorted(found, key=place)


def panels_of(cases):
    """{title: cases}: those of an experiment, by the place of their tile among an application's."""
    found, counts = {}, {}
    for case in cases:
        counts.setdefault((case.experiment, case.app), []).append(case)
    for case in cases:
        own = counts[case.experiment, case.app]
        found.setdefault((case.experiment, own.index(case)), []).append(case)
    titles = {}
    most = {name: max(n for e, n in found if e == name) for name, _ in found}
    for (experiment, n), own in sorted(found.items(), key=lambda item: list(most).index(item[0][0])):
        title = EXPERIMENTS.get(experiment, experiment)
        if most[experiment] > 0:
            words = "smallest tiles", "larger tiles", "still larger tiles"
            title += f", {words[n] if n < len(words) else f'tiles number {n + 1}'}"
        titles[title] = own
    return titles


def methods_of(cases):
    """All methods of some cases that do the work, in their order."""
    found = {method for case in cases for method in case.methods} - {FLOOR}
    return in_order(found, list(METHODS.places))


def machine_text(runs):
    """What all rows of the machine share; the serial version is named by its dot."""
    from gridloom.labels import split_labels

    there = runs.mask(runs["method"] != "serial")
    configs = [config for config, _ in there.groups(["machine", "backend"])]
    return split_labels(configs or [{"machine": "", "backend": "host"}], MACHINE)[0]


def deviations(rows):
    """Tasks of the busiest worker minus those of the idlest, of each run where they are kept."""
    busiest, idlest = (rows[name].to_numpy(dtype=float) for name in LOADS)
    there = busiest >= 0
    return (busiest - idlest)[there]


LOADS = ["max_task_load", "min_task_load"]


def overhead_share(rows):
    """Of the time that the paper reports, what is no run, with interval."""
    return median_interval(rows["overhead_ms"] / rows["with_overhead_ms"])
