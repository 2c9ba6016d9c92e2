"""MHive's figures come out of a stored trace, and say so when they cannot."""

import itertools

import h5py
import numpy as np
import pytest

import mhive_data
from gridloom_plots import PlotError

FIGURES = {"mhive_fig7_1": "fig7.1", "mhive_fig7_2": "fig7.2"}
TREE = {"node": [0, 1, 2], "name": ["a", "b", "c"], "phase": [0, 1, 3], "worker": [1, 32, 256]}


def write_trace(path, preset, arms=("megakernel, phases", "megakernel, individual")):
    tables = {
        "tree": TREE | {"flops": [1, 2, 3]},
        "edges": {"from": [0, 0, 1], "to": [1, 2, 2], "probability": [1.0, 0.5, 1.0]},
        "trace": {"arm": [], "worker": [], "node": [], "begin_ns": [], "end_ns": []},
    }
    for arm in arms:
        for node in range(3):
            row = [arm, node % 2, node, 5_000 * node, 5_000 * (node + 1)]
            for column, value in zip(tables["trace"].values(), row, strict=True):
                column.append(value)
    with h5py.File(path, "w") as file:
        file.create_group("meta").attrs["tree"] = preset
        for table, columns in tables.items():
            for name, values in columns.items():
                text = len(values) and isinstance(values[0], str)
                kind = h5py.string_dtype() if text else None
                file.create_dataset(f"{table}/{name}", data=values, dtype=kind)
    return path


@pytest.mark.parametrize("figure", FIGURES)
def test_figure_is_drawn_as_png_and_svg(figure, tmp_path, run_script):
    trace = write_trace(tmp_path / "trace.h5", FIGURES[figure])
    done = run_script(f"scripts/plots/{figure}.py", trace, "--output-dir", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    png, svg = (tmp_path / "out" / f"{figure}.{kind}" for kind in ("png", "svg"))
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 5_000
    assert "</svg>" in svg.read_text() and svg.stat().st_size > 5_000


@pytest.mark.parametrize("figure", FIGURES)
def test_what_cannot_be_drawn_is_refused_in_one_line(figure, tmp_path, run_script):
    def message(trace, *more):
        arguments = (trace, *more, "--output-dir", tmp_path / "out")
        done = run_script(f"scripts/plots/{figure}.py", *arguments)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert not (tmp_path / "out").exists()
        return done.stderr

    assert "none.h5: no such file" in message(tmp_path / "none.h5")
    good = write_trace(tmp_path / "good.h5", FIGURES[figure])
    assert "time_sliced, phases" in message(good, "--scheduler", "time_sliced")
    other = write_trace(tmp_path / "other.h5", "my.tree")
    assert "expected a trace of fig7." in message(other)
    half = write_trace(tmp_path / "half.h5", FIGURES[figure], ["megakernel, phases"])
    assert "megakernel, individual" in message(half)
    assert "no rows" in message(write_trace(tmp_path / "empty.h5", FIGURES[figure], []))
    (tmp_path / "text.h5").write_text("no trace\n")
    assert "not a readable HDF5 file" in message(tmp_path / "text.h5")
    with h5py.File(tmp_path / "runs.h5", "w") as file:
        file["runs/arm"] = [1]
    assert "not a trace" in message(tmp_path / "runs.h5")


def test_tasks_of_a_row_do_not_overlap_and_rows_are_as_few_as_can_be():
    random = np.random.default_rng(3)
    begin = np.sort(random.integers(0, 300, 200))
    end = begin + random.integers(0, 40, 200)
    rows = mhive_data.pack(begin, end)
    for row in np.unique(rows):
        mine = rows == row
        assert (end[mine][:-1] <= begin[mine][1:]).all()
    # Tasks of no length take a place at their moment, too.
    at_once = max(((begin <= t) & ((end > t) | (begin == t))).sum() for t in range(340))
    assert rows.max() + 1 <= at_once


def test_levels_are_phases_or_longest_ways():
    tree = {name: np.array(values) for name, values in TREE.items()}
    edges = {"from": [0, 0, 1], "to": [1, 2, 2]}
    assert mhive_data.levels(tree, edges, by_phase=True) == [0, 1, 3]
    assert mhive_data.levels(tree, edges, by_phase=False) == [0, 1, 2]


def test_an_arm_that_is_missing_names_those_that_are_there(tmp_path):
    tables, _ = mhive_data.read_trace(write_trace(tmp_path / "t.h5", "fig7.1"))
    with pytest.raises(PlotError, match="'megakernel, phases', 'megakernel, individual'"):
        mhive_data.arm_of(tables["trace"], "graph", "phases")


def test_neighbouring_task_types_differ_without_colour():
    styles = [mhive_data.style_of(node) for node in range(32)]
    assert len(set(styles)) == 32
    assert all(a[1] != b[1] for a, b in itertools.pairwise(styles))
