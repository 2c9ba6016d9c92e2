"""Small graphs of every format, worked out by hand, come back number by number."""

import gzip

import h5py
import pytest

from gridloom_datasets.errors import InputError
from gridloom_datasets.importers import import_dag
from gridloom_datasets.importers.quantities import json_whole_number, microseconds, whole_number
from imported import SEEDS, edges_of, import_files, read_back
from program_under_test import find_program, run_program


def imported(seed, tmp_path, kind=None):
    summary = import_dag(SEEDS / seed, tmp_path / "graph.h5", kind)
    assert [path.name for path in tmp_path.iterdir()] == ["graph.h5"]
    return read_back(tmp_path / "graph.h5"), summary


def test_dax_2(tmp_path):
    graph, summary = imported("dax/version2.xml", tmp_path)
    assert graph.names == ["ID0", "ID1", "ID2"]
    assert graph.row_offsets == [0, 2, 3, 3] and graph.columns == [1, 2, 2]
    # 13.39 s, half a microsecond, 2 s. File a has the size that its writer states.
    assert graph.costs == [[13_390_000], [1], [2_000_000]]
    assert graph.weights == [4020, 0, 7]
    assert graph.units == ("us", "byte")
    assert graph.attributes == {
        "kind": "dag", "n": 3, "format": "DAX 2.1", "source": "version2.xml",
    }  # fmt: skip
    assert "3 tasks, 3 edges" in summary and "\n" not in summary
    assert "without a common file (weight 0): 1" in summary
    assert "another size at a reader (writer's taken): 1" in summary


def test_dax_3_with_children_before_their_jobs(tmp_path):
    graph, _ = imported("dax/version3.xml", tmp_path)
    assert graph.names == ["j1", "j2"] and graph.columns == [1]
    assert graph.costs == [[1_000], [1_500_000]] and graph.weights == [10]
    assert graph.attributes["format"] == "DAX 3.6"


@pytest.mark.parametrize("edges, costs", [("", ".gz"), (".gz", ""), (".gz", ".gz")])
def test_the_costs_beside_may_be_packed_or_not(tmp_path, edges, costs):
    texts = {"g_edges.csv": (edges, b"T,a,b\na,0,3\nb,0,0\n"),
             "g_costs.csv": (costs, b"x,p\na,1\nb,2\n")}  # fmt: skip
    files = {f"{k}{gz}": gzip.compress(v) if gz else v for k, (gz, v) in texts.items()}
    graph, _ = import_files(tmp_path, files)
    assert graph.costs == [[1], [2]] and graph.weights == [3]


def test_a_long_name_of_a_workflow_is_cut(tmp_path):
    """HDF5 holds at most 64 KiB in the header of an object."""
    text = (SEEDS / "wfformat/split.json").read_text().replace("tiny", "w" * 70_000)
    graph, _ = import_files(tmp_path, {"g.json": text})
    assert graph.attributes["workflow"] == "w" * 1000


def test_a_wrong_job_count_is_reported(tmp_path):
    text = '<adag jobCount="3"><job id="a" runtime="1"/></adag>'
    assert "jobCount: 3" in import_files(tmp_path, {"a.xml": text})[1]


def test_wfformat_1_5(tmp_path):
    graph, summary = imported("wfformat/split.json", tmp_path)
    assert graph.names == ["a_1", "b_1", "c_1"]  # the order of the specification
    assert graph.row_offsets == [0, 2, 3, 3] and graph.columns == [1, 2, 2]
    assert graph.costs == [[54_023], [2], [53_600_000]]
    assert graph.weights == [6, 0, 0]  # x and y; y; nothing
    assert graph.units == ("us", "byte")
    assert graph.attributes == {
        "kind": "dag", "n": 3, "format": "WfFormat 1.5", "source": "split.json",
        "workflow": "tiny", "machines": 2,
    }  # fmt: skip
    assert "one end states alone (taken): 1" in summary  # b_1 does not name c_1


@pytest.mark.parametrize("end", ['"parents": ["a_1"]', '"children": ["b_1", "c_1"]'])
def test_one_end_is_enough_to_state_an_edge(end, tmp_path):
    text = (SEEDS / "wfformat/split.json").read_text()
    assert end in text
    key = end.split(":")[0]
    graph, summary = import_files(tmp_path, {"g.json": text.replace(end, f"{key}: []")})
    assert edges_of(graph) == {("a_1", "b_1"): 6, ("a_1", "c_1"): 0, ("b_1", "c_1"): 0}
    assert f"alone (taken): {2 if 'parents' in end else 3}" in summary


def test_wfformat_1_4(tmp_path):
    graph, summary = imported("wfformat/joined.json", tmp_path)
    assert graph.names == ["b", "a"] and graph.row_offsets == [0, 0, 1] and graph.columns == [0]
    assert graph.costs == [[1_250_000], [1_000_000]]
    assert graph.weights == [8]  # the size that the writer states
    assert "alone" not in summary  # this version does not require "children"


def test_stg(tmp_path):
    graph, _ = imported("stg/plain.stg", tmp_path)
    assert graph.names == ["T0", "T1", "T2", "T3", "T4"]
    assert graph.row_offsets == [0, 2, 3, 4, 5, 5] and graph.columns == [1, 2, 3, 3, 4]
    assert graph.costs == [[0], [9], [4], [10], [0]]
    assert graph.weights == [0] * 5 and graph.units == ("1", "1")
    assert graph.attributes["format"] == "STG"


def test_stg_with_communication_costs(tmp_path):
    graph, _ = imported("stg/with_costs.stg", tmp_path)
    assert graph.row_offsets == [0, 2, 3, 4, 4] and graph.columns == [1, 2, 2, 3]
    assert graph.costs == [[0], [5], [6], [0]] and graph.weights == [0, 3, 4, 0]
    assert graph.attributes["format"] == "STG with communication costs"


def test_csv_matrix_with_costs_beside_it(tmp_path):
    graph, _ = imported("csv/matrix_edges.csv", tmp_path)
    assert graph.names == ["T0", "T1", "T2"]
    assert graph.row_offsets == [0, 2, 3, 3] and graph.columns == [1, 2, 2]
    assert graph.costs == [[14, 16], [13, 19], [11, 13]] and graph.weights == [18, 12, 7]
    assert graph.units == ("1", "1") and graph.attributes["format"] == "CSV matrix"


def test_csv_edge_list_in_the_order_of_the_costs(tmp_path):
    graph, _ = imported("csv/list_edges.csv", tmp_path)
    assert graph.names == ["store", "load", "solve, then check"]
    assert graph.row_offsets == [0, 0, 2, 3] and graph.columns == [0, 2, 0]
    assert graph.costs == [[3], [1], [2]]
    assert edges_of(graph) == {
        ("load", "solve, then check"): 5,
        ("solve, then check", "store"): 0,  # an edge that costs nothing
        ("load", "store"): 1,
    }


def test_rows_of_costs_may_stand_in_another_order(tmp_path):
    files = {"m_edges.csv": "T,a,b\na,0,1\nb,0,0\n", "other.csv": "x,p0,p1\nb,3,4\na,1,2\n"}
    graph, _ = import_files(tmp_path, files, costs=tmp_path / "other.csv")
    assert graph.costs == [[1, 2], [3, 4]]


def test_a_single_task_has_no_edges(tmp_path):
    graph, _ = import_files(tmp_path, {"a.xml": '<adag><job id="ä" runtime="0"/></adag>'})
    assert (graph.names, graph.row_offsets, graph.columns) == (["ä"], [0, 0], [])
    assert (graph.costs, graph.weights) == ([[0]], [])


EXACT = {
    "0": 0, "7": 7_000_000, "0.1": 100_000, "13.39": 13_390_000, "1.": 1_000_000,
    "0.0000004999": 0, "0.0000005": 1, "0.0000015": 2, "0.0000025": 3,  # halves are rounded up
    "1e-6": 1, "1E+2": 100_000_000, "0.001e3": 1_000_000, "1e-999": 0,
    "4503599627.370497": 4_503_599_627_370_497, "9007199254.740993": 9_007_199_254_740_993,
    "9223372036854.775807": 2**63 - 1,
}  # fmt: skip
# For JSON Schema, a number whose fraction is zero is an integer.
WHOLE = {"0": 0, "1024": 1024, "1024.0": 1024, "1e3": 1000, "10.50e1": 105, "1200e-2": 12}


def test_whole_numbers_of_json_may_have_a_point_or_an_exponent():
    for text, value in WHOLE.items():
        assert json_whole_number(text, "a size") == value
    for text in ("10.5", "-1", "1e-1", "1e999", "9223372036854775808", "1.5e0", "NaN"):
        with pytest.raises(ValueError, match="expected a size, a whole number"):
            json_whole_number(text, "a size")
    for text in ("", "-1", "+1", "1.5", "x", "9223372036854775808", "9" * 5000):
        with pytest.raises(ValueError, match="expected a size, a whole number"):
            whole_number(text, "a size")


NO_SECONDS = ["", "-1", "-0", "+1", "nan", "inf", "Infinity", "1e", ".5", "1,5", "1 ", "1_0", "٣",
              "0x1", "9223372036854.775808", "1e999", "1e9999", "9" * 401]  # fmt: skip


def test_seconds_are_converted_exactly_and_other_texts_refused():
    assert {seconds: microseconds(seconds, "runtime") for seconds in EXACT} == EXACT
    for text in NO_SECONDS:
        with pytest.raises(ValueError, match="expected runtime"):
            microseconds(text, "runtime")


def test_a_scheduler_runs_an_imported_graph(tmp_path):
    program = find_program("wavefront")
    import_dag(SEEDS / "wfformat/joined.json", tmp_path / "graph.h5")  # an edge to a lower index
    done = run_program(
        program, "--graph", "graph.h5", "--algorithm", "ticket_queue", "--backend", "host",
        "--repeat", 2, "--quiet", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "yes" in done.stdout  # verified


def test_negative_sizes_of_a_dax_are_refused_with_their_count_or_taken_as_zero(tmp_path):
    text = (
        '<adag>\n<job id="a" runtime="1"><uses file="x" link="output" size="-5"/>'
        '<uses file="y" link="output" size="7"/></job>\n<job id="b" runtime="1">'
        '<uses file="x" link="input" size="-5"/><uses file="y" link="input" size="7"/></job>\n'
        '<child ref="b"><parent ref="a"/></child></adag>'
    )
    with pytest.raises(InputError, match=r"g\.xml:2: .* got 2 negative, .*negative_sizes=zero"):
        import_files(tmp_path, {"g.xml": text})
    graph, summary = import_files(tmp_path, {"g.xml": text}, negative_sizes="zero")
    assert graph.weights == [7] and "negative sizes (taken as 0): 2" in summary
    with pytest.raises(InputError, match="expected negative_sizes=zero"):
        import_files(tmp_path, {"g.xml": text}, negative_sizes="drop")


def test_speeds_of_machines_are_kept_where_all_are_stated(tmp_path):
    text = (SEEDS / "wfformat/split.json").read_text()
    fast = text.replace('"w1"}', '"w1", "cpu": {"speedInMHz": 1200}}').replace(
        '"w2"}', '"w2", "cpu": {"speedInMHz": 2400}}'
    )
    whole = fast.replace("0.054023}", '0.054023, "machines": ["w2"]}').replace(
        "2e-6}", '2e-6, "machines": ["w1"]}'
    )
    _, summary = import_files(tmp_path, {"g.json": whole})
    assert "alike" not in summary
    with h5py.File(tmp_path / "graph.h5") as file:
        assert file["graph/machine_speeds"][...].tolist() == [1200, 2400]
        assert file["graph/ran_on"][...].tolist() == [1, 0, 0]  # a_1, b_1, c_1
    for part, words in (
        (fast, "machines alike, as tasks do not state one machine each"),
        (text, "machines alike, as their speeds are not stated"),
    ):
        assert words in import_files(tmp_path, {"g.json": part})[1]
        with h5py.File(tmp_path / "graph.h5") as file:
            assert "machine_speeds" not in file["graph"] and file["graph"].attrs["machines"] == 2
