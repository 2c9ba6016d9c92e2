"""scripts/trace_to_perfetto: a row per worker, arrows along dependences, the critical path."""

import collections
import itertools
import json

import h5py
import pytest

from gridloom import perfetto
from gridloom.command_line import exit_code
from program_under_test import columns_of, find_program, run_program

# Task 3 waits for 1 and 2, and 4 for 1: the chain 0, 2, 3 ends last. Worker 1 runs two at once.
TASKS = [  # arm, worker, task, type, begin_ns, end_ns
    ("a", 0, 0, 0, 0, 1000),
    ("a", 0, 1, 1, 1000, 1000),
    ("a", 1, 2, 1, 1500, 4000),
    ("a", 1, 4, 1, 2000, 2500),
    ("a", 0, 3, 0, 4200, 5000),
    ("a", 0, 0, 0, 0, 10),
    ("b", 7, 9, 2, 0, 30),
]
EDGES = [(0, 0, 1), (0, 0, 2), (0, 1, 3), (0, 2, 3), (0, 1, 4), (0, 3, 5)]  # 5 is not in the trace
TABLES = {
    "trace": (["arm", "worker", "task", "type", "begin_ns", "end_ns"], TASKS),
    "traced": (["arm", "events", "graph"], [("a", 5, 0), ("a", 1, -1), ("b", 1, -1)]),
    "dependences": (["graph", "from", "to"], EDGES),
    "task_types": (["graph", "type", "name"], [(0, 0, "lu0"), (0, 1, "bmod")]),
}

NONE = ([], [])


@pytest.fixture
def write(tmp_path):
    """Writes TABLES as a trace file, with some of them replaced or left out (None)."""

    def write(**replaced):
        with h5py.File(tmp_path / "t.h5", "w") as file:
            file.create_group("meta").attrs["program"] = "test"
            for table, content in (TABLES | replaced).items():
                for column, values in zip(content[0], zip(*content[1], strict=True), strict=True):
                    text = h5py.string_dtype() if isinstance(values[0], str) else None
                    file.create_dataset(f"{table}/{column}", data=values, dtype=text)
        return tmp_path / "t.h5"

    return write


def converted(trace, *options):
    """The events by phase, metadata as {name: [event]}."""
    output = trace.with_name("t.json")
    assert perfetto.run([str(trace), "--output", str(output), *options]) == 0
    events = collections.defaultdict(list)
    for event in json.loads(output.read_text())["traceEvents"]:
        events[event["name"] if event["ph"] == "M" else event["ph"]].append(event)
    return events


def rows_of(events):
    """{(process, thread): (name of the process, name of the thread)}"""
    process = {e["pid"]: e["args"]["name"] for e in events["process_name"]}
    named = {(e["pid"], e["tid"]): e["args"]["name"] for e in events["thread_name"]}
    return {at: (process[at[0]], name) for at, name in named.items()}


def test_rows_names_and_times(write):
    events = converted(write())
    rows = rows_of(events)
    tasks = [(*rows[e["pid"], e["tid"]], e["name"], e["ts"], e["dur"]) for e in events["X"]]
    assert sorted(tasks) == [
        ("a (1)", "critical path", "bmod 2", 1.5, 2.5),
        ("a (1)", "critical path", "lu0 0", 0, 1),
        ("a (1)", "critical path", "lu0 3", 4.2, 0.8),
        ("a (1)", "worker 0", "bmod 1", 1, 0),
        ("a (1)", "worker 0", "lu0 0, critical", 0, 1),
        ("a (1)", "worker 0", "lu0 3, critical", 4.2, 0.8),
        ("a (1)", "worker 1", "bmod 2, critical", 1.5, 2.5),
        ("a (1)", "worker 1", "bmod 4", 2, 0.5),
        ("a (2)", "worker 0", "task 0, type 0", 0, 0.01),
        ("b", "worker 7", "task 9, type 2", 0, 0.03),
    ]
    # Worker 1 has two rows. No number has two meanings.
    assert list(rows.values()).count(("a (1)", "worker 1")) == 2
    numbers = [event["pid"] for event in events["process_name"]]
    numbers += [event["tid"] for event in events["thread_name"]]
    assert len(set(numbers)) == len(numbers)
    marked = [e for e in events["X"] if e["cat"] == "critical path"]
    assert len(marked) == 6 and sum("cname" in e for e in marked) == 3
    assert {e["args"]["critical path"] for e in marked} == {"1 of 3", "2 of 3", "3 of 3"}
    assert all("critical path" not in e["args"] for e in events["X"] if e not in marked)


def arrows_of(events):
    """{(task, task): category}"""
    ends = {}
    for kind in "sf":
        for arrow in events[kind]:
            at = [arrow[key] for key in ("pid", "tid", "ts")]
            [task] = {
                e["args"]["task"] for e in events["X"] if at == [e[k] for k in ("pid", "tid", "ts")]
            }
            ends.setdefault(arrow["id"], []).append((task, arrow["cat"]))
    assert all(before[1] == after[1] for before, after in ends.values())
    return {(before[0], after[0]): before[1] for before, after in ends.values()}


def test_arrows_along_dependences(write):
    events = converted(write())
    plain, marked = "dependence", "critical path"
    assert arrows_of(events) == {
        (0, 1): plain, (0, 2): marked, (1, 3): plain, (2, 3): marked, (1, 4): plain,
    }  # fmt: skip
    assert all(arrow["bp"] == "e" for arrow in events["f"])


def test_without_a_graph_there_are_no_arrows_and_no_path(write):
    columns, runs = TABLES["traced"]
    no_graph = (columns[:2], [row[:2] for row in runs])
    for replaced in ({"dependences": NONE}, {"traced": no_graph}, {"traced": NONE}):
        events = converted(write(**replaced))
        assert len(events["X"]) == len(TASKS) and events["s"] == events["f"] == []
        assert {e["cat"] for e in events["X"]} == {"task"}


def test_one_arm_can_be_chosen(write):
    events = converted(write(), "--arm", "b")
    assert [e["args"]["name"] for e in events["process_name"]] == ["b"]


CYCLE = (TABLES["dependences"][0], [(0, 0, 1), (0, 1, 3), (0, 3, 0)])
TWICE = (TABLES["trace"][0], [*TASKS[:4], TASKS[0], *TASKS[5:]])


@pytest.mark.parametrize(
    ("replaced", "options", "words"),
    [
        ({"dependences": CYCLE}, [], "/dependences has a cycle"),
        ({"trace": TWICE}, [], "/trace has a task twice"),
        ({"trace": (["arm"], [("a",)])}, [], "/traced counts 7 tasks of 1"),
        ({"trace": NONE}, [], "no group /trace; a program's --trace writes it"),
        ({"traced": (["arm"], [("a",)])}, [], "/traced has no column 'events'"),
        ({}, ["--arm", "c"], "--arm: expected one of a, b, got c"),
        ({}, ["--output", "t.h5"], "--output: expected another file than the input"),
        ({}, ["--output", "none/t.json"], "--output"),
        ({}, ["none.h5"], "unrecognized arguments"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    write, monkeypatch, tmp_path, capsys, replaced, options, words
):
    trace = write(**replaced)
    monkeypatch.chdir(tmp_path)
    output = [] if "--output" in options else ["--output", "t.json"]
    assert exit_code("trace_to_perfetto", perfetto.run, [str(trace), *output, *options]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("trace_to_perfetto: ")
    assert words in told.err and told.err.count("\n") == 1, told.err
    assert list(tmp_path.iterdir()) == [trace]


def test_too_many_events_are_refused(write, monkeypatch, tmp_path, run_script):
    done = run_script("scripts/trace_to_perfetto", write(), "--output", tmp_path / "t.json")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout == f"{tmp_path}/t.json: traced runs: 3, tasks: 7, dependences: 6\n"
    monkeypatch.setattr(perfetto, "MOST_EVENTS", 7 + 2 * 6)
    converted(write())
    monkeypatch.setattr(perfetto, "MOST_EVENTS", 7 + 2 * 6 - 1)
    with pytest.raises(perfetto.PlotError, match="expected at most 18 .* got 19; name one --arm"):
        converted(write())


# (program, options, tasks and dependences of one run)
PROGRAMS = [
    ("wavefront", "--rows 4 --cols 5 --algorithm scanning,ticket_queue,in_order", 20, 31),
    ("juggler", "--app lud --across 3 --tile 4 --method grr,barriers,ticket", 14, 21),
    ("tiled-qr", "--rows 12 --tile 4 --method fr2,fr3,ticket", 14, 21),
    ("tiled-tasks", "--client qr --rows 12 --tile 4 --method general,waves", 14, 21),
    ("gridloom-schedulers", "--generate stencil_1d:width=4,steps=3", 12, 20),
    ("pets", "--generate v=30 --processors 3 --implementation host,csr", 30, 120),
    ("mhive-generic", "--instances 20", 80, 80),
    ("template_artifact", "--tiles 3 --scheduler fr4,graph", 9, 12),
]


@pytest.mark.parametrize(("program", "options", "tasks", "edges"), PROGRAMS)
def test_the_trace_of_every_program_converts(tmp_path, program, options, tasks, edges):
    few = "--backend host --workers 2 --repeat 1 --warmup 0 --no-floors --quiet --trace t.h5"
    done = run_program(find_program(program), *options.split(), *few.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    events = converted(tmp_path / "t.h5")
    threads, path = collections.defaultdict(list), collections.defaultdict(list)
    rows = rows_of(events)
    for event in events["X"]:
        at = event["pid"], event["tid"]
        kind = path if rows[at][1] == "critical path" else threads
        kind[at].append((event["ts"], event["ts"] + event["dur"]))
    runs = len(columns_of(tmp_path / "t.h5", "traced")["arm"])
    assert sum(map(len, threads.values())) == runs * tasks
    assert len(events["s"]) == len(events["f"]) == runs * edges
    assert len(path) == runs
    for spans in [*threads.values(), *path.values()]:
        assert all(a[1] <= b[0] + 1e-6 for a, b in itertools.pairwise(sorted(spans)))
    for (process, _), spans in path.items():
        own = [e["ts"] + e["dur"] for e in events["X"] if e["pid"] == process]
        assert max(spans)[1] == max(own)
    starts = {arrow["id"]: arrow for arrow in events["s"]}
    ends = {(e["pid"], e["tid"], e["ts"]): e["ts"] + e["dur"] for e in events["X"]}
    for arrow in events["f"]:
        start = starts[arrow["id"]]
        assert ends[start["pid"], start["tid"], start["ts"]] <= arrow["ts"] + 1e-6
