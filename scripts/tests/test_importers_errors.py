"""Each error of an input is one line with its place, and nothing is written."""

import gzip

import pytest

from gridloom_datasets.errors import InputError
from gridloom_datasets.importers import dag, import_dag, source, wfformat
from imported import SEEDS

JOB = '<job id="a" runtime="1">{}</job>'
USES = '<uses file="f" link="input" size="1"/>'


def refused(tmp_path, name, content, **options):
    """The message, without the folder."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError) as caught:
        import_dag(path, tmp_path / "graph.h5", **options)
    message = str(caught.value)
    assert "\n" not in message and message.startswith(f"{tmp_path}/")
    assert sorted(tmp_path.iterdir()) == before
    return message.removeprefix(f"{tmp_path}/")


DAX = {
    "": "g.xml:1: expected well-formed XML, got no element found",
    "<adag>\n</a>": "g.xml:2: expected well-formed XML, got mismatched tag",
    "<adag/>": "g.xml: expected at least one task, got none",
    "<dag/>": "g.xml:1: expected <adag> as the root only, got <dag>",
    "<adag><x><adag/></x></adag>": "g.xml:1: expected <adag> as the root only, got <adag>",
    "\n<!DOCTYPE adag>\n<adag/>": "g.xml:2: expected no document type declaration, got <!DOCTYPE>",
    '<!DOCTYPE a [<!ENTITY a "b">]><a/>': "g.xml:1: expected no document type declaration",
    "<adag>&x;</adag>": "g.xml:1: expected well-formed XML, got undefined entity",
    "<?xml version='1.0' encoding='latin-1'?><adag/>": 'the encoding UTF-8, got "latin-1"',
    "<adag version='4.0'/>": 'g.xml:1: expected version 2 or 3 of DAX, got "4.0"',
    "<adag jobCount='-1'/>": 'g.xml:1: expected jobCount, a whole number',
    "<adag>\n<job runtime='1'/></adag>": "g.xml:2: expected the attribute id in <job>, got none",
    "<adag><job id='a&#10;b' runtime='1'/></adag>":
        'without control characters and lone surrogates, got "a\\nb"',
    "<adag>" + JOB.format("") + "\n" + JOB.format("") + "</adag>":
        'g.xml:2: expected a new id, got "a" again (see line 1)',
    "<adag><job id='a' runtime='-1'/></adag>":
        'expected runtime in seconds, a decimal number, got "-1"',
    "<adag><uses/></adag>": "expected <uses> in <job>, got it in <adag>",
    "<adag><x><job/></x></adag>": "expected <job> in <adag>, got it in <x>",
    "<adag><dax id='a'/></adag>": "expected <job>, got <dax>: a workflow in it has no runtime",
    JOB.format("<uses link='input' size='1'/>"): "expected the attribute file or name in <uses>",
    JOB.format("<uses file='f' link='both' size='1'/>"):
        'expected the link input, output or inout, got "both"',
    JOB.format("<uses file='f' link='input' size='-4'/>"): 'at least 0, got 1 negative',
    JOB.format("<uses file='f' link='input' size='1.5'/>"): 'got "1.5"',
    JOB.format("\n" + USES + "\n" + USES): 'g.xml:3: expected each input once, got "f" again',
    JOB.format("") + "<parent ref='a'/>": "expected <parent> in <child>, got it in <adag>",
    JOB.format("") + "<child ref='b'>\n<parent ref='a'/></child>":
        'g.xml:2: expected the id of a job, got "b"',
    JOB.format("") + "<child ref='a'><parent ref='c'/></child>":
        'expected the id of a job, got "c"',
    JOB.format("") + "<child ref='a'><parent ref='a'/></child>":
        'expected another job as parent, got "a" itself',
    JOB.format("") + "<child ref='a'><parent ref='b'/><parent ref='b'/></child>":
        'expected each parent once, got "b" again',
    "<adag>" + "<x>" * 200: "expected at most 100 elements in each other",
}  # fmt: skip


def test_dax(tmp_path):
    for text, words in DAX.items():
        whole = text if not text.startswith("<job") else f"<adag>{text}</adag>"
        message = refused(tmp_path, "g.xml", whole)
        assert words in message, text


def test_a_cycle_is_shown(tmp_path):
    jobs = "".join(f"<job id='{k}' runtime='1'/>" for k in "abcd")
    pairs = ("ab", "bc", "cb", "cd")
    edges = "".join(f"<child ref='{c}'><parent ref='{p}'/></child>" for p, c in pairs)
    message = refused(tmp_path, "g.xml", f"<adag>{jobs}{edges}</adag>")
    assert message == 'g.xml: expected no cycle, got "b" -> "c" -> "b"'


def test_a_long_cycle_is_cut(tmp_path):
    rows = [f"{k} 1 1 {(k - 1) % 12}" for k in range(12)]
    message = refused(tmp_path, "g.stg", "\n".join(["10", *rows]))
    assert message.endswith('"T0" -> "T1" -> "T2" -> "T3" -> "T4" -> (7 more) -> "T0"')


def test_a_huge_tag_is_refused_before_it_ends(tmp_path):
    message = refused(tmp_path, "g.xml", "<adag><!--" + "x" * (20 << 20))
    assert message == "g.xml:1: expected tags of at most 16,777,216 bytes"


# (text to replace in seeds/wfformat/split.json, replacement): message
WFFORMAT = {
    ('"1.5"', '"1.3"'): 'schemaVersion: expected WfFormat 1.4, 1.5 or 1.6, got "1.3"',
    ('"1.5"', "1.5"): "schemaVersion: expected a text, got a number",
    ('"1.5"', "true"): "schemaVersion: expected a text, got true",
    ('"execution"', '"run"'): "workflow.execution: expected it, got none",
    ('"id": "b_1"', '"id": "a_1"'):
        'workflow.specification.tasks[1].id: expected a new task, got "a_1" again',
    ('"id": "b_1"', '"id": ""'): "tasks[1].id: expected a task's name, got an empty one",
    ('"id": "b_1"', '"id": "\\ud800"'): "tasks[1].id: expected a name without control characters",
    ('"id": "b_1"', '"id": "\\u0000"'): 'lone surrogates, got "\\x00"',
    ('["b_1", "c_1"]', '["d"]'):
        'workflow.specification.tasks[0].children[0]: expected the id of a task, got "d"',
    ('["b_1", "c_1"]', '["b_1", "b_1"]'):
        'tasks[0].children[1]: expected each task once, got "b_1"',
    ('["b_1", "c_1"]', '["a_1"]'): 'tasks[0].children[0]: expected another task, got "a_1" itself',
    ('["in"]', '["out"]'): "tasks[0].inputFiles[0]: expected the id of a file in the specification",
    ('["x", "y"]', '["x", "x"]'): 'tasks[0].outputFiles[1]: expected a new file, got "x" again',
    ('InBytes": 6', 'InBytes": 6.5'):
        'sizeInBytes: expected a size, a whole number up to 9223372036854775807, got "6.5"',
    ('InBytes": 6', 'InBytes": "6"'): "files[1].sizeInBytes: expected a number, got a text",
    ('InBytes": 6', 'InBytes": ' + "9" * 5000): "expected numbers of at most 400 digits, got 5000",
    ('InBytes": 6', 'InBytes": 9223372036854775807'): "costs and weights that add up to at most",
    ("53.6", "-53.6"):
        'workflow.execution.tasks[0].runtimeInSeconds: expected a runtime in seconds',
    ("53.6", "NaN"): "g.json:23: expected numbers, got NaN",
    ("53.6", '"\\"NaN",\n"x": -Infinity'): "g.json:24: expected numbers, got -Infinity",
    ("53.6", "1e999"): "expected a runtime of at most",
    ('{"id": "c_1", "run', '{"id": "z", "run'):
        "execution.tasks[0].id: expected the id of a task in",
    ('{"id": "c_1", "run', '{"id": "a_1", "run'):
        'tasks[1].id: expected a new task, got "a_1" again',
    (',\n        {"id": "b_1", "runtimeInSeconds": 2e-6}', ""):
        'workflow.specification.tasks[1]: expected "b_1" in workflow.execution.tasks, got none',
    ('"name": "tiny"', '"name": "tiny", "name": ""'):
        'g.json: expected each key of an object once, got "name" again',
    ('"name": "tiny",', '"name": "tiny"'): "g.json:3: expected JSON, got: Expecting ',' delimiter",
    ('"name": "tiny"', '"name": ' + "[" * 200_000):
        "g.json: expected JSON that is nested less deeply",
    ('[{"nodeName": "w1"}, {"nodeName": "w2"}]', "2"):
        "execution.machines: expected an array, got a number",
}  # fmt: skip


def test_wfformat(tmp_path):
    text = (SEEDS / "wfformat/split.json").read_text()
    for change, words in WFFORMAT.items():
        assert change[0] in text
        message = refused(tmp_path, "g.json", text.replace(*change, 1))
        assert words in message and message.startswith("g.json:"), change


@pytest.mark.parametrize("text", ["", "[]", "{", "1", '"a"', "nul", '{"a": "\n"}', "{} {}"])
def test_json_without_a_workflow_is_refused(text, tmp_path):
    assert ": expected " in refused(tmp_path, "g.json", text)


def test_wfformat_1_4(tmp_path):
    text = (SEEDS / "wfformat/joined.json").read_text()
    for old, new, message in (
        ('"link": "input"', '"link": "in"', 'files[0].link: expected input or output, got "in"'),
        ('["a"]', '["1"]', 'tasks[0].parents[0]: expected the id of a task, got "1"'),
        ('"runtimeInSeconds": 1,', "", "workflow.tasks[1].runtimeInSeconds: expected it, got none"),
    ):
        assert message in refused(tmp_path, "g.json", text.replace(old, new, 1))


def test_the_size_of_a_json_file_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(wfformat, "MAX_BYTES", 100)
    message = refused(tmp_path, "g.json", (SEEDS / "wfformat/split.json").read_bytes())
    assert message == "g.json: expected at most 100 bytes (unpacked), got more"


STG = {
    "": "g.stg:1: expected the number of tasks, got the end of the file",
    "-1": 'g.stg:1: expected a number of the graph, a whole number up to',
    "2 3\n": "g.stg:1: expected the number of tasks alone, got 2 numbers (the prototype format is",
    "2147483645": "g.stg:1: expected at most 2147483644 tasks, got 2147483645",
    "1000000000\n0 0 0\n": "g.stg:2: expected 1000000002 tasks with the two dummies, got 1",
    "0\n0 0": "g.stg:2: expected a task's number, time and number of predecessors, got 2 numbers",
    "0\n0 0 0\n\n2 0 0": "g.stg:4: expected task 1, got 2",
    "0\n0 0 0\n1 0 1 2": "g.stg:3: expected a predecessor below 2, got 2",
    "0\n0 0 0\n1 0 1 1": "g.stg:3: expected another task as predecessor, got 1 itself",
    "0\n0 0 0\n1 0 2 0 0": "g.stg:3: expected each predecessor once, got 0 again",
    "0\n0 0 0\n1 0 2 0": "g.stg:3: expected 2 predecessors, got 1 numbers",
    "0\n0 0 0\n1 0 1 0\n2 0 0": "g.stg:4: expected the end after 2 tasks, got another line",
    "0\n0 0 0\n1 0 1": "g.stg:3: expected predecessor 1 of 1 of task 1 and its cost, got the end",
    "0\n0 0 0\n1 0 1\n0":
        "g.stg:4: expected predecessor 1 of 1 of task 1 and its cost, got 1 numbers",
    "1\n0 0 0\n1 0 1\n0 5\n2 0 1 1": "g.stg:5: expected all tasks with communication costs or none",
    "1\n0 0 0\n1 0 1 0\n2 0 1\n1 5": "g.stg:4: expected all tasks with communication costs or none",
    "0\n0 1 1 1\n1 1 1 0": 'g.stg: expected no cycle, got "T0" -> "T1" -> "T0"',
    "0\n0 9223372036854775807 0\n1 1 0": "costs and weights that add up to at most",
}  # fmt: skip


def test_stg(tmp_path):
    for text, words in STG.items():
        message = refused(tmp_path, "g.stg", text)
        assert words in message, text


COSTS = "x,p\na,1\nb,2\n"
MATRIX = "T,a,b\na,0,1\nb,0,0\n"
CSV = {  # (edges, costs): message
    ("", COSTS): "g_edges.csv:1: expected a header of at least 2 columns, got 0",
    (MATRIX, "x\n"): "g_costs.csv:1: expected a header of at least 2 columns, got 1",
    (MATRIX, "x,p\na\nb,1\n"): "g_costs.csv:2: expected 2 columns, got 1",
    (MATRIX, "x,p\na,1\nb,1.5\n"): 'g_costs.csv:3: expected a cost, a whole number up to',
    (MATRIX, "x,p\na,1\na,1\n"): 'g_costs.csv:3: expected each task once, got "a" again',
    (MATRIX, "x,p\na,1\n,1\n"): "g_costs.csv:3: expected a task's name, got an empty one",
    (MATRIX, "x,p\na,1\nc,1\n"): 'g_costs.csv: expected the costs of "b", got none',
    (MATRIX, COSTS + "c,1\n"): "g_costs.csv: expected 2 tasks as in the matrix, got 3",
    (MATRIX, "x,p\na_,1\n_a,1\n"): "g_costs.csv: expected the names of the matrix's tasks",
    ("T,a,a\na,0,1\na,0,0\n", COSTS): "g_edges.csv:1: expected distinct tasks in the header",
    ("T,a,\na,0,1\n", COSTS): "g_edges.csv:1: expected a task's name, got an empty one",
    ("T,a,b\nb,0,1\n", COSTS): 'g_edges.csv:2: expected the row of "a", got "b"',
    ("T,a,b\n\na,0\n", COSTS): "g_edges.csv:3: expected 3 columns, got 2",
    ("T,a,b\na,0,-1\n", COSTS):
        'g_edges.csv:2: expected a communication cost, a whole number up to',
    ("T,a,b\na,1,0\nb,0,0\n", COSTS): 'g_edges.csv:2: expected 0 from "a" to itself, got 1',
    ("T,a,b\na,0,1\n", COSTS): "g_edges.csv:2: expected 2 rows of tasks, got 1",
    (MATRIX + "c,0,0\n", COSTS): "g_edges.csv:4: expected the end after 2 tasks, got another row",
    ("T,a,b\na,0,1\nb,1,0\n", COSTS): 'g_edges.csv: expected no cycle, got "a" -> "b" -> "a"',
    ('T,a,"b\n', COSTS): "g_edges.csv:1: expected CSV, got unexpected end of data",
    ('T,a,"b"c\n', COSTS): "g_edges.csv:1: expected CSV, got",
    ("T,a,b\na,0,\0\n", COSTS): "g_edges.csv:2: expected",
    ("source,target,weight\na,b\n", COSTS):
        "g_edges.csv:2: expected source,target,weight, got 2 columns",
    ("source,target,weight\na,c,1\n", COSTS):
        'g_edges.csv:2: expected a task of the costs file, got "c"',
    ("source,target,weight\na,a,1\n", COSTS): 'g_edges.csv:2: expected two tasks, got "a" twice',
    ("source,target,weight\na,b,1\na,b,2\n", COSTS):
        'g_edges.csv:3: expected each edge once, got "a" -> "b" again',
    ("source,target,weight\na,b,\n", COSTS):
        "g_edges.csv:2: expected a weight, a whole number up to",
    ("source,target,weight\n", "x,p\n"): "g_edges.csv: expected at least one task, got none",
}  # fmt: skip


def test_csv(tmp_path):
    for texts, words in CSV.items():
        (tmp_path / "g_costs.csv").write_text(texts[1])
        message = refused(tmp_path, "g_edges.csv", texts[0])
        assert words in message, texts


def test_the_costs_of_a_csv_graph_must_be_found(tmp_path):
    assert "g_costs.csv: expected a readable file, got" in refused(tmp_path, "g_edges.csv", MATRIX)
    message = refused(tmp_path, "g.csv", MATRIX)
    assert message == "g.csv: expected a name like NAME_edges.csv, or the option costs"


def test_text_must_be_utf_8(tmp_path):
    (tmp_path / "g_costs.csv").write_text(COSTS)
    for name in ("g.xml", "g.json", "g.stg", "g_edges.csv"):
        message = refused(tmp_path, name, b"\xef\xbb\xbf<adag/>")
        assert message == f"{name}:1: expected UTF-8 without a byte order mark, got one"
        message = refused(tmp_path, name, b"\n\n\xff")
        if name != "g.xml":  # expat words this message itself
            assert message == f"{name}:3: expected UTF-8, got the byte 0xff"


def test_packed_data_is_bounded_and_must_be_complete(tmp_path, monkeypatch):
    packed = gzip.compress((SEEDS / "stg/plain.stg").read_bytes())
    assert "g.stg.gz: expected whole gzip data, got" in refused(tmp_path, "g.stg.gz", packed[:-12])
    assert "g.stg.gz: expected whole gzip data, got" in refused(tmp_path, "g.stg.gz", b"1\n")
    broken = packed[:20] + b"\xff\xff\xff" + packed[23:]
    assert "g.stg.gz" in refused(tmp_path, "g.stg.gz", broken)
    monkeypatch.setattr(source, "MAX_BYTES", 1 << 20)
    for name in ("g.stg.gz", "g.xml.gz", "g.json.gz"):
        bomb = gzip.compress(b"\n" * (8 << 20))
        assert "expected at most 1,048,576 bytes (unpacked)" in refused(tmp_path, name, bomb)
    monkeypatch.setattr(source, "MAX_LINE_BYTES", 100)
    assert refused(tmp_path, "g.stg", "1" * 101) == "g.stg:1: expected a line of at most 100 bytes"


def test_the_number_of_tasks_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(dag, "MAX_TASKS", 2)
    message = refused(tmp_path, "g.json", (SEEDS / "wfformat/split.json").read_bytes())
    assert message == "g.json: expected at most 2 tasks, got 3"


def test_paths_kinds_and_options(tmp_path):
    plain = (SEEDS / "stg/plain.stg").read_bytes()
    message = refused(tmp_path, "absent.stg", None)
    assert message == "absent.stg: expected a readable file, got No such file or directory"
    (tmp_path / "folder.stg").mkdir()
    assert "expected a regular file, got a folder" in refused(tmp_path, "folder.stg", None)
    assert "g.txt: expected one of .xml .dax .json" in refused(tmp_path, "g.txt", plain)
    assert "g.stg: expected one of the kinds dax," in refused(tmp_path, "g.stg", plain, kind="dot")
    message = refused(tmp_path, "g.stg", plain, costs="c.csv")
    assert message == "g.stg: expected no option costs for stg"


def test_only_an_hdf5_file_is_replaced(tmp_path):
    path = tmp_path / "g.stg"
    path.write_bytes((SEEDS / "stg/plain.stg").read_bytes())
    with pytest.raises(InputError, match="expected an HDF5 file to replace"):
        import_dag(path, path)
    assert path.read_bytes() == (SEEDS / "stg/plain.stg").read_bytes()


def test_an_output_that_cannot_be_written_leaves_nothing_and_the_old_graph(tmp_path, monkeypatch):
    with pytest.raises(OSError):
        import_dag(SEEDS / "stg/plain.stg", tmp_path / "absent" / "graph.h5")
    output = tmp_path / "graph.h5"
    import_dag(SEEDS / "stg/plain.stg", output)
    before = output.read_bytes()
    with pytest.raises(InputError):
        import_dag(tmp_path / "absent.stg", output)

    def fail(*_):
        raise OSError("no space")

    monkeypatch.setattr("gridloom_datasets.importers.dag_file._fill", fail)
    with pytest.raises(OSError, match="no space"):
        import_dag(SEEDS / "stg/with_costs.stg", output)
    assert output.read_bytes() == before and list(tmp_path.iterdir()) == [output]
