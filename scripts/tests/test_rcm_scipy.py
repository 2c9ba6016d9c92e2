"""scripts/rcm_scipy.py: its rows, what it refuses, and files that it shares with mhive-rcm."""

import h5py
import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

import rcm_scipy
from conftest import ROOT
from gridloom_datasets import hdf5
from gridloom_datasets.hdf5_text import attributes_of, plain
from matrices import banded, grid, half_bandwidth, write_csr
from program_under_test import columns_of, find_program, run_program, snapshot

SCRIPT = "scripts/rcm_scipy.py"


def measure(*arguments):
    return rcm_scipy.main([str(argument) for argument in arguments])


def small_grid():
    matrix = scipy.sparse.csr_array(grid(9, 7))
    matrix.sort_indices()  # as in files, because SciPy's order depends on it
    return matrix


@pytest.fixture
def matrix(tmp_path):
    return write_csr(tmp_path / "grid.h5", small_grid())


def test_each_call_is_a_row_with_the_quality_of_the_order(tmp_path, run_script, matrix):
    done = run_script(SCRIPT, "--matrix", matrix, "--repeat", 3, "--output", tmp_path / "r.h5")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.startswith("grid.h5: 63 rows, 220 entries, ")
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert list(runs["repetition"]) == [0, 1, 2]
    same = {
        "arm": "scipy", "matrix": "grid.h5", "rows": 63, "entries": 220, "components": 1,
        "start": "own", "order": 0, "copy_in_ms": 0, "copy_out_ms": 0, "same": "off",
        "verified": "off",
        "backend": "host", "status": "ok", "process": 0, "levels": -1,
        "equation_bytes": 48_000_000 + 8 * 220 + 28 * 63,
    }  # fmt: skip
    for name, value in same.items():
        assert set(runs[name]) == {value}, name
    for name in ("start_ms", "order_ms", "setup_ms"):
        assert np.isnan(runs[name]).all(), name
    assert (runs["both_ms"] > 0).all()
    for name in ("elapsed_ms", "end_to_end_ms"):
        assert np.array_equal(runs["both_ms"], runs[name])
    before = small_grid()
    order = reverse_cuthill_mckee(before, symmetric_mode=True)
    half = half_bandwidth(before[order][:, order])
    assert set(runs["half_bandwidth"]) == {half} and set(runs["bandwidth"]) == {2 * half + 1}
    assert set(runs["bandwidth_before"]) == {2 * half_bandwidth(before) + 1}
    with h5py.File(tmp_path / "r.h5") as file:
        meta = attributes_of(file["meta"])
    assert meta["program"] == "mhive-rcm" and meta["script"] == "rcm_scipy.py"
    assert meta["scipy"] == scipy.__version__
    assert {name for name, v in meta.items() if not isinstance(v, str)} == set()


def test_components_and_a_matrix_without_entries_are_ordered(tmp_path):
    two = scipy.sparse.block_diag([banded(5, 1), banded(3, 2)])
    empty = scipy.sparse.csr_array((4, 4))
    files = [write_csr(tmp_path / f"{k}.h5", m) for k, m in enumerate((two, empty))]
    assert measure("--matrix", *files, "--repeat", 1, "--output", tmp_path / "r.h5") == 0
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert list(runs["components"]) == [1 + 2, 4]  # banded(3, 2) leaves its middle alone
    assert list(runs["bandwidth"])[1] == 0 and list(runs["status"]) == ["ok", "ok"]


def test_an_unsymmetric_pattern_needs_symmetrize(tmp_path, capsys):
    path = write_csr(tmp_path / "u.h5", [[1, 1, 0], [0, 1, 1], [0, 0, 1]])
    output = tmp_path / "r.h5"
    assert measure("--matrix", path, "--output", output) == 2
    assert "u.h5: expected a symmetric pattern" in capsys.readouterr().err and not output.exists()
    assert measure("--matrix", path, "--symmetrize", "--repeat", 1, "--output", output) == 0
    assert list(columns_of(output, "runs")["entries"]) == [7]


def test_an_invalid_order_is_wrong_and_has_no_time(tmp_path, matrix, monkeypatch):
    def zeros(graph, symmetric_mode):
        assert symmetric_mode
        return np.zeros(graph.shape[0], np.int32)

    monkeypatch.setattr(rcm_scipy, "reverse_cuthill_mckee", zeros)
    assert measure("--matrix", matrix, "--repeat", 2, "--output", tmp_path / "r.h5") == 1
    assert list(columns_of(tmp_path / "r.h5", "runs")["status"]) == ["wrong", "wrong"]


def change_column(file, name, data, unit=""):
    del file["runs"][name]
    file["runs"].create_dataset(name, data=data, maxshape=(None,), chunks=(8,)).attrs["unit"] = unit


CHANGES = {
    "no meta": (lambda f: f.__delitem__("meta"), "with a group /meta"),
    "one column less": (lambda f: f["runs"].__delitem__("same"), 'see "same"'),
    "one column more": (lambda f: f["runs"].create_dataset("moon", data=[1]), 'see "moon"'),
    "another type": (lambda f: change_column(f, "rows", [1.0], "1"), "is reals in the file"),
    "another unit": (lambda f: change_column(f, "both_ms", [1.0], "s"), 'is in "s" in the file'),
    "another length": (lambda f: change_column(f, "both_ms", [1.0, 2.0], "ms"), "unequal length"),
}


def test_a_file_of_another_kind_is_not_appended_to(tmp_path, capsys, matrix):
    arguments = ["--matrix", matrix, "--repeat", 1, "--output", tmp_path / "r.h5", "--append"]
    assert measure(*arguments) == 0
    good = (tmp_path / "r.h5").read_bytes()
    for name, (change, words) in CHANGES.items():
        (tmp_path / "r.h5").write_bytes(good)
        with h5py.File(tmp_path / "r.h5", "r+") as file:
            change(file)
        data = hdf5.without_checksum((tmp_path / "r.h5").read_bytes())
        (tmp_path / "r.h5").write_bytes(hdf5.with_checksum(data))
        before = snapshot(tmp_path)
        capsys.readouterr()
        assert measure(*arguments) == 2, name
        message = capsys.readouterr().err
        assert words in message and message.count("\n") == 1, (name, message)
        assert snapshot(tmp_path) == before, name


BAD = {
    "no matrix": ([], "expected at least one of these"),
    "no such file": (["--matrix", "none.h5"], "none.h5: no such file"),
    "no CSR file": (["--matrix", "runs.h5"], "not a CSR file"),
    "not square": (["--matrix", "wide.h5"], "expected a square matrix, got one of 2 x 3"),
    "column beyond": (["--matrix", "beyond.h5"], "expected columns from 0 to 2 - 1"),
    "half a repetition": (["--matrix", "good.h5", "--repeat", "1.5"], "got 1.5"),
    "no folder": (["--matrix", "good.h5", "--output", "no/r.h5"], "a folder that takes files"),
}


def test_bad_input_is_refused_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_csr(tmp_path / "good.h5", banded(4, 1))
    write_csr(tmp_path / "wide.h5", np.ones((2, 3)))
    write_csr(tmp_path / "beyond.h5", banded(2, 1))
    with h5py.File(tmp_path / "beyond.h5", "r+") as file:
        file["matrix/columns"][0] = 7
    h5py.File(tmp_path / "runs.h5", "w").close()
    before = snapshot(tmp_path)
    for name, (arguments, words) in BAD.items():
        output = [] if "--output" in arguments else ["--output", "r.h5"]
        assert measure(*arguments, *output) == 2, name
        message = capsys.readouterr().err
        assert message.startswith("rcm_scipy: ") and message.count("\n") == 1, name
        assert words in message and snapshot(tmp_path) == before, (name, message)


# --- with the programs ------------------------------------------------------------------------


def layout(path):
    with h5py.File(path) as file:
        runs = file["runs"]
        names = plain(runs.attrs["columns"]).split("\n")
        return [
            (name, plain(runs[name].attrs["unit"]), runs[name].dtype, runs[name].maxshape)
            for name in names
        ]


def test_the_program_and_the_script_extend_each_others_files(tmp_path, matrix):
    program = find_program("mhive-rcm")
    ours, theirs = tmp_path / "script.h5", tmp_path / "program.h5"
    arm = ["--matrix", matrix, "--repeat", 2, "--append", "--output"]
    for path in (ours, theirs):
        options = ["--backend", "host", "--quiet", "--arm", "serial", "--parts"]
        steps = [
            lambda path=path: measure(*arm, path),
            lambda path=path, options=options: run_program(
                program, *options, *arm, path, cwd=tmp_path
            ).returncode,
        ]
        for step in steps if path == ours else reversed(steps):
            assert step() == 0
    assert layout(ours) == layout(theirs)
    for path, arms in ((ours, ["scipy", "serial"]), (theirs, ["serial", "scipy"])):
        runs = columns_of(path, "runs")
        assert list(runs["arm"]) == np.repeat(arms, 2).tolist()
        assert list(runs["process"]) == [0, 0, 1, 1]
        for name in ("matrix", "rows", "entries", "components", "bandwidth_before"):
            assert len(set(runs[name])) == 1, name
        assert len(set(runs["equation_bytes"])) == 1


def test_other_formats_and_generators_go_through_gridloom_matrix(tmp_path, monkeypatch, capsys):
    program = find_program("gridloom-matrix")
    monkeypatch.setenv("GRIDLOOM_BIN_DIR", str(program.parent))
    (tmp_path / "m.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    )
    output = ["--repeat", 1, "--output", tmp_path / "r.h5"]
    spec = "poisson2d:nx=8,ny=5,shuffle=1"
    assert measure("--matrix", tmp_path / "m.mtx", "--generate", spec, *output) == 0
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert list(runs["matrix"]) == ["m.mtx", spec] and list(runs["rows"]) == [3, 40]
    capsys.readouterr()
    for arguments in (["--generate", "moon:n=3"], ["--matrix", ROOT / "README.md"]):
        assert measure(*arguments, *output) == 2
        message = capsys.readouterr().err
        assert message.startswith("rcm_scipy: ") and message.count("\n") == 1
