"""The methods by panels from outside: their Q and R, scaling, memory."""

import h5py
import numpy as np
import pytest

from program_under_test import columns_of

PROGRAM = "tiled-qr"


def test_panels_bring_out_q_and_r_alone_however_q_is_formed(measured):
    # The last matrix has too many columns for two passes.
    runs = measured(
        "--backend", "host", "--workers", 2, "--rows", "320,319,50,35,600", "--columns",
        "40,40,60,35,260", "--batch", "2,1,1,2,1", "--precision", "float,double", "--method",
        "gram_panels,blocked_panels", "--form-q", "--repeat", 1, "--quiet", silent=True,
    )  # fmt: skip
    assert len(runs["method"]) == 20 and set(runs["verified"]) == {"yes"}
    least = np.minimum(runs["rows"], runs["cols"])
    is_tall = least <= 256
    assert (runs["former"] == np.where(is_tall, "tall", "products")).all()
    assert is_tall.sum() == 16
    size = np.where(runs["precision"] == "double", 8, 4)
    # R is stored apart only if the matrix has more rows than columns.
    r_apart = np.where(runs["rows"] > runs["cols"], runs["cols"], 0)
    q_and_r = runs["batch"] * least * (runs["rows"] + r_apart)
    assert (runs["formed_bytes"] == q_and_r * size).all()


@pytest.mark.parametrize("verification", ["full", "sample"])
def test_steps_leave_q_in_the_matrix_and_r_apart(run, measured, tmp_path, verification):
    path = tmp_path / "r.h5"
    # So large that the matrix is scaled, and R is scaled back.
    matrix = tmp_path / "huge.h5"
    with h5py.File(matrix, "w") as file:
        file["matrix"] = np.random.default_rng(3).normal(size=(150, 40)) * 1e200
    done = run(
        "--backend", "host", "--workers", 2, "--family", "random,zero,kahan", "--rows", "300,64",
        "--columns", "70,64", "--batch", "2,1", "--precision", "float,double", "--method",
        "cholesky_panels", "--verification", verification, "--form-q", "--repeat", 1, "--quiet",
        "--output", path,
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = measured(
        "--backend", "host", "--matrix", matrix, "--precision", "double", "--method",
        "cholesky_panels", "--verification", verification, "--form-q", "--repeat", 1, "--quiet",
        "--append", silent=True,
    )  # fmt: skip
    assert len(runs["method"]) == 13 and set(runs["verified"]) == {"yes"}
    assert set(runs["former"]) == {"steps"} and runs["scale_exponent"][-1] < -300
    size = np.where(runs["precision"] == "double", 8, 4)
    assert (runs["formed_bytes"] == runs["batch"] * runs["cols"] ** 2 * size).all()


@pytest.mark.parametrize(
    "precision, scale", [("double", "1e200"), ("double", "1e-320"), ("float", "1e-40")]
)
def test_panels_scale_elements_whose_squares_overflow(run, tmp_path, precision, scale):
    path = tmp_path / "r.h5"
    done = run(
        "--backend", "host", "--workers", 2, "--rows", 70, "--batch", 2, "--repeat", 1, "--scale",
        scale, "--precision", precision, "--method",
        "gram_panels,blocked_panels,cholesky_panels,lapack", "--output", path, code=0,
    )  # fmt: skip
    runs = columns_of(path, "runs")
    assert set(runs["verified"]) == {"yes"}
    by_method = dict(zip(runs["method"], runs["scale_exponent"], strict=True))
    # The largest element is nearly 1.
    expected = -np.floor(np.log2(float(scale)))
    assert abs(by_method["gram_panels"] - expected) <= 1 and by_method["lapack"] == -1
    assert by_method["blocked_panels"] == by_method["gram_panels"]
    assert by_method["cholesky_panels"] == by_method["gram_panels"]
    assert f"scaled by 2^{by_method['gram_panels']}" in done.stdout
    done = run(
        "--backend", "host", "--rows", 70, "--repeat", 1, "--method", "gram_panels", "--output",
        path,
    )  # fmt: skip
    assert set(columns_of(path, "runs")["scale_exponent"]) == {0} and "2^" not in done.stdout


@pytest.mark.parametrize("rival", ["cholesky_qr2", "cholesky_qr2_mma"])
def test_cholesky_loses_what_others_keep_on_matrices_of_bad_condition(
    rival, measured, refused, tmp_path
):
    methods = ["gram_panels", rival, "lapack"]
    runs = measured(
        "--backend", "host", "--workers", 2, "--family", "conditioned", "--condition", "1e2,1e14",
        "--rows", 200, "--columns", 30, "--form-q", "--method", ",".join(methods), "--repeat", 1,
        "--batch", 2, "--quiet",
    )  # fmt: skip
    assert len(runs["method"]) == 6 and set(runs["status"]) == {"ok"}
    lost = (runs["method"] == rival) & (runs["condition"] == 1e14)
    assert lost.sum() == 1 and set(runs["verified"][lost]) == {"no"}
    assert runs["broke_down"][lost] >= 2 and set(runs["verified"][~lost]) == {"yes"}
    good = (runs["method"] == rival) & ~lost
    assert runs["broke_down"][good] == 0 and set(
        runs["broke_down"][runs["method"] == "lapack"]
    ) == {-1}
    message = refused(
        "--backend", "host", "--method", rival, "--form-q", "--rows", 4, "--columns", 5
    )
    assert "4 x 5" in message


def test_cholesky_qr2_mma_takes_at_most_256_columns(measured, refused):
    shape = ["--backend", "host", "--form-q", "--method", "cholesky_qr2_mma", "--rows", 300]
    runs = measured(
        *shape, "--columns", 256, "--precision", "float,double", "--family", "conditioned",
        "--condition", 10, "--repeat", 1, "--quiet",
    )  # fmt: skip
    assert len(runs["method"]) == 2 and set(runs["verified"]) == {"yes"}
    message = "at most 256 columns for CholeskyQR2 with our own products, got 257"
    assert message in refused(*shape, "--columns", 257)


def test_steps_of_choleskyqr_are_counted_and_what_they_leave_is_left_to_chains(measured):
    runs = measured(
        "--backend", "host", "--workers", 2, "--rows", 600, "--columns", 40, "--repeat", 1,
        "--family", "random,conditioned,hilbert,zero", "--condition", "1e12", "--method",
        "cholesky_panels,blocked_panels", "--quiet",
    )  # fmt: skip
    assert set(runs["verified"]) == {"yes"}
    got = {
        (method, family): (steps, chains)
        for method, family, steps, chains in zip(
            runs["method"], runs["input"], runs["steps"], runs["chains"], strict=True
        )
    }
    assert got["cholesky_panels", "random"] == (1, 0)
    assert got["cholesky_panels", "conditioned"] == (3, 0)
    assert got["cholesky_panels", "hilbert"] == (4, 0)
    steps, chains = got["cholesky_panels", "zero"]
    assert steps == 0 and chains > 0
    assert got["blocked_panels", "random"][0] == -1


def test_steps_of_choleskyqr_refuse_wide_matrices(run):
    for rows, columns in ((300, 257), (30, 40)):
        done = run(
            "--backend", "host", "--rows", rows, "--columns", columns, "--repeat", 1, "--quiet",
            "--method", "cholesky_panels", code=2,
        )  # fmt: skip
        expected = "expected at most 256 columns and at least as many rows for steps of CholeskyQR"
        assert done.stderr == f"tiled-qr: {expected}, got {rows} x {columns}\n"
    done = run(
        "--backend", "host", "--rows", 30, "--columns", 40, "--repeat", 1, "--quiet", "--method",
        "lapack,cholesky_panels", code=2,
    )  # fmt: skip
    assert done.stderr == f"tiled-qr: cholesky_panels: {expected}, got 30 x 40\n"
    # The summary shows the status in place of the time.
    summary = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line}
    assert "unsupported" in summary["cholesky_panels"]
