"""Juggler's tables and TSV from results made by hand: which rows count, and what is refused.

The numbers of the other tables are compared in test_page_tables.py.
"""

import numpy as np
import pytest

from gridloom.claims import Source, quantities_of
from gridloom.juggler import bodies, misses, placing, scaling, sweeps, tables
from gridloom.juggler.data import cases_of, panels_of
from gridloom.results import PlotError, read_runs
from juggler_rows import GPU, LAUNCH, TIMES, methods_runs, run, write

DTW = {"app": "dtw", "rows": 4608, "cols": 4608, "tasks": 5184}


@pytest.fixture
def stored(tmp_path):
    """Writes rows as a results file."""
    return lambda *rows, **more: write(tmp_path / "r.h5", rows=rows, **more)


def cells(text, first):
    """The cells of the row whose first cell is `first`."""
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


def test_claims_are_over_the_papers_barriers_and_over_those_of_today(stored):
    quantities = quantities_of("juggler")
    # The overhead is 0.05 ms beside 1 ms of grr.
    both = Source([stored(*methods_runs(times={**TIMES, "barriers_sync": 4.3}))])
    shown = {name: quantities[name](both).short_text for name in quantities if "jacobi" not in name
             and "in_three" not in name and name not in ("lf_rate", "lf_count")
             and "equal_ranges" not in name}  # fmt: skip
    assert shown == {
        "overhead_most": "4.76 %", "grr_first": "1 of 1", "lf_before_lrr": "0 of 1",
        "grr_most_even": "0 of 1",  # the three are as even
        "grr_most_sync": "4.1 ×", "grr_least_sync": "4.1 ×", "grr_gains_sync": "1 of 1",
        "lf_in_lud_sync": "1.06 ×", "grr_in_four_sync": "4.1 ×",
        "grr_most_today": "1.9 ×", "grr_least_today": "1.9 ×", "grr_gains_today": "1 of 1",
        "lf_in_lud_today": "0.494 ×", "grr_in_four_today": "1.9 ×",
    }  # fmt: skip
    assert (
        quantities["grr_most_sync"](both).input == "1 ratio over barriers_sync, with all overhead"
    )
    read = {**TIMES, "barriers_sync": 4.3, "grr-block": 2.1}
    block = Source([stored(*methods_runs(times=read))])
    assert (
        quantities["grr_most_sync"](block).short_text == "2 ×"
    )  # of grr-block, as the paper reads
    assert quantities["grr_gains_today"](block).short_text == "0 of 1"
    assert quantities["overhead_most"](block).short_text == "2.33 %"
    assert quantities["grr_first"](block).short_text == "1 of 1"  # of grr
    own = Source([stored(*methods_runs(), *methods_runs(experiment="ratio", tile=32, scale=2))])
    assert quantities["overhead_most"](own).short_text == "2.44 %"  # of Table 1's ratio alone
    with pytest.raises(PlotError, match="beside barriers_sync"):
        quantities["grr_most_sync"](own)
    with pytest.raises(PlotError, match="beside barriers at"):
        quantities["jacobi_grr_today"](own)


# --- tables of applications -----------------------------------------------------------------------


def test_speed_is_of_policies_the_papers_and_ours_and_of_lists(stored):
    with_chains = methods_runs(times={**TIMES, "chains": 0.4})
    texts = tables.texts_of(stored(*with_chains, *methods_runs(scale=4, **DTW)))
    row = cells(texts["speed-paper"], "LU-D")
    assert row[1:4] == ["960² in tiles of 64", "1,240", "`grr`"] and row[6] == "`lts`"
    starts = [row[place].split(" ")[0] for place in (4, 5, 7, 8, 9, 10, 11)]
    assert starts == ["2", "1.6", "2.5", "2", "5", "4", "4"] and row[11].endswith("`graph`")
    assert cells(texts["speed-paper"], "DT-WARP")[9:] == ["–", "–", "–"]
    assert texts["policies-over-barriers-paper"] == "2.5 ×"
    assert texts["chains-over-barriers-paper"] == "5 ×"
    assert texts["paper-over-graph-paper"] == "1.6 ×"
    assert cells(texts["time-lud"], "`barriers`")[1] == "2"
    assert texts["card"] == GPU


def test_the_papers_baseline_is_a_table_of_its_own(stored):
    assert "regime-paper" not in tables.texts_of(stored(*methods_runs()))
    rows = methods_runs(times={**TIMES, "barriers_sync": 4.3, "lf-task": 2.0}, experiment="filled")
    texts = tables.texts_of(stored(*rows))
    row = cells(texts["regime-filled"], "LU-D")
    # 4.3 ms over 43 levels; an overhead of 0.05 ms beside 1 ms.
    assert row[3:5] == ["4.3", "100"]
    assert [cell.split(" ")[0] for cell in row[5:11]] == ["3.44", "4.3", "1.07", "–", "2.15", "4.1"]
    assert row[10].endswith("`grr`") and row[11].startswith("4.76 ")
    assert texts["paper-over-sync-with-overhead-filled"] == "4.1 ×"


def test_bodies_are_compared_with_barriers_that_have_the_same(stored):
    times = {("barriers", "inlined"): 1.0, ("barriers", "called"): 1.5, ("grr", "inlined"): 2.0,
             ("grr", "called"): 2.0, ("chains", "inlined"): 0.5}  # fmt: skip
    registers = dict(zip(times, (86, 112, 103, 118, 110), strict=True))
    rows = [
        one | {"body": body, "registers": registers[method, body]}
        for (method, body), ms in times.items()
        for one in methods_runs(times={method: ms}, experiment="bodies")
    ]
    rows += [
        one | {"body": "", "registers": 130}
        for one in methods_runs(times={"barriers_sync": 0.8}, experiment="bodies")
    ]
    lines = bodies.texts_of(stored(*rows, columns=rows[0]))["bodies"].splitlines()[2:]
    found = [[cell.split(" ")[0] for cell in line.strip("| ").split(" | ")[2:]] for line in lines]
    assert found == [
        ["`grr`", "103", "118", "2", "2", "0.5", "0.75"],
        ["`barriers_sync`", "130", "–", "0.8", "–", "1.25", "–"],
        ["`barriers`", "86", "112", "1", "1.5", "–", "–"],
        ["`chains`", "110", "–", "0.5", "–", "2", "–"],
    ]


def test_cofactors_and_rules_of_the_inspection_are_columns(stored):
    rows = [
        one | {"workers": workers, "matching": rule, "inspection_ms": ms, "tasks": 1000}
        for workers, rule, ms in ((132, "one_to_one", 0.2), (264, "overlapping", 0.03))
        for one in methods_runs(times={"grr": ms}, experiment="cofactor")
    ]
    [line] = sweeps.texts_of(stored(*rows, columns=rows[0]))["cofactor"].splitlines()[2:]
    assert line.endswith("| `grr` | 0.2 | 0.03 |")
    waits = [
        rows[0] | one | {"workers": 90}
        for one in methods_runs(times={"barriers_sync": 0.04}, experiment="cofactor")
    ]
    [line] = sweeps.texts_of(stored(*rows, *waits, columns=rows[0]))["cofactor"].splitlines()[2:]
    assert line.endswith("| `grr` | 0.2 | 0.03 | 0.04 |")
    rows = [one | {"experiment": "matching"} for one in rows]
    path = stored(*rows, columns=rows[0])
    [line] = sweeps.texts_of(path)["matching"].splitlines()[2:]
    assert line.endswith("| 200 | 30 |")
    # An overhead of 0.05 ms beside 0.2 ms.
    share = quantities_of("juggler")["overhead_by_equal_ranges"](Source([path]))
    assert share.short_text == "20 %" and share.input == "1 size"


PLACINGS = [run(method="chains", placing=name) for name in ("blocks", "multiprocessors")]


@pytest.mark.parametrize(
    ("module", "rows", "words"),
    [
        (tables, [run(status="timeout")], "no runs of an application"),
        (tables, PLACINGS, "one --placing of 'chains'"),
        (placing, [run()], "several --placing"),
        (bodies, [run()], "no runs with --label bodies"),
        (sweeps, [run()], "no runs with --label cofactor or matching"),
        (scaling, [run()], "three numbers of tasks"),
    ],
)
def test_a_table_without_its_runs_is_refused(stored, module, rows, words):
    with pytest.raises(PlotError, match=words):
        module.texts_of(stored(*rows))


# --- misses ---------------------------------------------------------------------------------------


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
    # Nsight Compute 2025 writes at most the last namespace of a name, and none for int_hist.
    short = "void kernel_entry<runtime_kernel<{}, global_round_robin, worker_places>>(T1)"
    rows += [launch(short.format(functor)) for functor in ("app", "strips::app<sw::cells<2>>")]
    path = stored(*rows, columns=LAUNCH)
    found = misses.rates(read_runs(path))
    assert {app: list(own) for app, own in found.items()} == {
        "int_hist": ["grr"], "lud": ["barriers", "lf", "lts-slots"], "sw": ["grr"],
    }  # fmt: skip
    assert found["lud"]["barriers"] == {"writes": 0.1, "reads": 0.5}
    assert found["lud"]["lf"] == {"reads": 0.1}
    below = [quantities_of("juggler")[name](Source([path])) for name in ("lf_rate", "lf_count")]
    assert [value.short_text for value in below] == ["1 of 1", "1 of 1"]
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
    # Only policies have an overhead: 0.05 ms.
    assert [line[6] for line in found[1:]] == [
        "5e-05", "0.00105", "0.01005", "0.01105", "0.02005", "0.02105", "0.03", "0.031"
    ]  # fmt: skip
    assert [line[0] for line in found[1:]] == ["0.00105", *[""] * 7]
    assert tsv(path, "maxTaskLoad")[0][6] == "160" and tsv(path, "buildCSR")[0][6] == "1e-05"
    # The run with its copies takes 1.5 ms.
    assert tsv(path, "totalTime", "--tile", 256, "--method", "lrr") == [[""] * 6 + ["0.00155"]]
    assert tsv(path, "totalTime")[-1][6] == "0.0015"


def test_tsv_has_the_papers_barriers_where_they_are_stored(stored, tsv):
    own = ["lrr", "grr", "lf", "barriers", "barriers_sync"]
    rows = [run(method=method, elapsed_ms=float(n)) for n, method in enumerate(own)]
    assert [line[6] for line in tsv(stored(*rows), "execTime")] == [
        "5e-05", "0.00105", "0.00205", "0.004"
    ]  # fmt: skip


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
