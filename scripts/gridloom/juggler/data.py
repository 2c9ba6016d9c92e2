"""The groups of rows in juggler's results, and how methods and applications are drawn."""

import numpy as np

from gridloom.labels import MACHINE, split_labels
from gridloom.results import PlotError
from gridloom.statistics import median_interval, median_ratio
from gridloom.style import Arms
from gridloom.text import in_order, size

PUBLISHED = ["lrr", "grr", "lf"]
BLOCK = "grr-block"  # GRR as in section 5.3, where the first threads of a block retrieve tasks
# Other readings of two of them.
READINGS = [BLOCK, "lf-task"]
OURS = ["lts", "lts-slots"]
POLICIES = PUBLISHED + OURS
# Ours, but no policy: lists that the host makes.
CHAINS = "chains"
BEYOND = [*OURS, CHAINS]
ALL_OWN = [*POLICIES, CHAINS]  # the paper's arms and ours
# The paper's baseline.
BARRIERS_SYNC = "barriers_sync"
# Other ways to run the same tasks.
BARRIERS, GRAPH = "barriers", "graph"
RIVALS = [BARRIERS, GRAPH, "graph_pdl", "grid_sync", "static_lists", "ticket"]
# The best known methods without a task runtime.
KNOWN = ["look_back", "temporal", "diagonal", "cusolver"]
# Ours, also without a task runtime.
CARRIES = "carries"
FLOOR = "floor"
UPDATES, DGEMM, DGEMM_UPDATE = "updates", "dgemm", "dgemm_update"
SERIAL = "serial"
# These arms do not do the work: baselines, and a part of lud with its own measure.
NO_WORK = [FLOOR, UPDATES, DGEMM, DGEMM_UPDATE]
METHODS = Arms(
    published=[*PUBLISHED, *READINGS, BARRIERS_SYNC],
    rivals=[*RIVALS, *KNOWN],
    ours=[*BEYOND, CARRIES],
    reference=[SERIAL, *NO_WORK],
)
NAMES = {
    "lrr": "LRR",
    "grr": "GRR",
    "lf": "LF",
    "grr-block": "GRR, read by a block",
    "lf-task": "LF by task",
    "lts": "local, then shorter",
    "lts-slots": "local, then shorter, slots",
    "barriers_sync": "global barriers, host waits",
    "barriers": "global barriers, queued",
    "graph": "CUDA graph of levels",
    "graph_pdl": "CUDA graph, overlapping",
    "grid_sync": "one grid barrier per level",
    "static_lists": "lists made on the host",
    "ticket": "tickets to one list",
    CHAINS: "chains made on the host",
    "look_back": "one pass, look-back",
    CARRIES: "one pass by diagonals",
    "temporal": "temporal blocking",
    "diagonal": "columns of tiles",
    "cusolver": "cuSOLVER getrf",
    SERIAL: "one host thread",
}
# Names in the paper's figures, in the order of its table 1.
APPS = {
    "dtw": "DT-WARP",
    "heat": "HEAT-SIM",
    "int_hist": "INT-HIST",
    "jacobi": "JACOBI",
    "lud": "LU-D",
    "sat": "SA-TABLE",
    "sw": "SM-W",
}
EXPERIMENTS = {
    "paper": "the paper's task counts",
    "wide": "widest wave 1.6 × the multiprocessors",
    "ratio": "widest wave as in Table 1",
    "filled": "data that fill the memory",
    "custom": "other sizes",
}
PLACES = ["smaller", "larger", "still larger"]
APART = ["scaling", "timeline-runs", "cofactor", "matching", "bodies"]  # no cases of figure 4
SIZE = ["app", "input", "rows", "cols", "tile", "bins", "steps"]
# Parts of the overhead of a run, as appendix A.6 names them.
PARTS = {
    "init_app_context_h_ms": "initAppContext_H",
    "inspection_ms": "inspection loop",
    "build_csr_ms": "buildCSR",
    "init_app_context_d_ms": "initAppContext_D",
    "init_rt_context_d_ms": "initRtContext_D",
}


class Case:
    """One application of one size in one experiment: the rows of each method that ended well."""

    def __init__(self, key, methods):
        self.key, self.methods = key, methods
        self.experiment, self.app = str(key["experiment"]), str(key["app"])

    @property
    def short_size(self):
        """The size as in 960/64."""
        rows, cols = int(self.key["rows"]), int(self.key["cols"])
        text = f"{rows:,}" if rows == cols else size(rows, cols)
        return f"{text}/{int(self.key['tile'])}"

    @property
    def size(self):
        """The size as in "960² in tiles of 64"."""
        rows, cols, tile = (int(self.key[name]) for name in ("rows", "cols", "tile"))
        text = size(rows, cols)
        steps = int(self.key["steps"])
        text += f", {steps} steps" if self.app == "jacobi" and steps != 2 else ""
        return f"{text} in tiles of {tile}"

    @property
    def tasks(self):
        return int(next(iter(self.methods.values()))["tasks"].max())

    @property
    def baseline(self):
        """The paper's barriers, else those of today; None without either."""
        return next((one for one in (BARRIERS_SYNC, BARRIERS) if one in self.methods), None)

    def reading(self, method):
        """The method, or for GRR the paper's reading of it if the case has that."""
        return BLOCK if method == "grr" and BLOCK in self.methods else method

    @property
    def policies(self):
        """The paper's policies as the paper reads them."""
        return [self.reading(method) for method in PUBLISHED]

    def fastest(self, among, column="elapsed_ms"):
        """The method among these with the smallest median, or None."""
        there = [method for method in among if method in self.methods]
        return min(there, key=lambda m: np.median(self.methods[m][column]), default=None)

    def median(self, method, column="elapsed_ms"):
        return median_interval(self.methods[method][column])

    def ratio(self, over, under, column="elapsed_ms"):
        """The ratio of the medians of a column, `over` to `under`, with its interval."""
        return median_ratio(self.methods[over]["elapsed_ms"], self.methods[under][column])


def machine_of(rows):
    """The machine and backend that all rows share, as text. The serial version runs on the host."""
    there = rows.mask(rows["method"] != SERIAL)
    configs = [config for config, _ in there.groups(["machine", "backend"])]
    if len(configs) > 1:
        raise PlotError("expected results of one machine and backend, got several")
    return split_labels(configs or [{"machine": "", "backend": "host"}], MACHINE)[0]


def cases_of(runs):
    """The cases of matrices, images and series, by experiment, application and tile."""
    rows = runs.only(status="ok")
    there = [
        f"{key['app']} of {key['experiment']}" for key, _ in rows.groups(["app", "experiment"])
    ]
    rows = rows.mask(~rows["experiment"].isin(APART))
    if len(rows) == 0 and there:
        raise PlotError(
            f"no runs of an application with --label paper, wide or custom; got {', '.join(there)}"
        )
    found = []
    for key, own in rows.groups(["experiment", *SIZE]):
        methods = {str(one["method"]): part for one, part in own.groups(["method"])}
        for method, part in methods.items():
            if len(set(part["placing"])) > 1:
                raise PlotError(
                    f"expected one --placing of '{method}', got several; see placing.py"
                )
        found.append(Case(key, methods))
    if not found:
        raise PlotError("no runs of an application with status 'ok'")
    experiments, apps = list(EXPERIMENTS), list(APPS)

    def place(case):
        sizes = (int(case.key[name]) for name in ("tile", "rows", "cols", "steps"))
        return experiments.index(case.experiment), apps.index(case.app), *sizes

    return sorted(found, key=place)


def panels_of(cases):
    """{title: cases} for an experiment. The tile's rank among the tiles of an application selects
    the panel."""
    own = {}
    for case in cases:
        own.setdefault((case.experiment, case.app), []).append(case)
    panels = {}
    for experiment in EXPERIMENTS:
        found = [own_cases for (name, _), own_cases in own.items() if name == experiment]
        most = max(map(len, found), default=0)
        for n in range(most):
            title = EXPERIMENTS[experiment]
            if most > 1:
                title += f", {PLACES[n]} tiles" if n < len(PLACES) else f", tiles {n + 1}"
            panels[title] = [own_cases[n] for own_cases in found if n < len(own_cases)]
    return panels


def methods_of(cases):
    """All methods of some cases that do the work, in their usual order."""
    found = {method for case in cases for method in case.methods} - set(NO_WORK)
    return in_order(found, list(METHODS.places))


def deviation(rows):
    """(average, smallest, largest) over the runs: tasks of the busiest worker minus those of the
    idlest worker. None if tasks are not counted."""
    rows = rows.mask(rows["max_task_load"] >= 0)
    if len(rows) == 0:
        return None
    apart = rows["max_task_load"] - rows["min_task_load"]
    return float(apart.mean()), float(apart.min()), float(apart.max())


def overhead_share(rows):
    """The share of the paper's time in which no task runs, with its interval."""
    return median_interval(rows["overhead_ms"] / rows["with_overhead_ms"])
