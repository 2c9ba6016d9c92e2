"""The experiments of the program juggler: which runs they are of, and what they refuse."""

import math
import os

import h5py
import pytest

from gridloom_datasets.hdf5_text import plain
from imported import write_dag
from program_under_test import columns_of

PROGRAM = "juggler"
HOST = ["--backend", "host", "--workers", "2", "--no-floors", "--quiet"]
ONCE = [*HOST, "--repeat", "1", "--warmup", "0"]
# Table 1: tasks, most of them at once
TABLE_1 = {
    "dtw": (5184, 72), "heat": (8100, 90), "int_hist": (8100, 90), "jacobi": (3600, 900),
    "lud": (1240, 196), "sat": (8100, 90), "sw": (5184, 72),
}  # fmt: skip
POLICIES = ["lrr", "grr", "lf", "lts"]

# command line: words that the message must hold
BAD_ARGUMENTS = {
    "--experiment none": "timeline",
    "--experiment paper --rows 9": "--rows: goes with --experiment custom; paper has its own",
    "--experiment paper --kernels loops": "--kernels: goes with --experiment custom",
    "--experiment paper --steps 9": "--steps: goes with --experiment custom",
    "--experiment paper --app graph": "--app graph: expected dtw, heat",
    "--experiment scaling --app lud": "--app lud: expected jacobi for --experiment scaling",
    "--experiment scaling --bins 3": "--bins: goes with",
    "--experiment paper --graph a.h5": "--graph: goes with",
    "--experiment wide --image a.pgm": "--image: goes with",
    "--experiment grain --tile 8": "--tile: goes with",
    "--experiment grain --graph none.h5": "none.h5",
    "--experiment timeline": "--experiment timeline: expected a file by --trace",
    "--experiment paper --app lud --method temporal": "--method temporal: goes with --app jacobi",
    "--experiment paper --tile 4,4": "--tile: 4 is there twice",
    "--app lud,heat --rows 256 --tile 128": "--tile: expected at most 64 for heat, got 128",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host", "--no-floors")


def rows_of(run, tmp_path, *arguments):
    path = tmp_path / "r.h5"
    done = run(*ONCE, *arguments, "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    return runs


def test_the_papers_experiment_has_the_task_counts_of_its_table(run, tmp_path):
    runs = rows_of(run, tmp_path, "--experiment", "paper", "--tile", 2, "--method", "lrr,barriers")
    assert set(runs["experiment"]) == {"paper"}
    found = {(app, int(tasks), int(wave)) for app, tasks, wave in zip(
        runs["app"], runs["tasks"], runs["widest_wave"], strict=True)}  # fmt: skip
    assert found == {(app, *counts) for app, counts in TABLE_1.items()}
    assert len(runs["app"]) == 2 * len(TABLE_1) and set(runs["tile"]) == {2}


def test_without_a_tile_there_are_two_sizes_and_all_methods(run, tmp_path):
    runs = rows_of(run, tmp_path, "--experiment", "paper", "--app", "lud")
    assert len(set(runs["tile"])) == 2 and set(runs["tasks"]) == {1240}
    assert (runs["rows"] == 15 * runs["tile"]).all()
    assert {*POLICIES, "barriers", "graph", "ticket", "serial"} <= set(runs["method"])


def test_the_widest_wave_follows_the_multiprocessors(run, tmp_path):
    runs = rows_of(run, tmp_path, "--experiment", "wide", "--tile", 2, "--method", "grr")
    with h5py.File(tmp_path / "r.h5") as file:
        processors = int(plain(file["meta"].attrs["multiprocessors"]))
    wanted = round(1.6 * processors)
    waves = dict(zip(runs["app"], map(int, runs["widest_wave"]), strict=True))
    assert set(waves) == set(TABLE_1)
    square = math.ceil(math.sqrt(wanted)) ** 2
    for app, wave in waves.items():
        assert wave == (square if app in ("lud", "jacobi") else wanted), app


def test_scaling_is_jacobi_in_nine_numbers_of_steps(run, tmp_path):
    runs = rows_of(run, tmp_path, "--experiment", "scaling", "--tile", 2)
    assert set(runs["app"]) == {"jacobi"} and set(runs["method"]) == {*POLICIES, "barriers"}
    assert sorted(set(runs["tasks"])) == [*range(3600, 32401, 3600)]
    assert (runs["tasks"] == 1800 * runs["steps"]).all()


@pytest.mark.parametrize("given", [False, True])
def test_grain_is_a_graph_with_increasing_task_durations(run, tmp_path, given):
    options = ["--method", "lrr,ticket"]
    if given:
        write_dag(tmp_path / "g.h5", [[1, 2], [], []])
        options += ["--graph", "g.h5"]
    else:
        options += ["--work-ns", "100,1000"]
    runs = rows_of(run, tmp_path, "--experiment", "grain", *options)
    assert set(runs["app"]) == {"graph"} and set(runs["method"]) == {"lrr", "ticket"}
    if given:
        assert set(runs["tasks"]) == {3} and set(runs["input"]) == {"g.h5"}
        assert (min(runs["work_ns"]), max(runs["work_ns"])) == (100, 1_000_000)
    else:
        assert set(runs["tasks"]) == {400} and set(runs["widest_wave"]) == {100}
        assert set(runs["work_ns"]) == {100, 1000}
    assert (runs["elapsed_ms"] >= 0.999 * runs["least_ms"]).all()


def test_the_timeline_is_traced(run, tmp_path):
    runs = rows_of(run, tmp_path, "--experiment", "timeline", "--tile", 4, "--trace", "t.h5")
    assert set(runs["app"]) == {"lud"} and set(runs["tasks"]) == {1240}
    events = columns_of(tmp_path / "t.h5", "trace")
    for method in ("barriers", "grr", "lts"):
        own = events["arm"] == method
        assert sorted(events["task"][own]) == [*range(1240)]
    assert set(events["type"]) == {0, 1, 2, 3}


def test_without_experiment_rows_belong_to_custom(run, tmp_path):
    runs = rows_of(run, tmp_path, "-n", 32, "-b", 8, "--method", "lrr")
    assert set(runs["experiment"]) == {"custom"}


def test_methods_that_exceed_memory_together_are_refused_before_any_run(refused):
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    rows = int((0.02 * memory) ** 0.5)
    line = refused("--backend", "host", "--app", "sat", "-n", rows, "-b", 128)
    assert "--method: " in line and f"of sat for {rows} rows" in line


def test_a_short_queue_keeps_the_results_of_other_methods(run, tmp_path):
    path = tmp_path / "r.h5"
    options = ["--rows", 64, "--tile", 8, "--method", "barriers,lrr,ticket", "--queue-length", 1]
    done = run(*ONCE, *options, "--output", path)
    assert done.returncode == 2 and "--queue-length above 1" in done.stderr
    runs = columns_of(path, "runs")
    status = dict(zip(runs["method"], runs["status"], strict=True))
    assert status == {"barriers": "ok", "lrr": "unsupported", "ticket": "ok"}


def test_temporal_is_left_out_where_other_workers_are_asked_for(run, tmp_path):
    path = tmp_path / "r.h5"
    run(*ONCE, "--app", "jacobi", "-n", 8, "-b", 8, "--output", path, code=0)
    assert "temporal" not in set(columns_of(path, "runs")["method"])
    run("--backend", "host", "--app", "jacobi", "-n", 8, "-b", 8, "--output", path, code=0)
    assert "temporal" in set(columns_of(path, "runs")["method"])
