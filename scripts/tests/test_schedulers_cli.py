"""The program gridloom-schedulers from outside: messages, graphs, schedulers, what it writes."""

import numpy as np
import pytest

from program_under_test import columns_of

LAWS = ("constant", "uniform", "exponential", "rare-long", "graph")
PROGRAM = "gridloom-schedulers"
SMALL = ["--backend", "host", "--workers", "2", "--repeat", "2", "--no-floors", "--quiet"]

# {arguments: words of the error message}
BAD_ARGUMENTS = {
    "": "--graph, --generate: expected one of them",
    "--generate helix": "helix",
    "--generate fft:width=0": "width",
    "--generate fft:width=100000,steps=100000": "width",
    "--generate fft --graph none.h5": "expected one of them",
    "--generate fft --work-ns 5,5": "--work-ns: 5 is given twice",
    "--graph none.h5": "none.h5",
    "--generate fft --scheduler fastest": "--scheduler",
    "--generate fft --threads 512": "--threads",
    "--generate fft --durations uniform,uniform": "--durations: expected each choice once",
    "--generate fft --durations graph": "--durations graph: fft has no durations",
    "--generate fft --level-blocks own --scheduler ticket": "--level-blocks: goes with --scheduler",
    "--generate fft --metg --work-ns 5": "--metg: cannot go with --work-ns",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host")


def test_every_scheduler_runs_every_graph(measured):
    runs = measured(
        *SMALL,
        "--generate",
        "stencil_1d:width=9,steps=5",
        "--generate",
        "tree:width=9,steps=5",
        "--work-ns",
        "0,300",
    )
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert (runs["executed"] == runs["tasks"]).all()
    stencil = runs["graph"] == "stencil_1d:width=9,steps=5"
    assert set(runs["tasks"][stencil]) == {45} and set(runs["edges"][stencil]) == {4 * 25}
    assert set(runs["depth"]) == {5} and set(runs["widest_level"][stencil]) == {9}
    assert (runs["critical_path_ns"] == runs["depth"] * runs["work_ns"]).all()
    for one in ("scanning", "juggler-grr", "fr4", "launches", "barriers", "serial-block"):
        assert np.count_nonzero(runs["scheduler"] == one) == 2 * 2 * 2
    alone = runs["scheduler"] == "serial-block"
    assert set(runs["workers"][alone]) == {1} and set(runs["workers"][~alone]) == {2}
    assert (runs["bytes_per_task"] > 0).all()
    planned = np.isfinite(runs["predicted_ms"])
    assert set(runs["scheduler"][planned]) == {"pets-plan", "heft-plan"}
    assert (runs["predicted_ms"][planned] > runs["least_ms"][planned]).all()


def test_levels_are_launched_in_both_ways(measured):
    words = ["--level-blocks", "shared,own", "--scheduler", "graph,ticket", "--generate", "fft"]
    runs = measured(*SMALL, *words)
    ways = sorted(zip(runs["scheduler"], runs["level_blocks"], strict=True))
    assert ways == [(one, way) for one, way in (("graph", "own"), ("graph", "shared"),
                                                ("ticket", "")) for _ in range(2)]  # fmt: skip


def test_durations_are_drawn_or_those_of_the_graph(measured):
    runs = measured(
        *[*SMALL, "--seed", "5", "--setup-samples", "1"],
        *["--generate", "lu:tiles=4", "--work-ns", "2000", "--scheduler", "in-order,heft-plan"],
        *["--durations", "constant,uniform,exponential,rare-long,graph"],
    )
    assert set(runs["verified"]) == {"yes"} and set(runs["seed"]) == {5}
    path = {law: runs["critical_path_ns"][runs["durations"] == law][0] for law in LAWS}
    # 30 tasks with 128 units of work; the longest path has 4 + 3 * 2 tasks.
    assert path["constant"] == 20_000 and len(set(path.values())) == len(LAWS)
    assert path["graph"] == pytest.approx(2000 * 30 / 128 * (4 * 2 + 3 * (3 + 6)), rel=1e-5)
    assert (runs["elapsed_ms"] >= runs["critical_path_ns"] * 1e-6).all()
    assert np.count_nonzero(np.isfinite(runs["setup_ms"])) == len(runs["setup_ms"]) / 2


def test_metg_is_bracketed_and_every_sample_is_kept(run, tmp_path):
    file = tmp_path / "r.h5"
    # One worker waits for no other, so this is quick on a busy machine.
    options = ["--metg", "--workers", 1, "--scheduler", "serial-block,in-order,launches"]
    graph = ["--generate", "no_comm:width=2,steps=20"]
    run(*SMALL[:2], *SMALL[4:], *options, *graph, "--output", file, code=0)
    metg, runs = columns_of(file, "metg"), columns_of(file, "runs")
    assert list(metg["scheduler"]) == ["serial-block", "in-order", "launches"]
    reached = metg["status"] == "reached"
    assert set(metg["status"]) <= {"reached", "not reached", "below range"} and reached.any()
    assert (np.isfinite(metg["metg_ns"]) == reached).all()
    assert (metg["upper_ns"] <= 1.1 * metg["lower_ns"])[reached].all()
    assert (metg["upper_efficiency"][reached] >= 0.5).all()
    assert (metg["lower_efficiency"][reached] < 0.5).all()
    for one, steps in zip(metg["scheduler"], metg["steps"], strict=True):
        assert len(set(runs["work_ns"][runs["scheduler"] == one])) == steps
