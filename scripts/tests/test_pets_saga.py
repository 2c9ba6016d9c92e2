"""scripts/pets_saga.py: the graphs that SAGA and pets schedule, its own check, and its rows."""

import os
import sys

import h5py
import numpy as np
import pytest

import pets_saga
from conftest import ROOT, write_results
from gridloom.pets import tables as pets_tables
from gridloom.results import PlotError
from gridloom_datasets.hdf5_text import attributes_of
from program_under_test import columns_of, find_program, snapshot, write_program

# The parts of SAGA that the worker uses. All tasks go to one processor, one after the other.
FAKE = {
    "__init__.py": """
class Network:
    graph = None
    @classmethod
    def create(cls, nodes, edges):
        made = cls()
        made.nodes, made.edges = dict(nodes), list(edges)
        return made
class TaskGraph(Network):
    @classmethod
    def create(cls, tasks, dependencies):
        return super().create(tasks, dependencies)
""",
    "schedulers/__init__.py": "",
    "schedulers/cpop.py": """
import functools
@functools.cache
def upward_rank(network, graph):
    return {}
""",
    "schedulers/heft.py": """
import os, sys, time
from types import SimpleNamespace
from saga.schedulers.cpop import upward_rank
class HeftScheduler:
    def schedule(self, network, graph):
        assert upward_rank.cache_info().currsize == 0  # ranks are computed in the timed call
        upward_rank(network, graph)
        assert len(network.edges) == len(network.nodes) * (len(network.nodes) - 1) // 2
        print("not an answer")
        at, tasks = 0.0, []
        for name, work in graph.nodes.items():
            {fault}
            tasks.append(SimpleNamespace(name=name, start=at, end=at + work))
            at += work
        return {{"P0": tasks, "P1": []}}
""",
}


@pytest.fixture
def fake_saga(tmp_path):
    """A Python with a SAGA that puts all tasks on processor 0; `fault` is a line of its loop."""

    def make(fault="pass"):
        for name, text in FAKE.items():
            path = tmp_path / "fake" / "saga" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.format(fault=fault) if name.endswith("heft.py") else text)
        python = tmp_path / "fake" / "python"
        found = tmp_path / "fake"
        write_program(python, f'#!/bin/sh\nPYTHONPATH="{found}" exec "{sys.executable}" "$@"\n')
        return python

    return make


@pytest.fixture
def measure(tmp_path, monkeypatch):
    program = find_program("pets")
    monkeypatch.setenv("GRIDLOOM_BIN_DIR", str(program.parent))
    few = {"--tasks": 40, "--processors": 4, "--repeat": 2, "--output": tmp_path / "r.h5"}

    def run(*more):
        left = [word for pair in few.items() if pair[0] not in more for word in pair]
        return pets_saga.main([str(argument) for argument in [*left, *more]])

    return run


def small():
    """0 -> 1 -> 3 and 0 -> 2 -> 3 on processors of speeds 1 and 2."""
    return pets_saga.Graph(
        speeds=np.array([1, 2]),
        work=np.array([2, 4, 6, 2]),
        sources=np.array([0, 0, 1, 2]),
        targets=np.array([1, 2, 3, 3]),
        sizes=np.array([5, 1, 9, 4]),
    )


GOOD = [(1, 0, 1), (1, 1, 3), (0, 2, 8), (1, 12, 13)]
WRONG = {
    "a task twice as fast": (1, (1, 1, 2), "take its time"),
    "a task before its data": (2, (0, 1, 7), "before its data"),
    "data of one of two": (3, (1, 11, 12), "before its data"),
    "two tasks at once": (2, (1, 2, 5), "one task at a time"),
    "no such processor": (0, (2, 0, 1), "that there are"),
    "before the beginning": (0, (1, -1, 0), "that there are"),
    "half a unit": (0, (1, 0.5, 1.5), "whole numbers"),
    "no number": (0, (1, np.nan, 1), "whole numbers"),
}


def test_a_right_schedule_is_taken():
    assert pets_saga.what_is_wrong(small(), np.array(GOOD, dtype=float)) is None


def test_a_wrong_schedule_is_reported():
    for name, (task, placed, words) in WRONG.items():
        placements = np.array(GOOD, dtype=float)
        placements[task] = placed
        assert words in pets_saga.what_is_wrong(small(), placements), name
    assert pets_saga.what_is_wrong(small(), np.array(GOOD, dtype=float)[:3]) is not None


@pytest.mark.parametrize("tasks", [3, 500])
def test_graphs_have_one_entry_one_exit_and_exact_times(tasks):
    graph = pets_saga.generate(tasks, 4, 7)
    assert np.all(graph.sources < graph.targets) and len(graph.work) == tasks
    assert set(graph.targets) == set(range(1, tasks)), "every task but the entry has a predecessor"
    assert set(graph.sources) == set(range(tasks - 1)), "every task but the exit has a successor"
    pairs = graph.sources * tasks + graph.targets
    assert np.all(np.diff(pairs) > 0)
    assert np.array_equal(graph.times * graph.speeds, np.repeat(graph.work[:, None], 4, axis=1))
    again = pets_saga.generate(tasks, 4, 7)
    assert all(np.array_equal(a, b) for a, b in zip(graph, again, strict=True))


def test_both_peers_are_timed_in_turn_and_stored(measure, tmp_path, fake_saga, capsys):
    assert measure("--saga-python", fake_saga()) == 0
    told = capsys.readouterr()
    assert told.err == "" and told.out.count("\n") == 1 and "times as fast" in told.out
    runs = columns_of(tmp_path / "r.h5", "runs")
    first = ["saga"] + ["pets"] * 5
    assert list(runs["peer"]) == first[::-1] + first
    assert list(runs["repetition"]) == [0] * 6 + [1] * 6
    assert [place == 0 for place in runs["place"]] == [True] * 5 + [False, True] + [False] * 5
    assert set(runs["status"]) == {"ok"} and (runs["elapsed_ms"] > 0).all()
    assert (runs["cpu_ms"][runs["peer"] == "saga"] > 0).all()
    assert set(runs["cpu_ms"][runs["peer"] == "pets"]) == {-1}
    graph = pets_saga.generate(40, 4, 1)
    makespans = {name: set(runs["makespan"][runs["peer"] == name]) for name in ("saga", "pets")}
    assert makespans["saga"] == {graph.work.sum()}  # one after the other at speed 1
    assert len(makespans["pets"]) == 1 and makespans["pets"].pop() <= graph.work.sum()
    assert set(runs["edges"]) == {len(graph.sizes)} and set(runs["processors"]) == {4}
    with h5py.File(tmp_path / "r.h5") as file:
        meta = attributes_of(file["meta"])
    assert meta["program"] == "pets_saga" and meta["saga"] == "unknown" and meta["pets_commit"]
    assert measure("--saga-python", fake_saga(), "--append") == 0
    assert list(columns_of(tmp_path / "r.h5", "runs")["process"]) == [0] * 12 + [1] * 12


def test_a_wrong_schedule_is_stored_as_such(measure, tmp_path, fake_saga, capsys):
    assert measure("--saga-python", fake_saga("at = 0.0")) == 1
    assert "saga, 40 tasks: expected " in capsys.readouterr().err
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert set(runs["status"][runs["peer"] == "saga"]) == {"wrong"}
    assert set(runs["makespan"][runs["peer"] == "saga"]) == {-1}
    assert set(runs["status"][runs["peer"] == "pets"]) == {"ok"}


def test_a_peer_that_times_out_is_not_started_again(measure, tmp_path, fake_saga):
    assert measure("--saga-python", fake_saga("time.sleep(3600)"), "--timeout", 5) == 1
    runs = columns_of(tmp_path / "r.h5", "runs")
    late = runs["peer"] == "saga"
    assert list(runs["status"][late]) == ["timeout"] and list(runs["elapsed_ms"][late]) == [-1]
    assert set(runs["status"][~late]) == {"ok"} and late.sum() == 1 and (~late).sum() == 10


def test_a_failure_of_the_peer_is_reported_in_one_line(measure, tmp_path, fake_saga, capsys):
    assert measure("--saga-python", fake_saga("raise ValueError('no luck')")) == 1
    told = capsys.readouterr().err
    assert told == "pets_saga: SAGA ended with 1: ValueError: no luck\n"
    assert not (tmp_path / "r.h5").exists()


BAD = [
    (["--saga-python", "./bare"], "expected SAGA in the environment of"),
    (["--saga-python", "none"], "none: expected a Python with SAGA"),
    (["--tasks", 2], "expected 3 to 1000000, got 2"),
    (["--processors", 0], "expected 1 to 64, got 0"),
]


def test_bad_input_is_refused_in_one_line(measure, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRIDLOOM_SAGA_PYTHON", raising=False)
    write_program(tmp_path / "bare", f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    before = snapshot(tmp_path)
    for arguments, words in BAD:
        assert measure(*arguments) == 2, arguments
        message = capsys.readouterr().err
        assert message.startswith("pets_saga: ") and words in message, arguments
        assert message.count("\n") == 1 and snapshot(tmp_path) == before, arguments


def test_saga_itself(measure, tmp_path):
    if not (python := os.environ.get("GRIDLOOM_SAGA_PYTHON")):
        pytest.skip("GRIDLOOM_SAGA_PYTHON names no Python with SAGA: see "
                    "scripts/peers/saga_requirements.txt")  # fmt: skip
    assert measure("--saga-python", python, "--tasks", 60) == 0
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert set(runs["status"]) == {"ok"}
    # Both are HEFT with insertion, but their mean transfer times and so their orders differ.
    saga, ours = (runs["makespan"][runs["peer"] == name][0] for name in ("saga", "pets"))
    assert 0.8 < ours / saga < 1.25


def test_the_requirements_name_one_version_of_each():
    text = (ROOT / "scripts/peers/saga_requirements.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert any(line.startswith("anrg-saga==") for line in lines)
    assert all(line.count("==") == 1 for line in lines)


# --- the table --------------------------------------------------------------------------------


def row(peer, elapsed_ms, cpu_ms, makespan, status="ok"):
    return {
        "peer": peer, "tasks": 1000, "edges": 3000, "processors": 8, "elapsed_ms": elapsed_ms,
        "cpu_ms": cpu_ms, "makespan": makespan, "status": status,
    }  # fmt: skip


def table_of(path, rows):
    meta = {"saga": "2.1.0", "saga_python": "3.12.1", "logical_cores": "2"}
    return pets_tables.texts_of(write_results(path, rows, columns=rows[0], **meta))


def test_the_ratio_is_by_the_less_favourable_time(tmp_path):
    saga = [row("saga", elapsed, 1200.0, 90) for elapsed in (1900.0, 2000.0, 2500.0)]
    texts = table_of(tmp_path / "r.h5", [*saga, row("pets", 1.0, -1.0, 80)])
    (told,) = texts["peers"].splitlines()[2:]
    assert told == ("| 1,000 | 3,000 | 8 | 2,000 [1,900, 2,500] | 1,200 | 1 | 1,200 | 90 | 80 |")
    assert (texts["version"], texts["python"], texts["cores"]) == ("2.1.0", "3.12.1", "2")


@pytest.mark.parametrize("last", [("pets", -1.0, -1.0, -1, "timeout"), ("pets", 1.0, -1.0, 81)])
def test_no_table_of_what_is_no_one_schedule(tmp_path, last):
    rows = [row("saga", 9.0, 9.0, 90), row("pets", 1.0, -1.0, 80), row(*last)]
    with pytest.raises(PlotError, match="1000 tasks: no"):
        table_of(tmp_path / "r.h5", rows)
