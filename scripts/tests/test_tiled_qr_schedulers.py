"""How runs of tiled-qr's schedulers are selected for tables and figures."""

import numpy as np
import pytest

from conftest import write_results
from gridloom.claims import Source, quantities_of
from gridloom.results import PlotError, read_runs
from gridloom.tiled_qr import tables
from gridloom.tiled_qr.data import sweeps, usual
from gridloom.tiled_qr.scheduler_tables import (
    by_order,
    by_weight,
    by_workers,
    most_workers,
    texts_of,
)
from script_under_test import load

# One row of /runs.
RUN = {
    "arm": "fr3", "method": "fr3", "input": "random", "precision": "double", "rows": 128,
    "cols": 128, "tile": 32, "workers": 4, "threads": 32, "backend": "host", "weight": np.nan,
    "priority": "factorisations-first", "single_us": np.nan, "double_us": np.nan,
    "elapsed_ms": 1.0, "gflops": 1.0, "status": "ok", "process": 0,
    "batch": 1, "q": "implicit", "tasks": 20_000,
}  # fmt: skip


def run(method, rows, ms, **values):
    assert set(values) <= set(RUN), values
    size = {"rows": rows, "cols": rows, "elapsed_ms": ms, "gflops": rows / ms}
    return RUN | {"arm": method, "method": method} | size | values


ROWS = [
    run("fr3", 128, 8.0, weight=2.0),
    run("fr3", 256, 40.0, weight=2.0),
    run("fr1", 256, 90.0, workers=1),
    run("fr2", 256, 16.0),
    run("graph", 128, 4.0, priority=""),
    run("graph", 256, 10.0, priority=""),
    run("graph", 512, 1.0, priority="", status="timeout"),
    # Later processes, when the machine was slower.
    run("fr3", 256, 44.0, weight=2.0, process=1),
    run("fr3", 256, 20.0, weight=2.0, process=1, workers=8),
    run("fr3", 256, 48.0, weight=2.0, process=2),
    run("fr3", 256, 30.0, weight=3.0, process=2),
    run("fr3", 256, 35.0, weight=1.5, process=2, single_us=10.0, double_us=15.0),
    run("fr3", 256, 72.0, weight=2.0, process=2, priority="fifo"),
    run("fr2", 256, 20.0, process=2),
    run("fr2", 256, 25.0, process=2, priority="fifo"),
]


def test_workers_orders_and_weights_are_compared_within_a_process(tmp_path):
    runs = read_runs(write_results(tmp_path / "r.h5", ROWS, RUN))
    workers = most_workers(runs)
    assert by_workers(runs).keys() == {(256, 256)}
    assert {m: sorted(points) for m, points in workers.items()} == {"fr3": [4, 8]}
    assert list(workers["fr3"][4]["elapsed_ms"]) == [44.0]
    assert set(sweeps(usual(runs), "weight")["fr3"]) == {2.0}
    assert {m: [p[:2] for p in points] for m, points in by_order(runs).items()} == {
        "fr3": [(256, 1.5)],
        "fr2": [(256, 1.25)],
    }
    size, weights, measured = by_weight(runs)
    assert size == 256 and [point[:2] for point in weights["fr3"]] == [(2.0, 48.0), (3.0, 30.0)]
    assert list(measured) == ["fr3"] and list(measured["fr3"]["double_us"]) == [15.0]


def test_a_file_of_fr3_alone_has_its_time_by_weight_and_order(tmp_path):
    rows = [
        run("fr3", 256, 48.0, weight=2.0, priority="fifo"),
        run("fr3", 256, 40.0, weight=2.0),
        run("fr3", 256, 30.0, weight=1.0),
        run("fr3", 256, 36.0, weight=1.25, single_us=10.0, double_us=12.5),
        run("fr3", 128, 9.0, weight=1.0),
    ]
    texts = texts_of(write_results(tmp_path / "r.h5", rows, RUN))
    head, _, *lines = texts["by-weight"].splitlines()
    assert head == "| size | order | weight 1 | weight 2 | measured |"
    assert [line.count("–") for line in lines] == [2, 0, 2]
    assert lines[1].startswith("| 256² | factorisations-first | 30 ")
    assert (texts["best"], texts["best-a-task"]) == ("30 ms", "1.5 µs")


def test_a_cell_without_a_number_says_how_its_runs_ended(tmp_path):
    def by(method, blocks, **values):
        return run(method, 256, 8.0, workers=blocks, priority="", **values)

    rows = [
        *(by(method, blocks) for method in ("graph", "fr2", "fr3") for blocks in (4, 8)),
        by("fr3", 1040),
        by("graph", 1040, status="grid"),
        # Another sweep, which the table leaves out.
        by("fr2", 1040, status="timeout", tile=16),
    ]
    workers = texts_of(write_results(tmp_path / "r.h5", rows, RUN))["workers"].splitlines()
    ends = {line.split("|")[1].strip(): line.split("|")[-2].strip() for line in workers[2:]}
    assert ends == {"`fr2`": "–", "`fr3`": "32", "`graph`": "`grid`"}
    rows = [run("fr3", 128, 8.0), run("fr3", 256, 9.0), run("fr2", 128, 4.0)]
    rows.append(run("fr2", 256, 4.0, status="timeout"))
    sizes = texts_of(write_results(tmp_path / "s.h5", rows, RUN))["schedulers"].splitlines()
    assert "| `fr2` | 4 | `timeout` |" in sizes


def test_schedulers_of_the_same_tiles_are_not_the_best_rival(tmp_path):
    best_rival = load("scripts/plots/tiled_qr/crossover.py").best_rival
    rows = [run("graph", 128, 1.0), run("lapack", 128, 5.0), run("cusolver", 128, 4.0)]
    runs = read_runs(write_results(tmp_path / "r.h5", rows, RUN))
    name, samples = best_rival(runs)
    assert name == "cusolver" and list(samples) == [4.0]
    assert best_rival(runs.only(method="graph")) is None


def test_fr3_on_a_gpu_is_held_against_fr1_on_a_thread_of_the_host(tmp_path):
    gpu = {"backend": "cuda"}
    rows = [
        run("fr1", 256, 900.0, **gpu), run("fr3", 256, 40.0, **gpu), run("fr3", 512, 80.0, **gpu),
        run("fr1", 256, 10.0), run("fr2", 256, 3.0), run("lapack", 256, 5.0),
    ]  # fmt: skip
    texts = tables.texts_of(write_results(tmp_path / "r.h5", rows, RUN))
    shapes = texts["shapes"].splitlines()
    assert shapes[2].split(" | ")[1:] == ["900", "40", "10",
                                          "3", "5", "0.25 |"]  # fmt: skip
    assert shapes[3].split(" | ")[1:] == ["–", "80", "–", "–", "–", "– |"]
    assert texts["fr3-a-task"] == "4 µs"
    source = Source([tmp_path / "r.h5"])
    assert quantities_of("tiled_qr")["fr3_over_fr1_most"](source).short_text == "0.25 ×"
    with pytest.raises(PlotError, match="beside cusolver"):
        quantities_of("tiled_qr")["fr3_over_cusolver"](source)
