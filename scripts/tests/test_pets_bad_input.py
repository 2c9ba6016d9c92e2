"""What cannot be scheduled ends with exit code 2 and one line that names it, and writes nothing."""

import re

import h5py
import numpy as np
import pytest

from imported import SEEDS
from program_under_test import find_program, run_program
from test_pets_cli import GOOD, write_dag
from test_wavefront_cli import snapshot


@pytest.fixture
def run(tmp_path):
    program = find_program("pets")
    return lambda *arguments: run_program(program, *arguments, cwd=tmp_path)


def refused(run, folder, *arguments):
    before = snapshot(folder)
    done = run(*arguments, "--output", "r.h5", "--gantt", "g.svg")
    assert done.returncode == 2, done.stderr
    assert done.stdout == "" and done.stderr.startswith("pets: ") and done.stderr.count("\n") == 1
    assert snapshot(folder) == before
    return done.stderr


def replaced(folder, name, data):
    """A good task graph, one array of which is another."""
    write_dag(folder / "g.h5", **GOOD)
    with h5py.File(folder / "g.h5", "r+") as file:
        del file["graph"][name]
        if data is not None:
            file["graph"][name] = data


def test_an_edge_of_a_cycle_is_named(run, tmp_path):
    """0 -> 1 -> 2 -> 3 -> 1 and 3 -> 4: neither the way in nor the way out is."""
    successors = [[1], [2], [3], [1, 4], []]
    write_dag(tmp_path / "g.h5", successors, [[1, 1]] * 5, [1] * 5)
    message = refused(run, tmp_path, "--dag", "g.h5")
    assert re.fullmatch(r"pets: g\.h5: edge (1 -> 2|2 -> 3|3 -> 1) lies on a cycle\n", message)


MOST = 2**63 - 1
COSTS = {
    "negative": (np.array([[1, -2], [3, 4]]), "/graph/costs: expected uint64, got int64"),
    "fractions": (np.array([[1, 2.5], [3, 4]]), "/graph/costs: expected uint64, got float64"),
    "one too large": (np.array([[2**63, 2], [3, 4]], dtype=np.uint64), f"at most {MOST}"),
    "a sum too large": (np.array([[MOST, 2], [3, 4]], dtype=np.uint64), f"at most {MOST}"),
    "a sum of 2^64": (np.full((2, 2), 2**62, dtype=np.uint64), f"at most {MOST}"),
    "a task too many": (np.ones((3, 2), dtype=np.uint64), "expected 2 rows"),
    "a task too few": (np.ones((1, 2), dtype=np.uint64), "expected 2 rows"),
    "no processors": (np.ones((2, 0), dtype=np.uint64), "of at least one cost"),
    "too many processors": (np.ones((2, 4097), dtype=np.uint64), "at most 4096 processors"),
    "none": (None, "costs"),
}


@pytest.mark.parametrize(("costs", "words"), COSTS.values(), ids=COSTS)
def test_costs_that_are_none_are_refused(run, tmp_path, costs, words):
    replaced(tmp_path, "costs", costs)
    message = refused(run, tmp_path, "--dag", "g.h5")
    assert message.startswith("pets: g.h5: ") and words in message


WEIGHTS = {
    "negative": (np.array([-5]), "/graph/weights: expected uint64, got int64"),
    "too large for ranks": (np.array([2**62], dtype=np.uint64), "weights times the processors"),
    "too few": (np.array([], dtype=np.uint64), "expected 1 weights"),
    "none": (None, "weights"),
}


@pytest.mark.parametrize(("weights", "words"), WEIGHTS.values(), ids=WEIGHTS)
def test_weights_that_are_none_are_refused(run, tmp_path, weights, words):
    replaced(tmp_path, "weights", weights)
    message = refused(run, tmp_path, "--dag", "g.h5")
    assert message.startswith("pets: g.h5: ") and words in message


@pytest.mark.parametrize(
    ("processors", "words"),
    [
        (3, "--processors: expected 2, as g.h5 has costs for, got 3"),
        (1, "--processors: expected 2, as g.h5 has costs for, got 1"),
        (0, '--processors: expected a whole number from 1 to 4096, got "0"'),
        (-1, "--processors"),
        (4097, '--processors: expected a whole number from 1 to 4096, got "4097"'),
    ],
)
def test_processors_that_a_graph_has_no_costs_for_are_refused(run, tmp_path, processors, words):
    write_dag(tmp_path / "g.h5", **GOOD)
    assert words in refused(run, tmp_path, "--dag", "g.h5", "--processors", processors)


@pytest.mark.parametrize("name", ["stg/plain.stg", "dax/minimal.xml", "wfformat/split.json"])
def test_what_has_not_been_imported_is_refused(run, tmp_path, name):
    path = tmp_path / name.split("/")[1]
    path.write_bytes((SEEDS / name).read_bytes())
    message = refused(run, tmp_path, "--dag", path.name)
    assert message == f"pets: {path.name}: expected an HDF5 file\n"


def test_a_file_that_was_cut_is_refused(run, tmp_path):
    write_dag(tmp_path / "g.h5", **GOOD)
    data = (tmp_path / "g.h5").read_bytes()
    (tmp_path / "g.h5").write_bytes(data[: len(data) // 2])
    assert refused(run, tmp_path, "--dag", "g.h5").startswith("pets: g.h5")


# --- before pets: the import ------------------------------------------------------------------

JOBS = "<adag>\n<job id='a' runtime='1'/>\n<job id='b' runtime='{}'/>\n{}</adag>\n"
PARENT = "<child ref='{}'>\n<parent ref='{}'/>\n{}</child>\n"
SPLIT = (SEEDS / "wfformat/split.json").read_text(encoding="utf-8")

# file: (text, what is said after the file's name)
IMPORTS = {
    "malformed.xml": ("<adag>\n<job id='a'\n", ":2: expected well-formed XML"),
    "self_edge.xml": (JOBS.format(1, PARENT.format("a", "a", "")), ":5: expected another job"),
    "duplicate.xml": (
        JOBS.format(1, PARENT.format("b", "a", "<parent ref='a'/>")),
        ':6: expected each parent once, got "a" again',
    ),
    "negative.xml": (JOBS.format(-1, ""), ":3: expected runtime in seconds, a decimal number"),
    "overflow.xml": (JOBS.format("1e13", ""), f":3: expected runtime of at most {MOST}"),
    "cycle.xml": (
        JOBS.format(1, PARENT.format("b", "a", "") + PARENT.format("a", "b", "")),
        ': expected no cycle, got "a" -> "b" -> "a"',
    ),
    "empty.xml": ("<adag/>", ": expected at least one task, got none"),
    "malformed.json": (SPLIT.replace('"name": "tiny",', '"name": "tiny"'), ":3: expected JSON"),
    "infinite.json": (SPLIT.replace("53.6", "Infinity"), ":23: expected numbers, got Infinity"),
    "negative.json": (SPLIT.replace("53.6", "-53.6"), ": workflow.execution.tasks[0].runtime"),
    "self_edge.json": (
        SPLIT.replace('["b_1", "c_1"]', '["a_1"]'),
        ": workflow.specification.tasks[0].children[0]: expected another task",
    ),
    "malformed.stg": ("1\n0 0 0\n1 x 1 0\n2 0 1 1\n", ":3: expected a number of the graph"),
    "negative.stg": ("1\n0 0 0\n1 -5 1 0\n2 0 1 1\n", ":3: expected a number of the graph"),
    "overflow.stg": (f"1\n0 0 0\n1 {2**63} 1 0\n2 0 1 1\n", ":3: expected a number of the graph"),
    "self_edge.stg": ("1\n0 0 0\n1 5 1 1\n2 0 1 1\n", ":3: expected another task"),
    "duplicate.stg": ("1\n0 0 0\n1 5 2 0 0\n2 0 1 1\n", ":3: expected each predecessor once"),
    "cycle.stg": ("1\n0 0 0\n1 5 1 2\n2 0 1 1\n", ': expected no cycle, got "T1" -> "T2" -> "T1"'),
    "cut.stg": ("1\n0 0 0\n1 5 1 0\n", ":3: expected 3 tasks with the two dummies, got 2"),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_what_cannot_be_imported_is_told_with_its_line(name, run_script, tmp_path):
    text, words = IMPORTS[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = run_script("scripts/datasets", "import", name, "graph.h5", cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == "", done.stderr
    assert done.stderr.startswith(f"datasets: {name}{words}"), done.stderr
    assert done.stderr.count("\n") == 1 and [path.name for path in tmp_path.iterdir()] == [name]
