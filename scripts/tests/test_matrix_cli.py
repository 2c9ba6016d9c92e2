"""The program gridloom-matrix from outside: exit codes, messages, the files it writes."""

import gzip
import json
import os
import shutil
import subprocess

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.sparse

from gridloom_datasets.hdf5_text import plain
from matrices import read_csr
from program_under_test import find_program

PROGRAM = "gridloom-matrix"

HEAD = "%%MatrixMarket matrix coordinate real general\n"


@pytest.fixture
def done(run):
    """Runs the program, which must succeed, and returns its standard output."""

    def check(*arguments):
        result = run(*arguments)
        assert result.returncode == 0, result.stderr
        assert result.stderr == ""
        return result.stdout

    return check


def random_matrix(seed, n=60, density=0.1):
    random = np.random.default_rng(seed)
    matrix = scipy.sparse.random_array((n, n), density=density, rng=random, format="csr")
    matrix.sort_indices()
    return matrix


def same(a, b):
    return a.shape == b.shape and (a != b).nnz == 0


@pytest.mark.parametrize("packed", [False, True])
def test_convert_reads_what_scipy_writes(packed, done, tmp_path):
    matrix = random_matrix(1)
    scipy.io.mmwrite(tmp_path / "in.mtx", matrix, precision=17)
    source = "in.mtx"
    if packed:
        (tmp_path / "in.mtx.gz").write_bytes(gzip.compress((tmp_path / "in.mtx").read_bytes()))
        source = "in.mtx.gz"
    done("convert", source, "out.h5", "--source", "a test")
    assert same(read_csr(tmp_path / "out.h5"), matrix)
    with h5py.File(tmp_path / "out.h5") as file:
        assert plain(file["matrix"].attrs["source"]) == "a test"


def test_permute_follows_the_documented_convention(done, tmp_path):
    matrix = random_matrix(3)
    scipy.io.mmwrite(tmp_path / "in.mtx", matrix, precision=17)
    order = np.random.default_rng(3).permutation(matrix.shape[0])
    np.savetxt(tmp_path / "order.txt", order, fmt="%d")
    done("permute", "in.mtx", "out.h5", "--order", "order.txt")
    assert same(read_csr(tmp_path / "out.h5"), matrix[order][:, order])
    for by in ("random", "reverse", "degree"):
        done("permute", "in.mtx", "by.h5", "--by", by, "--order-out", "used.txt", "--seed", "9")
        used = np.loadtxt(tmp_path / "used.txt", dtype=int)
        assert same(read_csr(tmp_path / "by.h5"), matrix[used][:, used])
    assert np.array_equal(np.sort(used), np.arange(matrix.shape[0]))
    assert np.all(np.diff(np.diff(matrix.indptr)[used]) >= 0)  # degree: short rows first


def test_info_agrees_with_scipy(done, tmp_path):
    matrix = random_matrix(4, n=80, density=0.02)
    matrix = scipy.sparse.csr_array(matrix + matrix.T)
    scipy.io.mmwrite(tmp_path / "in.mtx", matrix, precision=17, symmetry="general")
    told = json.loads(done("info", "in.mtx", "--json"))
    rows, columns = matrix.nonzero()
    labels = scipy.sparse.csgraph.connected_components(matrix, directed=False)[1]
    lengths = np.diff(matrix.indptr)
    assert told["entries"] == matrix.nnz
    assert told["lower_bandwidth"] == max(rows - columns)
    assert told["upper_bandwidth"] == max(columns - rows)
    assert told["thesis_bandwidth"] == max(rows - columns) - min(rows - columns) + 1
    assert told["components"] == labels.max() + 1
    assert told["isolated_vertices"] == np.sum(np.bincount(labels) == 1)
    assert told["symmetry"] == "values"
    assert (told["shortest_row"], told["longest_row"]) == (lengths.min(), lengths.max())
    assert told["diagonal_stored"] == np.sum(rows == columns)
    assert str(matrix.nnz) in done("info", "in.mtx")
    spec = "rgg:n=200,degree=6,seed=3,shuffle=1"
    done("generate", spec, "a.h5")
    told = json.loads(done("info", "--generate", spec, "--json"))
    stored = json.loads(done("info", "a.h5", "--json"))
    assert told["num_rows"] == 200 and told == {key: stored[key] for key in told}


def test_generate_takes_seed_and_shuffle_in_the_specification(done, tmp_path):
    for spec in ("path:n=50", "dominant:", "union(path:n=5;star:n=9):"):
        keys = spec + ("," if spec[-1] != ":" else "") + "shuffle=1,seed="
        for name, seed in (("a", 7), ("b", 7), ("c", 8)):
            done("generate", f"{keys}{seed}", f"{name}.h5")
        matrices = [read_csr(tmp_path / f"{name}.h5") for name in "abc"]
        assert same(*matrices[:2]) and not same(*matrices[1:])


def test_duplicates_and_non_finite_values_are_refused(refused, tmp_path):
    (tmp_path / "twice.mtx").write_text(HEAD + "2 2 2\n1 1 1\n1 1 2\n")
    assert refused("convert", "twice.mtx", "o.h5").startswith("twice.mtx:4: expected each position")
    (tmp_path / "nan.mtx").write_text(HEAD + "1 1 1\n1 1 nan\n")
    assert refused("convert", "nan.mtx", "n.h5").startswith("nan.mtx:3: expected a finite value")


def test_other_text_formats_name_the_command_that_imports_them(refused, tmp_path):
    for name in ("g.graph", "g.metis.gz", "g.txt", "g.EDGES", "g.csv"):
        (tmp_path / name).write_text("3 2\n2\n1 3\n2\n")
        assert "scripts/datasets import FILE OUT.h5" in refused("convert", name, "a.h5")


def test_info_tells_the_provenance_of_an_hdf5_file_only(done, tmp_path):
    done("generate", "path:n=4", "p.h5", "--source", 'the "path"\nof 4 \\')
    told = json.loads(done("info", "p.h5", "--json"))["provenance"]
    assert told["source"] == 'the "path"\nof 4 \\'
    assert told["made_by"] == "gridloom-matrix generate path:n=4"
    assert set(told) == {"source", "made_by", "commit"}
    lines = done("info", "p.h5").splitlines()
    assert [line.split() for line in lines if line.startswith("provenance: source ")] == [
        ["provenance:", "source", "the", '"path"\\nof', "4", "\\"]
    ]
    (tmp_path / "p.mtx").write_text(HEAD + "1 1 1\n1 1 1\n")
    assert "provenance" not in json.loads(done("info", "p.mtx", "--json"))
    assert "provenance" not in done("info", "--generate", "path:n=4")


def test_provenance_that_is_not_utf_8_becomes_valid_json(done, tmp_path):
    done("generate", "path:n=4", "p.h5")
    with h5py.File(tmp_path / "p.h5", "a") as file:
        file["matrix"].attrs["odd"] = np.bytes_(b"\xff \xc3\xa4 \xed\xa0\x80 \x1b[31m")
    told = json.loads(done("info", "p.h5", "--json"))["provenance"]
    assert told["odd"] == "\ufffd ä \ufffd\ufffd\ufffd \x1b[31m"


def test_permute_refuses_an_order_in_the_place_of_a_matrix(done, refused, tmp_path):
    done("generate", "path:n=4", "p.h5")
    before = (tmp_path / "p.h5").read_bytes()
    (tmp_path / "order.h5").write_text("3\n2\n1\n0\n")
    (tmp_path / "link.h5").symlink_to("p.h5")
    for taken, other in (("./q.h5", "OUTPUT"), ("link.h5", "INPUT")):
        message = refused("permute", "p.h5", "q.h5", "--by", "random", "--order-out", taken)
        assert message.startswith(f"--order-out: expected another file than {other}, got ")
    message = refused("permute", "p.h5", "order.h5", "--order", "order.h5")
    assert message == '--order: expected another file than OUTPUT, got "order.h5"'
    assert (tmp_path / "p.h5").read_bytes() == before
    message = refused("permute", "p.h5", "p.h5", "--order", "order.h5")
    assert message == 'OUTPUT: expected another file than INPUT, got "p.h5"'
    done("permute", "p.h5", "q.h5", "--order", "order.h5", "--order-out", "used")
    assert (tmp_path / "used").read_text() == (tmp_path / "order.h5").read_text()


def test_wrong_usage_and_damaged_files_are_refused(refused, done, tmp_path):
    """More of such files: common/sparse/tests."""
    done("generate", "path:n=4", "p.h5")
    (tmp_path / "bad.mtx").write_text(HEAD + "1 1 1\n1 1 one\n")
    cases = {
        ("none",): "expected a command",
        ("info",): "info: expected INPUT, got 0 names",
        ("info", "none.mtx"): "none.mtx: cannot read",
        ("info", "bad.mtx"): "bad.mtx:3: expected row, column and a number",
        ("info", "."): ".: expected",
        ("info", "p.h5", "p.h5"): "info: expected INPUT, got 2 names",
        ("info", "p.h5", "--bogus"): "unrecognised option",
        ("convert", "p.h5", "q.txt"): "OUTPUT: expected a name that ends with .h5",
        ("convert", "p.h5", "none/q.h5"): "OUTPUT: cannot write",
        ("convert", "p.h5", "q.mtx"): "OUTPUT: expected a name that ends with .h5",
        ("permute", "p.h5", "q.h5"): "permute: expected exactly one of --order and --by",
        ("generate", "nothing", "q.h5"): "generator: expected one of",
        ("generate", "path:n=x", "q.h5"): "path: n: expected a whole number",
    }
    for arguments, expected in cases.items():
        assert expected in refused(*arguments), arguments
    for text in ("0\n1\n2\n", "0\n1\n2\n2\n", "0\n1\n2\n4\n", "0\n1\n2\nx\n"):
        (tmp_path / "order.txt").write_text(text)
        assert refused("permute", "p.h5", "q.h5", "--order", "order.txt").startswith("order.txt:")


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 1 MiB. Only root can mount one."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=1M", "gridloom-test", str(tmp_path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("no right to mount a small disk")
    yield tmp_path
    subprocess.run(["umount", tmp_path], check=True)


@pytest.mark.parametrize("left", [0, 8, 600])
def test_a_full_disk_keeps_the_old_matrix(small_disk, left):
    program = find_program(PROGRAM)

    def generate(n):
        return subprocess.run(
            [program, "generate", f"path:n={n}", small_disk / "m.h5"],
            capture_output=True, text=True, timeout=900,
        )  # fmt: skip

    assert generate(1000).returncode == 0
    before = (small_disk / "m.h5").read_bytes()
    free = shutil.disk_usage(small_disk).free
    (small_disk / "fill").write_bytes(b"x" * (free - left * 1024))
    done = generate(100_000)
    # Closing HDF5 at the end causes neither a second message nor a signal.
    assert done.returncode == 1
    expected = f"gridloom-matrix: {small_disk}/m.h5: cannot write: No space left on device\n"
    assert done.stderr == expected
    assert (small_disk / "m.h5").read_bytes() == before
    assert sorted(path.name for path in small_disk.iterdir()) == ["fill", "m.h5"]


def test_help_version_and_list_say_what_there_is(done):
    assert "convert INPUT OUTPUT" in done("--help")
    assert done("--version").startswith("gridloom-matrix ")
    for name in ("poisson2d", "stencil27", "trefethen", "dominant", "scale_free", "union"):
        assert name in done("--list")
    for command in ("info", "convert", "permute", "generate"):
        assert "Usage: gridloom-matrix " + command in done(command, "--help")
