"""The program wavefront from outside: exit codes, messages, the files it writes."""

import collections
import hashlib
import re

import h5py
import numpy as np
import pytest

from program_under_test import find_program, run_program

ALGORITHMS = [
    "scanning", "single_queue", "multi_queue", "ticket_queue", "stripes",
    "waves_stream", "waves_graph", "waves_graph_pdl", "waves_barrier", "omp_tasks",
]  # fmt: skip
META = [
    "schema_version", "commit", "dirty", "date", "host", "cpu", "compilers", "flags",
    "floor_copy_gbs", "floor_read_gbs", "floor_launch_ns", "floor_signal_ns", "floor_atomic_ns",
]  # fmt: skip
OPTIONS = [
    "algorithm", "rows", "cols", "depth", "graph", "queues", "hash", "work-ns", "backend",
    "trace", "output", "timeout-s",
]  # fmt: skip
SMALL = ["--backend", "host", "--workers", "2", "--rows", "12", "--cols", "17", "--quiet"]


@pytest.fixture(scope="module")
def wavefront():
    return find_program("wavefront")


@pytest.fixture
def run(wavefront, tmp_path):
    return lambda *arguments: run_program(wavefront, *arguments, cwd=tmp_path)


@pytest.fixture
def refused(run, tmp_path):
    """Runs what must be refused: exit code 2, one line on stderr, nothing written. The line."""

    def check(*arguments):
        before = snapshot(tmp_path)
        done = run(*arguments)
        assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
        assert done.stderr.count("\n") == 1 and done.stderr.endswith("\n"), done.stderr
        assert done.stderr.startswith("wavefront: ")
        assert snapshot(tmp_path) == before
        return done.stderr

    return check


def snapshot(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def write_graph(path, successors, n=None):
    """A graph in CSR form from a list of successor lists, right or not."""
    with h5py.File(path, "w") as file:
        graph = file.create_group("graph")
        graph.attrs["kind"] = "dag"
        graph.attrs["n"] = np.uint64(len(successors) if n is None else n)
        offsets = np.cumsum([0] + [len(row) for row in successors])
        columns = [to for row in successors for to in row]
        graph.create_dataset("row_offsets", data=np.array(offsets, dtype=np.uint64))
        graph.create_dataset("columns", data=np.array(columns, dtype=np.uint32))
    return path


def columns_of(path, table):
    with h5py.File(path) as file:
        group = file[table]
        assert sorted(group.attrs["columns"].split("\n")) == sorted(group)
        return {
            name: data.asstr()[...] if h5py.check_string_dtype(data.dtype) else data[...]
            for name, data in group.items()
        }


# arguments: words that the message must hold
BAD_ARGUMENTS = {
    "--rows 0": ["--rows", ">= 1"],
    "--rows -1": ["--rows", ">= 1"],
    "--cols 0": ["--cols", ">= 1"],
    "--depth -3": ["--depth", ">= 1"],
    "--rows 1.5": ["--rows", "1.5"],
    "--rows 100000 --cols 100000": ["--rows", "100000", "2147483647"],
    "--rows 4294967296": ["--rows", "4294967296"],
    "--rows 4294967296 --cols 4294967296": ["--rows", "4294967296"],
    "--rows 99999999999999999999": ["--rows", "99999999999999999999"],
    "--rows 2000 --cols 2000 --depth 2000": ["2000", "2147483647"],
    "--algorithm multi_queue --queues 0": ["--queues"],
    "--algorithm multi_queue --queues 150": ["--queues", "150"],
    "--algorithm multi_queue --queues -5": ["--queues"],
    "--algorithm multi_queue --workers 1 --queues 50": ["--queues", "no queue"],
    "--algorithm multi_queue --hash c": ["--hash", "mix", "row"],
    "--algorithm quantum": ["--algorithm", "quantum", *ALGORITHMS],
    "--algorithm waves_stream": ["waves_stream", "host"],
    "--algorithm stripes --width block": ["stripes", "--width lane"],
    "--algorithm scanning --width lane": ["scanning", "--width block"],
    "--ring-slots 1": ["--ring-slots", "power of two"],
    "--ring-slots 12": ["--ring-slots", "power of two"],
    "--ring-slots -2": ["--ring-slots"],
    "--workers 2000": ["2000", "1024"],
    "--workers -1": ["--workers"],
    "--work-ns -1": ["--work-ns"],
    "--body sleep": ["--body", "recurrence"],
    "--experiment fig4": ["--experiment", "fig3"],
    "--device 1": ["--device"],
    "--repeat 0": ["--repeat"],
    "--timeout-s 0": ["--timeout-s"],
    "--output": ["--output"],
    "--append": ["--append", "--output"],
    "--rowz 3": ["rowz"],
    "surplus": ["surplus"],
}


@pytest.mark.parametrize("text", BAD_ARGUMENTS)
def test_bad_arguments_are_refused_in_one_line(refused, text):
    message = refused("--backend", "host", *text.split())
    for words in BAD_ARGUMENTS[text]:
        assert words in message


def test_cuda_without_a_device_is_refused(run, refused):
    if run("--backend", "cuda", "--rows", 2, "--cols", 2, "--repeat", 1).returncode == 0:
        pytest.skip("a CUDA device is there")
    assert "--backend cuda" in refused("--backend", "cuda")


@pytest.mark.parametrize("option", ["--output", "--trace"])
def test_files_that_cannot_be_written_are_refused_before_the_run(refused, tmp_path, option):
    (tmp_path / "folder").mkdir()
    assert option in refused(*SMALL, option, "folder")
    assert "no folder" in refused(*SMALL, option, "missing/results.h5")
    # Not even root can make a file there.
    assert option in refused(*SMALL, option, "/proc/results.h5")
    assert "regular file" in refused(*SMALL, option, "/dev/full")


def test_graphs_that_are_none_are_refused(refused, tmp_path):
    def message(path, *more):
        return refused("--backend", "host", "--graph", path, *more)

    assert "missing.h5" in message("missing.h5")
    (tmp_path / "text.h5").write_text("tasks: 3\n")
    assert "text.h5" in message("text.h5")
    assert "no tasks" in message(write_graph(tmp_path / "empty.h5", []))
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["numbers"] = [1, 2, 3]
    assert "other.h5" in message("other.h5")

    cycle = message(write_graph(tmp_path / "cycle.h5", [[1], [2], [3], [1]]))
    edge = re.search(r"edge (\d) -> (\d)", cycle)
    assert edge and edge.groups() in {("1", "2"), ("2", "3"), ("3", "1")} and "cycle" in cycle
    outside = message(write_graph(tmp_path / "outside.h5", [[1], [7]]))
    assert "edge 1 -> 7" in outside and "outside.h5" in outside
    assert "edge 0 -> 0" in message(write_graph(tmp_path / "self.h5", [[0]]))
    assert "edge 0 -> 1" in message(write_graph(tmp_path / "twice.h5", [[1, 1], []]))

    good = write_graph(tmp_path / "good.h5", [[1, 2], [3], [3], []])
    assert "lattices only" in message(good, "--algorithm", "stripes")
    assert "--graph" in message(good, "--rows", 4)
    assert "--graph" in message(good, "--experiment", "fig3")


def test_append_is_refused_on_a_file_of_another_schema(run, refused, tmp_path):
    path = tmp_path / "results.h5"
    done = run(*SMALL, "--repeat", 1, "--output", path)
    assert done.returncode == 0, done.stderr
    with h5py.File(path, "a") as file:
        file["meta"].attrs["schema_version"] = "999"
    assert "999" in refused(*SMALL, "--output", path, "--append")
    path.write_text("no results\n")
    assert "results.h5" in refused(*SMALL, "--output", path, "--append")


def test_append_adds_a_process(run, tmp_path):
    path = tmp_path / "results.h5"
    for _ in range(2):
        done = run(*SMALL, "--repeat", 2, "--output", path, "--append")
        assert done.returncode == 0, done.stderr
    assert columns_of(path, "runs")["process"].tolist() == [0, 0, 1, 1]


def test_results_hold_every_repetition_in_balanced_order(run, tmp_path):
    arms = ["scanning", "single_queue", "ticket_queue", "stripes"]
    path = tmp_path / "results.h5"
    done = run(*SMALL, "--algorithm", ",".join(arms), "--repeat", 8, "--counters", "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["results.h5"]

    runs = columns_of(path, "runs")
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert set(runs["tasks"]) == set(runs["executed"]) == {12 * 17}
    assert set(runs["edges"]) == {2 * 12 * 17 - 12 - 17}
    timed = runs["counters"] == 0
    assert (runs["elapsed_ms"][timed] > 0).all()
    assert (runs["end_to_end_ms"][timed] >= runs["elapsed_ms"][timed]).all()
    assert np.isnan(runs["elapsed_ms"][~timed]).all()
    assert collections.Counter(runs["algorithm"][timed]) == dict.fromkeys(arms, 8)
    places = collections.Counter(zip(runs["algorithm"][timed], runs["order"][timed], strict=True))
    assert places == {(arm, place): 2 for arm in arms for place in range(4)}
    for repetition in range(8):
        assert sorted(runs["order"][timed & (runs["repetition"] == repetition)]) == [0, 1, 2, 3]

    # The counting build: one run an arm. The published queues lock by compare-and-swap.
    assert collections.Counter(runs["algorithm"][~timed]) == dict.fromkeys(arms, 1)
    cas = dict(zip(runs["algorithm"][~timed], runs["cas"][~timed], strict=True))
    assert cas["single_queue"] >= 2 * 12 * 17 and cas["stripes"] == 0
    assert (runs["cas"][timed] == 0).all() and (runs["loads"][timed] == 0).all()

    with h5py.File(path) as file:
        units = {name: data.attrs["unit"] for name, data in file["runs"].items()}
        assert units["elapsed_ms"] == units["setup_ms"] == "ms" and units["work_ns"] == "ns"
        assert units["scheduler_bytes"] == "bytes" and units["cas"] == "1"
        assert all(data.attrs["description"] for data in file["runs"].values())
        meta = dict(file["meta"].attrs)
    assert meta["program"] == "wavefront" and meta["backend"] == "host"
    assert "--repeat 8" in meta["argv"] and meta["argv"].startswith("wavefront ")
    for name in META:
        assert str(meta[name]) != "", name


def test_unverified_runs_say_so(run, tmp_path):
    path = tmp_path / "results.h5"
    done = run(*SMALL, "--no-verify", "--repeat", 1, "--output", path)
    assert done.returncode == 0, done.stderr
    assert columns_of(path, "runs")["verified"].tolist() == ["off"]


def test_a_graph_from_a_file_runs_and_is_verified(run, tmp_path):
    graph = write_graph(tmp_path / "dag.h5", [[2, 3], [3], [4], [4], [], []])
    algorithms = "scanning,single_queue,multi_queue,ticket_queue,waves_barrier,omp_tasks"
    path = tmp_path / "results.h5"
    done = run(
        "--backend", "host", "--workers", 3, "--graph", graph, "--algorithm", algorithms,
        "--repeat", 2, "--body", "recurrence", "--output", path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    runs = columns_of(path, "runs")
    assert len(runs["arm"]) == 12 and set(runs["verified"]) == {"yes"}
    assert set(runs["graph"]) == {"dag"} and set(runs["edges"]) == {5}
    with h5py.File(path) as file:
        digest = hashlib.sha256(graph.read_bytes()).hexdigest()
        assert file["meta"].attrs["sha256_graph"] == digest


def test_a_run_beyond_the_time_limit_is_recorded_as_such(run, tmp_path):
    # Falling numbers are a scan's worst order: 4 * 10^8 looks for 20,000 tasks.
    n = 20_000
    graph = write_graph(tmp_path / "chain.h5", [[], *([task] for task in range(n - 1))])
    path = tmp_path / "results.h5"
    done = run(
        "--backend", "host", "--workers", 2, "--graph", graph, "--algorithm", "scanning",
        "--timeout-s", 0.02, "--output", path,
    )  # fmt: skip
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "--timeout-s" in done.stderr
    assert re.search(r"^ *worker \d waited for task \d+: saw \d+, wanted \d+$", done.stderr, re.M)
    runs = columns_of(path, "runs")
    assert len(runs["status"]) >= 1 and set(runs["status"]) == {"timeout"}
    assert (runs["executed"] < n).all() and set(runs["verified"]) == {"no"}


def test_a_failed_arm_leaves_the_others_standing(run, tmp_path):
    n = 20_000
    graph = write_graph(tmp_path / "chain.h5", [[], *([task] for task in range(n - 1))])
    path = tmp_path / "results.h5"
    done = run(
        "--backend", "host", "--workers", 2, "--graph", graph, "--timeout-s", 0.1, "--repeat", 2,
        "--algorithm", "scanning,ticket_queue", "--output", path,
    )  # fmt: skip
    assert done.returncode == 1
    runs = columns_of(path, "runs")
    status = dict(zip(runs["algorithm"], runs["status"], strict=True))
    assert status == {"scanning": "timeout", "ticket_queue": "ok"}


@pytest.mark.parametrize("algorithm", ["multi_queue", "ticket_queue", "stripes", "waves_barrier"])
def test_a_trace_holds_every_task_once(run, tmp_path, algorithm):
    path = tmp_path / "trace.h5"
    done = run(*SMALL, "--algorithm", algorithm, "--repeat", 1, "--trace", path)
    assert done.returncode == 0, done.stderr
    trace = columns_of(path, "trace")
    assert sorted(trace["task"]) == list(range(12 * 17))
    assert (trace["end_ns"] >= trace["begin_ns"]).all()
    assert set(trace["worker"]) <= {0, 1}
    order = np.argsort(trace["task"])
    begin = trace["begin_ns"][order].reshape(12, 17)
    end = trace["end_ns"][order].reshape(12, 17)
    assert (begin[1:] >= end[:-1]).all() and (begin[:, 1:] >= end[:, :-1]).all()


def test_help_version_and_list_answer_on_standard_output(run):
    for option in ("--help", "-h", "--version", "--list"):
        done = run(option)
        assert done.returncode == 0 and done.stderr == "" and done.stdout, option
    text = run("--help").stdout
    for option in OPTIONS:
        assert f"--{option}" in text
    assert re.match(r"wavefront \d+\.\d+\.\d+ ", run("--version").stdout)
    listed = run("--list").stdout
    assert [name for name in ALGORITHMS if name not in listed] == []
    # Help comes also when the rest is wrong.
    assert run("--rows", 0, "--help").returncode == 0
