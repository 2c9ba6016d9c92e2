"""The times that the tables of pets compare, and the size from which on an arm is ahead."""

import pytest

import pets_rows
from gridloom.pets import data, headlines
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
