"""The times that the tables of pets compare, and the size from which on an arm is ahead."""

import h5py
import pytest

import pets_rows
from conftest import add_table
from gridloom.claims import Source
from gridloom.pets import claims, data, headlines, tables
from gridloom.pets.batches import Batches
from gridloom.results import PlotError
from pets_rows import host, run


@pytest.fixture
def runs_of(tmp_path):
    def read(*rows):
        return data.Results(pets_rows.write(tmp_path / "r.h5", runs=rows)).table("runs")

    return read


def two(row, *elapsed_ms, **values):
    """One repetition per time; all time is spent on levels and ranks."""
    times = {"entries_ms": 0.0, "sort_ms": 0.0, "selection_ms": 0.0}
    made = [row(**times, **values, elapsed_ms=ms, metrics_ms=ms) for ms in elapsed_ms]
    return [one | {"repetition": k} for k, one in enumerate(made)]


def test_end_to_end_has_set_up_and_both_copies(runs_of):
    rows = runs_of(run(setup_ms=3.0), run(setup_ms=5.0), run(setup_ms=float("nan")))
    assert headlines.end_to_end_ms(rows).tolist() == [14.5] * 3  # 4 + 10 + 0.5, set-up its median
    assert headlines.order_with_set_up_ms(rows).tolist() == [7] * 3  # 0 + 1 + 2 of the steps
    with_copies = rows.assign(copy_in_ms=[1.0, 1.0, 1.0])
    assert headlines.end_to_end_ms(with_copies).tolist() == [15.5] * 3
    alone = runs_of(host(setup_ms=0.0, fetch_ms=-1.0))
    assert headlines.end_to_end_ms(alone).tolist() == [10]


def test_ahead_is_who_stays_ahead_with_intervals_apart(runs_of):
    def times(size, ours, theirs):
        of = {"graph": f"v={size}", "tasks": size}
        return two(run, *ours, **of) + two(host, *theirs, **of)

    rows = runs_of(
        *times(10, [1, 1], [2, 2]),  # ahead here, but not for the next size
        *times(20, [3, 3], [2, 2]),
        *times(30, [2, 4], [3, 5]),  # ahead by medians, but the intervals overlap
        *times(40, [1, 2], [3, 4]),
        *times(50, [1, 2], [8, 9]),
    )

    def ahead_from(runs, name="in_order"):
        return headlines.ahead_from(runs, name, data.elapsed_ms)

    assert ahead_from(rows) == 40
    assert ahead_from(rows.mask(rows["tasks"] <= 30)) is None
    assert ahead_from(rows, "csr") is None
    one_size = runs_of(*two(run, 1), *two(host, 2), *two(run, 1, graph="b"))
    assert ahead_from(one_size) is None


BATCH = {
    "graph": "v=9", "graphs": 100, "tasks": 900, "processors": 8, "implementation": "batch",
    "steps": "whole", "results": "makespans", "backend": "cuda", "workers": 1, "threads": 32,
    "elapsed_ms": 1.0, "end_to_end_ms": 4.0, "setup_ms": 7.0, "status": "ok",
}  # fmt: skip


def test_batches_are_compared_with_host_threads_that_deliver_the_same(tmp_path):
    path = pets_rows.write(tmp_path / "r.h5", runs=[run()])
    every = {"implementation": "host_all", "backend": "host"}
    rows = [
        BATCH, BATCH | {"results": "schedules", "end_to_end_ms": 5.0},
        BATCH | every | {"graphs": 10, "tasks": 90, "elapsed_ms": 1.0, "end_to_end_ms": 1.0},
        BATCH | every | {"results": "schedules", "elapsed_ms": 20.0, "end_to_end_ms": 20.0},
    ]  # fmt: skip
    with h5py.File(path, "a") as file:
        add_table(file, "batches", rows, BATCH)
    batches = Batches(data.Results(path).table("batches"))
    # 25,000 over 10,000 graphs per second, and 20,000 over 5,000.
    assert batches.values()["batch-whole-with-copies-over-all-threads"] == "2.5 to 4"
    first, second = batches.table().splitlines()[2:]
    rates = "| 100 k | – | 10 | 25 k | 2.5 | 10 k | 7 |"
    assert first == "| `v=9` | whole | makespans | cuda | 100 " + rates
    assert second.endswith("| 20 k | 4 | 5 k | 7 |")


def test_the_same_kernels_are_compared_on_gpu_and_host_threads(tmp_path):
    own = {"implementation": "rectangular_vectorised", "padding": 4.0}
    runs = [*two(run, 2, 2, **own), *two(run, 20, 20, backend="host", **own), *two(host, 8, 8)]
    path = pets_rows.write(tmp_path / "r.h5", runs, [pets_rows.graph()])
    copies = [
        {"backend": backend, "repetition": 0, "bytes": 8_000_000, "elapsed_ms": ms}
        for backend, ms in (("cuda", 2.0), ("host", 4.0))
    ]
    with h5py.File(path, "a") as file:
        add_table(file, "memory", copies, copies[0])
    texts = tables.texts_of(path)
    *_, line = texts["layouts"].splitlines()
    # 4 MB in 2 and 20 ms; the serial program takes 8 ms.
    assert line == "| `v=1000` | `rectangular_vectorised` | 4 | 2 | 20 | 10 | 4 | 2 | 0.2 |"
    source = Source([path])
    for name, expected in {"least_over_host_threads": 10, "bandwidths_over_copies": 5}.items():
        assert claims.QUANTITIES[name](source).numbers[0] == expected
    with pytest.raises(PlotError, match="no such graph"):
        claims.QUANTITIES["bandwidths_bounded"](source)  # all have hubs
