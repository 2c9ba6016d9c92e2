"""The program gridloom-schedulers from outside: messages, graphs, schedulers, what it writes."""

import numpy as np

PROGRAM = "gridloom-schedulers"
SMALL = ["--backend", "host", "--workers", "2", "--repeat", "2", "--quiet"]

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
    assert (runs["finished"] == runs["tasks"]).all()
    stencil = runs["graph"] == "stencil_1d:width=9,steps=5"
    assert set(runs["tasks"][stencil]) == {45} and set(runs["edges"][stencil]) == {4 * 25}
    assert set(runs["depth"]) == {5} and set(runs["widest_level"][stencil]) == {9}
    assert (runs["critical_path_ns"] == runs["depth"] * runs["work_ns"]).all()
    for one in ("scanning", "juggler-grr", "fr4", "launches", "barriers", "serial-block"):
        assert np.count_nonzero(runs["scheduler"] == one) == 2 * 2 * 2
    assert set(runs["workers"][runs["scheduler"] == "serial-block"]) == {1}
    assert (runs["bytes_per_task"] > 0).all()
