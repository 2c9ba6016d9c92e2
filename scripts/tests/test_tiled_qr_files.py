"""Matrices that tiled-qr reads from files, and what it refuses there."""

import h5py
import numpy as np

PROGRAM = "tiled-qr"


def test_matrices_from_files_are_factorised_or_refused(measured, refused, tmp_path):
    values = np.random.default_rng(1).normal(size=(30, 20))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["matrix"] = values
    rows = "\n".join(f"{value:.17g}" for value in values.T.ravel())
    head = "%%MatrixMarket matrix array real general\n30 20\n"
    (tmp_path / "a.mtx").write_text(head + rows + "\n")
    for name in ("a.h5", "a.mtx"):
        runs = measured(
            "--backend", "host", "--matrix", name, "--method", "fr1", "--repeat", 1, "--quiet",
        )  # fmt: skip
        assert (runs["rows"][0], runs["cols"][0], runs["input"][0]) == (30, 20, name)
    values[4, 2] = np.inf
    with h5py.File(tmp_path / "inf.h5", "w") as file:
        file["matrix"] = values
    assert "row 5, column 3" in refused("--matrix", "inf.h5")
    values[4, 2] = 1e300
    with h5py.File(tmp_path / "large.h5", "w") as file:
        file["matrix"] = values
    message = refused("--matrix", "large.h5", "--precision", "float")
    assert "row 5, column 3: expected an absolute value of at most 3.40282e+38" in message
    assert message.rstrip().endswith("got 1e+300")
    assert "--matrix" in refused("--matrix", "a.mtx", "--rows", 4)
    # A small file whose dense matrix would take terabytes.
    (tmp_path / "vast.mtx").write_text(
        "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 2\n"
    )
    message = refused("--backend", "host", "--matrix", "vast.mtx", "--method", "lapack")
    assert message.startswith("--matrix, --method: 1000000 x 1000000: 1 method needs 24000 GB")


def test_a_file_without_a_matrix_is_refused_with_advice(refused, tmp_path):
    numbers = np.arange(6).reshape(2, 3)
    for kind, values in {
        "int64": numbers,
        "float16": numbers.astype("float16"),
        "text": np.array([["a", "b"]], dtype="S1"),
        "another type": numbers.astype(complex),
    }.items():
        with h5py.File(tmp_path / "a.h5", "w") as file:
            file["matrix"] = values
        expected = f"a.h5: /matrix: expected float32 or float64, got {kind}"
        message = refused("--matrix", "a.h5")
        assert f'{expected}; convert it, in h5py by .astype("float64")' in message
    with h5py.File(tmp_path / "none.h5", "w") as file:
        file["A"] = numbers
    assert "has no dataset /matrix" in refused("--matrix", "none.h5")
    with h5py.File(tmp_path / "zero.h5", "w") as file:
        file["matrix"] = np.zeros((0, 3))
    assert "expected a matrix with elements, got 0 x 3" in refused("--matrix", "zero.h5")
