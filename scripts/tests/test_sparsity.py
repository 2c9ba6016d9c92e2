"""Spy plots: the density of blocks is counted right, and wrong input is refused in one line."""

import h5py
import numpy as np
import pytest
import scipy.sparse

from gridloom import sparsity
from gridloom.results import PlotError
from matrices import banded, write_csr

SCRIPT = "scripts/plots/thesis_mhive/fig8_1.py"


@pytest.mark.parametrize("n", [1, 50, 400, 401, 1999])
def test_density_counts_every_entry_in_its_block(n, tmp_path):
    random = np.random.default_rng(n)
    matrix = scipy.sparse.random_array((n, n + 3), density=min(1, 5 / n), rng=random, format="csr")
    pattern = sparsity.read_csr(write_csr(tmp_path / "m.h5", matrix))[0]
    counts, block, half = sparsity.density(pattern)
    rows, columns = matrix.nonzero()
    expected = np.zeros_like(counts)
    np.add.at(expected, (rows // block, columns // block), 1)
    assert np.array_equal(counts, expected)
    assert counts.sum() == matrix.nnz
    assert max(counts.shape) <= sparsity.PIXELS
    assert half == (np.abs(rows - columns).max() if len(rows) else 0)


def test_an_order_moves_rows_and_columns_alike(tmp_path):
    n = 40
    shuffle = np.random.default_rng(1).permutation(n)
    matrix = scipy.sparse.csr_array(banded(n, 1))
    mixed = matrix[shuffle][:, shuffle]
    np.savetxt(tmp_path / "order.txt", np.argsort(shuffle), fmt="%d")
    pattern = sparsity.read_csr(write_csr(tmp_path / "m.h5", mixed))[0]
    position = sparsity.read_order(tmp_path / "order.txt", n)
    counts, _, half = sparsity.density(pattern, position)
    assert half == 1
    assert np.array_equal(counts, matrix.toarray() != 0)


GOOD = {"kind": "csr", "num_rows": 2, "num_cols": 2, "row_offsets": [0, 1, 2], "columns": [0, 1]}


WRONG = [
    ({"kind": "csc"}, "expected the kind csr, got 'csc'"),
    ({"kind": None}, "not a CSR file"),
    ({"num_cols": 2.5}, "not a CSR file"),
    ({"num_rows": 10**9}, "row offsets, got 3"),
    ({"num_rows": 10**15}, "from 0 to 2147483646, got 1000000000000000"),
    ({"num_rows": -1, "row_offsets": []}, "not a CSR file"),
    ({"num_cols": -2}, "expected the attribute num_cols to be a whole number"),
    ({"row_offsets": [1, 1, 2]}, "begin at 0 and do not fall"),
    ({"row_offsets": [0, 1, 9]}, "expected 9 columns, got 2"),
    ({"row_offsets": [[0, 1, 2]]}, "expected integer in 1D, got int64 in 2D"),
    ({"row_offsets": np.array([0, 1, 2**64 - 1], "u8")}, "begin at 0 and do not fall"),
    ({"row_offsets": None}, "not a CSR file"),
    ({"columns": ["a", "b"]}, "expected integer in 1D, got object in 1D"),
    ({"columns": [0, 2]}, "expected columns from 0 to 2 - 1"),
    ({"columns": [-1, 0]}, "expected columns from 0 to 2 - 1"),
]  # fmt: skip


def test_an_invalid_matrix_is_refused(tmp_path):
    path = tmp_path / "m.h5"
    for change, expected in WRONG:
        with h5py.File(path, "w") as file:
            group = file.create_group("matrix")
            for key, value in (GOOD | change).items():
                if value is not None and key in ("row_offsets", "columns"):
                    group[key] = value
                elif value is not None:
                    group.attrs[key] = value
        with pytest.raises(PlotError) as caught:
            sparsity.read_csr(path)
        message = str(caught.value)
        assert message.startswith(f"{path}: ") and expected in message and "\n" not in message


def test_wrong_input_is_told_in_one_line(tmp_path, run_script):
    matrix = write_csr(tmp_path / "m.h5", banded(4, 1))
    wide = write_csr(tmp_path / "wide.h5", scipy.sparse.csr_array(np.ones((2, 3))))
    (tmp_path / "short.txt").write_text("0\n1\n")
    (tmp_path / "text.txt").write_text("zero\n")
    (tmp_path / "table.txt").write_text("0 1\n2 3\n1 0\n3 2\n")
    for arguments, expected in [
        ([tmp_path / "none.h5"], "no such file"),
        ([matrix, tmp_path / "short.txt"], "expected a permutation of 0 to 4 - 1"),
        ([matrix, tmp_path / "table.txt"], "expected a permutation of 0 to 4 - 1"),
        ([matrix, tmp_path / "text.txt"], "expected a row number per line"),
        ([wide, tmp_path / "short.txt"], "needs a square matrix"),
        ([matrix, "--rows", "a"], "expected 0 names, got 1"),
    ]:
        done = run_script(SCRIPT, *arguments, "--output-dir", tmp_path / "out")
        assert done.returncode == 2, arguments
        assert done.stderr.count("\n") == 1 and expected in done.stderr
    for folder in (matrix, matrix / "out"):
        done = run_script(SCRIPT, matrix, "--output-dir", folder)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert "cannot be written" in done.stderr
    assert not (tmp_path / "out").exists()


def test_control_characters_of_names_are_escaped(tmp_path, run_script):
    matrix = write_csr(tmp_path / "a\x1b[31m $x^$ 矩陣.h5", banded(4, 1))
    done = run_script(SCRIPT, matrix, "--output-dir", tmp_path / "\x1b[31m")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "\x1b" not in done.stdout and "\\x1b[31m" in done.stdout
    assert b"\x1b" not in (tmp_path / "\x1b[31m/mhive_fig8_1.svg").read_bytes()
