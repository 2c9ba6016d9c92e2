"""The program wavefront from outside: exit codes, messages, the files it writes."""

import collections
import hashlib
import re

import h5py
import numpy as np
import pytest

from gridloom_datasets.hdf5_text import attributes_of, plain
from imported import write_dag
from program_under_test import columns_of

PROGRAM = "wavefront"

META = [
    "schema_version", "commit", "dirty", "date", "host", "cpu", "compilers", "flags",
    "floor_copy_gbs", "floor_read_gbs", "floor_launch_ns", "floor_signal_ns", "floor_atomic_ns",
]  # fmt: skip
SMALL = ["--backend", "host", "--workers", "2", "--rows", "12", "--cols", "17", "--quiet"]


# {arguments: words of the error message}
BAD_ARGUMENTS = {
    "--rows 2000 --cols 2000 --depth 2000": "2147483646",
    "--algorithm multi_queue --queues 150": "--queues",
    "--algorithm multi_queue --workers 1 --queues 50": "no queue",
    "--algorithm multi_queue --hash c": "mix",
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
    "--algorithm serial --measure counts": "--measure counts: expected an algorithm whose memory",
    "--tiles 4": "--tiles: goes with --algorithm omp_tiles",
    "--algorithm serial --width block": "--width lane",
    "--body wide --work-ns 100": "--work-ns: cannot go with --body wide",
    "--body wide --algorithm in_order_cluster": "--body wide: expected results of 4",
    "--block-sizes 64 --threads 32": "--threads: cannot go with --block-sizes",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host")


def test_cuda_without_a_device_is_refused(run, refused):
    if run("--backend", "cuda", "--rows", 2, "--cols", 2, "--repeat", 1).returncode == 0:
        pytest.skip("a CUDA device is there")
    assert "--backend cuda" in refused("--backend", "cuda")


def test_graphs_that_cannot_be_scheduled_are_refused(refused, tmp_path):
    def message(path, *more):
        return refused("--backend", "host", "--graph", path, *more)

    assert "no tasks" in message(write_dag(tmp_path / "empty.h5", []))
    assert "cycle" in message(write_dag(tmp_path / "ring.h5", [[1], [2], [3], [1]]))
    good = write_dag(tmp_path / "good.h5", [[1, 2], [3], [3], []])
    assert "lattices only" in message(good, "--algorithm", "stripes")
    assert "--graph" in message(good, "--rows", 4)


def test_numbers_that_fall_along_an_edge_are_no_order_of_their_own(run, refused, tmp_path):
    graph = ["--graph", write_dag(tmp_path / "falls.h5", [[1], [], [1, 0]])]
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


def test_each_kind_of_task_has_an_arm(measured):
    bodies = ["--algorithm", "in_order,waves_barrier", "--body", "noop,recurrence,wide"]
    runs = measured(*SMALL, *bodies, "--repeat", 1, silent=True)
    assert sorted(zip(runs["arm"], runs["body"], strict=True)) == [
        ("in_order", "noop"), ("in_order recurrence", "recurrence"), ("in_order wide", "wide"),
        ("waves_barrier", "noop"), ("waves_barrier recurrence", "recurrence"),
        ("waves_barrier wide", "wide"),
    ]  # fmt: skip
    assert set(runs["verified"]) == {"yes"}
    # One word per task: of 8 bytes, or of 32.
    bytes_by_arm = dict(zip(runs["arm"], runs["bytes_per_task"], strict=True))
    assert bytes_by_arm["in_order wide"] - bytes_by_arm["in_order"] == pytest.approx(32 - 8)


@pytest.mark.parametrize("width", ["lane", "block"])
@pytest.mark.parametrize("workers", [1, 3])
def test_wide_results_are_counted_and_traced(measured, tmp_path, width, workers):
    trace = tmp_path / "t.h5"
    wanted = ["--algorithm", "in_order,in_order_ticket", "--body", "wide", "--width", width]
    wanted += ["--workers", workers, "--counters", "--trace", trace, "--repeat", 1]
    small = ["--backend", "host", "--rows", 12, "--cols", 17, "--quiet"]
    runs = measured(*small, *wanted, silent=True)
    assert set(runs["verified"]) == {"yes"} and set(runs["body"]) == {"wide"}
    stores = runs["stores"][runs["counters"] == 1] / (12 * 17)
    assert (stores >= (2 if width == "lane" else 1)).all()  # accesses that pass one result
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
    # Each task takes at least the time drawn for it, and the serial loop adds these times up.
    alone = runs["algorithm"] == "serial"
    assert (runs["elapsed_ms"][alone] >= 0.99 * runs["work_total_ms"][alone]).all()
    again = drawn("b", "--durations", "uniform", "--seed", 2)
    assert set(again["work_total_ms"]).isdisjoint({total for total, _ in found["uniform"]})


def test_a_label_names_the_experiment_and_lists_of_options_make_arms(measured, tmp_path):
    graph = write_dag(tmp_path / "dag.h5", [[2, 3], [3], [4], [4], [], []])
    wanted = ["--label", "rivals", "--backend", "host", "--workers", 5, "--tiles", "2,4"]
    wanted += ["--algorithm", "omp_tiles,waves_barrier,waves_stream", "--skip-missing"]
    wanted += ["--body", "noop,recurrence", "--graph", graph, "--repeat", 1, "--quiet"]
    runs = measured(*wanted, silent=True)
    assert set(runs["experiment"]) == {"rivals"} and set(runs["workers"]) == {5}
    assert sorted(zip(runs["arm"], runs["tile"], strict=True)) == [
        ("omp_tiles tile 2", 2), ("omp_tiles tile 2 recurrence", 2), ("omp_tiles tile 4", 4),
        ("omp_tiles tile 4 recurrence", 4), ("waves_barrier", 0), ("waves_barrier recurrence", 0),
    ]  # fmt: skip
    waves = runs["algorithm"] == "waves_barrier"
    assert (runs["waves_ms"][waves] > 0).all() and (runs["waves_ms"][~waves] == 0).all()


def test_queues_are_a_share_of_the_workers(measured):
    wanted = ["--algorithm", "multi_queue", "--hash", "a,row", "--queues", "100,50"]
    runs = measured(*SMALL, *wanted, "--repeat", 1, silent=True)
    assert set(runs["experiment"]) == {"custom"}
    assert sorted(zip(runs["arm"], runs["hash"], runs["queues"], strict=True)) == [
        ("multi_queue a 100%", "a", 2), ("multi_queue a 50%", "a", 1),
        ("multi_queue row 100%", "row", 2), ("multi_queue row 50%", "row", 1),
    ]  # fmt: skip


def test_results_hold_every_repetition_in_balanced_order(measured, tmp_path):
    arms = ["scanning", "single_queue", "ticket_queue", "stripes"]
    path = tmp_path / "r.h5"
    runs = measured(*SMALL, "--algorithm", ",".join(arms), "--repeat", 8, "--counters", silent=True)
    assert [p.name for p in tmp_path.iterdir()] == ["r.h5"]

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

    # The counting build runs each arm once. The published queues lock by compare-and-swap.
    assert collections.Counter(runs["algorithm"][~timed]) == dict.fromkeys(arms, 1)
    cas = dict(zip(runs["algorithm"][~timed], runs["cas"][~timed], strict=True))
    assert cas["single_queue"] >= 2 * 12 * 17 and cas["stripes"] == 0
    assert (runs["cas"][timed] == 0).all() and (runs["loads"][timed] == 0).all()

    with h5py.File(path) as file:
        units = {name: plain(data.attrs["unit"]) for name, data in file["runs"].items()}
        assert units["elapsed_ms"] == units["setup_ms"] == "ms" and units["work_ns"] == "ns"
        assert units["bytes_per_task"] == "bytes" and units["cas"] == "1"
        assert all(plain(data.attrs["description"]) for data in file["runs"].values())
        meta = attributes_of(file["meta"])
    assert meta["program"] == "wavefront" and meta["backend"] == "host"
    assert "--repeat 8" in meta["argv"] and meta["argv"].startswith("wavefront ")
    for name in META:
        assert str(meta[name]) != "", name


def test_a_graph_from_a_file_runs_and_is_verified(run, tmp_path):
    graph = write_dag(tmp_path / "dag.h5", [[2, 3], [3], [4], [4], [], []])
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
    # A scan looks at all tasks for each one, as the numbers fall: 4 * 10^8 looks take too long.
    n = 20_000
    graph = write_dag(tmp_path / "chain.h5", [[], *([task] for task in range(n - 1))])
    path = tmp_path / "results.h5"
    done = run(
        "--backend", "host", "--workers", 2, "--graph", graph, "--timeout-s", 0.02,
        "--algorithm", "scanning,serial,omp_tiles,ticket_queue", "--output", path,
    )  # fmt: skip
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "--timeout-s" in done.stderr
    assert re.search(r"; worker \d waited for task \d+: saw \d+, wanted \d+", done.stderr)
    runs = columns_of(path, "runs")
    assert set(runs["algorithm"]) == {"scanning", "serial", "omp_tiles", "ticket_queue"}
    # The timeout of the arm before does not stop the rivals of the host; a busy machine may.
    on_host = np.isin(runs["algorithm"], ["serial", "omp_tiles"])
    done_in_time = on_host & (runs["status"] == "ok")
    assert set(runs["verified"][done_in_time]) <= {"yes"}
    scans = runs["algorithm"] == "scanning"
    assert set(runs["status"][scans]) == {"timeout"} and set(runs["verified"][scans]) == {"no"}
    assert (runs["executed"][scans] < n).all()
    # Queues may be fast enough in some runs.
    late = runs["status"] == "timeout"
    assert set(runs["status"]) <= {"ok", "timeout"}
    assert (runs["executed"][~late] == n).all()


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
