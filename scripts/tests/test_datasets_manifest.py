"""The manifest has the thesis's two tables with the numbers of the collection's index."""

import csv
import os
from pathlib import Path

import pytest

from gridloom_datasets.checksums import COMMITTED, read_lock
from gridloom_datasets.errors import InputError
from gridloom_datasets.manifest import MANIFEST, read_manifest, select

MATRICES = read_manifest()
ENTRY = MANIFEST.read_text().split("[[matrix]]")[1]


@pytest.mark.parametrize("table, rows, set_name", [("8.1", 19, "rcm"), ("8.4", 11, "jacobi")])
def test_a_set_is_a_table_of_the_thesis(table, rows, set_name):
    """fetch compares the numbers with the matrix itself."""
    chosen = select(MATRICES, set_name=set_name)
    assert chosen == [m for m in MATRICES.values() if table in m.tables] and len(chosen) == rows


def test_what_is_not_of_a_table_is_generated_or_in_a_snapshot():
    made = {m.name: m.generate for m in MATRICES.values() if m.generate}
    assert made == {n: n for n in ("A3", "A4", "A5", "A6")} | {
        "Trefethen_20000": "trefethen:n=20000"
    }
    for matrix in select(MATRICES, set_name="jacobi-more"):
        assert not matrix.tables and (matrix.generate or len(matrix.snapshot["sha256"]) == 64)


def test_numbers_are_those_of_the_index():
    index = Path(os.environ.get("GRIDLOOM_DATA_DIR") or "/none") / "ss_index.csv"
    if not index.is_file():
        pytest.skip("no ss_index.csv: GRIDLOOM_DATA_DIR does not name the folder of the test data")
    with open(index, newline="") as file:
        rows = {(row["Group"], row["Name"]): row for row in csv.DictReader(file)}
    for matrix in MATRICES.values():
        if matrix.generate:
            continue
        row = {k: float(v) for k, v in rows[matrix.group, matrix.name].items() if k[0].islower()}
        assert row["nrows"] == row["ncols"] == matrix.n
        assert (matrix.entries, matrix.nonzeros) == (row["nentries"], row["nnz"]), matrix.name
        assert row["nnz"] + row["nzero"] == row["nentries"]
        assert matrix.components == row["ncc"]
        assert matrix.lower_bandwidth == row["lowerbandwidth"]
        assert matrix.upper_bandwidth == row["upperbandwidth"]
        assert matrix.rcm_bandwidth == max(row["rcm_lowerbandwidth"], row["rcm_upperbandwidth"])
        assert row["pattern_symmetry"] == row["numerical_symmetry"] == 1


def test_selection_keeps_an_order_and_takes_each_once():
    chosen = select(MATRICES, ["thermal2", "F1", "thermal2"], set_name="jacobi")
    names = [matrix.name for matrix in chosen]
    assert names[:2] == ["thermal2", "F1"] and len(names) == len(set(names)) == 12
    assert len(select(MATRICES, everything=True)) == 31
    assert select(MATRICES) == []


def test_an_unknown_name_suggests_near_ones():
    for name, near in (("BCSSTK32", "bcsstk32"), ("GHS_indef/mario01", "mario001")):
        with pytest.raises(InputError, match=rf"unknown matrix '{name}'; did you mean .*{near}"):
            select(MATRICES, [name])
    with pytest.raises(InputError, match=r"unknown matrix 'qqqqqq' \("):
        select(MATRICES, ["qqqqqq"])


def test_a_wrong_manifest_is_named(tmp_path):
    path = tmp_path / "manifest.toml"
    for old, new, word in [
        ("name", "nam", "matrix ?: "),
        ("components = 1", "", "lacks components"),
        ("/MM/HB", "/MM/XX", "url must be https://sparse.tamu.edu/MM/HB/bcsstk32.tar.gz"),
        ("kind", 'generate = "x"\nkind', "either url or generate"),
        ('["rcm"]', '["rmc"]', "sets must be of rcm, jacobi"),
        ("missing =", "# missing =", "either snapshot or missing"),
        ("missing =", 'snapshot = { path = "x" } #', "snapshot needs commit, path"),
        ("n =", "m =", "unexpected keyword argument 'm'"),
        ('group = "HB"', 'group = "HB', "manifest.toml"),
    ]:
        path.write_text("[[matrix]]" + ENTRY.replace(old, new, 1))
        with pytest.raises(InputError) as raised:
            read_manifest(path)
        assert word in str(raised.value) and str(path) in str(raised.value), old


def test_a_matrix_stands_in_the_manifest_once(tmp_path):
    path = tmp_path / "manifest.toml"
    path.write_text("[[matrix]]" + ENTRY + "[[matrix]]" + ENTRY)
    with pytest.raises(InputError, match="bcsstk32 stands there twice"):
        read_manifest(path)


def test_the_committed_lock_file_names_matrices_of_the_manifest():
    assert COMMITTED.is_file()
    assert set(read_lock(COMMITTED)) <= {matrix.url for matrix in MATRICES.values()}
