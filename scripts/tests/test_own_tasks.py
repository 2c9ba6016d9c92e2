"""Tasks of a user: the program schedulers-example, and graphs that no scheduler may run."""

import h5py
import numpy as np

from conftest import ROOT
from imported import write_dag
from program_under_test import find_program, run_program

PROGRAM = "schedulers-example"
HOST = ["--backend", "host"]


def test_the_example_is_short():
    source = (ROOT / "schedulers/example/main.cpp").read_text()
    lines = [line.strip() for line in source.splitlines()]
    assert "/*" not in source
    assert 0 < sum(bool(line) and not line.startswith("//") for line in lines) <= 40


def test_every_scheduler_runs_the_example_by_its_name(run, refused):
    line = refused("fastest", *HOST)
    heading = 'unknown scheduler "fastest"; expected one of '
    names = line.removeprefix(heading).split(", ")
    assert line.startswith(heading)
    assert {"scanning", "juggler-grr", "mhive-pdc", "fr4", "graph"} < {*names}
    done = run(*names, *HOST, code=0)
    assert done.stdout.splitlines() == [
        f"{name}: all numbers are right after 144 tasks" for name in names
    ]
    assert done.stderr == ""


def test_schedulers_run_in_order_until_one_is_unknown(run):
    done = run("fr4", "fastest", "graph", "--backend=host", code=2)
    assert done.stdout == "fr4: all numbers are right after 144 tasks\n"
    assert 'unknown scheduler "fastest"' in done.stderr and done.stderr.count("\n") == 1


def test_wrong_arguments_are_refused(run, all_refused):
    usage = "usage: NAME... [--backend auto|host|cuda]"
    backend = '--backend: expected auto, host or cuda, got "moon"'
    all_refused(
        dict.fromkeys(["", "--backend host", "fr4 --backend", "fr4 --workers 3"], usage)
        | dict.fromkeys(["fr4 --backend moon", "fr4 --backend=moon"], backend)
    )
    assert run("--help", code=0).stdout == f"{usage}\n"


def test_bad_graphs_are_refused_in_one_line(tmp_path):
    too_many = write_dag(tmp_path / "many.h5", [[1], []])
    with h5py.File(too_many, "r+") as file:
        file["graph"].attrs["n"] = np.uint64(2**31)
    graphs = {
        "edge 2 -> 1 lies on a cycle": write_dag(tmp_path / "cycle.h5", [[1], [2], [1]]),
        "edge 0 -> 1 occurs twice": write_dag(tmp_path / "twice.h5", [[1, 2, 1], [], []]),
        "edge 1 -> 3: expected a successor below 3": write_dag(tmp_path / "far.h5", [[1], [3], []]),
        "the graph has no tasks": write_dag(tmp_path / "empty.h5", []),
        "to be at most 2147483646, got 2147483648": too_many,
    }
    program = find_program("gridloom-schedulers")
    for words, path in graphs.items():
        done = run_program(program, "--graph", path, "--backend", "host", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert words in done.stderr
