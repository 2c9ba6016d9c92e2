"""What the tables of pets say of made-up rows: both regions, who is ahead, from which size on."""

from types import SimpleNamespace

import pytest

import pets_rows
from gridloom.pets import headlines
from gridloom.pets import tables as pets_tables
from gridloom.pets.claims import time_over
from gridloom.pets.data import Results
from gridloom.pets.quality import Quality
from gridloom.pets.quality import values as quality_values
from pets_rows import graph, host, run


@pytest.fixture
def runs_of(tmp_path):
    def read(*rows):
        return Results(pets_rows.write(tmp_path / "r.h5", runs=rows)).table("runs")

    return read


def two(row, *elapsed_ms, **values):
    """A repetition a time, all of it in levels and ranks."""
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


def test_the_table_of_headlines_names_what_is_published_and_both_regions(runs_of):
    rows = runs_of(
        *two(host, 20, 20, setup_ms=0.0, fetch_ms=0.0),
        *two(run, 40, 40, implementation="rectangular", setup_ms=40.0, fetch_ms=0.0),
        *two(run, 4, 4, setup_ms=5.0, fetch_ms=1.0),
    )
    assert headlines.headlines_table(rows).splitlines()[2:] == [
        "| `host` | rival: one host thread | 20 | 1 | 20 | 1 | 20 | 1 | 20 | 1 |",
        "| `rectangular` | published | 40 | 0.5 | 80 | 0.25 | 40 | 0.5 | 80 | 0.25 |",
        "| `in_order` | beyond: one launch, ascending numbers only "
        "| 4 | 5 | 9 | 2.22 | 4 | 5 | 10 | 2 |",
    ]


def test_ahead_is_who_stays_ahead_with_intervals_apart(runs_of):
    def times(size, ours, theirs):
        of = {"graph": f"v={size}", "tasks": size}
        return two(run, *ours, **of) + two(host, *theirs, **of)

    rows = runs_of(
        *times(10, [1, 1], [2, 2]),  # ahead here, but not on the next
        *times(20, [3, 3], [2, 2]),
        *times(30, [2, 4], [3, 5]),  # by medians only
        *times(40, [1, 2], [3, 4]),
        *times(50, [1, 2], [8, 9]),
    )

    def ahead_from(runs, name="in_order"):
        return headlines.ahead_from(runs, name, headlines.elapsed_ms)

    assert ahead_from(rows) == 40
    assert ahead_from(rows.mask(rows["tasks"] <= 30)) is None
    assert ahead_from(rows, "csr") is None
    of_one_size = runs_of(*two(run, 1), *two(host, 2), *two(run, 1, graph="b"))
    assert ahead_from(of_one_size) is None


def test_the_best_are_counted_by_graph():
    found = {
        ("a", 1, 3): {"pets_append": [10, 2.0, 1.0, 0.5], "heft_append": [10, 2.0, 1.0, 0.5]},
        ("a", 2, 3): {"pets_append": [12, 3.0, 2.0, 1.0], "heft_append": [10, 2.5, 2.4, 1.2]},
    }
    rows = pets_tables.comparison_table(found).splitlines()[2:]
    assert rows == [
        "| `pets_append` | 2.500 | 1.500 | 0.750 | 50.0 % |",
        "| `heft_append` | 2.250 | 1.700 | 0.850 | 100.0 % |",
    ]


def test_who_is_ahead_in_quality_is_named(tmp_path):
    runs, graphs = [], []
    for size, pets_slr in ((20, 2.0), (50, 4.0)):
        of = {"graph": f"v={size}", "tasks": size}
        graphs.append(graph(**of, v=float(size)))
        for name, slr in (("pets_insertion", pets_slr), ("heft_insertion", 2.5)):
            runs.append(host(**of, algorithm=name, slr=slr, elapsed_ms=0.004))
    path = pets_rows.write(tmp_path / "r.h5", runs=runs, graphs=graphs)
    quality = Quality(Results(path))
    values = quality_values(quality)
    assert values["pets-ahead-at"] == "20"
    times = pets_tables.quality_times(quality).splitlines()
    assert times[-2:] == ["| 20 | 4 | 4 |", "| 50 | 4 | 4 |"]


def test_times_are_compared_on_the_largest_graphs_and_on_the_smallest(tmp_path):
    runs = [
        pets_rows.run(algorithm=name, implementation="host", tasks=tasks, elapsed_ms=ms)
        for name, tasks, ms in [
            ("heft_append", 20, 1.0), ("pets_append", 20, 2.0),
            ("heft_append", 500, 9.0), ("pets_append", 500, 3.0), ("pets_append", 900, 1.0),
        ]
    ]  # fmt: skip
    rows = Results(pets_rows.write(tmp_path / "r.h5", runs=runs)).table("runs")
    source = SimpleNamespace(of=lambda _: rows)
    found = [time_over("heft_append", "pets_append", of)(source).numbers[0] for of in (max, min)]
    assert found == [3.0, 0.5]
