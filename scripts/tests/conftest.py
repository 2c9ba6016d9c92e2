"""Paths, and small artificial results files in the programs' layout."""

import itertools
import shlex
import signal
from pathlib import Path

import h5py
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]

# A shell that starts the tests in the background leaves these ignored, and so they would be in what
# tests start.
for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, signal.SIG_DFL)

# One row of /runs with harmless values; tests override what matters to them.
ROW = {
    "experiment": "fig3", "arm": "single queue", "algorithm": "single_queue",
    "graph": "lattice", "rows": 100, "cols": 100, "planes": 1, "tasks": 10_000, "edges": 19_800,
    "backend": "host", "workers": 4, "threads": 1, "queues": 1, "hash": "none",
    "body": "noop", "work_ns": 0, "width": "block", "counters": 0, "repetition": 0, "order": 0,
    "elapsed_ms": 1.0, "end_to_end_ms": 1.1, "setup_ms": 0.2, "waves_ms": 0.0, "record_ms": 0.0,
    "executed": 10_000,
    "cas": 0, "atomics": 0, "loads": 0, "stores": 0, "verified": "yes", "status": "ok",
    "bytes_per_task": 0.41, "units": 4,
}  # fmt: skip

# arm: (device time in ms, CAS a task, accesses a task)
ARMS = {
    "scanning": (30.0, 150.0, 900.0),
    "single queue": (90.0, 200.0, 45.0),
    "multi queue a 100%": (1.1, 2.4, 40.0),
    "multi queue b 100%": (0.9, 2.2, 40.0),
    "multi queue b 25%": (1.9, 4.0, 42.0),
    "tickets": (0.08, 0.0, 9.0),
}


def row(**values):
    unknown = set(values) - set(ROW)
    assert not unknown, unknown
    return ROW | values


def add_table(file, table, rows, columns):
    """Adds a table of rows, which are dicts over the columns."""
    for name, value in columns.items():
        kind = h5py.string_dtype() if isinstance(value, str) else None
        data = file.create_dataset(f"{table}/{name}", data=[r[name] for r in rows], dtype=kind)
        data.attrs["unit"] = "ms" if name.endswith("_ms") else ""
        data.attrs["description"] = name


def write_results(path, rows, columns=ROW, table="runs", **meta):
    """Writes rows over the columns, by default those of ROW, as a results file."""
    with h5py.File(path, "w") as file:
        group = file.create_group("meta")
        group.attrs.update({"schema_version": 1, "program": "wavefront", "host": "testbox"} | meta)
        add_table(file, table, rows, columns)
    return path


def sample_rows():
    """Rows for all five figures: 5 repetitions with some noise, and one arm that timed out."""
    noise = np.random.default_rng(7)
    for repetition, (arm, (ms, cas, accesses)) in itertools.product(range(5), ARMS.items()):
        base = {"arm": arm, "algorithm": arm.split()[0], "repetition": repetition}
        elapsed = ms * noise.uniform(0.95, 1.15)
        yield row(**base, elapsed_ms=elapsed)
        loads = int(accesses * 7_000)
        counts = {
            "cas": int(cas * 10_000),
            "loads": loads,
            "stores": int(accesses * 10_000) - loads,
        }
        yield row(**base, counters=1, elapsed_ms=3 * elapsed, **counts)
        for blocks in (1, 2, 4, 8):
            time = elapsed * 4 / blocks**0.8
            yield row(**base, experiment="scaling", workers=blocks, elapsed_ms=time)
        for side in (50, 200, 400):
            size = {"rows": side, "cols": side, "tasks": side * side}
            time = elapsed * side**2 / 10_000
            yield row(**base, experiment="scaling", **size, elapsed_ms=time)
        for work_ns in (100, 1_000, 10_000, 100_000, 1_000_000):
            ideal = 10_000 * work_ns / 4 / 1e6
            settings = {"experiment": "metg", "body": "work", "work_ns": work_ns}
            yield row(**base, **settings, elapsed_ms=ideal + elapsed)
    yield row(arm="stuck", status="timeout", elapsed_ms=0.0)
    yield row(arm="stuck", status="timeout", elapsed_ms=0.0, experiment="scaling")
    yield row(arm="stuck", status="timeout", elapsed_ms=0.0, experiment="metg", work_ns=100)


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    return write_results(tmp_path_factory.mktemp("results") / "sample.h5", list(sample_rows()))


@pytest.fixture
def scene(tmp_path, monkeypatch):
    """A data folder with a manifest, and a server for it."""
    from datasets_scene import Scene
    from matrix_server import MatrixServer

    with MatrixServer() as server:
        yield Scene(tmp_path, monkeypatch, server)


@pytest.fixture
def run_script():
    """Runs a script of this repository with the Python of the tests."""
    from script_under_test import run_script

    return run_script


@pytest.fixture
def run(request, tmp_path):
    """Runs the module's PROGRAM in the folder of the test. Checks the exit code if one is given."""
    from program_under_test import find_program, run_program

    program = find_program(request.module.PROGRAM)

    def check(*arguments, code=None):
        done = run_program(program, *arguments, cwd=tmp_path)
        assert code in (None, done.returncode), done.stderr
        return done

    return check


@pytest.fixture
def measured(run, tmp_path):
    """Runs a command that must succeed and writes r.h5. Returns the columns of a table of that
    file."""
    from program_under_test import columns_of

    def check(*arguments, table="runs", silent=False):
        done = run(*arguments, "--output", tmp_path / "r.h5", code=0)
        assert not (silent and done.stderr), done.stderr
        return columns_of(tmp_path / "r.h5", table)

    return check


@pytest.fixture
def refused(run, request, tmp_path):
    """Runs a command that must be refused with exit code 2 and only one line on stderr. Returns
    that line."""
    from program_under_test import snapshot

    def check(*arguments):
        before = snapshot(tmp_path)
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (2, ""), (arguments, done.stdout, done.stderr)
        name = f"{request.module.PROGRAM}: "
        assert done.stderr.startswith(name) and done.stderr.endswith("\n"), arguments
        assert done.stderr.count("\n") == 1, (arguments, done.stderr)
        assert snapshot(tmp_path) == before, arguments
        return done.stderr.removeprefix(name).rstrip("\n")

    return check


@pytest.fixture
def all_refused(refused):
    """Like refused, for many command lines: {options as typed: words of the line}."""

    def check(cases, *first):
        for text, words in cases.items():
            line = refused(*first, *shlex.split(text))
            assert words in line, (text, line)

    return check
