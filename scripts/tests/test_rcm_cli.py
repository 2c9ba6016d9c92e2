"""The program mhive-rcm from outside: its orders checked with SciPy, files, messages."""

import h5py
import numpy as np
import scipy.io

from gridloom_datasets.hdf5_text import plain
from matrices import grid, half_bandwidth
from program_under_test import columns_of

PROGRAM = "mhive-rcm"

# All arms but cusolver, which needs a device.
SCHEDULED = {"tsk", "mk", "pdc", "resident"}
HOST_ARMS = SCHEDULED | {f"{arm}_merged" for arm in SCHEDULED}
HOST_ARMS |= {"serial", "two_threads", "cpu_gpu", "levels"}
GRID = ["--generate", "poisson2d:nx=17,ny=9,shuffle=1", "--repeat", 2]


def test_the_order_is_a_permutation_that_narrows_the_band(run, tmp_path):
    matrix = grid(17, 9)
    scipy.io.mmwrite(tmp_path / "grid.mtx", matrix, field="pattern", symmetry="symmetric")
    arguments = ["--matrix", "grid.mtx", "--repeat", 3, "--output", "r.h5"]
    done = run(*arguments, "--order", "order.txt")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    order = np.loadtxt(tmp_path / "order.txt", dtype=int)
    assert sorted(order) == list(range(17 * 9))
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert set(runs["verified"]) == {"yes"} and set(runs["status"]) == {"ok"}
    assert set(runs["half_bandwidth"]) == {half_bandwidth(matrix[order][:, order])}
    assert runs["half_bandwidth"][0] <= 12 and half_bandwidth(matrix) > 100
    arms = list(runs["arm"])
    assert set(arms) == HOST_ARMS and set(runs["same"]) == {"yes"}
    for arm in HOST_ARMS:
        own = [k for k, name in zip(runs["repetition"], arms, strict=True) if name == arm]
        assert sorted(own) == [0, 1, 2]
    assert set(runs["rows"]) == {153} and (runs["order_ms"] > 0).all()
    assert (runs["end_to_end_ms"] >= runs["elapsed_ms"] * 0.999).all()
    assert (runs["both_ms"] == runs["elapsed_ms"]).all()
    assert (runs["both_ms"] >= runs["start_ms"]).all()


def test_a_search_that_takes_too_long_is_given_up(run, tmp_path):
    large = ["--generate", "poisson2d:nx=2000,ny=2000", "--arm", "serial", "--repeat", 1]
    done = run(*large, "--timeout-s", "0.001", "--no-floors", "--output", "r.h5")
    told = "timeout after 0.001 s (--timeout-s): search for the start nodes on the host"
    assert done.returncode == 1 and done.stderr == f"mhive-rcm: {told}\n"
    assert not (tmp_path / "r.h5").exists()


def test_parts_are_the_six_task_types_in_the_order_of_their_phases(measured):
    parts = measured(*GRID, "--arm", "mk,tsk", "--parts", table="parts")
    names = "create_sort_data compress_sort_data delegate sort_block sort_delegate sort_global"
    assert list(parts["part"]) == 2 * names.split()
    assert list(parts["arm"]) == ["mk"] * 6 + ["tsk"] * 6
    assert (parts["busy_ms"][parts["tasks"] > 0] > 0).all()
    # A task for each vertex but the last; at least one sort_block per level.
    assert parts["tasks"][0] == parts["tasks"][6] == 152 and parts["tasks"][3] >= 20


def test_the_order_ends_at_its_start_node(run, tmp_path):
    run(*GRID, "--start", 11, "--order", "order.txt", code=0)
    assert np.loadtxt(tmp_path / "order.txt", dtype=int)[-1] == 11  # the order is reversed


def test_the_pattern_is_written_as_it_is_ordered(run, tmp_path):
    (tmp_path / "u.mtx").write_text(
        "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n2 3 5\n"
    )
    run("--matrix", "u.mtx", "--symmetrize", "--repeat", 1, "--pattern", "p.h5", code=0)
    with h5py.File(tmp_path / "p.h5") as file:
        assert plain(file["matrix"].attrs["source"]) == "u.mtx" and "values" not in file["matrix"]
        assert file["matrix/row_offsets"][...].tolist() == [0, 1, 3, 4]
        assert file["matrix/columns"][...].tolist() == [1, 0, 2, 1]
    assert run("--matrix", "p.h5", "--repeat", 1).returncode == 0


GRID_TEXT = "--generate poisson2d:nx=17,ny=9"
BAD = {
    "--matrix wide.mtx": "square",
    "--matrix empty.mtx": "expected at least one row",
    "--matrix u.mtx": "--symmetrize",
    f"{GRID_TEXT} --start 153": "--start",
    f"{GRID_TEXT} --order nowhere/order.txt": "--order",
    f"{GRID_TEXT} --pattern r.h5 --output r.h5": "--pattern",
    "--matrix wide.mtx --order wide.mtx": "--order",
    f"{GRID_TEXT} --candidates 8": "--candidates",
    f"{GRID_TEXT} --start minimum-degree --candidates 2": "--candidates: goes with --start",
}


def test_bad_input_is_refused_in_one_line(all_refused, tmp_path):
    head = "%%MatrixMarket matrix coordinate pattern general\n"
    (tmp_path / "wide.mtx").write_text(head + "1 2 1\n1 2\n")
    (tmp_path / "empty.mtx").write_text(head + "0 0 0\n")
    (tmp_path / "u.mtx").write_text(head + "3 3 2\n1 2\n2 3\n")
    all_refused(BAD)
