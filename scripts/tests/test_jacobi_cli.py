"""The program mhive-jacobi from outside: its solutions compared with SciPy, files, messages."""

import os
import pathlib

import numpy as np
import pytest
import scipy.io
import scipy.sparse
import scipy.sparse.linalg

from program_under_test import columns_of

PROGRAM = "mhive-jacobi"

GRID = ["--generate", "poisson2d:nx=17,ny=9", "--repeat", 2]
METHODS = [
    "stages_phases", "stages_individual", "checkpoints", "checkpoints_entries", "autonomous",
    "autonomous_entries", "kernel_by_kernel", "kernel_by_kernel_spread", "stream", "graph_fused",
    "graph_rows", "graph_while", "grid_sync", "grid_sync_rows", "shares", "neighbours", "gathered",
]  # fmt: skip
SCHEDULED = [m for m in METHODS if m.startswith(("stages", "checkpoints", "autonomous", "shares"))]
SCHEDULERS = [
    "time_sliced", "megakernel", "megakernel_1024", "device_controller", "resident_controller",
]  # fmt: skip


def dominant(n, per_row, long_row, seed):
    """An unsymmetric matrix with one long row, for which the method converges."""
    source = np.random.default_rng(seed)
    matrix = scipy.sparse.random(n, n, per_row / n, random_state=source, format="lil")
    matrix.setdiag(0)
    matrix[n // 2, :long_row] = source.uniform(-1, 1, long_row)
    matrix[n // 2, n // 2] = 0
    sums = np.ravel(abs(matrix.tocsr()).sum(axis=1))
    matrix.setdiag(1.5 * sums + 1)
    return matrix.tocsr()


def under_one(method):
    return ["--scheduler", "megakernel"] if method in SCHEDULED else []


@pytest.fixture
def scene(tmp_path):
    matrix = dominant(900, 6, 800, 1)
    right_side = np.random.default_rng(2).uniform(-1, 1, 900)
    scipy.io.mmwrite(tmp_path / "a.mtx", matrix, precision=17)
    np.savetxt(tmp_path / "b.txt", right_side, fmt="%.17g")
    return matrix, right_side


def test_x_is_that_of_scipy(run, tmp_path, scene):
    matrix, right_side = scene
    reference = scipy.sparse.linalg.spsolve(matrix.tocsc(), right_side)
    for method in METHODS:
        done = run(
            "--matrix", "a.mtx", "--rhs", "b.txt", "--method", method, *under_one(method),
            "--tolerance", 1e-9, "--solution", "x.txt", "--repeat", 1, "--backend", "host",
        )  # fmt: skip
        assert done.returncode == 0, (method, done.stderr)
        x = np.loadtxt(tmp_path / "x.txt")
        assert abs(x - reference).sum() < 1e-5, method


def real_matrix(name):
    if not (folder := os.environ.get("GRIDLOOM_DATA_DIR")):
        pytest.skip("GRIDLOOM_DATA_DIR is not set: no real matrices")
    return pathlib.Path(folder) / "matrices" / f"{name}.mtx.gz"


@pytest.mark.parametrize("name", ["Trefethen_2000", "gr_900_900_crg"])
def test_real_matrices_are_solved_as_scipy_does(run, tmp_path, name):
    file = real_matrix(name)
    matrix = scipy.io.mmread(file).tocsc()
    right_side = np.random.default_rng(3).uniform(-1, 1, matrix.shape[0])
    np.savetxt(tmp_path / "b.txt", right_side, fmt="%.17g")
    run(
        "--matrix", file, "--rhs", "b.txt", "--tolerance", 1e-9, "--max-iterations", 20000,
        "--method", "autonomous,checkpoints,graph_fused", "--scheduler", "time_sliced",
        "--solution", "x.txt", "--repeat", 1, "--output", "r.h5", code=0,
    )  # fmt: skip
    reference = scipy.sparse.linalg.spsolve(matrix, right_side)
    assert abs(np.loadtxt(tmp_path / "x.txt") - reference).sum() < 1e-5
    assert set(columns_of(tmp_path / "r.h5", "runs")["converged"]) == {"yes"}


def test_float_comes_close(run, tmp_path, scene):
    matrix, right_side = scene
    run(
        "--matrix", "a.mtx", "--rhs", "b.txt", "--method", "grid_sync", "--precision", "float",
        "--tolerance", 1e-4, "--solution", "x.txt", "--repeat", 1, code=0,
    )  # fmt: skip
    reference = scipy.sparse.linalg.spsolve(matrix.tocsc(), right_side)
    assert abs(np.loadtxt(tmp_path / "x.txt") - reference).sum() < 1e-2


def test_all_versions_give_the_same_table(measured):
    runs = measured(
        "--generate", "dominant:n=300,nnz=2700", "--repeat", 2, "--backend", "host", "--workers", 2,
        "--check-every", 5, silent=True,
    )  # fmt: skip
    arms = set(zip(runs["version"], runs["scheduler"], strict=True))
    plain = {(m, "none") for m in METHODS if m not in SCHEDULED}
    assert arms == plain | {(m, s) for m in SCHEDULED for s in SCHEDULERS}
    assert set(runs["verified"]) == {"yes"} and set(runs["status"]) == {"ok"}
    assert set(runs["converged"]) == {"yes"} and set(runs["serial_difference"]) == {0}
    assert (runs["known_difference"] < 1e-5).all() and (runs["residual"] < 1e-8).all()
    assert set(runs["rows"]) == {300} and set(runs["entries"]) == {2700}
    assert set(runs["thesis_bytes"]) == {(64 << 20) + 8 * 2700 + 1040 * 300}
    assert set(runs["floor_bytes"]) == {2700 * 12 + 300 * 28 + 4}
    assert (runs["elapsed_ms"] > 0).all() and (runs["device_bytes"] > 2700 * 12).all()
    assert (runs["setup_ms"] > 0).all()
    assert (runs["end_to_end_ms"] >= runs["elapsed_ms"] * 0.999).all()
    one_solver = runs["arm"].astype(str) == "neighbours, none"
    assert np.count_nonzero(one_solver) == 2
    per_iteration = runs["elapsed_ms"] * 1e3 / runs["iterations"]
    assert np.allclose(runs["per_iteration_us"], per_iteration)
    at_checkpoints = np.char.startswith(runs["version"].astype(str), "checkpoints")
    assert (runs["iterations"][at_checkpoints] % 5 == 0).all()


def test_the_maximum_of_iterations_is_an_end_like_any_other(measured):
    runs = measured(
        *GRID, "--max-iterations", 7, "--method", "stages_phases,grid_sync", "--scheduler",
        "time_sliced",
    )  # fmt: skip
    assert set(runs["iterations"]) == {7} and set(runs["converged"]) == {"no"}


def test_divergence_is_reported(run, tmp_path):
    scipy.io.mmwrite(tmp_path / "d.mtx", scipy.sparse.csr_matrix([[1.0, 3.0], [3.0, 1.0]]))
    for method in METHODS:
        done = run("--matrix", "d.mtx", "--method", method, *under_one(method),
                   "--output", "r.h5", "--repeat", 2)  # fmt: skip
        assert done.returncode == 1, method
        assert done.stderr.startswith(f"mhive-jacobi: {method}, ") and "diverges" in done.stderr
        assert done.stderr.count("\n") == 1
        runs = columns_of(tmp_path / "r.h5", "runs")
        assert list(runs["status"]) == ["failed"] and list(runs["converged"]) == ["no"]
        assert not runs["residual"][0] < 1e3 and np.isnan(runs["elapsed_ms"]).all()


GRID_TEXT = "--generate poisson2d:nx=17,ny=9"
BAD = {
    "--matrix wide.mtx": "expected a square matrix, got one of 1 x 2",
    "--matrix empty.mtx": "expected at least one row",
    "--matrix pattern.mtx": "expected a matrix with values, got a pattern",
    "--matrix zero.mtx": "--matrix zero.mtx: row 1: expected a number other than 0",
    "--matrix none.mtx": "--matrix none.mtx: row 0: expected a number other than 0",
    "--matrix right.mtx --rhs long.txt": "expected 2 numbers",
    "--matrix right.mtx --rhs words.txt": "words.txt:1: ",
    "--matrix right.mtx --rhs nowhere.txt": "nowhere.txt: cannot read: ",
    f"{GRID_TEXT} --rhs ''": "--rhs: expected a file name",
    "--matrix right.mtx --solution right.mtx": "--solution: expected another file than --matrix",
    f"{GRID_TEXT} --solution r.h5 --output ./r.h5": "expected another file than",
    f"{GRID_TEXT} --scheduler megakernel --method graph_fused,stream": "--scheduler: goes with",
    f"{GRID_TEXT} --entries-per-task 513": "--entries-per-task",
    f"{GRID_TEXT} --solution nowhere/x.txt": "--solution",
}


def test_bad_input_is_refused_in_one_line(all_refused, tmp_path):
    head = "%%MatrixMarket matrix coordinate {} general\n"
    real = head.format("real")
    (tmp_path / "wide.mtx").write_text(real + "1 2 1\n1 2 1\n")
    (tmp_path / "empty.mtx").write_text(real + "0 0 0\n")
    (tmp_path / "pattern.mtx").write_text(head.format("pattern") + "1 1 1\n1 1\n")
    (tmp_path / "zero.mtx").write_text(real + "2 2 2\n1 1 1\n2 2 0\n")
    (tmp_path / "none.mtx").write_text(real + "2 2 3\n1 2 1\n2 1 1\n2 2 1\n")
    (tmp_path / "right.mtx").write_text(real + "2 2 2\n1 1 1\n2 2 1\n")
    (tmp_path / "long.txt").write_text("1\n2\n3\n")
    (tmp_path / "words.txt").write_text("one\ntwo\n")
    all_refused(BAD)
