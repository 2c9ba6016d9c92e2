"""The tables of pets: what stands in them comes from the rows, and misses are said."""

import sys

import pytest

from conftest import ROOT
from gridloom_plots import PlotError
from pets_rows import batch, graph, host, memory, repeated, run, write

sys.path.insert(0, str(ROOT / "scripts" / "tables"))
import pets as pets_tables

SCRIPT = "scripts/tables/pets.py"
NONE = "–"


def cells(text):
    """The rows of a table as lists, without its head; what stands above it is left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def by_implementation(text):
    return {row[1].strip("`"): row[2:] for row in cells(text)}


def sample_runs():
    """A small graph, and a large one on which the reference takes 4 times as long as in_order."""
    large = {"graph": "large", "tasks": 1_000_000, "edges": 4_000_000, "levels": 984}
    times = {"metrics_ms": 80.0, "sort_ms": 70.0, "selection_ms": 50.0}
    return [
        host(elapsed_ms=5.0),
        run(),
        *repeated(host(**large, **times), elapsed_ms=[190.0, 200.0, 210.0]),
        *repeated(run(**large), elapsed_ms=[49.0, 50.0, 60.0], metrics_ms=[0.5, 0.5, 0.9]),
        run(
            **large, implementation="rectangular_vectorised", entries_ms=4.0, metrics_ms=16.0,
            sort_ms=5.0, selection_ms=65.0, elapsed_ms=90.0, metrics_bytes=80_000_000,
        ),
        run(**large, implementation="adjacency", status="timeout", elapsed_ms=0.0),
        host(**large, algorithm="pets_insertion", elapsed_ms=400.0),
    ]  # fmt: skip


# --- times ----------------------------------------------------------------------------------


def test_the_headline_is_of_the_largest_graph(tmp_path):
    found = pets_tables.tables(write(tmp_path / "r.h5", runs=sample_runs()))
    assert found["pets-headline"] == (
        "PETS, 1,000,000 tasks in 984 levels, TestGPU: levels, ranks and order in 2.5 ms, "
        "60 × one host thread; whole schedule in 50 ms, 4 ×"
    )


def test_the_ends_are_the_largest_graph_and_the_largest_that_all_ran_on(tmp_path):
    sizes = {"small": (10, 3), "middle": (20, 3), "large": (30, 2), "largest": (40, 1)}
    rows = [
        run(graph=name, tasks=tasks, implementation=implementation)
        for name, (tasks, count) in sizes.items()
        for implementation in ("in_order", "csr", "adjacency")[:count]
    ]
    found = pets_tables.tables(write(tmp_path / "r.h5", runs=rows, memory=[memory()]))
    for name in ("times-ends", "bandwidth-ends"):
        assert [row[0] for row in cells(found[name])] == ["`middle`"] * 3 + ["`largest`"]


def test_times_are_medians_beside_the_reference(tmp_path):
    found = pets_tables.tables(write(tmp_path / "r.h5", runs=sample_runs()))
    rows = {tuple(row[:3]): row[3:] for row in cells(found["times"])}
    large = {key[1]: row for key, row in rows.items() if key[0] == "`large`" and "app" in key[2]}
    assert large == {
        "`host`": ["1,000,000", "984", NONE, "80", "70", "50", "200 [190, 210]", "1"],
        "`rectangular_vectorised`": [
            "1,000,000", "984", "4", "16", "5", "65", "90 [90, 90]", "2.22",
        ],
        "`in_order`": ["1,000,000", "984", NONE, "0.5", "2", "7", "50 [49, 60]", "4"],
        "`adjacency`": ["1,000,000", "984", *[NONE] * 4, "1 timeout", NONE],
    }  # fmt: skip
    assert list(large) == ["`host`", "`adjacency`", "`rectangular_vectorised`", "`in_order`"]
    assert rows["`v=1000`", "`in_order`", "pets_append"][-1] == "0.5"  # slower than the reference
    assert ("`large`", "`host`", "pets_insertion") in rows


def test_values_are_those_of_the_largest_graph(tmp_path):
    path = write(tmp_path / "r.h5", runs=sample_runs())
    found = pets_tables.tables(path)
    wanted = {
        "largest-tasks": "1,000,000", "largest-levels": "984", "levels-ranks-order-ms": "2.5",
        "levels-ranks-order-by": "`in_order`", "levels-ranks-order-speedup": "60",
        "whole-ms": "50", "whole-by": "`in_order`", "whole-speedup": "4",
        "host-levels-ranks-order-ms": "150", "host-whole-ms": "200", "host-metrics-ms": "80",
        "host-sort-ms": "70", "host-selection-ms": "50", "host-insertion-ms": "400",
        "thesis-levels-ranks-order-ms": "25", "thesis-whole-ms": "90",
    }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted
    small = pets_tables.tables(path, graph="v=1000")
    assert (small["largest-tasks"], small["whole-ms"]) == ("1,000", "10")
    assert "host-insertion-ms" not in small and "thesis-whole-ms" not in small
    with pytest.raises(PlotError, match="no rows of x in /runs"):
        pets_tables.tables(path, graph="x")


def test_values_are_of_a_device_where_there_is_one(tmp_path):
    rows = [host(), run(), run(backend="host", elapsed_ms=1.0)]
    found = pets_tables.tables(write(tmp_path / "r.h5", runs=rows))
    assert found["whole-ms"] == "10"
    assert [row[2] for row in cells(found["times"])] == ["host", "cuda", "host"]
    found = pets_tables.tables(write(tmp_path / "h.h5", runs=[rows[0], rows[2]]))
    assert (found["whole-ms"], found["whole-speedup"]) == ("1", "10")


def test_what_differs_between_rows_has_a_column_or_is_said(tmp_path):
    rows = [run(), run(graph_seed=2), run(processors=64), run(graph_seed=2, status="timeout")]
    rows = cells(pets_tables.tables(write(tmp_path / "r.h5", runs=rows))["times"])
    starts = [row[:3] for row in rows]
    assert starts == [
        ["`v=1000`, seed 1", "`in_order`", "8"],
        ["`v=1000`, seed 2", "`in_order`", "8"],
        ["`v=1000`, seed 1", "`in_order`", "64"],
    ]
    assert rows[1][-2:] == ["10 [10, 10]; 1 timeout", NONE]  # there is no reference


def test_algorithms_whose_steps_are_not_told_apart(tmp_path):
    rows = [host(algorithm="heft_append", metrics_ms=-1.0, sort_ms=-1.0, selection_ms=-1.0)]
    found = pets_tables.tables(write(tmp_path / "r.h5", runs=rows, memory=[memory()]))
    assert by_implementation(found["times"])["host"][2:-1] == [*[NONE] * 4, "10 [10, 10]"]
    assert "whole-ms" not in found and "bandwidth" not in found


# --- bandwidth ------------------------------------------------------------------------------


def test_bandwidth_stands_beside_that_of_the_backend(tmp_path):
    copies = [memory(elapsed_ms=ms) for ms in (0.5, 1.0, 2.0)]
    copies.append(memory(backend="host", elapsed_ms=100.0))
    rows = [*sample_runs(), host(graph="g", metrics_bytes=2_000_000)]
    path = write(tmp_path / "r.h5", runs=rows, memory=copies)
    found = pets_tables.tables(path)
    assert "cuda 2,000 [1,000, 4,000], host 20 [20, 20]." in found["bandwidth"]
    assert found["memory-cuda-gb-per-s"] == "2,000" and found["memory-host-gb-per-s"] == "20"
    rows = {(row[0], row[1]): row[2:] for row in cells(found["bandwidth"])}
    assert rows["`large`", "`rectangular_vectorised`"] == [
        "1,000,000", "80", "20", "4 [4, 4]", "0.2 %",
    ]  # fmt: skip
    assert rows["`v=1000`", "`in_order`"] == ["1,000", "4", "1", "4 [4, 4]", "0.2 %"]
    assert rows["`g`", "`host`"][-2:] == ["2 [2, 2]", "10 %"]
    assert ("`large`", "`host`") not in rows  # whose bytes are not known


# --- batches --------------------------------------------------------------------------------


def test_rates_of_batches_beside_the_serial_reference(tmp_path):
    serial = {"implementation": "serial", "backend": "host", "workers": 1, "threads": 1}
    rows = [
        *repeated(batch(), elapsed_ms=[1.0, 2.0, 4.0]),
        batch(steps="priorities", elapsed_ms=0.1),
        batch(**serial, elapsed_ms=100.0),
        batch(**serial, steps="priorities", graphs=10, tasks=1000, elapsed_ms=0.5),
        batch(graph="small", graphs=200, tasks=1000, status="wrong"),
    ]
    path = write(tmp_path / "r.h5", batches=rows)
    found = pets_tables.tables(path)
    assert cells(found["batches"]) == [
        ["`v=100`", "`batch`", "whole", "cuda", "1,000", "100", "8", "500 k [250 k, 1 M]", "50"],
        ["`v=100`", "`serial`", "whole", "host", "1,000", "100", "8", "10 k [10 k, 10 k]", "1"],
        ["`v=100`", "`batch`", "priorities", "cuda", "1,000", "100", "8", "10 M [10 M, 10 M]",
         "500"],
        ["`v=100`", "`serial`", "priorities", "host", "10", "100", "8", "20 k [20 k, 20 k]", "1"],
        ["`small`", "`batch`", "whole", "cuda", "200", "5", "8", "1 wrong", NONE],
    ]  # fmt: skip
    del found["batches"]
    assert found == {
        "batch-priorities-per-s": "10 M", "batch-priorities-speedup": "500",
        "batch-whole-per-s": "500 k", "batch-whole-speedup": "50",
        "batch-graphs": "1,000", "batch-tasks": "100",
    }  # fmt: skip


def test_the_serial_batch_of_the_nearest_size_is_compared_with(tmp_path):
    rows = [
        batch(graphs=n, tasks=100 * n, implementation="serial", backend="host", elapsed_ms=ms)
        for n, ms in ((10, 1.0), (800, 8.0), (90_000, 9.0))
    ]
    found = pets_tables.tables(write(tmp_path / "r.h5", batches=[*rows, batch()]))
    assert found["batch-whole-speedup"] == "10"  # over 100,000 graphs a second


def test_the_batch_of_the_values_can_be_chosen(tmp_path):
    rows = [batch(graphs=9000), batch(graph="other", elapsed_ms=2.0)]
    path = write(tmp_path / "r.h5", batches=rows)
    assert pets_tables.tables(path)["batch-whole-per-s"] == "9 M"
    assert pets_tables.tables(path, batch="other")["batch-whole-per-s"] == "500 k"
    with pytest.raises(PlotError, match="no rows of x in /batches, only of v=100, other"):
        pets_tables.tables(path, batch="x")


# --- quality --------------------------------------------------------------------------------


def test_effects_are_means_by_value(tmp_path):
    runs, graphs = [], []
    for seed, (ccr, slr) in enumerate(((0.5, 1.0), (0.5, 2.0), (2.0, 4.0))):
        graphs.append(graph(graph_seed=seed, ccr=ccr))
        for algorithm, more in (("heft_append", 2), ("pets_append", 1)):
            own = {"algorithm": algorithm, "slr": slr * more, "makespan": 10 * more * (seed + 1)}
            runs.append(host(graph_seed=seed, **own))
    found = pets_tables.tables(write(tmp_path / "r.h5", runs=runs, graphs=graphs))
    assert "`pets_append` | `heft_append` |" in found["effects"]
    assert cells(found["effects"]) == [
        ["CCR", "0.5", "2", "1.500 (100 %)", "3.000 (0 %)"],
        ["CCR", "2", "1", "4.000 (100 %)", "8.000 (0 %)"],
    ]
    one = [row for row in runs if row["algorithm"] == "pets_append"]
    assert "effects" not in pets_tables.tables(write(tmp_path / "1.h5", runs=one, graphs=graphs))
    same = pets_tables.tables(write(tmp_path / "s.h5", runs=runs[:2], graphs=graphs[:1]))
    assert "effects" not in same and "quality" in same


def test_wrong_schedules_make_no_table(tmp_path):
    for status, makespan in (("wrong", 100), ("differs", 100), ("ok", 101)):
        path = write(tmp_path / "r.h5", runs=[run(), run(status=status, makespan=makespan)])
        with pytest.raises(PlotError, match="pets_append: no one right schedule"):
            pets_tables.tables(path)


def test_many_graphs_have_no_row_each(tmp_path):
    runs = [host(graph_seed=seed) for seed in range(pets_tables.MOST_GRAPHS + 1)]
    found = pets_tables.tables(write(tmp_path / "r.h5", runs=runs, memory=[memory()]))
    assert "times" not in found and found["graphs"] == "41"


# --- command line ---------------------------------------------------------------------------


def test_tables_and_values_are_written_and_checked(tmp_path, run_script):
    path = write(tmp_path / "r.h5", runs=sample_runs(), batches=[batch()])
    readme = tmp_path / "R.md"
    readme.write_text(
        "<!-- table x-times -->\n<!-- end -->\nin <!-- value x-whole-ms -->?<!-- end --> ms\n"
    )
    assert run_script(SCRIPT, path, "--prefix", "x-", "--check", readme).returncode == 1
    assert run_script(SCRIPT, path, "--prefix", "x-", "--write", readme).returncode == 0
    text = readme.read_text()
    assert "<!-- value x-whole-ms -->50<!-- end --> ms" in text and "| 50 [49, 60] | 4 |" in text
    assert run_script(SCRIPT, path, "--prefix", "x-", "--check", readme).returncode == 0


def test_wrong_input_is_told_in_one_line(tmp_path, run_script):
    (tmp_path / "text.h5").write_text("text")
    runs = write(tmp_path / "r.h5", runs=[run()])
    for arguments, words in [
        ([tmp_path / "none.h5"], "none.h5: no such file"),
        ([tmp_path / "text.h5"], "not a readable HDF5 file"),
        ([write(tmp_path / "m.h5", memory=[memory()])], "no rows in a table /runs or /batches"),
        ([runs, "--graph", "x"], "no rows of x in /runs, only of v=1000"),
        ([write(tmp_path / "c.h5", without=["sort_ms"], runs=[run()])], "no column 'sort_ms'"),
    ]:
        done = run_script(SCRIPT, *arguments)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert words in done.stderr
