"""The program tiled-qr from outside: exit codes, messages, the files it writes."""

import numpy as np
import pytest

from program_under_test import columns_of

PROGRAM = "tiled-qr"
WAITING = [
    "fr1", "fr2", "fr3", "fr3_one_thread", "fr3_joined", "in_block", "static_lists", "ticket",
]  # fmt: skip
SCHEDULERS = [*WAITING, "launches", "graph", "graph_pdl", "omp_tasks"]
METHODS = [*SCHEDULERS, "gram_panels", "lapack", "lapack_all", "householder"]
SMALL = ["--backend", "host", "--workers", "2", "--rows", "50", "--columns", "37", "--tile", "16"]

# {arguments: words of the error message}
BAD_ARGUMENTS = {
    "--rows 3,4 --columns 3,4,5": "--columns",
    "--tile 65": "64",
    "--rows 3000000": "3000000 x 3000000 (as many columns as rows without --columns): 4 methods",
    "--rows 3000000 --columns 3000000 --method fr1": "000 GB; expected at most",
    "--rows 2000000 --columns 2000000 --tile 64": "of the memory of",
    "--rows 1100000000 --columns 1 --tile 1 --precision float --method fr1": "--tile",
    "--weight 0.5": "measured",
    "--weight 2,often": "often",
    "--timeout-s 5 --method lapack": "--timeout-s: nothing can stop lapack while it runs",
    "--timeout-s 5 --method fr2 --form-q": "nothing can stop fr2 with --form-q",
    "--blocks 2 --workers 2": "--workers",
    "--blocks 2,3,2": "--blocks: 2 is given twice",
    "--method cusolver_streams --streams 4,8,4": "--streams: 4 is given twice",
    "--weight measured,2,measured": "--weight: measured is given twice",
    "--rows 8,9,8": "8 x 8 is given twice",
    "--family conditioned --condition 1e3,1000": "--condition: 1000 is given twice",
    "--queue-slots 3": "power of two",
    "--rows 5 --batch 2,3": "--batch",
    "--rows 20000 --batch 100000": "memory",
    "--batch 2 --trace t.h5": "--trace",
    "--matrix none.mtx --batch 2": "--batch",
    "--method cholesky_qr2": "--form-q",
    "--condition 10": "--family conditioned",
    "--family conditioned --condition 0.5": "--condition",
    "--matrix none.mtx --condition 3": "--condition",
    "--method cusolver_streams --rows 64": "CUDA",
    "--matrix none.mtx --scale 2": "--scale",
    "--scale 1e300 --precision float --rows 4": "at most 3.40282e+38, the largest number of float",
    "--scale 1e308 --method lapack": "column 1: expected a length of at most",
    "--scale 3e38 --precision float --rows 4": "column 1: expected a length of at most",
    "--verification full --no-verify": "--verification full: cannot go with --no-verify",
    "--matrix none.mtx --rows 4": "--rows",
    "--rows 50 --operations": "CUDA",
    "--rows 2000 --dag --output r.h5": "--dag: expected at most",
    "--dag": "--dag: goes with --output",
    "--dag --output r.h5 --method lapack,gram_panels": "--dag: cannot go with --method lapack",
    "--method fr2 --streams 4": "--streams: goes with --method cusolver_streams",
    "--method lapack --tile 16": "--tile: cannot go with --method lapack",
    "--method fr1,lapack --blocks 2": "--blocks: goes with --method",
    "--method graph,omp_tasks --priority fifo": "--priority: goes with --method",
    "--method fr2,in_block --weight 3": "--weight: goes with --method fr3",
    "--method fr2,ticket --queue-slots 16": "--queue-slots: goes with --method fr3",
    "--blocks 2,100000": "--blocks: fr2: expected at most 1024 on the host",
    "--workers 1024 --method fr3": "1023",
    "--workers 1024 --method fr3_one_thread": "1023",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host")


def test_results_hold_every_method_verified(measured):
    runs = measured(
        *SMALL, "--method", ",".join(METHODS), "--precision", "float,double", "--repeat", 2,
        "--quiet", silent=True,
    )  # fmt: skip
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert sorted(set(runs["method"])) == sorted(METHODS)
    assert set(runs["precision"]) == {"float", "double"} and len(runs["method"]) == 64
    tiled = np.isin(runs["method"], SCHEDULERS)
    # 4 × 3 tiles: 12 + 6 + 2 tasks
    assert set(runs["tasks"][tiled]) == set(runs["executed"][tiled]) == {20}
    assert set(runs["tasks"][~tiled]) == {0} and set(runs["executed"][~tiled]) == {-1}
    assert (runs["gflops"] > 0).all()
    for residual in ("factors_residual", "orthogonality", "diagonal_residual"):
        assert (runs[residual] >= 0).all() and (runs[residual] < 30).all()
    for weighted in ("fr3", "fr3_one_thread", "fr3_joined", "static_lists", "ticket"):
        assert set(runs["weight"][runs["method"] == weighted]) == {2}
    for unweighted in ("fr1", "fr2", "in_block", "graph", "omp_tasks"):
        assert np.isnan(runs["weight"][runs["method"] == unweighted]).all()
    assert set(runs["priority"][runs["method"] == "in_block"]) == {"factorisations-first"}
    assert set(runs["priority"][runs["method"] == "graph"]) == {""}


def test_each_configuration_that_makes_a_difference_is_an_arm(measured):
    runs = measured(
        "--backend", "host", "--rows", 50, "--tile", 16, "--blocks", "1,3", "--repeat", 1,
        "--method", "fr1,fr2,fr3,ticket,graph", "--weight", "1.5,measured", "--priority",
        "factorisations-first,fifo", "--quiet",
    )  # fmt: skip
    arms = {m: sorted(set(runs["arm"][runs["method"] == m])) for m in set(runs["method"])}
    assert arms["fr1"] == ["fr1 factorisations-first", "fr1 fifo"]
    assert arms["graph"] == ["graph by 1", "graph by 3"]
    assert len(arms["fr2"]) == 4 and len(arms["fr3"]) == 8
    # The order of Algorithm 2 needs no simulation, so it has no weight.
    assert arms["ticket"] == [
        f"ticket by {n} {rest}"
        for n in (1, 3)
        for rest in ("factorisations-first weight 1.5", "factorisations-first weight measured",
                     "fifo")
    ]  # fmt: skip
    assert dict(zip(runs["arm"], runs["workers"], strict=True))["fr2 by 3 fifo"] == 3
    measured = np.char.endswith(runs["arm"].astype(str), "measured")
    single, double = runs["single_us"][measured], runs["double_us"][measured]
    assert (
        (single > 0).all() and (double > 0).all() and np.isnan(runs["single_us"][~measured]).all()
    )
    expected = np.clip(double / single, 1, 100)
    assert np.allclose(runs["weight"][measured], expected)


@pytest.mark.parametrize("q", ["implicit", "formed"])
def test_every_matrix_of_a_batch_is_factorised_and_verified(measured, q):
    runs = measured(
        "--backend", "host", "--workers", 2, "--rows", "50,31", "--columns", "37,60", "--tile", 16,
        "--batch", "3,2", "--precision", "float,double", "--method", ",".join(METHODS), "--repeat",
        2, "--quiet", *(["--form-q"] if q == "formed" else []), silent=True,
    )  # fmt: skip
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert len(runs["method"]) == 8 * len(METHODS) and set(runs["q"]) == {q}
    assert (runs["verified_matrices"] == runs["batch"]).all()
    first = runs["rows"] == 50
    assert set(runs["batch"][first]) == {3} and set(runs["batch"][~first]) == {2}
    size = np.where(runs["precision"] == "double", 8, 4)
    assert (runs["matrix_bytes"] == runs["batch"] * runs["rows"] * runs["cols"] * size).all()
    tiled = np.isin(runs["method"], SCHEDULERS)
    assert (runs["executed"][tiled] == runs["tasks"][tiled]).all()
    assert (runs["factors_residual"] < 30).all() and (runs["orthogonality"] < 30).all()
    apart = tiled & (q == "formed")
    assert (runs["formed_bytes"][apart] > 0).all() and (
        runs["formed_bytes"][tiled & ~apart] == 0
    ).all()


def test_of_much_work_a_sample_of_eight_is_verified(measured):
    runs = measured(
        "--backend", "host", "--rows", 1000, "--batch", 10, "--precision", "float", "--method",
        "lapack", "--repeat", 1, "--warmup", 0, "--quiet",
    )  # fmt: skip
    assert (runs["batch"][0], runs["verified_matrices"][0], runs["verified"][0]) == (10, 8, "yes")


@pytest.mark.parametrize("options", [[], ["--form-q"], ["--batch", 3]])
def test_random_vectors_verify_every_method(measured, options):
    methods = [*METHODS, "blocked_panels", "cholesky_panels"]
    if "--form-q" in options:
        methods.append("cholesky_qr2")
    runs = measured(
        *SMALL, "--method", ",".join(methods), "--precision", "float,double", "--repeat", 1,
        "--verification", "sample", "--quiet", *options, silent=True,
    )  # fmt: skip
    assert set(runs["verified"]) == {"yes"} and set(runs["verification"]) == {"sample"}
    assert set(runs["method"]) == set(methods) and set(runs["verification_vectors"]) == {8}
    assert (runs["verified_matrices"] == runs["batch"]).all()
    for residual in ("factors_residual", "orthogonality"):
        assert (runs[residual] > 0).all() and (runs[residual] < 30).all()
    assert np.isnan(runs["diagonal_residual"]).all()


def test_large_matrices_are_verified_by_random_vectors_and_small_ones_in_full(
    run, measured, tmp_path
):
    path = tmp_path / "r.h5"
    # With so many rows in float, LAPACK's error bound is as large as the matrix itself.
    runs = measured(
        "--backend", "host", "--rows", "300000,100000", "--columns", 2, "--method", "lapack",
        "--precision", "float", "--repeat", 1, "--quiet",
    )  # fmt: skip
    assert dict(zip(runs["rows"], runs["verification"], strict=True)) == {
        300000: "sample", 100000: "full",
    }  # fmt: skip
    assert dict(zip(runs["rows"], runs["verification_vectors"], strict=True))[100000] == -1
    run(*SMALL, "--no-verify", "--repeat", 1, "--quiet", "--output", path, code=0)
    assert set(columns_of(path, "runs")["verification"]) == {"none"}


def test_a_trace_holds_every_task_once_and_in_order(run, tmp_path):
    path, dag = tmp_path / "trace.h5", tmp_path / "r.h5"
    run(
        *SMALL, "--method", ",".join(SCHEDULERS), "--repeat", 1, "--trace", path, "--dag",
        "--output", dag, "--quiet", code=0,
    )  # fmt: skip
    trace, edges = columns_of(path, "trace"), columns_of(dag, "dag_edges")
    tasks = columns_of(dag, "dag_tasks")
    assert len(tasks["number"]) == 20 and tasks["operation"][0] == "dgeqt2"
    for method in SCHEDULERS:
        own = trace["arm"] == method
        assert sorted(trace["task"][own]) == list(range(20))
        place = {task: at for at, task in zip(np.flatnonzero(own), trace["task"][own], strict=True)}
        for before, after in zip(edges["from"], edges["to"], strict=True):
            assert trace["end_ns"][place[before]] <= trace["begin_ns"][place[after]]


@pytest.mark.parametrize(("given", "stored"), [(None, "default"), ("passive", "passive")])
def test_the_policy_of_openmps_threads_is_stored(measured, monkeypatch, given, stored):
    if given is None:
        monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    else:
        monkeypatch.setenv("OMP_WAIT_POLICY", given)
    runs = measured(*SMALL, "--method", "fr2,omp_tasks", "--repeat", 1, "--quiet")
    by_method = dict(zip(runs["method"], runs["omp_wait"], strict=True))
    assert by_method == {"fr2": "", "omp_tasks": stored}


@pytest.mark.parametrize("options", [[], ["--form-q"]])
def test_memory_beside_the_matrix_is_small(measured, options):
    ours = [*SCHEDULERS, "gram_panels"]
    runs = measured(
        "--backend", "host", "--workers", 2, "--rows", 1024, "--method", ",".join(ours),
        "--no-verify", "--repeat", 1, "--warmup", 0, "--quiet", *options,
    )  # fmt: skip
    assert set(runs["method"]) == set(ours) and set(runs["matrix_bytes"]) == {8 * 1024**2}
    assert (runs["extra_bytes"] > 0).all(), runs["extra_bytes"]
    assert (runs["extra_bytes"] < 0.15 * runs["matrix_bytes"]).all(), runs["extra_bytes"]
    # An explicit Q that is stored beside the matrix.
    assert set(runs["formed_bytes"]) == {8 * 1024**2 if options else 0}
