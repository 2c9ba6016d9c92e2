"""Import: which tool a file goes to, and what is refused."""

import gzip
import json
import os

import h5py
import pytest

from datasets_scene import arrow
from gridloom_datasets.import_file import kind_of
from matrices import read_csr

STG = "1\n0 0 0\n1 5 1 0\n2 0 1 1\n"


@pytest.fixture(autouse=True)
def in_the_folder_of_the_test(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refused(scene, capsys, *arguments):
    assert scene.run("import", *arguments) == 2
    text = capsys.readouterr().err
    assert text.startswith("datasets: ") and text.count("\n") == 1
    return text


@pytest.mark.parametrize("name", ["m.mtx", "m.mtx.gz", "M.MTX", "a.b.mtx"])
def test_a_matrix_is_converted_and_summed_up(scene, tmp_path, capsys, name):
    data = arrow(4)
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    output = name.removesuffix(".gz")[:-4] + ".h5"
    assert scene.run("import", name) == 0
    assert capsys.readouterr().out == f"{output}: 4 x 4, 10 entries\n"
    assert json.loads((tmp_path / output).read_text())["source"] == f"imported from {name}"


def test_the_ending_chooses(tmp_path):
    for name, kind in [
        ("g.graph", "metis"), ("g.metis.gz", "metis"), ("g.txt", "edges"), ("g.edges", "edges"),
        ("g.el.gz", "edges"), ("g.tsv", "edges"), ("w.xml", "dax"), ("w.dax", "dax"),
        ("w.json", "wfformat"), ("w.stg", "stg"), ("w.csv", "csv"),
    ]:  # fmt: skip
        assert kind_of(tmp_path / name) == kind
        assert kind_of(tmp_path / name, "mtx") == "mtx"


def test_as_overrides_the_ending(scene, tmp_path):
    (tmp_path / "m.dat").write_bytes(arrow(4))
    assert scene.run("import", "m.dat", "--as", "mtx") == 0
    assert json.loads((tmp_path / "m.h5").read_text())["entries"] == 10
    (tmp_path / "w.txt").write_text(STG)
    assert scene.run("import", "w.txt", "--as", "stg") == 0
    with h5py.File(tmp_path / "w.h5") as file:
        assert file["graph"].attrs["n"] == 3


def test_a_task_graph_takes_options_and_may_be_packed(scene, tmp_path, capsys):
    (tmp_path / "w.csv.gz").write_bytes(gzip.compress(b"T,a,b\na,0,1\nb,0,0\n"))
    (tmp_path / "e=1.csv").write_text("x,p\na,1\nb,2\n")
    assert scene.run("import", "w.csv.gz", "o.h5", "--option", "costs=e=1.csv") == 0
    assert "2 tasks, 1 edges" in capsys.readouterr().out
    assert (tmp_path / "o.h5").is_file()


def test_an_existing_file_is_overwritten_only_on_demand(scene, tmp_path, capsys):
    (tmp_path / "m.mtx").write_bytes(arrow(4))
    (tmp_path / "m.h5").write_text("precious")
    assert "--force" in refused(scene, capsys, "m.mtx")
    assert (tmp_path / "m.h5").read_text() == "precious"
    assert scene.run("import", "m.mtx", "--force") == 0
    assert json.loads((tmp_path / "m.h5").read_text())["entries"] == 10


WRONG = [
    (["none.mtx"], "no such file"),
    (["folder"], "is a directory"),
    (["/dev/null"], "special file"),
    (["m.mtx", "o.mtx"], "must end in .h5"),
    (["m.mtx", "none/o.h5"], "there is no folder none"),
    (["m.mtx", "folder.h5", "--force"], "is there already"),
    (["m.doc"], "unknown ending '.doc'"),
    (["m"], "unknown ending ''"),
    (["m.mtx", "--as", "pdf"], "--as"),
    (["m.mtx", "--option", "costs=b"], "m.mtx is a matrix (mtx); the options are costs=FILE"),
    (["m.mtx", "--option", "directed=yes"], "m.mtx is a matrix (mtx); the options are"),
    (["m.txt", "--option", "directed=1"], "expected directed=yes or directed=no"),
    (["m.txt"], "m.txt: expected one weight for the edge 3 3, got 5 and 2.5"),
    (["m.graph"], "m.graph:2: expected a header"),
    (["w.stg", "--option", "a"], "expected KEY=VALUE"),
    (["w.stg", "--option", "kind=x"], "the options are costs=FILE"),
    (["w.stg", "--option", "path=x"], "the options are costs=FILE"),
    (["w.stg", "--option", "output="], "the options are costs=FILE"),
    (["w.csv", "--option", "costs=a", "--option", "costs=a"], "costs: given more than once"),
    (["w.csv", "--option", "costs="], "expected a file name, got an empty one"),
    (["good.stg", "/proc/d.h5"], "/proc/d.h5: cannot write: No such file"),
    (["a\nb.mtx"], "a\\nb.mtx: no such file"),
    (["\udcff.mtx"], "\\udcff.mtx: no such file"),
    (["bad.mtx"], "bad.mtx:1: expected %%MatrixMarket"),
    (["bad.dat", "--as", "mtx"], "bad.dat:1: expected %%MatrixMarket"),
]


def test_wrong_usage_and_input_are_one_line(scene, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.h5").mkdir()
    for name in ("m.mtx", "m.doc", "m", "m.txt", "m.graph", "w.csv", "w.stg"):
        (tmp_path / name).write_bytes(arrow(3))
    for name in ("bad.mtx", "bad.dat"):
        (tmp_path / name).write_text("nothing\n")
    (tmp_path / "good.stg").write_text(STG)
    before = sorted(tmp_path.rglob("*"))
    for arguments, word in WRONG:
        assert word in refused(scene, capsys, *arguments), arguments
        assert sorted(tmp_path.rglob("*")) == before, arguments


def test_a_failing_program_is_a_failure(scene, tmp_path, capsys, monkeypatch):
    (tmp_path / "m.mtx").write_bytes(arrow(3))
    monkeypatch.setenv("FAKE_CONVERT", "fail")
    assert scene.run("import", "m.mtx") == 1
    assert capsys.readouterr().err == "datasets: gridloom-matrix: no luck\n"


def test_an_input_is_never_overwritten(scene, tmp_path, capsys):
    """Other names of one file: test_files.py."""
    (tmp_path / "m.h5").write_bytes(arrow(4))
    (tmp_path / "costs.hdf5").write_text("x,p\na,1\nb,2\n")
    (tmp_path / "link.hdf5").symlink_to("costs.hdf5")
    (tmp_path / "g_edges.csv").write_text("T,a,b\na,0,1\nb,0,0\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    for arguments in (
        ["m.h5", "m.h5", "--as", "mtx"],
        ["m.h5", "m.h5", "--as", "stg"],
        ["g_edges.csv", "link.hdf5", "--option", "costs=costs.hdf5"],
    ):
        assert "is the input" in refused(scene, capsys, *arguments, "--force")
    assert {path: path.read_bytes() for path in before} == before


METIS = "% a comment\n4 3\n2\n1 3\n2 4\n3\n"
EDGES = "# as SNAP writes them\n0 1\n1\t2\n3,2\n0 1\n"


def stored_matrix(path):
    with h5py.File(path) as file:
        return read_csr(path).toarray().tolist(), "values" in file["matrix"]


def test_metis_graphs_and_edge_lists_become_matrices(scene, tmp_path, capsys):
    path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    (tmp_path / "g.graph").write_text(METIS)
    (tmp_path / "e.txt.gz").write_bytes(gzip.compress(EDGES.encode()))
    for name, output in (("g.graph", "g.h5"), ("e.txt.gz", "e.h5")):
        assert scene.run("import", name) == 0
        assert capsys.readouterr().out == f"{output}: 4 x 4, 6 entries\n"
        assert stored_matrix(tmp_path / output) == (path, False)
    (tmp_path / "w.txt").write_text("1 2 0.5\n2 2 -3\n")
    options = ("--option", "one_based=yes", "--option", "directed=yes")
    assert scene.run("import", "w.txt", *options) == 0
    assert stored_matrix(tmp_path / "w.h5") == ([[0, 0.5], [0, -3]], True)
    # Sizes and weights of vertices are dropped, weights of edges are values.
    (tmp_path / "w.graph").write_text("2 1 111 2\n9 1 1 2 7\n9 1 1 1 7\n")
    assert scene.run("import", "w.graph", "w.h5", "--force") == 0
    assert stored_matrix(tmp_path / "w.h5") == ([[0, 7], [7, 0]], True)


BAD_GRAPHS = {
    "g.graph": {
        "": ":1: expected a header",
        "2 1 2\n": ":1: expected a header",
        "2 1\n2\n": ": expected a line for each of 2 vertices, got 1",
        "2 1\n2\n1\n1\n": ":4: expected the end after 2 vertices",
        "2 1\n3\n1\n": ":2: expected neighbours from 1 to 2",
        "2 1\n1\n1\n": ":2: expected no edge from vertex 1 to itself",
        "2 1\n2 2\n1\n": ":2: expected each neighbour once",
        "3 1\n2\n1\n1\n": ": expected edge 1 3 at both ends",
        "2 1 1\n2 3\n1 4\n": ": expected edge 1 2 at both ends with the same weight",
        "2 1 1\n2 0\n1 0\n": ":2: expected weights of edges from 1",
        "2 2\n2\n1\n": ": expected 2 edges as the header says, got 1",
        "2000000000 1\n": ":1: expected at most 2147483646 vertices",
    },
    "g.txt": {
        "# none\n": ":1: expected an edge, got the end of the file",
        "0 1\n1 2 3\n": ':2: expected "u v" or "u v weight"',
        "0 -1\n": ": expected vertices from 0 to 2147483645, got the edge 0 -1",
        "0 1.5\n": ": expected vertices from 0",
        "0 2000000000\n": ": expected at most 2147483646 vertices and an edge for every 64",
        "0 1 nan\n": ": expected finite weights",
        "0 1 2\n1 0 3\n": ": expected one weight for the edge 0 1, got 2 and 3",
    },
}


def test_bad_graphs_are_named(scene, tmp_path, capsys):
    for name, cases in BAD_GRAPHS.items():
        for text, words in cases.items():
            (tmp_path / name).write_text(text)
            assert name + words in refused(scene, capsys, name), text
            assert not (tmp_path / "g.h5").exists()


def test_a_name_that_begins_with_a_dash_is_taken_as_a_name(scene, tmp_path, capsys):
    (tmp_path / "-m.mtx").write_bytes(arrow(4))
    program = scene.bin / "gridloom-matrix"
    text = program.read_text().replace("exec", 'case "$2" in -*) exit 3;; esac\nexec')
    program.write_text(text)
    assert scene.run("import", "./-m.mtx") == 0, capsys.readouterr().err
    assert (tmp_path / "-m.h5").is_file()


def test_a_name_may_have_bytes_that_are_not_utf_8(scene, tmp_path, capsys):
    name = os.fsdecode(b"\xff.mtx")
    (tmp_path / name).write_bytes(arrow(4))
    assert scene.run("import", name) == 0
    assert capsys.readouterr().out == "\\udcff.h5: 4 x 4, 10 entries\n"
    (tmp_path / os.fsdecode(b"\xfe.mtx")).write_text("nothing")
    assert "udcfe.mtx:1: expected" in refused(scene, capsys, os.fsdecode(b"\xfe.mtx"))
