"""Generated graphs have the promised counts and no cycle."""

import os

import h5py
import numpy as np
import pytest

from gridloom_datasets.hdf5_text import plain


@pytest.fixture
def make(run_script, tmp_path):
    def run(text):
        path = tmp_path / "graph.h5"
        done = run_script("scripts/make_dag", *text.split(), "--output", path)
        assert done.returncode == 0, done.stderr
        assert [p.name for p in tmp_path.iterdir()] == ["graph.h5"]  # no temporary file is left
        with h5py.File(path) as file:
            graph = file["graph"]
            assert plain(graph.attrs["kind"]) == "dag"
            assert graph["row_offsets"].dtype == np.uint64 and graph["columns"].dtype == np.uint32
            return int(graph.attrs["n"]), graph["row_offsets"][...], graph["columns"][...]

    return run


def sources(offsets):
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets.astype(np.int64)))


# generator: (tasks, edges)
GRAPHS = {
    "lattice --rows 1 --cols 1": (1, 0),
    "lattice --rows 2 --cols 3 --depth 4": (24, 4 * 7 + 3 * 6),
    "lattice --rows 2 --cols 3 --depth 4 --numbered waves": (24, 4 * 7 + 3 * 6),
    "star --leaves 70": (71, 70),
    "chain --tasks 50": (50, 49),
    "random --tasks 300 --degree 8 --window 8 --seed 5": (300, 292 * 8 + 28),
    "layered --layers 1 --width 5 --degree 2": (5, 0),
    "layered --layers 6 --width 7 --degree 3": (42, 5 * 7 * 3),
}


def test_counts_order_and_acyclicity(make):
    for text, counts in GRAPHS.items():
        n, offsets, columns = make(text)
        assert (n, len(columns)) == counts, text
        assert len(offsets) == n + 1 and offsets[0] == 0 and offsets[-1] == len(columns), text
        rows = sources(offsets)
        assert np.all(columns > rows) and np.all(columns < n), text  # hence no cycle
        pairs = rows * n + columns
        assert np.all(np.diff(pairs) > 0), text  # sorted, and no edge twice


def test_lattice_edges_are_those_of_the_stencil(make):
    _, offsets, columns = make("lattice --rows 3 --cols 3")
    edges = set(zip(sources(offsets).tolist(), columns.tolist(), strict=True))
    right = {(r * 3 + c, r * 3 + c + 1) for r in range(3) for c in range(2)}
    below = {(r * 3 + c, r * 3 + c + 3) for r in range(2) for c in range(3)}
    assert edges == right | below


def test_a_lattice_numbered_by_waves_has_the_same_edges(make):
    _, offsets, columns = make("lattice --rows 2 --cols 3 --numbered waves")
    # 0 1 3      level by level, from the first row down
    # 2 4 5
    edges = set(zip(sources(offsets).tolist(), columns.tolist(), strict=True))
    assert edges == {(0, 1), (1, 3), (2, 4), (4, 5), (0, 2), (1, 4), (3, 5)}


@pytest.mark.parametrize(
    "text", ["layered --layers 9 --width 8 --degree 3", "random --tasks 90 --degree 4 --window 9"]
)
def test_shuffled_numbers_keep_the_graph_but_not_the_order(make, text):
    n, offsets, columns = make(text)
    m, begins, targets = make(f"{text} --numbered shuffled")
    assert n == m and len(columns) == len(targets)
    rows = sources(begins)
    assert np.any(targets < rows) and np.all(np.diff(rows * n + targets) > 0)

    def shape(offsets, columns):
        """(level, number of predecessors, number of successors) of every task, in any order."""
        after = np.diff(offsets.astype(np.int64))
        before, level = np.bincount(columns, minlength=n), np.zeros(n, dtype=int)
        edges = list(zip(sources(offsets), columns, strict=True))
        for _ in range(n):
            for task, to in edges:
                level[to] = max(level[to], level[task] + 1)
        return sorted(zip(level, before, after, strict=True))

    assert shape(offsets, columns) == shape(begins, targets)
    assert np.array_equal(make(f"{text} --numbered shuffled")[2], targets)
    assert not np.array_equal(make(f"{text} --numbered shuffled --seed 2")[2], targets)


def test_random_stays_in_its_window_and_repeats_with_its_seed(make):
    text = "random --tasks 500 --degree 4 --window 10 --seed"
    n, offsets, columns = make(f"{text} 3")
    assert n == 500 and np.all(columns - sources(offsets) <= 10)
    assert np.array_equal(make(f"{text} 3")[2], columns)
    assert not np.array_equal(make(f"{text} 4")[2], columns)


def test_layers_are_levels(make):
    n, offsets, columns = make("layered --layers 5 --width 8 --degree 2")
    level = np.zeros(n, dtype=int)
    for source, target in zip(sources(offsets), columns, strict=True):
        level[target] = max(level[target], level[source] + 1)
    assert level.tolist() == [task // 8 for task in range(n)]


def test_bad_usage_is_one_line(run_script, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for text in (
        "chain --tasks 0",
        "random --tasks 9 --degree 5 --window 4",
        f"random --tasks 9 --degree 2 --window {10**20}",
        f"layered --layers 2 --width 9 --degree 2 --seed {2**64}",
        f"star --leaves {2**31 - 2}",  # one task more than graph_file.hpp allows
        "ring --tasks 3",
        "chain --tasks 5 --output pipe",
        "chain --tasks 5 --output none/g.h5",
    ):
        words = text if "--output" in text else f"{text} --output g.h5"
        done = run_script("scripts/make_dag", *words.split(), cwd=tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, (text, done.stderr)
        assert [path.name for path in tmp_path.iterdir()] == ["pipe"], text
