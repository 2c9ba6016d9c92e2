"""The program juggler from outside: exit codes, messages, the files it writes."""

import re

import h5py
import numpy as np
import pytest

from program_under_test import columns_of, find_program, run_program

PROGRAM = "juggler"
HOST = ["--backend", "host", "--workers", "2", "--repeat", "2", "--no-floors", "--quiet"]
RUNTIME = {"lrr", "grr", "grr-block", "lf", "lf-task", "lts", "lts-slots"}
WAVES = {"barriers_sync", "barriers", "graph", "graph_pdl"}  # methods without resident workers
METHODS = RUNTIME | WAVES | {"grid_sync", "static_lists", "ticket", "chains", "serial"}
STRIPS = {"diagonal", "floor"}  # only for time warping and alignment
LUD, TABLES = {"updates"}, {"carries"}  # only for one or two applications

# command line: words that the message must hold
BAD_ARGUMENTS = {
    "--rows 0": "--rows",
    "--tile 0": "--tile",
    "--rows 2000 --tile 2": "512",
    "--rows 9000000000000000000": "memory",
    "--app dtw --rows 20000 --tile 2": "5000",
    "--app dtw --rows 2048 --tile 1025": "1024",
    "--app jacobi --rows 2048 --tile 1025": "1024",
    "--app sat --rows 2048 --tile 1025": "1024",
    "--app sw --tile 1025": "1024",
    "--app int_hist --rows 300 --tile 129": "128",
    "--app int_hist --rows 300 --bins 0": "--bins",
    "--app int_hist --rows 300 --bins 257": "--bins",
    "--app heat --rows 100 --tile 64 --check sampled": "whole tiles",
    "--app heat --steps 0": "--steps",
    "--app jacobi --rows 1000 --tile 1 --steps 100": "--steps",
    "--steps 3": "--app heat or jacobi",
    "--bins 3": "--app int_hist",
    "--app lud --image a.pgm": "--app sat or int_hist",
    "--app sat --image none.pgm": "none.pgm",
    "--method look_back": "--method look_back: goes with --app sat",
    "--app sat --method temporal": "--method temporal: goes with --app jacobi",
    "--method none": "lts-slots",
    "--method serial,barriers --queue-length 9": "--queue-length",
    "--workers 100000": "--workers: expected at most 1024 on the host",
    "--method floor": "--app dtw or sw",
    "--method carries": "--app sat or int_hist",
    "--app sat --method carries --tile 256": "at most 128 rows, got --tile 256",
    "--app int_hist --method carries --tile 32 --bins 256": "--tile 32 and --bins 256",
    "--method updates --rows 8 --tile 8": "updates: expected several tiles",
    "--method dgemm_update": "--method dgemm_update: expected a CUDA device, got the host",
    "--placing none": "multiprocessors",
    "--placing multiprocessors": "--placing: expected a GPU",
    "--placing blocks,blocks": "--placing: expected each choice once",
    "--dag g.h5 --rows 8,16": "--dag: expected one application of one size, got 2",
    "--app dtw --kernels loops": "--kernels: cannot go with --app dtw",
    "--app lud,dtw --kernels loops": "--kernels loops: dtw has no kernels of OpenMP loops",
    "--app lud --kernels loops --method barriers": "--method barriers: cannot go with --kernels",
    "--app heat -n 100 -b 32 --kernels loops": "such as 96 or 128 rows, got 100 x 100",
    "--dag g.h5 --output r.h5": "--dag: cannot go with --output",
    "--dag g.h5 --app heat --trace t.h5": "--dag: cannot go with --trace",
    "--app sw,lud --method diagonal": "--app lud: expected a method of this application",
    "--app heat,dtw --method look_back": "--method look_back: goes with --app sat",
    "--across 4 --rows 8": "--across: cannot go with --rows",
    "--method serial --matching one_to_one": "--matching",
    "--app dtw --input a.mtx": "--input: goes with --app lud",
    "--input none.mtx": "none.mtx",
    "--app dtw --lane-columns 5": "--lane-columns",
    "--lane-columns 4": "--app dtw or sw",
    "--app lud --series s.tsv": "--app dtw",
    "--app dtw --fasta a.fa": "--app sw",
    "--app dtw --precision half": "--precision",
    "--app sw --gap-open -1": "--gap-open",
    "--app sw --match 128": "--match",
    "--app sw --mismatch 1": "--mismatch",
    "--app sw --matrix BLOSUM62 --match 2": "--matrix: cannot go with --match",
    "--app sw --matrix none.txt": "none.txt",
    "--app sw --fasta a.fa --fasta b.fa --fasta c.fa": "one or two files",
    "--app sw --pair 1,2": "--fasta",
    "--app sw --fasta a.fa --pair 1": "two numbers",
}


@pytest.mark.parametrize("policy", ["", *sorted(RUNTIME)])
def test_the_example_of_the_readme_makes_the_right_sums(policy, tmp_path):
    words = ["host", policy] if policy else ["host"]
    done = run_program(find_program("juggler-example"), *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "589824 sums by 288 tasks are right\n"


def test_the_example_refuses_unknown_arguments(tmp_path):
    example = find_program("juggler-example")
    policies = ["lrr", "grr", "grr-block", "lf", "lf-task", "lts", "lts-slots"]
    usage = f"usage: juggler-example [auto|host|cuda [{'|'.join(policies)}]]"
    for words, expected in (
        (["moon"], usage),
        (["host", "moon"], f"expected one of {', '.join(policies)}, got moon"),
        (["host", "lrr", "lf"], usage),
    ):
        done = run_program(example, *words, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), words
        assert done.stderr == f"juggler-example: {expected}\n"
    done = run_program(example, "--help", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, usage + "\n", "")


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host", "--no-floors")


def test_lu_decomposition_is_verified_under_every_method(measured):
    runs = measured(*HOST, "-n", "120,61", "-b", 8, silent=True)
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert set(runs["method"]) == METHODS | LUD and set(runs["app"]) == {"lud"}
    part = runs["method"] == "updates"
    side = -(-runs["rows"][part] // 8) - 1
    assert (runs["executed"][part] == side**2).all() and np.isnan(runs["residual"][part]).all()
    flops = 2.0 * 8**3 * side**2
    assert runs["gflops"][part] * runs["elapsed_ms"][part] * 1e6 == pytest.approx(flops)
    runs = {name: values[~part] for name, values in runs.items()}
    flops = 2 / 3 * runs["rows"].astype(float) ** 3
    assert runs["gflops"] * runs["elapsed_ms"] * 1e6 == pytest.approx(flops)
    assert (runs["tasks"] == runs["executed"]).all()
    large = runs["rows"] == 120
    facts = {"tasks": 1240, "widest_level": 196, "depth": 43, "tile": 8}
    for column, expected in facts.items():
        assert set(runs[column][large]) == {expected}, column
    assert set(runs["tasks"][~large]) == {204}
    assert (runs["residual"] < 30).all() and (runs["residual"] >= 0).all()
    # Two workers share all tasks, so their loads are the least and the greatest.
    waves = np.isin(runs["method"], list(WAVES))
    shared = (runs["method"] != "serial") & ~waves
    loads = runs["min_task_load"] + runs["max_task_load"]
    assert (loads == runs["tasks"])[shared].all()
    assert set(runs["workers"][shared | waves]) == {2}
    assert set(runs["workers"][runs["method"] == "serial"]) == {1}
    queued = np.isin(runs["method"], list(RUNTIME))
    assert (runs["queue_length"] == runs["tasks"])[queued].all()
    barriers = runs["method"] == "barriers"
    assert (runs["launches"] == runs["depth"])[barriers].all()
    # All but the last of p steps have four kernel types in three levels.
    by_type = (runs["method"] == "barriers_sync") & large
    assert set(runs["launches"][by_type]) == {4 * 14 + 1}
    assert set(runs["launches"][shared]) == {1}


def test_matrices_of_files_are_decomposed_unless_they_need_pivots(measured, refused, tmp_path):
    header = "%%MatrixMarket matrix coordinate real general\n3 3 4\n"
    (tmp_path / "a.mtx").write_text(header + "1 1 2\n2 2 -3\n2 3 2.5\n3 3 1\n")
    path = tmp_path / "r.h5"
    runs = measured(*HOST, "--input", "a.mtx", "-b", "2,64")
    assert set(runs["app"]) == {"lud"} and set(runs["input"]) == {"a.mtx"}
    assert set(runs["rows"]) == {3} and set(runs["cols"]) == {3}
    assert set(runs["verified"]) == {"yes"} and set(runs["method"]) == METHODS | LUD
    with h5py.File(path) as file:
        assert "sha256_input" in file["meta"].attrs
    (tmp_path / "a.mtx").write_text(header + "1 1 2\n2 2 -3\n2 3 3.5\n3 3 1\n")
    text = refused("--backend", "host", "--no-floors", "--input", "a.mtx")
    assert "a.mtx: row 2: expected a diagonal element that outweighs" in text


def test_methods_of_one_application_are_left_out_of_others(measured):
    methods = ["--method", "lrr,diagonal,look_back"]
    runs = measured(*HOST, "--app", "lud,dtw,sat", "-n", 32, "-b", 8, *methods)
    all_run = {("lud", "lrr"), ("dtw", "lrr"), ("sat", "lrr")}
    own = {("dtw", "diagonal"), ("sat", "look_back")}
    assert set(zip(runs["app"], runs["method"], strict=True)) == all_run | own


# application, arguments: facts of Table 1 (tasks, widest wave), bytes that each cell moves
GRIDS = {
    "sat -n 180 -b 2": (8100, 90, 8),
    "int_hist -n 180 -b 2 --bins 3": (8100, 90, 13),
    "heat -n 180 -b 2": (8100, 90, 16),
    "jacobi -n 60 -b 2": (3600, 900, 32),
}


@pytest.mark.parametrize("arguments", GRIDS)
def test_grids_are_verified_under_every_method(measured, arguments):
    app, *rest = arguments.split()
    # temporal needs one thread per tile: see below, with fewer tiles
    methods = METHODS | {"sat": {"look_back", *TABLES}, "int_hist": TABLES}.get(app, set())
    runs = measured(*HOST, "--app", app, *rest)
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert set(runs["method"]) == methods and set(runs["app"]) == {app}
    tasks, widest, cell_bytes = GRIDS[arguments]
    assert set(runs["tasks"]) == {tasks} and set(runs["widest_level"]) == {widest}
    assert (runs["cols"] == runs["rows"]).all()
    cells = runs["rows"] ** 2 * np.maximum(runs["steps"], 1)
    assert runs["elements_per_s"] == pytest.approx(cells / runs["elapsed_ms"] * 1e3)
    counted = np.isin(runs["method"], ["lts", "serial", "carries"])  # carries counts tiles
    assert set(runs["executed"][counted]) == {tasks}
    assert (runs["tasks_per_ms"] * runs["elapsed_ms"])[counted] == pytest.approx(tasks)
    moved = cell_bytes * runs["rows"] ** 2
    assert runs["bytes_per_s"] == pytest.approx(moved / runs["elapsed_ms"] * 1e3)


def test_each_number_of_steps_is_a_separate_run(measured):
    methods = ",".join(sorted(METHODS | {"temporal"}))
    options = ["--app", "heat,jacobi", "-n", 20, "-b", 8, "--steps", "1,4", "--method", methods]
    runs = measured(*HOST, *options)
    assert set(runs["verified"]) == {"yes"}
    jacobi = runs["app"] == "jacobi"
    assert set(runs["method"][jacobi]) == METHODS | {"temporal"}
    assert set(runs["method"][~jacobi]) == METHODS
    expected = 9 * runs["steps"] * np.where(jacobi, 2, 1)
    assert (runs["tasks"] == expected).all() and set(runs["steps"]) == {1, 4}


@pytest.mark.parametrize("app", ["dtw", "sw"])
def test_strips_are_verified_under_every_method(measured, app):
    runs = measured(*HOST, "--app", app, "-n", 144, "-b", "2,10")
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert set(runs["method"]) == METHODS | STRIPS and set(runs["app"]) == {app}
    paper = runs["tile"] == 2
    facts = {"tasks": 5184, "widest_level": 72, "depth": 143}
    for column, expected in facts.items():
        assert set(runs[column][paper]) == {expected}, column
    assert set(runs["tasks"][~paper]) == {225} and np.isnan(runs["gflops"]).all()
    # The floor has no tasks, and a rate of its own.
    floor = runs["method"] == "floor"
    assert (runs["tasks"] == runs["executed"])[~floor].all()
    if app == "sw":
        for column in ("score", "end_row", "end_col"):
            assert len(set(runs[column][~floor])) == 1 and (runs[column][~floor] > 0).all(), column
    cells = runs["rows"] * runs["cols"] / runs["elapsed_ms"] * 1e3
    assert runs["elements_per_s"][~floor] == pytest.approx(cells[~floor])
    assert np.isnan(runs["elements_per_s"][floor]).all()
    assert (runs["floor_elements_per_s"][floor] >= cells[floor] * 0.999).all()
    assert np.isnan(runs["floor_elements_per_s"][~floor]).all()
    tasks = (runs["tasks_per_ms"] * runs["elapsed_ms"])[~floor]
    assert tasks == pytest.approx(runs["executed"][~floor])
    assert np.isnan(runs["tasks_per_ms"][floor]).all()


def test_a_run_beyond_the_time_limit_is_a_status(run, tmp_path):
    path = tmp_path / "r.h5"
    done = run(
        *HOST, "--app", "sw", "-n", 2000, "-b", 32, "--timeout-s", 0.001,
        "--method", "lrr,lts,barriers_sync,barriers,graph,grid_sync,ticket,chains,serial",
        "--output", path,
    )  # fmt: skip
    assert done.returncode == 1 and "--timeout-s" in done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["status"]) == {"timeout"} and np.isnan(runs["elapsed_ms"]).all()


@pytest.mark.parametrize(
    ("size", "tasks", "at_once"),
    [("lud -n 120 -b 8", 1240, "1 to 196"), ("jacobi -n 60 -b 2", 3600, "900")],
)
def test_concurrent_tasks_are_printed_without_and_with_a_run(run, size, tasks, at_once):
    written = run(*HOST[:2], "--app", *size.split(), "--dag", "own.h5")
    assert written.stdout.startswith(f"{tasks} tasks, {at_once} at once, "), written.stdout
    shown = run(*HOST, "--app", *size.split(), "--method", "lts").stdout
    assert re.search(rf" {tasks} +{at_once} ", shown), shown


def test_the_list_names_every_method(run):
    shown = run("--list").stdout
    special = STRIPS | LUD | TABLES | {"look_back", "temporal", "cusolver", "dgemm", "dgemm_update"}
    assert {line.split(":")[0] for line in shown.splitlines()} == METHODS | special
