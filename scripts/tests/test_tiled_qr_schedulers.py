"""Tables and figures of tiled-qr's schedulers, made of known rows."""

import h5py
import numpy as np
import pytest
from matplotlib.text import Text

from conftest import write_results as write
from gridloom.results import PlotError, read_runs
from gridloom.tiled_qr.data import sweeps, usual
from gridloom.tiled_qr.panels import scheduler_panels
from gridloom.tiled_qr.scheduler_tables import (
    by_order,
    by_weight,
    by_workers,
    most_workers,
    texts_of,
    times_of,
)
from script_under_test import load

# One row of /runs.
RUN = {
    "arm": "fr3", "method": "fr3", "input": "random", "precision": "double", "rows": 128,
    "cols": 128, "tile": 32, "blocks": 4, "threads": 32, "backend": "host", "weight": np.nan,
    "priority": "factorisations-first", "single_us": np.nan, "double_us": np.nan,
    "elapsed_ms": 1.0, "gflops": 1.0, "status": "ok", "process": 0,
    "batch": 1, "q": "implicit",
}  # fmt: skip


def run(method, rows, ms, **values):
    assert set(values) <= set(RUN), values
    size = {"rows": rows, "cols": rows, "elapsed_ms": ms, "gflops": rows / ms}
    return RUN | {"arm": method, "method": method} | size | values


def write_results(path, rows, **meta):
    return write(path, rows, RUN, **meta)


ROWS = [
    run("fr3", 128, 8.0, weight=2.0),
    run("fr3", 256, 40.0, weight=2.0),
    run("fr1", 256, 90.0, blocks=1),
    run("fr2", 256, 16.0),
    run("graph", 128, 4.0, priority=""),
    run("graph", 256, 10.0, priority=""),
    run("graph", 512, 1.0, priority="", status="timeout"),
    # Later processes, when the machine was slower.
    run("fr3", 256, 44.0, weight=2.0, process=1),
    run("fr3", 256, 20.0, weight=2.0, process=1, blocks=8),
    run("fr3", 256, 48.0, weight=2.0, process=2),
    run("fr3", 256, 30.0, weight=3.0, process=2),
    run("fr3", 256, 35.0, weight=1.5, process=2, single_us=10.0, double_us=15.0),
    run("fr3", 256, 72.0, weight=2.0, process=2, priority="fifo"),
    run("fr2", 256, 20.0, process=2),
    run("fr2", 256, 25.0, process=2, priority="fifo"),
]


@pytest.fixture
def path(tmp_path):
    return write_results(tmp_path / "r.h5", ROWS)


def test_sizes_are_of_processes_that_varied_nothing_else(path):
    times = times_of(read_runs(path))
    assert {m: {s: list(p["elapsed_ms"]) for s, p in own.items()} for m, own in times.items()} == {
        "fr3": {128: [8.0], 256: [40.0]},
        "fr1": {256: [90.0]},
        "fr2": {256: [16.0]},
        "graph": {128: [4.0], 256: [10.0]},
    }


def test_workers_orders_and_weights_are_compared_within_a_process(path):
    runs = read_runs(path)
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


def test_tables_name_the_fastest_of_the_largest_size(path, tmp_path):
    texts = texts_of(path)
    assert texts["fastest-scheduler"] == "`graph`" and texts["fastest-scheduler-ratio"] == "4 ×"
    assert "| `fr2` | – | 16 [16, 16] |" in texts["schedulers"]
    assert "10 | 15 | 1.5 | 35" in texts["measured-weights"]
    with pytest.raises(PlotError, match="no run of fr3"):
        texts_of(write_results(tmp_path / "s.h5", [run("fr2", 256, 16.0)]))


def test_a_cell_without_a_number_says_how_its_runs_ended(tmp_path):
    def by(method, blocks, **values):
        return run(method, 256, 8.0, blocks=blocks, priority="", **values)

    rows = [
        *(by(method, blocks) for method in ("graph", "fr2", "fr3") for blocks in (4, 8)),
        by("fr3", 1040),
        by("graph", 1040, status="grid"),
        # A row of another sweep, which the table leaves out.
        by("fr2", 1040, status="timeout", tile=16),
    ]
    workers = texts_of(write_results(tmp_path / "r.h5", rows))["workers"].splitlines()
    ends = {line.split("|")[1].strip(): line.split("|")[-2].strip() for line in workers[2:]}
    assert ends == {"`fr2`": "–", "`fr3`": "32 [32, 32]", "`graph`": "`grid`"}
    rows = [run("fr3", 128, 8.0), run("fr3", 256, 9.0), run("fr2", 128, 4.0)]
    rows.append(run("fr2", 256, 4.0, status="timeout"))
    sizes = texts_of(write_results(tmp_path / "s.h5", rows))["schedulers"].splitlines()
    assert "| `fr2` | 4 [4, 4] | `timeout` |" in sizes


def sizes_by_blocks():
    """A process without --blocks, then one a size with several, and one with another number."""
    rows = [run(m, s, 8.0) for m in ("fr2", "fr3") for s in (256, 512)]
    rows += [run("graph", size, 4.0, blocks=-1, priority="") for size in (256, 512)]
    for process, (size, counts) in enumerate({256: (2, 4, 8), 512: (4, 8)}.items(), 1):
        for count in counts:
            own = {"blocks": count, "process": process}
            rows += [run("fr3", size, size / count, **own)]
            rows += [run("graph", size, size / 2 / count, priority="", **own)]
    rows.append(run("fr2", 512, 1.0, blocks=4, process=2, status="grid"))
    for method in ("fr2", "fr3", "graph"):
        rows += [run(method, size, 1.0, blocks=16, process=3) for size in (256, 512, 1024)]
    return [one | {"backend": "cuda"} for one in rows]


def test_numbers_of_workers_have_a_table_a_size(tmp_path):
    path = write_results(tmp_path / "r.h5", sizes_by_blocks(), gpu="a", multiprocessors="4")
    tables = texts_of(path)["workers"].split("\n\n")
    assert [table.splitlines()[0] for table in tables] == [
        "| Gflop/s, 256² | by 2 | by 4 | by 8 |", "| Gflop/s, 512² | by 4 | by 8 |",
    ]  # fmt: skip
    assert "| `fr3` | 4 [4, 4] | 8 [8, 8] |" in tables[1] and "| `graph` | 8" in tables[1]
    runs = read_runs(path)
    assert {
        own["rows"][0] for points in most_workers(runs).values() for own in points.values()
    } == {256}
    figure = load("scripts/plots/tiled_qr/workers.py").draw(runs)
    said = " ".join(text.get_text() for text in figure.findobj(Text))
    assert "Matrices of 256 × 256." in said and "fewer numbers of workers: 512 × 512." in said


def test_runs_with_chosen_worker_counts_are_left_out_of_the_sizes(tmp_path):
    path = write_results(tmp_path / "r.h5", sizes_by_blocks(), gpu="a", multiprocessors="4")
    assert texts_of(path)["schedulers"].splitlines()[2:] == [
        "| `fr2` | 8 [8, 8] | 8 [8, 8] |", "| `fr3` | 8 [8, 8] | 8 [8, 8] |",
        "| `graph` | 4 [4, 4] | 4 [4, 4] |",
    ]  # fmt: skip


def test_launches_with_one_block_per_task_have_no_worker_count(tmp_path):
    rows = [run("fr3", 256, 9.0, blocks=4), run("graph", 256, 8.0, blocks=-1, priority="")]
    path = write_results(tmp_path / "r.h5", rows)
    texts = texts_of(path)
    assert "| `graph` | 8 [8, 8] |" in texts["schedulers"] and "workers" not in texts
    say = load("scripts/plots/tiled_qr/schedulers.py").workers_of(times_of(read_runs(path)))
    assert say == "Workers: 4; FR1 has one; launches and graphs have a block a task."


def test_a_table_of_operations_is_made_where_they_were_stored(path):
    assert "operations" not in texts_of(path)
    columns = {
        "operation": ["dgeqt2", "all four"], "precision": ["double", "float"],
        "threads": [32, 32], "registers": [40, 64], "local_bytes": [0, 8],
        "shared_bytes": [9000, 27680], "blocks_per_multiprocessor": [24, 8],
        "occupancy": [0.375, 0.125],
    }  # fmt: skip
    with h5py.File(path, "a") as file:
        group = file.create_group("operations")
        for name, values in columns.items():
            kind = h5py.string_dtype() if isinstance(values[0], str) else None
            group.create_dataset(name, data=values, dtype=kind)
    lines = texts_of(path)["operations"].splitlines()
    assert lines[2] == "| `dgeqt2` | double | 32 | 40 | 0 | 9,000 | 24 | 37.5 % |"
    assert lines[3] == "| all four | float | 32 | 64 | 8 | 27,680 | 8 | 12.5 % |"
    with h5py.File(path, "a") as file:
        del file["operations/occupancy"]
    with pytest.raises(PlotError, match="--operations"):
        texts_of(path)


def test_panels_hold_what_was_run_and_no_more():
    panels = scheduler_panels({"fr3", "ticket", "cusolver"})
    assert list(panels.values()) == [["fr3"], ["fr3", "ticket"]]


def test_schedulers_of_the_same_tiles_are_not_the_best_rival(tmp_path):
    best_rival = load("scripts/plots/tiled_qr/crossover.py").best_rival
    rows = [run("graph", 128, 1.0), run("lapack", 128, 5.0), run("cusolver", 128, 4.0)]
    runs = read_runs(write_results(tmp_path / "r.h5", rows))
    name, samples = best_rival(runs)
    assert name == "cusolver" and list(samples) == [4.0]
    assert best_rival(runs.only(method="graph")) is None
