"""Juggler's tables and TSV from results made by hand: which rows count, what is said of them."""

import numpy as np
import pytest

from gridloom.juggler import empty, metg, misses, placing, scaling, tables
from gridloom.juggler.data import cases_of, deviation, overhead_share, panels_of
from gridloom.results import PlotError, read_runs, runs_of
from juggler_rows import GPU, LAUNCH, TIMES, methods_runs, repeated, run, write

DTW = {"app": "dtw", "rows": 4608, "cols": 4608, "tasks": 5184}


@pytest.fixture
def stored(tmp_path):
    """Writes rows as a results file."""
    return lambda *rows, **more: write(tmp_path / "r.h5", rows=rows, **more)


def cells(text, first):
    """Those of the row that begins with the word."""
    [line] = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in line.strip("|").split(" | ")]


# --- cases ----------------------------------------------------------------------------------------


def test_a_case_is_one_size_of_one_application_and_others_are_figures_of_their_own(stored):
    rows = [
        *methods_runs(experiment="wide", rows=1024, cols=1024),
        *methods_runs(rows=3840, cols=3840, tile=256),
        *methods_runs(),
        *methods_runs(**DTW),
        run(experiment="scaling", app="jacobi"),
        run(experiment="grain", app="graph"),
        run(method="ticket", status="timeout"),
    ]
    cases = cases_of(read_runs(stored(*rows)))
    found = [(case.experiment, case.app, case.short_size) for case in cases]
    assert found == [
        ("paper", "dtw", "4,608/64"), ("paper", "lud", "960/64"), ("paper", "lud", "3,840/256"),
        ("wide", "lud", "1,024/64"),
    ]  # fmt: skip
    assert all(set(case.methods) == set(TIMES) for case in cases)
    panels = panels_of(cases)
    assert [[case.app for case in own] for own in panels.values()] == [
        ["dtw", "lud"],
        ["lud"],
        ["lud"],
    ]
    assert [title.split(", ")[-1] for title in panels][:2] == ["smaller tiles", "larger tiles"]


def test_no_case_is_told_in_one_line(stored):
    with pytest.raises(PlotError, match="no runs of an application"):
        cases_of(read_runs(stored(run(status="timeout"))))


def test_deviations_are_of_runs_whose_loads_are_counted():
    loads = [(10, 4), (9, 9), (-1, -1)]
    rows = runs_of({"max_task_load": np.array([m for m, _ in loads]),
                    "min_task_load": np.array([m for _, m in loads])})  # fmt: skip
    assert deviation(rows) == (3.0, 0.0, 6.0)
    assert deviation(rows.mask(rows["max_task_load"] < 0)) is None


# --- tables of applications -----------------------------------------------------------------------


def with_chains(times=TIMES, ms=0.4, **values):
    return methods_runs(times={**times, "chains": ms}, **values)


def test_speed_is_of_policies_the_papers_and_ours_and_of_lists(stored):
    texts = tables.texts_of(stored(*with_chains(), *methods_runs(scale=4, **DTW)))
    row = cells(texts["speed-paper"], "LU-D")
    assert row[1:4] == ["960² in tiles of 64", "1,240", "`grr`"] and row[6] == "`lts`"
    starts = [row[place].split(" ")[0] for place in (4, 5, 7, 8, 9, 10, 11)]
    assert starts == ["2", "1.6", "2.5", "2", "5", "4", "4"] and row[11].endswith("`graph`")
    assert cells(texts["speed-paper"], "DT-WARP")[9:] == ["–", "–", "–"]
    assert texts["policies-over-barriers-paper"] == "2.5 ×"
    assert texts["chains-over-barriers-paper"] == "5 ×"
    assert texts["paper-over-graph-paper"] == "1.6 ×"
    assert cells(texts["time-lud"], "`barriers`")[1] == "2 [1.98, 2.02]"
    assert texts["card"] == GPU


def test_means_are_geometric_and_the_graph_is_compared_without_jacobi(stored):
    slow = {**TIMES, "barriers": 0.8, "graph": 0.2}
    jacobi = methods_runs(times=slow, app="jacobi", steps=2, tasks=3600)
    quarter = methods_runs(times={**TIMES, "barriers": 0.8, "graph": 0.4}, **DTW)
    texts = tables.texts_of(stored(*methods_runs(), *jacobi, *quarter))
    assert texts["policies-over-barriers-paper"] == "1.36 ×"  # of 2.5, 1 and 1
    assert texts["policies-over-barriers-span-paper"] == "1 to 2.5 ×"
    assert texts["policies-over-graph-paper"] == "1 ×"  # of 2 and 0.5
    assert texts["policies-as-in-the-paper-paper"] == "1 of 3"
    assert texts["chains-as-in-the-paper-paper"] == "0 of 0"
    texts = tables.texts_of(stored(*methods_runs(), *methods_runs(scale=4, tile=32)))
    assert texts["policies-as-in-the-paper-paper"] == "1 of 1"


def test_overhead_is_a_share_of_the_time_that_holds_it(stored):
    path = stored(*repeated([0.9, 0.95, 1.0], inspection_ms=0.01), run(method="barriers"))
    rows = read_runs(path).only(method="grr")
    assert overhead_share(rows) == pytest.approx((0.05, 0.05 / 1.05, 0.05 / 0.95))
    texts = tables.texts_of(path)
    assert cells(texts["overhead-paper"], "LU-D")[2:] == [
        "`grr`", "0.01", "0.01", "0.01", "0.01", "0.01", "0.95", "5 [4.76, 5.26] %", "1"
    ]  # fmt: skip
    assert texts["overhead-share-paper"] == "5 %"


def test_with_overhead_another_policy_may_be_the_quickest(stored):
    rows = [run(method="barriers", elapsed_ms=2.0), run(elapsed_ms=1.0, inspection_ms=0.06),
            run(method="lts", elapsed_ms=0.8, inspection_ms=0.66)]  # fmt: skip
    texts = tables.texts_of(stored(*rows))
    row = cells(texts["overhead-paper"], "LU-D")
    assert row[2] == "`grr`" and row[9].startswith("9.09 [")  # 0.1 of 1.1
    assert texts["overhead-share-paper"] == "9.09 %"
    assert texts["policies-over-barriers-paper"] == "2.5 ×"
    assert texts["best-with-overhead-paper"] == "1.82 ×"  # 2 over 1.1
    assert texts["best-with-overhead-span-paper"] == "1.82 ×"


@pytest.mark.parametrize("barriers, gained", [(1.31, "1 of 1"), (1.3, "0 of 1")])
def test_what_the_papers_policies_gained_is_held_against_policies_and_lists_apart(
    stored, barriers, gained
):
    times = {"barriers": barriers, "graph": 1.6, "grr": 1.2, "lts": 1.0}
    texts = tables.texts_of(stored(*with_chains(times, 0.5)))
    assert texts["policies-as-in-the-paper-paper"] == gained
    assert texts["chains-as-in-the-paper-paper"] == "1 of 1"


def test_rivals_are_held_against_lists_also_where_a_policy_is_quicker(stored):
    quick = {"barriers": 2.0, "graph": 1.6, "grr": 0.4, "lts": 0.6}
    slow = {"barriers": 2.0, "graph": 0.8, "grr": 0.4, "lts": 0.6}
    texts = tables.texts_of(stored(*with_chains(quick, 0.8), *with_chains(slow, 0.8, **DTW)))
    assert texts["chains-over-rival-span-paper"] == "1 to 2 ×"


def test_the_best_known_way_stands_beside_ours_with_its_share_of_a_copy_or_of_the_kernel(stored):
    sat = {"app": "sat", "rows": 1000, "cols": 1000, "tasks": 8100}
    rows = [run(method="look_back", elapsed_ms=0.5, bytes_per_s=3e12, **sat),
            run(method="lts", bytes_per_s=1e12, elements_per_s=5e9, **sat),
            run(method="diagonal", elapsed_ms=2.0, elements_per_s=3e11, **DTW),
            run(method="lts", elements_per_s=6e11, **DTW),
            run(method="floor", elapsed_ms=0.1, floor_elements_per_s=8e11, **DTW)]  # fmt: skip
    texts = tables.texts_of(stored(*rows))
    row = cells(texts["known-paper"], "SA-TABLE")
    assert row[2:5] == ["`look_back`", "0.5 [0.5, 0.5]", "–"] and row[5] == "75 % of a copy"
    assert row[8:10] == ["5 G elements/s", "25 % of a copy"] and row[10].startswith("0.5 [")
    row = cells(texts["known-paper"], "DT-WARP")
    assert row[5] == "37.5 % of the kernel alone" and row[9] == "75 % of the kernel alone"
    assert "`floor`" not in texts["time-dtw"]
    wide = [run(method=m, elapsed_ms=ms, experiment="wide", **DTW)
            for m, ms in (("diagonal", 9.0), ("lts", 1.0))]  # fmt: skip
    both = tables.texts_of(stored(*rows, *wide))
    assert both["over-known-span-paper"] == "0.5 to 2 ×"  # not the 9 of the wide waves
    assert both["kernel-rate-dtw"] == "0.8 to 0.8 T elements/s" and "kernel-rate-sw" not in both
    quick = tables.texts_of(stored(*rows, floor_copy_gbs="8000"))
    assert cells(quick["known-paper"], "SA-TABLE")[9] == "12.5 % of a copy"


def test_decompositions_are_held_against_products_of_the_library(stored):
    rows = [run(method=m, elapsed_ms=ms, gflops=g) for m, ms, g in
            (("cusolver", 1.0, 20e3), ("lts", 2.0, 10e3), ("dgemm", 1.0, 50e3))]  # fmt: skip
    row = cells(tables.texts_of(stored(*rows))["known-paper"], "LU-D")
    assert row[2] == "`cusolver`" and row[5] == "40 % of dgemm" and row[9] == "20 % of dgemm"


def test_what_is_made_once_is_a_small_share_of_many_runs():
    rows = runs_of({"overhead_ms": np.array([0.47, 0.47]), "elapsed_ms": np.array([1.0, 1.0])})
    assert tables.runs_until(rows) == "8"  # 0.47 / 7.83 is 6 %
    assert tables.runs_until(rows, share=0.5) == "1"


def test_ours_without_tasks_stands_behind_the_best_known_way(stored):
    sat = {"app": "sat", "rows": 1000, "cols": 1000, "tasks": 8100}
    rows = [run(method=m, bytes_per_s=1e12 * k, **sat) for k, m in ((1, "lts"), (3, "carries"))]
    row = cells(tables.texts_of(stored(*rows))["known-paper"], "SA-TABLE")
    assert row[2] == "–" and row[11] == "`carries`" and row[14] == "75 % of a copy"


def test_gains_are_ordered_by_how_long_a_wave_is(stored):
    small = methods_runs(times={**TIMES, "barriers": 0.43}, rows=480, cols=480, tile=32)
    text = tables.texts_of(stored(*methods_runs(), *small))["returns-paper"]
    waves = [line.split(" | ")[1:3] for line in text.splitlines()[2:]]
    assert waves == [["480² in tiles of 32", "10"], ["960² in tiles of 64", "46.5"]]


@pytest.mark.parametrize("ms, until", [(1.9, "10 µs"), (1.8, "46.5 µs"), (0.5, "46.5 µs")])
def test_a_gain_ends_at_the_first_wave_where_it_is_little(stored, ms, until):
    small = with_chains({**TIMES, "barriers": 0.43}, 0.2, rows=480, cols=480, tile=32)
    texts = tables.texts_of(stored(*with_chains(ms=ms), *small))
    assert texts["chains-gains-until-paper"] == until


def test_no_gain_has_no_end(stored):
    assert "chains-gains-until-paper" not in tables.texts_of(stored(*with_chains(ms=1.9)))


def test_trailing_updates_stand_beside_a_product(stored):
    own = [run(method="updates", gflops=20e3), run(method="dgemm", gflops=50e3)]
    texts = tables.texts_of(stored(*methods_runs(), *own))
    assert cells(texts["updates"], "960² in tiles of 64")[1:] == [
        "20 [20, 20]",
        "50 [50, 50]",
        "40 [40, 40] %",
    ]
    small = [run(method=m, gflops=g, rows=480, cols=480, tile=32)
             for m, g in (("updates", 20e3), ("dgemm", 50e3), ("dgemm_update", 25e3))]  # fmt: skip
    both = tables.texts_of(stored(*methods_runs(), *own, *small))
    assert cells(both["updates"], "480² in tiles of 32")[3:] == [
        "40 [40, 40] %",
        "25 [25, 25]",
        "80 [80, 80] %",
    ]
    assert cells(both["updates"], "960² in tiles of 64")[3:] == ["40 [40, 40] %", "–", "–"]
    assert "`dgemm_update`" not in both["time-lud"]
    assert "`updates`" not in texts["time-lud"] and "`dgemm`" not in texts["time-lud"]
    assert tables.texts_of(stored(*methods_runs()))["updates"] == tables.NOT_STORED


def test_placings_stand_beside_each_other_and_are_not_mixed(stored):
    times = {"blocks": 2.0, "multiprocessors": 1.5, "strided": 1.0}
    rows = [run(method="chains", placing=name, elapsed_ms=ms) for name, ms in times.items()]
    path = stored(*rows, run(method="grr"), run(method="lts", placing=""))
    row = cells(placing.texts_of(path)["placing"], "LU-D")
    assert row[2:4] == ["`chains`", "8"] and row[4].startswith("2 [")
    assert row[7].startswith("2 [") and row[8].startswith("1.5 [")
    with pytest.raises(PlotError, match="one --placing of 'chains'"):
        cases_of(read_runs(path))
    with pytest.raises(PlotError, match="several --placing"):
        placing.texts_of(stored(run()))


def test_rates_of_empty_tasks_are_of_one_graph(stored):
    own = {"experiment": "custom", "app": "graph", "work_ns": 0, "tasks": 500_000}
    rows = [run(method=m, elapsed_ms=ms, **own) for m, ms in (("grr", 10.0), ("ticket", 5.0))]
    texts = empty.texts_of(stored(*rows))
    assert cells(texts["empty"], "`ticket`")[2:] == ["100 [100, 100]", "116"]  # 5 ms over 43
    assert texts["empty-tasks"] == "500,000"
    with pytest.raises(PlotError, match="got 0"):
        empty.texts_of(stored(run()))


def test_loads_are_averages_with_the_lowest_and_the_highest(stored):
    rows = [run(max_task_load=most, min_task_load=5) for most in (5, 6, 10)]
    assert cells(tables.texts_of(stored(*rows))["loads-paper"], "LU-D")[2:5] == [
        "8",
        "–",
        "2 [0, 5]",
    ]


# --- figure 7, METG, misses -----------------------------------------------------------------------


def jacobi(times, **values):
    own = {"experiment": "scaling", "app": "jacobi"} | values
    return [run(steps=k, tasks=1800 * k, elapsed_ms=ms, **own) for k, ms in times.items()]


def test_a_line_through_times_that_lie_on_one(stored):
    straight, bent = {2: 1.0, 4: 2.0, 6: 3.0}, {2: 1.0, 4: 4.0, 6: 3.0}
    path = stored(*jacobi(straight), *jacobi(bent, method="lf"), *jacobi({2: 1.0}, method="lts"))
    found = scaling.curves(read_runs(path))
    assert list(found) == ["grr", "lf"]
    fit = scaling.fit_of(found["grr"])
    assert fit == pytest.approx((1000 / 3600, 0.0, 1.0), abs=1e-9)
    # Around the mean 8/3: 14/3 in all, 8/3 of it left by the line.
    assert scaling.fit_of(found["lf"]).r_squared == pytest.approx(3 / 7)
    texts = scaling.texts_of(path)
    assert cells(texts["scaling"], "`grr`")[3:6] == ["278"] * 3
    # Flat at first, then a millisecond for 1,800 tasks.
    late = scaling.texts_of(stored(*jacobi({1: 1.0, 2: 1.0, 3: 1.0, 4: 2.0, 5: 3.0})))
    assert cells(late["scaling"], "`grr`")[4:6] == ["0", "556"]


def test_metg_is_read_off_at_half_of_the_least_time(stored):
    def lengths(method, shares):
        return [run(experiment="grain", app="graph", method=method, work_ns=ns, least_ms=1.0,
                    elapsed_ms=1 / share) for ns, share in shares.items()]  # fmt: skip

    path = stored(*lengths("grr", {100: 0.25, 10_000: 0.75}), *lengths("lf", {100: 0.1, 1000: 0.2}),
                  *lengths("ticket", {100: 0.6}))  # fmt: skip
    texts = metg.texts_of(path)
    values = [cells(texts["metg"], f"`{method}`")[1] for method in ("grr", "lf", "ticket")]
    assert values == ["1 µs", "> 1 µs", "≤ 100 ns"]
    # The medians count, and not how far runs lie apart.
    apart = [one for share in (0.4, 0.6, 0.8) for one in lengths("ticket", {100: share})]
    assert cells(metg.texts_of(stored(*apart))["metg"], "`ticket`")[1] == "≤ 100 ns"
    assert cells(texts["metg"], "`lf`")[2:] == ["10 [10, 10]", "20 [20, 20]", "–"]
    with pytest.raises(PlotError, match="no runs of a graph"):
        metg.texts_of(stored(run()))


KERNEL = "void entry<gridloom::juggler::runtime_kernel<gridloom::juggler::lud::app, {}>>(T1)"
WAVE = "void entry<gridloom::juggler::wave_kernel<gridloom::juggler::lud::app, false>>(T1)"


def launch(kernel, **values):
    return LAUNCH | {"kernel": kernel} | values


def test_misses_are_summed_over_launches_of_kernels_that_are_told_apart(stored):
    rows = [launch(WAVE, launch=0, l2_read_misses=90.0), launch(WAVE, launch=1),
            launch(KERNEL.format("gridloom::juggler::local_first"), l2_writes=0.0),
            launch(KERNEL.format("gridloom::juggler::local_then_shorter_slots, "
                                 "gridloom::juggler::worker_places")),
            launch(KERNEL.format("gridloom::juggler::other")),
            launch(WAVE.replace("lud", "none"))]  # fmt: skip
    # As Nsight Compute 2025 writes names: the last namespace at most, and none of int_hist.
    short = "void kernel_entry<runtime_kernel<{}, global_round_robin, worker_places>>(T1)"
    rows += [launch(short.format(functor)) for functor in ("app", "strips::app<sw::cells<2>>")]
    path = stored(*rows, columns=LAUNCH)
    found = misses.rates(read_runs(path))
    assert {app: list(own) for app, own in found.items()} == {
        "int_hist": ["grr"], "lud": ["barriers", "lf", "lts-slots"], "sw": ["grr"],
    }  # fmt: skip
    assert found["lud"]["barriers"] == {"writes": 0.1, "reads": 0.5}
    assert found["lud"]["lf"] == {"reads": 0.1}
    texts = misses.texts_of(path)
    assert cells(texts["misses"], "LU-D")[1:] == ["10", "–", "–", "10", "50", "–", "10", "10"]
    assert texts["lf-below-barriers"] == "1 of 1" and texts["lf-below-grr"] == "0 of 0"
    assert texts["lf-below-lts-slots"] == "0 of 1"  # as many
    many = launch(WAVE, l2_reads=9e6, l2_read_misses=5e6)
    sectors = misses.texts_of(stored(many, columns=LAUNCH))["missed-reads"]
    assert cells(sectors, "LU-D")[1:] == ["5.000"]
    unknown = [launch(WAVE, l2_reads=np.nan, l2_writes=np.nan)]
    with pytest.raises(PlotError, match="--counters l2"):
        misses.rates(read_runs(stored(*unknown, columns=LAUNCH)))


# --- TSV ------------------------------------------------------------------------------------------


@pytest.fixture
def tsv(tmp_path, run_script):
    def write_tsv(path, key, *options):
        output = tmp_path / "o.tsv"
        done = run_script("scripts/tables/juggler/tsv.py", path, key, output, *options)
        assert done.returncode == 0, done.stderr
        return [line.split("\t") for line in output.read_text().splitlines()]

    return write_tsv


def test_tsv_has_a_column_an_application_and_the_policies_before_the_barriers(stored, tsv):
    own = ["lrr", "grr", "lf", "barriers"]
    rows = [run(method=m, elapsed_ms=10.0 * k + n, repetition=n) for k, m in enumerate(own)
            for n in range(2)]  # fmt: skip
    rows += [run(method="lrr", **DTW), run(method="lrr", tile=256, elapsed_ms=99.0)]
    rows += [run(method="lrr", experiment="wide", elapsed_ms=98.0)]
    path = stored(*rows)
    found = tsv(path, "execTime", "--header")
    assert found[0] == ["DTW", "HEAT", "INT", "JACOBI", "SAT", "SW", "LUD"] and len(found) == 9
    # The overhead is the policies' alone: 0.05 ms.
    assert [line[6] for line in found[1:]] == [
        "5e-05", "0.00105", "0.01005", "0.01105", "0.02005", "0.02105", "0.03", "0.031"
    ]  # fmt: skip
    assert [line[0] for line in found[1:]] == ["0.00105", *[""] * 7]
    assert tsv(path, "maxTaskLoad")[0][6] == "160" and tsv(path, "buildCSR")[0][6] == "1e-05"
    # 1.5 ms are copies and the run.
    assert tsv(path, "totalTime", "--tile", 256, "--method", "lrr") == [[""] * 6 + ["0.00155"]]
    assert tsv(path, "totalTime")[-1][6] == "0.0015"


def test_tsv_of_checks_and_of_runs_that_failed(stored, tsv):
    rows = [run(method=m) for m in ("lrr", "grr", "lf")]
    rows += [run(method="barriers", status="wrong", verified="no")]
    path = stored(*rows)
    assert [line[6] for line in tsv(path, "check")] == ["SUCCESS", "SUCCESS", "SUCCESS", "FAIL"]
    assert [line[6] for line in tsv(path, "execTime")][-1] == ""


def test_tsv_of_sectors(stored, tsv):
    path = stored(launch(WAVE), launch(WAVE, launch=1), columns=LAUNCH)
    assert [line[6] for line in tsv(path, "read_sector_misses")] == ["", "", "", "20"]
    assert [line[6] for line in tsv(path, "write_sector_queries")] == ["", "", "", "100"]


def test_tsv_refuses_in_one_line(stored, tmp_path, run_script):
    path, script = stored(run()), "scripts/tables/juggler/tsv.py"
    output = tmp_path / "o.tsv"
    for words, complaint in (
        ([path, "moon", output], "invalid choice: 'moon'"),
        ([path, "check", output], "no runs of lrr"),
        ([path, "check", path, "--method", "grr"], "FILE.tsv"),
        ([path, "check", output, "--method", "grr", "--tile", 8], "in tiles of 8"),
        ([tmp_path / "none.h5", "check", output], "none.h5: no such file"),
        ([path, "read_sector_misses", output], "misses of the L2"),
    ):
        done = run_script(script, *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert complaint in done.stderr and not output.exists(), done.stderr
