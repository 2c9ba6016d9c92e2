"""What the figures and tables of mhive-jacobi share: systems and their arms, byte floor, ratios.

A results file has /runs, with one row per version, scheduler, system and repetition. An arm is a
version under a scheduler ("none" if it needs none). Its samples are microseconds per iteration. All
arms of a system must have the same settings; systems may differ in them."""

from dataclasses import dataclass, field

import numpy as np

from gridloom.results import PlotError
from gridloom.text import in_order
from gridloom.thesis_mhive.rcm import resampled_medians, short

SCHEDULERS = {
    "time_sliced": "TSK",
    "megakernel": "MK",
    "megakernel_1024": "MK, 1,024 threads",
    "device_controller": "PDC",
    "resident_controller": "PDC, resident workers",
}
SCHEDULED = [
    "stages_phases", "stages_individual", "checkpoints", "checkpoints_entries", "autonomous",
    "autonomous_entries",
]  # fmt: skip
KERNELS = ["neighbours", "gathered"]  # ours without MHive
OURS = ["shares", *KERNELS]
BASE = "kernel_by_kernel"
GRAPHS = ["graph_fused", "graph_rows", "graph_while"]
GRID_SYNCS = ["grid_sync", "grid_sync_rows"]
BASELINES = [BASE, "kernel_by_kernel_spread", "stream", *GRAPHS, *GRID_SYNCS, "cusparse"]
SETTINGS = ["rows", "entries", "max_iterations", "tolerance", "workers", "tasks"]
OWN_SETTINGS = ["check_every"]  # the same within a version: what a check is differs between them
PUBLISHED = ["time_sliced", "megakernel", "device_controller"]  # the schedulers of the thesis
# Without phases, these count down once per entry whose column another task computes.
AS_PUBLISHED = ["stages_phases", "stages_individual", "checkpoints_entries", "autonomous_entries"]
SMALL = 1_000_000  # entries: systems with fewer are small
RATE_OPTION = {
    "read-tb-s": {
        "type": float,
        "metavar": "RATE",
        "help": "rate of reading memory for the byte floor, 10^12 bytes per second; default: what "
        "the program measured, where it is stored",
    }
}


@dataclass(frozen=True)
class Arm:
    version: str
    scheduler: str
    us: np.ndarray  # microseconds per iteration, one per repetition that went well
    failed: str  # what became of the others: "2 timeout"; empty
    device_bytes: int
    check_every: int  # iterations
    setup_ms: float  # NaN: not measured

    @property
    def name(self):
        short_name = SCHEDULERS.get(self.scheduler, self.scheduler)
        return self.version if self.scheduler == "none" else f"{self.version}, {short_name}"

    @property
    def is_mhive(self):
        return self.scheduler != "none"

    @property
    def median(self):
        return float(np.median(self.us))

    def whole_us(self, iterations):
        """Microseconds of set-up plus a number of iterations; NaN if set-up was not measured."""
        return self.setup_ms * 1e3 + self.median * iterations


@dataclass(frozen=True)
class Problem:
    """A system on a machine, and its arms."""

    name: str
    machine: str
    backend: str
    precision: str
    rows: int
    entries: int
    max_iterations: int
    iterations: tuple  # the fewest and the most of all runs that went well; 0 and 0 without
    thesis_bytes: int
    floor_bytes: int
    arms: dict = field(compare=False)  # by (version, scheduler)
    read_tb_s: float | None = None  # the rate at which memory is read, where it was measured

    @property
    def setting(self):
        return self.machine, self.backend, self.precision

    def arm(self, version, scheduler="none"):
        """The arm if one of its runs ended well, else None."""
        found = self.arms.get((version, scheduler))
        return found if found is not None and len(found.us) else None

    def fastest(self, wanted):
        """The arm with the smallest median among those for which wanted(arm) holds, or None."""
        there = [arm for arm in self.arms.values() if len(arm.us) and wanted(arm)]
        return min(there, key=lambda arm: arm.median, default=None)

    def floor_us(self, rate_tb_s):
        """Microseconds that the bytes of an iteration take at this rate."""
        return self.floor_bytes / (rate_tb_s * 1e6)


def with_setup(problem, over, wanted):
    """The ratio of the shortest times of set-up plus a stored run. Each side chooses its arm by
    this time."""
    times = [
        [a.whole_us(problem.max_iterations) for a in problem.arms.values() if len(a.us) and own(a)]
        for own in (over, wanted)
    ]
    return min(times[0]) / min(times[1])


def is_random(problem):
    """Whether the system is one of A3 to A6, whose rows differ most."""
    return problem.name in ("A3", "A4", "A5", "A6") or problem.name.startswith("dominant")


def is_real(problem):
    """Whether the system is of a file, not made as by poisson2d:nx=50."""
    return ":" not in problem.name and not is_random(problem)


def is_graph(arm):
    return arm.version in GRAPHS


def is_grid_sync(arm):
    return arm.version in GRID_SYNCS


def is_best_of(arm):
    """Whether the arm counts for "the best version": MHive's and ours do, the baselines do not."""
    return arm.is_mhive or is_kernel(arm)


def is_kernel(arm):
    return arm.version in KERNELS


def is_published(arm):
    """Whether scheduler and version are both from the thesis."""
    return arm.scheduler in PUBLISHED and arm.version not in OURS


def is_as_published(arm):
    """Whether the arm is published and counts down for entries, not for tasks."""
    return arm.scheduler in PUBLISHED and arm.version in AS_PUBLISHED


def rate_of(problem, given=None):
    """The bandwidth of the byte floor: as given, as measured, or None."""
    if given is not None:
        if not (np.isfinite(given) and given > 0):
            raise PlotError(f"--read-tb-s: expected a number above 0, got {given:g}")
        return given
    return problem.read_tb_s


def arm_of(version, scheduler, rows):
    good = rows.only(status="ok")
    us = np.asarray(good["elapsed_ms"] * 1e3 / np.maximum(good["iterations"], 1), dtype=float)
    states = [str(state) for state in rows["status"] if state != "ok"]
    failed = ", ".join(f"{states.count(state)} {state}" for state in sorted(set(states)))
    bytes_held, every = int(rows["device_bytes"].max()), int(rows["check_every"][0])
    setup_ms = float(np.nanmedian(rows["setup_ms"])) if "setup_ms" in rows else float("nan")
    return Arm(version, scheduler, us[us > 0], failed, bytes_held, every, setup_ms)


def require_one(name, rows, columns):
    for column in columns:
        values = sorted(set(rows[column].tolist()))
        if len(values) > 1:
            texts = " and ".join(f"{value:g}" for value in values)
            raise PlotError(f"{name}: expected one {column} in /runs, got {texts}")


def problem_of(key, rows):
    name = short(key["matrix"])
    require_one(name, rows, SETTINGS)
    good = rows.only(status="ok")["iterations"]
    arms = {}
    for arm, own in rows.groups(["version", "scheduler"]):
        require_one(f"{name}, {arm['version']}", own, OWN_SETTINGS)
        arms[arm["version"], arm["scheduler"]] = arm_of(arm["version"], arm["scheduler"], own)
    return Problem(
        name, str(key["machine"]), key["backend"], key["precision"], int(rows["rows"][0]),
        int(rows["entries"][0]), int(rows["max_iterations"][0]),
        (int(good.min()), int(good.max())) if len(good) else (0, 0),
        int(rows["thesis_bytes"][0]), int(rows["floor_bytes"][0]), arms,
        float(rows["floor_read_gbs"][0]) / 1e3 if "floor_read_gbs" in rows else None,
    )  # fmt: skip


def problems_of(runs):
    """All systems, sorted by their entries. Raises PlotError for missing columns and for arms that
    cannot be compared."""
    keys = ["machine", "backend", "matrix", "precision"]
    needed = [*keys, "version", "scheduler", "iterations", "elapsed_ms", "status", "device_bytes"]
    for column in (*needed, "thesis_bytes", "floor_bytes", *SETTINGS, *OWN_SETTINGS):
        runs[column]  # says which is missing
    # Older files have rows of versions that the program no longer has.
    runs = runs.mask(runs["version"].isin([*SCHEDULED, *BASELINES, *OURS]))
    found = [problem_of(key, rows) for key, rows in runs.groups(keys)]
    return sorted(found, key=lambda p: (p.entries, p.name, *p.setting))


def by_setting(problems):
    """The systems of each machine, backend and precision."""
    for setting in dict.fromkeys(p.setting for p in problems):
        yield [p for p in problems if p.setting == setting]


def versions_of(problems, scheduler):
    """The versions that ran under a scheduler, or without one."""
    there = {version for p in problems for version, other in p.arms if other == scheduler}
    return in_order(there, [*BASELINES, *KERNELS] if scheduler == "none" else SCHEDULED)


def schedulers_of(problems):
    """The schedulers under which MHive's versions ran."""
    there = {arm.scheduler for p in problems for arm in p.arms.values() if arm.is_mhive}
    return in_order(there, list(SCHEDULERS))


def speedup(over, arm, seed=0):
    """(ratio of medians, resampled ratios): how many times as fast `arm` is as `over`."""
    again = [resampled_medians(a.us, (seed, k)) for k, a in enumerate((over, arm))]
    return over.median / arm.median, again[0] / again[1]


def made_up_after(slower, best):
    """Number of iterations after which `best` is faster than `slower`, with set-up, or None."""
    if slower is None or best is None or slower.median <= best.median:
        return None
    behind_us = (best.setup_ms - slower.setup_ms) * 1e3
    if np.isnan(behind_us):
        return None
    return max(int(np.ceil(behind_us / (slower.median - best.median))), 0)
