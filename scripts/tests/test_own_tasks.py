"""Tasks of a user: the program schedulers-example, and graphs that no scheduler may run."""

import h5py
import numpy as np

from imported import write_dag
from program_under_test import find_program, run_program

PROGRAM = "schedulers-example"


def test_every_scheduler_runs_the_example_by_its_name(run, refused):
    line = refused("fastest", "host")
    heading = 'unknown scheduler "fastest"; expected one of '
    names = line.removeprefix(heading).split(", ")
    assert line.startswith(heading) and {"scanning", "juggler-grr", "fr4", "graph"} < {*names}
    for name in names:
        done = run(name, "host", code=0)
        assert done.stdout == f"{name}: all numbers are right after 144 tasks\n"
        assert done.stderr == ""


def test_wrong_arguments_are_refused(all_refused):
    usage = "usage: schedulers-example NAME [auto|host|cuda]"
    all_refused({"": usage, "fr4 host 3": usage, "fr4 moon": "expected auto, host or cuda"})


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
