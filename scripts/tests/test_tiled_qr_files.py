"""Matrices that tiled-qr reads from files, and what it refuses there."""

import os

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
    (tmp_path / "bad.mtx").write_text(head + "nan\n" + rows + "\n")
    assert "bad.mtx:3" in refused("--matrix", "bad.mtx")
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
    # A few bytes of a file, and terabytes of a dense matrix.
    (tmp_path / "vast.mtx").write_text(
        "%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 2\n"
    )
    message = refused("--backend", "host", "--matrix", "vast.mtx", "--method", "lapack")
    assert message.startswith("--matrix, --method: 1000000 x 1000000 by 1 method takes 24000 GB")


def test_a_file_without_a_matrix_is_refused_with_advice(refused, tmp_path):
    numbers = np.arange(6).reshape(2, 3)
    stored = {
        "int64": numbers,
        "uint8": numbers.astype("uint8"),
        "float16": numbers.astype("float16"),
        "text": np.array([["a", "b"]], dtype="S1"),
        "another type": numbers.astype(complex),
    }
    for kind, values in stored.items():
        with h5py.File(tmp_path / "a.h5", "w") as file:
            file["matrix"] = values
        expected = f"a.h5: /matrix: expected float32 or float64, got {kind}"
        assert f'{expected}; convert it, in h5py by .astype("float64")' in refused(
            "--matrix", "a.h5"
        )
    for name, make, expected in (
        ("none.h5", lambda file: file.create_dataset("A", data=numbers), "has no dataset /matrix"),
        ("empty.h5", lambda file: None, "has no dataset /matrix"),
        ("group.h5", lambda file: file.create_group("matrix"), "/matrix: expected a dataset"),
        (
            "dangling.h5",
            lambda file: file.update({"matrix": h5py.SoftLink("/there")}),
            "dangling.h5: /matrix: expected it in this file, got a link to what is not in it",
        ),
        ("line.h5", lambda file: file.create_dataset("matrix", data=[1.0]), "two dimensions"),
        ("scalar.h5", lambda file: file.create_dataset("matrix", data=1.0), "two dimensions"),
        (
            "zero.h5",
            lambda file: file.create_dataset("matrix", data=np.zeros((0, 3))),
            "expected a matrix with elements, got 0 x 3",
        ),
        (
            "nan.h5",
            lambda file: file.create_dataset("matrix", data=[[1.0, np.nan]]),
            "row 1, column 2",
        ),
    ):
        with h5py.File(tmp_path / name, "w") as file:
            make(file)
        assert expected in refused("--matrix", name)
    for name in ("folder.h5", "folder.mtx"):
        (tmp_path / name).mkdir()
        assert name in refused("--matrix", name)
    for name in ("pipe.h5", "pipe.mtx"):
        os.mkfifo(tmp_path / name)
        assert name in refused("--matrix", name)
    (tmp_path / "text.h5").write_text("text")
    assert "text.h5" in refused("--matrix", "text.h5")
    assert "none.h6" in refused("--matrix", "none.h6")
