"""The program mhive-generic from outside: exit codes, messages, the files it writes."""

import collections
import itertools
import json

import h5py
import pytest

from program_under_test import find_program, run_program
from test_wavefront_cli import columns_of, snapshot

SCHEDULERS = [
    "time_sliced",
    "megakernel",
    "megakernel_1024",
    "device_controller",
    "resident_controller",
]
ARMS = [f"{name}, {kind}" for name in SCHEDULERS for kind in ("phases", "individual")]
ARMS.append("graph, launches")
SMALL = ["--backend", "host", "--workers", "2", "--instances", "20", "--quiet"]
OPTIONS = ["tree", "preset", "instances", "dependencies", "scheduler", "perfetto", "trace"]

TREE = """task a flops=100 worker=1 phase=0
task b flops=100 worker=64 phase=1
edge a b probability=0.5
"""


@pytest.fixture(scope="module")
def program():
    return find_program("mhive-generic")


@pytest.fixture
def run(program, tmp_path):
    return lambda *arguments: run_program(program, *arguments, cwd=tmp_path)


@pytest.fixture
def refused(run, tmp_path):
    """Runs what must be refused: exit code 2, one line on stderr, nothing written. The line."""

    def check(*arguments):
        before = snapshot(tmp_path)
        done = run(*arguments)
        assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
        assert done.stderr.count("\n") == 1 and done.stderr.endswith("\n"), done.stderr
        assert done.stderr.startswith("mhive-generic: ")
        assert snapshot(tmp_path) == before
        return done.stderr

    return check


# arguments: words that the message must hold
BAD_ARGUMENTS = {
    "--preset fig9.9": ["--preset", "fig9.9", "fig7.1", "fig7.2"],
    "--instances 0": ["--instances", "from 1", '"0"'],
    "--instances -1": ["--instances"],
    "--instances 1.5": ["--instances", "1.5"],
    "--instances 4294967296": ["--instances", "4294967296"],
    "--instances 2000000000": ["--instances", "2^30", "2000000000"],
    "--dependencies none": ["--dependencies", "phases", "individual"],
    "--dependencies phases,phases": ["--dependencies", "phases"],
    "--scheduler quantum": ["--scheduler", "quantum", *SCHEDULERS, "graph"],
    "--scheduler": ["--scheduler"],
    "--threads 64": ["--threads"],
    "--workers 1024": ["--workers", "1023", "1024"],
    "--workers -1": ["--workers"],
    "--tree none.tree": ["none.tree"],
    "--tree none.tree --preset fig7.1": ["--tree", "--preset"],
    "--perfetto missing/trace.json": ["--perfetto", "no folder"],
    "--perfetto /proc/trace.json": ["--perfetto"],
    "--perfetto /dev/full": ["--perfetto", "regular file"],
    "--output missing/results.h5": ["--output", "no folder"],
    "--trace missing/trace.h5": ["--trace", "no folder"],
    "--trace a.h5 --output a.h5": ["--trace", "--output"],
    "--trace a.h5 --perfetto ./a.h5": ["--perfetto", "--trace"],
    "--output a.h5 --perfetto a.h5": ["--perfetto", "--output"],
    "--append": ["--append", "--output"],
    "--repeat 0": ["--repeat"],
    "--timeout-s 0": ["--timeout-s"],
    "surplus": ["surplus"],
}


@pytest.mark.parametrize("text", BAD_ARGUMENTS)
def test_bad_arguments_are_refused_in_one_line(refused, text):
    message = refused("--backend", "host", *text.split())
    for words in BAD_ARGUMENTS[text]:
        assert words in message


# text of a tree: words that the message must hold
BAD_TREES = {
    "": ["bad.tree", "at least one task"],
    TREE + "edge b a\n": ["bad.tree:4", "cycle", "b -> a -> b"],
    TREE + "task b flops=1 worker=1\n": ["bad.tree:4", "again"],
    TREE + "task c flops=1 worker=33\n": ["bad.tree:4", "33"],
    TREE + "task c flops=1 worker=1 phase=8\n": ["bad.tree:4", "phase"],
    TREE + "task c flops=1 worker=1 phase=1\nedge b c\n": ["bad.tree:5", "later phase"],
}


@pytest.mark.parametrize("text", BAD_TREES)
def test_bad_trees_are_refused_with_their_line(refused, tmp_path, text):
    (tmp_path / "bad.tree").write_text(text)
    message = refused(*SMALL, "--tree", "bad.tree")
    for words in BAD_TREES[text]:
        assert words in message


@pytest.mark.parametrize("option", ["--output", "--trace", "--perfetto"])
def test_the_tree_is_not_overwritten(refused, tmp_path, option):
    (tmp_path / "my.tree").write_text(TREE)
    message = refused(*SMALL, "--tree", "my.tree", option, tmp_path / "my.tree")
    assert option in message and "--tree" in message


def test_a_tree_without_phases_runs_with_individual_dependencies(run, tmp_path):
    (tmp_path / "flat.tree").write_text(
        "task a flops=1 worker=1\ntask b flops=1 worker=1\nedge a b\n"
    )
    arguments = [*SMALL, "--tree", "flat.tree", "--repeat", 1]
    assert run(*arguments).returncode == 2
    done = run(*arguments, "--dependencies", "individual")
    assert done.returncode == 0, done.stderr


def test_more_instances_than_memory_are_refused(refused, tmp_path):
    # 2^30 tasks of a type are not reached: the limit is memory, not the length of a queue.
    message = refused("--backend", "host", "--instances", 400_000_000, "--dependencies", "phases")
    assert "--instances" in message and "MiB" in message


@pytest.mark.parametrize("preset", ["fig7.1", "fig7.2"])
def test_every_arm_runs_verified_in_balanced_order(run, tmp_path, preset):
    path = tmp_path / "results.h5"
    done = run(*SMALL, "--preset", preset, "--repeat", len(ARMS), "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["results.h5"]
    runs = columns_of(path, "runs")
    assert collections.Counter(runs["arm"]) == dict.fromkeys(ARMS, len(ARMS))
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert set(runs["tree"]) == set(runs["experiment"]) == {preset}
    assert set(runs["instances"]) == {20} and len(set(runs["tasks"])) == 1
    assert runs["tasks"][0] == 80 or preset == "fig7.2"
    assert (runs["elapsed_ms"] > 0).all() and (runs["end_to_end_ms"] >= runs["elapsed_ms"]).all()
    places = collections.Counter(zip(runs["arm"], runs["order"], strict=True))
    assert places == {(arm, place): 1 for arm in ARMS for place in range(len(ARMS))}
    # Every phase of a preset has tasks, and all that is individual is one phase.
    changes = {"fig7.1": 2, "fig7.2": 4}[preset]
    phased = runs["dependencies"] == "phases"
    assert set(runs["phase_changes"][phased]) == {changes}
    assert set(runs["phase_changes"][~phased]) == {0}
    for arm in ARMS:
        assert arm in done.stdout
    with h5py.File(path) as file:
        meta = dict(file["meta"].attrs)
        assert all(data.attrs["description"] for data in file["runs"].values())
    assert meta["program"] == "mhive-generic" and meta["tree"] == preset


def test_unverified_runs_say_so(run, tmp_path):
    done = run(*SMALL, "--no-verify", "--repeat", 1, "--scheduler", "graph", "--output", "r.h5")
    assert done.returncode == 0, done.stderr
    assert columns_of(tmp_path / "r.h5", "runs")["verified"].tolist() == ["off"]


def test_append_adds_a_process(run, tmp_path):
    for _ in range(2):
        done = run(*SMALL, "--repeat", 1, "--scheduler", "graph", "--output", "r.h5", "--append")
        assert done.returncode == 0, done.stderr
    assert columns_of(tmp_path / "r.h5", "runs")["process"].tolist() == [0, 1]


def test_traces_hold_every_task_once(run, tmp_path):
    (tmp_path / "my.tree").write_text(TREE)
    files = ["--trace", "trace.h5", "--perfetto", "trace.json"]
    done = run(*SMALL, "--tree", "my.tree", "--repeat", 1, *files)
    assert done.returncode == 0, done.stderr
    trace = columns_of(tmp_path / "trace.h5", "trace")
    tree = columns_of(tmp_path / "trace.h5", "tree")
    edges = columns_of(tmp_path / "trace.h5", "edges")
    assert tree["name"].tolist() == ["a", "b"] and tree["worker"].tolist() == [1, 64]
    assert tree["phase"].tolist() == [0, 1] and tree["flops"].tolist() == [100, 100]
    assert (edges["from"][0], edges["to"][0], edges["probability"][0]) == (0, 1, 0.5)
    assert set(trace["arm"]) == set(ARMS)
    assert set(zip(trace["node"], trace["name"], strict=True)) == {(0, "a"), (1, "b")}
    assert (trace["end_ns"] >= trace["begin_ns"]).all()
    counts = collections.Counter(zip(trace["arm"], trace["node"], strict=True))
    assert {counts[arm, 0] for arm in ARMS} == {20}
    assert len({counts[arm, 1] for arm in ARMS}) == 1 and 0 < counts[ARMS[0], 1] < 20
    for arm in ARMS:
        mine = trace["arm"] == arm
        assert trace["begin_ns"][mine].min() == 0
        if arm.endswith("phases"):
            first, second = mine & (trace["node"] == 0), mine & (trace["node"] == 1)
            assert trace["end_ns"][first].max() <= trace["begin_ns"][second].min()

    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    tasks = [event for event in events if event["ph"] == "X"]
    assert collections.Counter(event["name"] for event in tasks) == collections.Counter(
        trace["name"]
    )
    names = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"]
    assert names == list(dict.fromkeys(trace["arm"]))
    # Events of one thread do not overlap.
    threads = collections.defaultdict(list)
    for event in tasks:
        threads[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for spans in threads.values():
        spans.sort()
        assert all(a[1] <= b[0] + 1e-6 for a, b in itertools.pairwise(spans))


def test_a_run_beyond_the_time_limit_is_recorded_as_such(run, tmp_path):
    done = run(
        "--backend", "host", "--workers", 1, "--instances", 2000, "--preset", "fig7.2", "--quiet",
        "--scheduler", "megakernel,graph", "--dependencies", "individual", "--repeat", 1,
        "--timeout-s", 0.02, "--output", "r.h5",
    )  # fmt: skip
    assert done.returncode == 1, (done.returncode, done.stderr)
    for arm in ("megakernel, individual", "graph, launches"):
        assert f"{arm}: timeout after 0.02 s" in done.stderr
    assert done.stderr.count("\n") == 2
    runs = columns_of(tmp_path / "r.h5", "runs")
    status = dict(zip(runs["scheduler"], runs["status"], strict=True))
    assert status == {"megakernel": "timeout", "graph": "timeout"}
    assert "graph, launches" in done.stdout


def test_help_version_and_list_answer_on_standard_output(run):
    for option in ("--help", "--version", "--list"):
        done = run(option)
        assert done.returncode == 0 and done.stderr == "" and done.stdout, option
    text = run("--help").stdout
    assert [option for option in OPTIONS if f"--{option}" not in text] == []
    listed = run("--list").stdout
    assert [name for name in [*SCHEDULERS, "graph", "fig7.2"] if name not in listed] == []
