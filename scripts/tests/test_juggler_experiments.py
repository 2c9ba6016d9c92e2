"""The experiments that juggler declares, and how its options depend on each other."""

import os
import shlex

from conftest import ROOT
from gridloom.measured import changed, read_named
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


def rows_of(run, tmp_path, *arguments, first=ONCE):
    path = tmp_path / "r.h5"
    done = run(*first, *arguments, "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    return runs


def experiment(run, tmp_path, name, *options):
    """The rows of each command of a declared experiment, with options that make it small."""
    small = [*ONCE[2:4], *ONCE[6:], *map(str, options)]
    _, commands = read_named(ROOT / "juggler")[name]
    for command in commands:
        program, *words = shlex.split(changed(command, small).text)
        assert program == PROGRAM
        runs = rows_of(run, tmp_path, *words, first=[*ONCE[:2], *ONCE[4:6]])
        assert set(runs["experiment"]) == {name}
        yield runs


def test_the_papers_experiment_has_the_task_counts_of_its_table(run, tmp_path):
    found = set()
    for runs in experiment(run, tmp_path, "paper", "--tile", 2, "--method", "lrr,barriers"):
        found |= {(app, int(tasks), int(wave)) for app, tasks, wave in zip(
            runs["app"], runs["tasks"], runs["widest_level"], strict=True)}  # fmt: skip
        assert set(runs["tile"]) == {2}
    assert found == {(app, *counts) for app, counts in TABLE_1.items()}


def test_the_widest_wave_is_1_6_times_the_132_multiprocessors(run, tmp_path):
    found = {}
    for runs in experiment(run, tmp_path, "wide", "--tile", 2, "--method", "grr"):
        found |= dict(zip(runs["app"], map(int, runs["widest_level"]), strict=True))
    assert found == {app: 225 if app in ("lud", "jacobi") else 211 for app in TABLE_1}


def test_the_widest_wave_relative_to_132_multiprocessors_is_that_of_the_paper(run, tmp_path):
    found = {}
    for runs in experiment(run, tmp_path, "ratio", "--tile", 2, "--method", "grr"):
        found |= dict(zip(runs["app"], map(int, runs["widest_level"]), strict=True))
    assert {*found} == {*TABLE_1}
    for app, wave in found.items():
        assert abs(wave / 132 / (TABLE_1[app][1] / 56) - 1) < 0.05, app


BODIES = ("inlined", "called")


def test_workers_are_multiples_of_the_processors(run, tmp_path):
    first = [word for word in ONCE if word not in ("--workers", "2")]
    options = ["--app", "sat", "-n", 8, "-b", 4, "--method", "grr,chains,barriers"]
    runs = rows_of(run, tmp_path, *options, "--cofactor", "1,3", first=first)
    workers = {}
    for method, count in sorted(zip(runs["method"], map(int, runs["workers"]), strict=True)):
        workers.setdefault(method, []).append(count)
    processors = os.cpu_count()
    assert workers["grr"] == workers["chains"] == [processors, 3 * processors]
    assert len(workers["barriers"]) == 1


def test_the_rule_of_the_inspection_is_a_separate_run(run, tmp_path):
    options = ["--app", "heat,dtw", "-n", 16, "-b", 4, "--method", "grr,serial"]
    runs = rows_of(run, tmp_path, *options, "--matching", "one_to_one,overlapping")
    found = sorted(zip(runs["app"], runs["method"], runs["matching"], strict=True))
    assert found == sorted(
        (app, *how)
        for app in ("dtw", "heat")
        for how in (("grr", "one_to_one"), ("grr", "overlapping"), ("serial", ""))
    )
    assert (runs["inspection_ms"] > 0).all()


def test_bodies_that_are_called_are_separate_runs_with_the_same_results(run, tmp_path):
    options = ["--app", "dtw,lud", "-n", 16, "-b", 4, "--method", "grr,barriers,chains,lts"]
    runs = rows_of(run, tmp_path, *options, "--body", "inlined,called")
    found = sorted(zip(runs["app"], runs["method"], runs["body"], strict=True))
    both = [(method, body) for method in ("barriers", "chains", "grr") for body in BODIES]
    assert found == sorted((app, *how) for app in ("dtw", "lud") for how in [*both, ("lts", "")])
    assert {*runs["verified"]} == {"yes"}


def test_scaling_is_jacobi_in_nine_numbers_of_steps(run, tmp_path):
    [runs] = experiment(run, tmp_path, "scaling", "--tile", 2)
    assert set(runs["app"]) == {"jacobi"} and set(runs["method"]) == {
        *POLICIES, "lf-task", "barriers_sync", "barriers"}  # fmt: skip
    assert sorted(set(runs["tasks"])) == [*range(3600, 32401, 3600)]
    assert (runs["tasks"] == 1800 * runs["steps"]).all()


def test_the_timeline_is_traced(run, tmp_path):
    [runs] = experiment(run, tmp_path, "timeline-runs", "--tile", 4)
    assert set(runs["app"]) == {"lud"} and set(runs["tasks"]) == {1240}
    events = columns_of(tmp_path / "timeline.h5", "trace")
    for method in ("barriers_sync", "barriers", "grr-block", "lts"):
        own = events["arm"] == method
        assert sorted(events["task"][own]) == [*range(1240)]
    assert set(events["type"]) == {0, 1, 2, 3}


def test_tiles_in_a_row_set_the_number_of_rows(run, tmp_path):
    runs = rows_of(run, tmp_path, "--app", "sat", "--across", "3,5", "-b", "2,4", "--method", "grr")
    assert set(zip(map(int, runs["rows"]), map(int, runs["tile"]), strict=True)) == {
        (6, 2), (12, 4), (10, 2), (20, 4)}  # fmt: skip


def test_copies_that_exceed_memory_together_are_refused_before_any_run(refused):
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    rows = int((0.03 * memory) ** 0.5)
    line = refused("--backend", "host", "--app", "jacobi", "-n", rows, "-b", 128)
    assert "--method: " in line and f"of jacobi for {rows} rows" in line


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
