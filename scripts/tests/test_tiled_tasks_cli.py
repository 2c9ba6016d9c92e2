"""The program tiled-tasks from outside: exit codes, messages, the files it writes."""

import numpy as np
import pytest

from conftest import write_results
from gridloom.tiled_qr.task_tables import texts_of
from program_under_test import columns_of

PROGRAM = "tiled-tasks"
SMALL = ["--backend", "host", "--workers", "2", "--rows", "50", "--repeat", "2", "--quiet"]

# command line: words that the message must hold
BAD_ARGUMENTS = {
    "--client none": "cholesky",
    "--client graph": "--graph",
    "--rows 0": "--rows",
    "--rows 8,8": "--rows: 8 is there twice",
    "--work-ns 5,5": "--work-ns: 5 is there twice",
    "--tile 65": "64",
    "--rows 2000 --tile 2": "512",
    "--rows 2000000 --tile 64": "memory",
    "--client example --rows 2000000": "chunks",
    "--method none": "waves_graph",
    "--method fr2 --client cholesky": "--method fr2",
    "--work-ns 5": "--client graph",
    "--client qr --updates any-order": "--updates",
    "--client example --tile 4": "--tile",
    "--method serial --priority none": "--priority",
    "--method serial --classes 4": "--classes",
    "--classes 33": "32",
    "--priority lifo": "critical-path",
    "--graph none.h5": "none.h5",
    "--workers 100000": "--workers: expected at most 1024 on the host",
    "--workers 5000 --method general": "1024",
    "--timeout-s 5": "--timeout-s: nothing can stop waves while it runs",
    "--timeout-s 5 --method general,lapack": "nothing can stop lapack",
    "surplus": "surplus",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host")


def test_every_client_is_verified_under_every_method(measured):
    runs = measured(
        *SMALL, "--tile", 16, "--client", "qr,cholesky,example", "--updates", "in-order,any-order",
        "--priority", "critical-path,none", silent=True,
    )  # fmt: skip
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    by_tasks = runs["method"] != "lapack"
    assert (runs["tasks"] == runs["finished"])[by_tasks].all()
    for client, tasks in (("qr", 30), ("cholesky", 20), ("example", 101)):
        assert set(runs["tasks"][by_tasks & (runs["client"] == client)]) == {tasks}
    scheduled = runs["method"] == "general"
    assert set(runs["priority"][scheduled]) == {"critical-path", "none"}
    assert set(runs["classes"][scheduled & (runs["priority"] == "none")]) == {1}
    assert (runs["classes"][scheduled & (runs["priority"] == "critical-path")] > 1).all()
    any_order = runs["updates"] == "any-order"
    assert (runs["uses"][any_order & by_tasks] > 0).all()
    assert set(runs["uses"][(runs["client"] == "cholesky") & ~any_order]) == {0}
    residuals = runs["residual"][(runs["client"] == "cholesky") & by_tasks]
    assert (residuals > 0).all() and (residuals < 30).all()
    assert set(runs["launches"][scheduled]) == {1}
    assert (runs["launches"][runs["method"] == "waves"] > 1).all()
    assert set(runs["blocks"][runs["method"] == "waves"]) == {2}
    assert all(runs["blas_core"][~by_tasks]) and not any(runs["blas_core"][by_tasks])


def test_any_graph_runs_with_work(run, tmp_path, dag):
    name, edges = dag()
    path, trace = tmp_path / "r.h5", tmp_path / "t.h5"
    run(
        "--backend", "host", "--workers", 2, "--graph", name, "--work-ns", "0,20000", "--repeat", 2,
        "--quiet", "--output", path, "--trace", trace, code=0,
    )  # fmt: skip
    runs = columns_of(path, "runs")
    assert set(runs["verified"]) == {"yes"} and set(runs["input"]) == {"g.h5"}
    assert set(runs["tasks"]) == {60} and set(runs["dependencies"]) == {len(edges)}
    # 0, 2, 4 ... 58
    assert set(runs["longest_path"]) == {30}
    assert sorted(set(runs["work_ns"])) == [0, 20000]
    worked = runs["work_ns"] == 20000
    assert (runs["elapsed_ms"][worked] >= runs["least_ms"][worked] * 0.999).all()
    assert np.isnan(runs["least_ms"][~worked]).all()
    events = columns_of(trace, "trace")
    own = events["arm"] == "general"
    assert sorted(events["task"][own]) == sorted([*range(60)] * 2)


def lines_of(table):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]


def test_matrices_the_example_and_graphs_have_separate_tables(run, tmp_path, dag):
    name, _ = dag()
    path = tmp_path / "r.h5"
    common = ["--backend", "host", "--repeat", 2, "--quiet", "--output", path]
    for options in (
        ["--client", "example", "--rows", "20,5", "--workers", 1],
        [
            "--graph",
            name,
            "--work-ns",
            "1000,0",
            "--workers",
            2,
            "--priority",
            "critical-path,none",
        ],
    ):
        run(*common, "--append", *options, code=0)
    texts = texts_of(path)
    medians = {f"example-{m}-ms" for m in ("general", "waves", "waves_graph", "serial")}
    assert set(texts) == {"example", "graph"} | medians
    run(*common, "--append", "--client", "qr", "--rows", 40, "--workers", 3, code=0)
    with_matrices = texts_of(path)
    clients = lines_of(with_matrices.pop("clients"))
    assert with_matrices == texts and [line[:2] for line in clients[2:]] == [["qr", "40²"]]
    assert clients[0][2:6] == [
        "general, critical-path, ms",
        "waves, ms",
        "waves_graph, ms",
        "fr2, ms",
    ]
    head, _, *rows = lines_of(texts["example"])
    assert (
        head[:3] == ["chunks", "tasks", "general, critical-path, ms"] and "lapack, ms" not in head
    )
    assert [line[:2] for line in rows] == [["5", "11"], ["20", "41"]]
    head, _, *rows = lines_of(texts["graph"])
    assert head[3:] == [
        "general, critical-path, ms", "general, none, ms", "waves, ms", "waves_graph, ms",
        "serial, ms", "bound of general, ms", "bound of waves, ms",
    ]  # fmt: skip
    # 60 tasks of 1 µs on two workers, and a path of 30.
    assert [(*line[:3], *line[-2:]) for line in rows] == [
        ("`g.h5`", "60", "0", "–", "–"), ("`g.h5`", "60", "1 µs", "0.03", "0.03"),
    ]  # fmt: skip
    assert all("[" in cell for line in rows for cell in line[3:-2])


def test_waves_with_one_block_per_task_have_their_own_bound(tmp_path):
    row = {
        "client": "graph", "method": "general", "priority": "critical-path", "input": "g.h5",
        "tasks": 600, "work_ns": 1000, "blocks": 2, "elapsed_ms": 0.5, "least_ms": 0.3,
        "status": "ok",
    }  # fmt: skip
    waves = row | {"method": "waves", "priority": "", "blocks": -1, "least_ms": 0.03}
    path = write_results(tmp_path / "r.h5", [row, row, waves, waves], row)
    assert lines_of(texts_of(path)["graph"])[2][-2:] == ["0.3", "0.03"]


def test_a_cell_of_runs_that_did_not_end_well_says_how_they_ended(run, tmp_path, dag):
    name, _ = dag()
    path = tmp_path / "r.h5"
    common = ["--backend", "host", "--workers", 2, "--graph", name, "--repeat", 1, "--quiet"]
    for options in (
        ["--work-ns", 10000000, "--method", "general", "--timeout-s", 0.02],
        ["--work-ns", 1000, "--method", "serial"],
    ):
        run(*common, *options, "--append", "--output", path)
    assert [line[3] for line in lines_of(texts_of(path)["graph"])[2:]] == ["–", "`timeout`"]


def test_invalid_graphs_are_refused(refused, dag):
    name, _ = dag("cycle.h5", [(0, 1), (1, 2), (2, 0)])
    assert "cycle" in refused("--backend", "host", "--graph", name)


@pytest.mark.parametrize("method", ["general", "serial"])
def test_a_run_beyond_the_time_limit_is_a_status(run, tmp_path, dag, method):
    name, _ = dag()
    path = tmp_path / "r.h5"
    done = run(
        "--backend", "host", "--workers", 2, "--graph", name, "--work-ns", 10000000, "--method",
        method, "--timeout-s", 0.02, "--repeat", 1, "--quiet", "--output", path,
    )  # fmt: skip
    assert done.returncode == 1 and done.stderr.count("--timeout-s") == 1, done.stderr
    assert "worker " in done.stderr
    assert columns_of(path, "runs")["status"].tolist() == ["timeout"]
