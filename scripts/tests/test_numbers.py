"""Numbers that figures compute from rows, and the cases that no stored result has.

The numbers of tables are compared in test_page_tables.py.
"""

import re
import warnings

import numpy as np
import pytest

import jacobi_rows
import pets_rows
from conftest import row, write_results
from gridloom import statistics, timeline
from gridloom.metg import metg, metg_text
from gridloom.pets import data as pets
from gridloom.results import PlotError, read_files, read_runs
from gridloom.thesis_mhive import jacobi, rcm, traces
from gridloom.thesis_mhive.collection import Collection
from gridloom.wavefront import data as wavefront

# --- reading and statistics -------------------------------------------------------------------


def test_rows_name_their_machine_and_a_missing_column_is_named(tmp_path):
    first = write_results(tmp_path / "a.h5", [row()], cpu="one")
    second = write_results(tmp_path / "b.h5", [row(backend="cuda")], cpu="two", gpu="big")
    runs = read_files([first, second])
    assert runs["machine"].tolist() == ["one", "big"]
    with pytest.raises(PlotError, match="/runs has no column 'moon'"):
        runs.only(moon=1)
    assert [key for key, _ in runs.groups(["backend", "moon"])] == [
        {"backend": "host"}, {"backend": "cuda"},
    ]  # fmt: skip


def test_intervals_of_one_sample_and_of_infinite_times():
    assert statistics.median_interval([4.0]) == (4.0, 4.0, 4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert statistics.median_interval([np.inf] * 5) == (np.inf,) * 3
        assert statistics.median_interval([1.0, np.inf, np.inf]) == (np.inf, 1.0, np.inf)


def test_a_crossing_is_the_last_rise_through_the_level_in_the_logarithm():
    crossing = metg([1, 10, 100, 1000], [0.6, 0.4, 0.6, 0.9])
    assert crossing == pytest.approx(10**1.5)
    assert metg([1, 10], [0.6, 0.9]) == 1
    assert metg([1, 10], [0.1, 0.4]) is None
    assert metg_text([100, 1_000], [0.6, 0.9]) == "≤ 100 ns"
    # A curve that sinks again is read up to where it was good.
    assert metg_text(np.array([1e4, 1e6]), np.array([1.0, 0.02])) == "≤ 10 µs"


# --- wavefront --------------------------------------------------------------------------------


def test_dots_are_of_good_runs_and_a_timeout_is_a_word(tmp_path):
    rows = [row(arm="good", elapsed_ms=2.0), row(arm="good", status="timeout", elapsed_ms=0.0)]
    rows += [row(arm="stuck", status="timeout", elapsed_ms=0.0), row(arm="good", counters=1)]
    runs = read_runs(write_results(tmp_path / "r.h5", rows))
    [(good, stuck)] = wavefront.fig3_dots(runs, 0, wavefront.throughput).values()
    assert (good[0]["arm"], good[1].tolist()) == ("good", [5e6])
    assert (stuck[0]["arm"], stuck[1:]) == ("stuck", (None, "timeout"))


# --- MHive: traces ----------------------------------------------------------------------------


def test_tasks_of_a_row_do_not_overlap_and_rows_are_as_few_as_can_be():
    random = np.random.default_rng(3)
    begin = np.sort(random.integers(0, 300, 200))
    end = begin + random.integers(0, 40, 200)
    rows = timeline.pack(begin, end)
    for one in np.unique(rows):
        mine = rows == one
        assert (end[mine][:-1] <= begin[mine][1:]).all()
    # A task without length also needs a row at its moment.
    at_once = max(((begin <= t) & ((end > t) | (begin == t))).sum() for t in range(340))
    assert rows.max() + 1 <= at_once


def test_levels_are_phases_or_longest_ways():
    tree = {"node": np.arange(3), "phase": np.array([0, 1, 3])}
    edges = {"from": [0, 0, 1], "to": [1, 2, 2]}
    assert traces.levels(tree, edges, by_phase=True) == [0, 1, 3]
    assert traces.levels(tree, edges, by_phase=False) == [0, 1, 2]


def test_a_type_is_named_when_the_most_of_its_tasks_run():
    begin, end = np.array([0, 10, 12, 40]), np.array([20, 30, 16, 50])
    assert timeline.busiest(begin, end) == 14  # all of the first three from 12 to 16
    assert timeline.busiest(np.array([0, 5]), np.array([5, 9])) == 2.5  # one ends, the next begins


# --- MHive: orderings -------------------------------------------------------------------------


def test_orderings_that_cannot_be_compared_are_refused(tmp_path):
    first = {
        "arm": "levels", "matrix": "small.mtx.gz", "rows": 1000, "entries": 4500, "backend": "cuda",
        "start": "pseudo-peripheral", "candidates": 8, "both_ms": 1.4, "elapsed_ms": 1.6,
        "workers": 0, "status": "ok",
    }  # fmt: skip
    for other, words in (
        ({"start": "first"}, "one way to choose start nodes"),
        ({"candidates": 4}, "one limit"),
        ({"rows": 7}, "several sizes of it"),
    ):
        with pytest.raises(PlotError, match=words):
            path = write_results(tmp_path / "r.h5", [first, first | other], first)
            rcm.prepared(read_runs(path))
    assert rcm.short("a/b.mtx.gz") == "a/b" and rcm.short("rgg:n=2.mtx") == "rgg:n=2.mtx"


def test_the_collection_is_searched_by_file_name_and_size(tmp_path):
    head = "file,Group,Name,nrows,nentries,rcm_lowerbandwidth,rcm_upperbandwidth\n"
    rows = ",G,m,10,40,3,4\n,H,m,10,50,5,6\nmine,G,n,20,60,7.0,7\n"
    (tmp_path / "i.csv").write_text(head + rows)
    known = Collection()
    known.read(tmp_path / "i.csv")
    assert known.row("mine", 20, 1)[1][2:] == (7, 7) and known.row("mine", 21, 60) is None
    assert known.row("m", 10, 40)[1][2:] == (3, 4) and known.row("m", 10, 1) is None
    assert known.row("m", 10, 50)[0] == "H/m" and known.row("n", 20, 60) is None
    # The repository's index has one matrix under another name and one of the thesis alone.
    assert known.row("fe_pwt", 36519, 289588)[0] == "Nasa/pwt"
    assert known.row("bcsstk32", 44609, 1)[0] == "HB/bcsstk32"


# --- MHive: Jacobi ----------------------------------------------------------------------------


def test_an_arm_that_failed_says_how_and_has_no_time(tmp_path):
    path = jacobi_rows.write(tmp_path / "r.h5", jacobi_rows.sample_rows())
    of = {problem.name: problem for problem in jacobi.problems_of(read_runs(path))}
    assert of["c"].arm("autonomous", "megakernel") is None
    assert of["c"].arms["autonomous", "megakernel"].failed == "1 timeout"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"max_iterations": 99}, "small: expected one max_iterations in /runs, got 10 and 99"),
        ({"version": "kernel_by_kernel", "check_every": 5}, "expected one check_every"),
    ],
)
def test_arms_of_different_settings_are_not_compared(tmp_path, values, said):
    rows = [jacobi_rows.row(), jacobi_rows.row(**{"version": "graph_fused"} | values)]
    with pytest.raises(PlotError, match=re.escape(said)):
        jacobi.problems_of(read_runs(jacobi_rows.write(tmp_path / "r.h5", rows)))


# --- PETS -------------------------------------------------------------------------------------


def test_sweeps_go_by_setting_and_family_with_the_reference_in_each(tmp_path):
    runs, graphs = pets_rows.sizes(100, 1000, row=pets_rows.run())
    runs += [pets_rows.host(), pets_rows.run(backend="host", elapsed_ms=70.0)]
    runs.append(pets_rows.run(graph="deep", elapsed_ms=777.0))
    graphs.append(pets_rows.graph(graph="deep", alpha=0.1))
    path = pets_rows.write(tmp_path / "r.h5", runs=runs, graphs=graphs)
    sweeps, notes = pets.sweeps_of(pets.Results(path), "pets_append")
    found = [(s.title, pets.by_size(rows, pets.elapsed_ms)) for s, _, rows in sweeps]
    assert [title for title, _ in found] == ["TestGPU (cuda)", "TestCPU (host)"]
    assert found[0][1]["in_order"] == [(100, 1, 1, 1), (1000, 10, 10, 10)]
    assert found[0][1]["host"] == [(1000, 10, 10, 10)]
    assert found[1][1]["in_order"] == [(1000, 70, 70, 70)]
    assert "α = 0.1" in notes[0]


def test_a_table_needs_valid_schedules(tmp_path):
    rows = [pets_rows.run(makespan=100), pets_rows.run(makespan=101)]
    runs = pets.Results(pets_rows.write(tmp_path / "r.h5", runs=rows)).table("runs")
    with pytest.raises(PlotError, match="no one right schedule"):
        pets.schedules_of(runs)
