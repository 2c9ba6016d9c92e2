"""The program wavefront from outside: exit codes, messages, the files it writes."""

import collections
import hashlib
import re

import h5py
import numpy as np
import pytest

from gridloom_datasets import hdf5
from gridloom_datasets.hdf5_text import attributes_of, plain
from program_under_test import columns_of

PROGRAM = "wavefront"

ALGORITHMS = [
    "scanning", "single_queue", "multi_queue", "ticket_queue", "in_order", "in_order_ticket",
    "in_order_cluster", "stripes", "waves_stream", "waves_graph", "waves_graph_pdl",
    "waves_barrier", "waves_cluster", "serial", "omp_tasks", "omp_tiles",
]  # fmt: skip
META = [
    "schema_version", "commit", "dirty", "date", "host", "cpu", "compilers", "flags",
    "floor_copy_gbs", "floor_read_gbs", "floor_launch_ns", "floor_signal_ns", "floor_atomic_ns",
]  # fmt: skip
OPTIONS = [
    "algorithm", "rows", "cols", "depth", "graph", "queues", "hash", "work-ns", "durations",
    "tiles", "backend", "trace", "output", "timeout-s",
]  # fmt: skip
SMALL = ["--backend", "host", "--workers", "2", "--rows", "12", "--cols", "17", "--quiet"]


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


# command line: words that the message must hold
BAD_ARGUMENTS = {
    "--rows 0": "--rows",
    "--rows 1.5": "1.5",
    "--rows 100000 --cols 100000": "2147483647",
    "--rows 4294967296": "4294967296",
    "--rows 2000 --cols 2000 --depth 2000": "2147483647",
    "--algorithm multi_queue --queues 150": "--queues",
    "--algorithm multi_queue --workers 1 --queues 50": "no queue",
    "--algorithm multi_queue --hash c": "mix",
    "--algorithm quantum": "ticket_queue",
    "--algorithm waves_stream": "expected a CUDA device, got the host",
    "--algorithm waves_stream --skip-missing": "--algorithm: the machine has none of these",
    "--algorithm stripes --width block": "--width lane",
    "--algorithm scanning --width lane": "--width block",
    "--ring-slots 12": "power of two",
    "--algorithm scanning --queues 50": "--queues: goes with --algorithm multi_queue",
    "--hash b": "--hash: goes with --algorithm multi_queue",
    "--publish-every 2": "--publish-every: goes with --algorithm stripes",
    "--algorithm stripes --ring-slots 64": "--ring-slots: goes with --algorithm ticket_queue",
    "--algorithm stripes --fences one": "--fences: goes with --algorithm ticket_queue",
    "--algorithm in_order --edges rows": "--edges: goes with --algorithm ticket_queue",
    "--numbering own": "--numbering: goes with --algorithm in_order or in_order_ticket",
    "--algorithm in_order --numbering rows": "levels",
    "--algorithm in_order_ticket --look-ahead off": "--look-ahead: goes with --algorithm in_order",
    "--algorithm in_order_cluster --workers 17": "at most 16 blocks, got 17",
    "--algorithm waves_cluster --workers 17": "at most 16 blocks, got 17",
    "--algorithm in_order_cluster --width block": "--width lane",
    "--durations uniform": "--durations: goes with --work-ns",
    "--work-ns 0 --durations uniform": "--durations: goes with --work-ns above 0",
    "--work-ns 5 --durations normal": "rare-long",
    "--algorithm serial --workers 2": "--workers: cannot go with --algorithm serial",
    "--algorithm serial --measure counts": "--measure counts: no algorithm here can be counted",
    "--tiles 4": "--tiles: goes with --algorithm omp_tiles",
    "--algorithm omp_tiles --tiles 4,4": "--tiles: 4 is given twice",
    "--algorithm serial --width block": "--width lane",
    "--workers 2000": "--workers: expected at most 1024 on the host, got 2000",
    "--body sleep": "recurrence",
    "--body wide,wide": "--body: expected each choice once",
    "--body wide --work-ns 100": "--work-ns: cannot go with --body wide",
    "--body wide --algorithm in_order_cluster": "--body wide: its rings hold results of 4",
    "--block-sizes 64,64": "--block-sizes: a worker of the host is one thread",
    "--block-sizes 64 --threads 32": "--threads: cannot go with --block-sizes",
    "--block-sizes 32,64": "a worker of the host is one thread",
    "--algorithm omp_tasks --trace t.h5": "--trace: expected an arm that has a trace",
    "--device 1": "--device",
    "--repeat 0": "--repeat",
    "--timeout-s 0": "--timeout-s",
    "--append": "--output",
    "--rowz 3": "rowz",
    "surplus": "surplus",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host")


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


def test_numbers_that_fall_along_an_edge_are_no_order_of_their_own(run, refused, tmp_path):
    graph = ["--graph", write_graph(tmp_path / "falls.h5", [[1], [], [1, 0]])]
    graph += ["--algorithm", "in_order,in_order_ticket", "--backend", "host", "--repeat", 1]
    message = refused(*graph, "--numbering", "own")
    assert "--numbering own" in message and "edge 2 -> 0" in message
    for numbering in ("auto", "levels"):
        path = tmp_path / f"{numbering}.h5"
        done = run(*graph, "--numbering", numbering, "--quiet", "--output", path)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        runs = columns_of(path, "runs")
        assert set(runs["verified"]) == {"yes"} and set(runs["numbering"]) == {numbering}
        assert (runs["setup_ms"] > 0).all()


def test_each_kind_of_task_has_an_arm(run, tmp_path):
    path = tmp_path / "r.h5"
    bodies = ["--algorithm", "in_order,waves_barrier", "--body", "noop,recurrence,wide"]
    done = run(*SMALL, *bodies, "--repeat", 1, "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(path, "runs")
    assert sorted(zip(runs["arm"], runs["body"], strict=True)) == [
        ("in_order", "noop"), ("in_order recurrence", "recurrence"), ("in_order wide", "wide"),
        ("waves_barrier", "noop"), ("waves_barrier recurrence", "recurrence"),
        ("waves_barrier wide", "wide"),
    ]  # fmt: skip
    assert set(runs["verified"]) == {"yes"}
    # A word of 8 bytes a task, or of 32.
    of_arm = dict(zip(runs["arm"], runs["scheduler_bytes"], strict=True))
    assert of_arm["in_order wide"] - of_arm["in_order"] == (32 - 8) * 12 * 17


@pytest.mark.parametrize("width", ["lane", "block"])
@pytest.mark.parametrize("workers", [1, 3])
def test_wide_results_are_counted_and_traced(run, tmp_path, width, workers):
    path, trace = tmp_path / "r.h5", tmp_path / "t.h5"
    wanted = ["--algorithm", "in_order,in_order_ticket", "--body", "wide", "--width", width]
    wanted += ["--workers", workers, "--counters", "--trace", trace, "--repeat", 1]
    small = ["--backend", "host", "--rows", 12, "--cols", 17, "--quiet"]
    done = run(*small, *wanted, "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["verified"]) == {"yes"} and set(runs["body"]) == {"wide"}
    stores = runs["stores"][runs["counters"] == 1] / (12 * 17)
    assert (stores >= (2 if width == "lane" else 1)).all()  # accesses that hand one result on
    assert trace.is_file()


def test_durations_are_drawn_from_the_seed_the_same_for_all_arms(run, tmp_path):
    def drawn(name, *more):
        arms = ["--algorithm", "in_order,serial", "--work-ns", 500]
        path = tmp_path / f"{name}.h5"
        done = run(*SMALL, *arms, *more, "--repeat", 1, "--output", path)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        return columns_of(path, "runs")

    kinds = ["constant", "uniform", "exponential", "rare-long"]
    runs = drawn("a", "--durations", ",".join(kinds))
    assert sorted(runs["durations"]) == sorted(2 * kinds)
    found = {}
    for arm, kind, total, path in zip(
        runs["arm"], runs["durations"], runs["work_total_ms"], runs["work_path_ms"], strict=True
    ):
        assert kind in arm or kind == "constant"
        found.setdefault(kind, set()).add((total, path))
        assert 0 < path <= total
    assert all(len(sums) == 1 for sums in found.values())
    [(total, path)] = found.pop("constant")
    assert (total, path) == pytest.approx((12 * 17 * 500e-6, 28 * 500e-6))
    # A task takes at least what was drawn for it, and a loop runs one after the other.
    alone = runs["algorithm"] == "serial"
    assert (runs["elapsed_ms"][alone] >= 0.99 * runs["work_total_ms"][alone]).all()
    again = drawn("b", "--durations", "uniform", "--seed", 2)
    assert set(again["work_total_ms"]).isdisjoint({total for total, _ in found["uniform"]})


def test_a_label_names_the_experiment_and_lists_of_options_make_arms(run, tmp_path):
    graph = write_graph(tmp_path / "dag.h5", [[2, 3], [3], [4], [4], [], []])
    wanted = ["--label", "rivals", "--backend", "host", "--workers", 5, "--tiles", "2,4"]
    wanted += ["--algorithm", "omp_tiles,waves_barrier,waves_stream", "--skip-missing"]
    wanted += ["--body", "noop,recurrence", "--graph", graph, "--repeat", 1, "--quiet"]
    done = run(*wanted, "--output", tmp_path / "r.h5")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert set(runs["experiment"]) == {"rivals"} and set(runs["blocks"]) == {5}
    assert sorted(zip(runs["arm"], runs["tile"], strict=True)) == [
        ("omp_tiles tile 2", 2), ("omp_tiles tile 2 recurrence", 2), ("omp_tiles tile 4", 4),
        ("omp_tiles tile 4 recurrence", 4), ("waves_barrier", 0), ("waves_barrier recurrence", 0),
    ]  # fmt: skip
    waves = runs["algorithm"] == "waves_barrier"
    assert (runs["waves_ms"][waves] > 0).all() and (runs["waves_ms"][~waves] == 0).all()


def test_queues_are_a_share_of_the_workers(run, tmp_path):
    path = tmp_path / "r.h5"
    wanted = ["--algorithm", "multi_queue", "--hash", "a,row", "--queues", "100,50"]
    done = run(*SMALL, *wanted, "--repeat", 1, "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["experiment"]) == {"custom"}
    assert sorted(zip(runs["arm"], runs["hash"], runs["queues"], strict=True)) == [
        ("multi_queue a 100%", "a", 2), ("multi_queue a 50%", "a", 1),
        ("multi_queue row 100%", "row", 2), ("multi_queue row 50%", "row", 1),
    ]  # fmt: skip


def test_append_is_refused_on_a_file_of_another_schema(run, refused, tmp_path):
    path = tmp_path / "results.h5"
    done = run(*SMALL, "--repeat", 1, "--output", path)
    assert done.returncode == 0, done.stderr
    with h5py.File(path, "a") as file:
        file["meta"].attrs["schema_version"] = "999"
    path.write_bytes(hdf5.with_checksum(hdf5.without_checksum(path.read_bytes())))
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
        units = {name: plain(data.attrs["unit"]) for name, data in file["runs"].items()}
        assert units["elapsed_ms"] == units["setup_ms"] == "ms" and units["work_ns"] == "ns"
        assert units["scheduler_bytes"] == "bytes" and units["cas"] == "1"
        assert all(plain(data.attrs["description"]) for data in file["runs"].values())
        meta = attributes_of(file["meta"])
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
        assert plain(file["meta"].attrs["sha256_graph"]) == digest


def test_a_run_beyond_the_time_limit_is_recorded_and_the_next_arm_is_run(run, tmp_path):
    # Falling numbers are a scan's worst order: 4 * 10^8 looks, too many for any machine.
    n = 20_000
    graph = write_graph(tmp_path / "chain.h5", [[], *([task] for task in range(n - 1))])
    path = tmp_path / "results.h5"
    done = run(
        "--backend", "host", "--workers", 2, "--graph", graph, "--timeout-s", 0.02,
        "--algorithm", "scanning,serial,omp_tiles,ticket_queue", "--output", path,
    )  # fmt: skip
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "--timeout-s" in done.stderr
    assert re.search(r"^ *worker \d waited for task \d+: saw \d+, wanted \d+$", done.stderr, re.M)
    runs = columns_of(path, "runs")
    assert set(runs["algorithm"]) == {"scanning", "serial", "omp_tiles", "ticket_queue"}
    # The arm before them does not stop rivals of the host; a busy machine may.
    of_host = np.isin(runs["algorithm"], ["serial", "omp_tiles"])
    done_in_time = of_host & (runs["status"] == "ok")
    assert set(runs["verified"][done_in_time]) <= {"yes"}
    of_scan = runs["algorithm"] == "scanning"
    assert set(runs["status"][of_scan]) == {"timeout"} and set(runs["verified"][of_scan]) == {"no"}
    assert (runs["executed"][of_scan] < n).all()
    # A machine may be fast enough for a queue: in the run that is verified, in some of the others.
    late = runs["status"] == "timeout"
    assert set(runs["status"]) <= {"ok", "timeout"}
    assert (runs["executed"][~late] == n).all()


@pytest.mark.parametrize("algorithm", ["serial", "omp_tasks", "omp_tiles"])
def test_the_time_limit_holds_for_rivals_of_the_host(run, tmp_path, algorithm):
    path = tmp_path / "results.h5"
    work = ["--algorithm", algorithm, "--work-ns", 1_000_000, "--rows", 100, "--cols", 100]
    done = run("--backend", "host", *work, "--timeout-s", 0.05, "--quiet", "--output", path)
    assert done.returncode == 1 and "after 0.05 s (--timeout-s)" in done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["status"]) == {"timeout"} and (runs["executed"] < 10_000).all()


@pytest.mark.parametrize("algorithm", ["multi_queue", "ticket_queue", "stripes", "waves_barrier"])
def test_a_trace_holds_every_task_once(run, tmp_path, algorithm):
    path = tmp_path / "trace.h5"
    done = run(*SMALL, "--algorithm", algorithm, "--repeat", 1, "--trace", path)
    assert done.returncode == 0, done.stderr
    trace = columns_of(path, "trace")
    assert sorted(trace["task"]) == list(range(12 * 17))
    assert (trace["end_ns"] >= trace["begin_ns"]).all()
    assert set(trace["worker"]) <= {0, 1}
    workers = columns_of(path, "workers")
    assert workers["arm"].tolist() == list(dict.fromkeys(trace["arm"]))
    assert workers["queues"].tolist() == [2 if algorithm == "multi_queue" else 0]
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
