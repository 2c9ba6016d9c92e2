"""The tables of mhive-jacobi: what stands in them comes from the rows, and misses are said."""

import re
import subprocess
import sys

import pytest

from conftest import ROOT
from gridloom_plots import PlotError
from jacobi_rows import H200, row, sample_rows, timed, write
from program_under_test import find_program, run_program

sys.path.insert(0, str(ROOT / "scripts" / "tables"))
import mhive_jacobi

SCRIPT = "scripts/tables/mhive_jacobi.py"


@pytest.fixture
def results(tmp_path):
    return write(tmp_path / "r.h5", sample_rows())


def tables_of(path, rows, rate=None, **meta):
    return mhive_jacobi.tables(write(path, rows, **meta), rate)


def lines(text):
    """{first cell: {head: cell}} of the table in a text."""
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    heads, *body = rows
    assert all(len(cells) == len(heads) for cells in body)
    return {cells[0]: dict(zip(heads, cells, strict=True)) for cells in body}


# --- 8.4 to 8.7, baselines ------------------------------------------------------------------


def test_matrices_stand_by_their_entries(results):
    found = lines(mhive_jacobi.tables(results)["8_4"])
    assert list(found) == ["`a`", "`b`", "`c`"]
    assert found["`c`"] == {
        "matrix": "`c`", "rows": "1,000,000", "entries": "5,000,000", "entries a row": "5.0",
        "iterations of a run": "10",
    }  # fmt: skip


def test_each_execution_model_has_its_table(results):
    found = mhive_jacobi.tables(results)
    tsk, mk, pdc = (lines(found[name]) for name in ("8_5", "8_6", "8_7"))
    assert tsk["`a`"]["autonomous"] == "8 [8, 8]" and pdc["`a`"]["autonomous"] == "7 [7, 7]"
    assert mk["`a`"]["stages (p)"] == "12 [12, 12]" and mk["`a`"]["stages (id)"] == "–"
    for table in (tsk, mk, pdc):
        assert table["`a`"]["kernel by kernel"] == "20 [19, 21]"
    assert mk["`c`"]["autonomous"] == "1 timeout" and tsk["`c`"]["autonomous"] == "–"
    assert "stages (p)" in tsk["`a`"]  # a column of the thesis stays, measured or not


def test_other_schedulers_and_versions_have_a_place(tmp_path):
    rows = [*timed("checkpoints", 3.0, scheduler="resident_controller"), row()]
    rows += timed("my_version", 4.0, scheduler="my_scheduler") + timed("my_baseline", 5.0)
    found = tables_of(tmp_path / "r.h5", rows)
    assert lines(found["resident_controller"])["`small`"]["checkpoints"] == "3 [3, 3]"
    assert lines(found["my_scheduler"])["`small`"]["my_version"] == "4 [4, 4]"
    assert lines(found["baselines"])["`small`"]["`my_baseline`"].startswith("5 [5, 5], ")


def test_runs_that_failed_are_said_beside_those_that_did_not(tmp_path):
    rows = [*timed("graph", 4.0, 4.0), row(version="graph", status="wrong"), row()]
    found = lines(tables_of(tmp_path / "r.h5", rows)["baselines"])
    assert found["`small`"]["`graph`"].startswith("4 [4, 4]; 1 wrong")


def test_the_floor_is_the_files_bytes_at_the_rate_of_a_copy(results):
    text = mhive_jacobi.tables(results)["baselines"]
    assert "at 3.95 TB/s" in text.splitlines()[0]
    found = lines(text)["`c`"]
    assert found["byte floor"] == "20" and found["`neighbours`"] == "25 [25, 25], 80 %"
    assert found["`kernel_by_kernel`"] == "50 [50, 50], 40 %"
    text = mhive_jacobi.tables(results, 7.9)["baselines"]
    assert "at 7.9 TB/s" in text and lines(text)["`c`"]["byte floor"] == "10"


def test_a_machine_of_unknown_rate_has_no_floor(tmp_path):
    found = tables_of(tmp_path / "r.h5", sample_rows(), gpu="Other GPU")
    assert "(Other GPU) is not known" in found["baselines"]
    assert lines(found["baselines"])["`c`"]["`neighbours`"] == "25 [25, 25]"
    assert figures(found)["floor"]["reached"] == "–"
    host = [row(backend="host", entries=6_000_000), *timed("neighbours", 9.0, entries=6_000_000)]
    host[1]["backend"] = "host"
    # The GPU of the machine says nothing of its host.
    assert "(TestCPU) is not known" in tables_of(tmp_path / "h.h5", host)["baselines"]


def test_the_best_of_mhive_is_named_and_is_none_of_ours(results):
    found = lines(mhive_jacobi.tables(results)["baselines"])
    assert found["`a`"]["best of MHive"].endswith("(`autonomous, PDC`)")
    assert found["`c`"]["best of MHive"] == "–"


def test_ours_counts_whatever_its_scheduler_column_says(tmp_path):
    rows = [row(), *timed("neighbours", 2.0, scheduler="resident")]
    found = tables_of(tmp_path / "r.h5", rows)
    assert lines(found["baselines"])["`small`"]["`neighbours`"].startswith("2 [2, 2]")
    assert lines(found["baselines"])["`small`"]["best of MHive"] == "–"
    assert "resident" not in found


def test_precisions_are_systems_of_their_own(tmp_path):
    rows = timed("graph", 4.0) + timed("graph", 2.0, precision="float")
    found = lines(tables_of(tmp_path / "r.h5", rows)["baselines"])
    assert found["`small`, double"]["`graph`"].startswith("4 [4, 4]")
    assert found["`small`, float"]["`graph`"].startswith("2 [2, 2]")


def test_memory_is_a_range_where_schedulers_differ(results):
    found = lines(mhive_jacobi.tables(results)["memory"])["`a`"]
    assert found["Eq. 8.3"] == "67" and found["`graph`"] == "0.01"
    assert found["`autonomous`"] == "0.01 to 0.012"


# --- what was to be reached -------------------------------------------------------------------


def figures(found):
    rows = lines(found["figures"])
    names = ["base", "graph", "grid_sync", "floor", "diagonal", "large graph"]
    return dict(zip(names, rows.values(), strict=True))


def test_figures_are_the_worst_case_and_the_mean(results):
    found = figures(mhive_jacobi.tables(results))
    worst, mean = "measured: worst case", "geometric mean"
    assert found["base"][worst] == "4 [3.8, 4.2], `b` by `neighbours`"
    assert found["base"][mean].startswith("6.32 [") and found["base"]["reached"] == "**no**"
    # 5.5 over 2 and over 5; 5 over 2 and over 5.
    assert found["graph"][worst].startswith("1.1 [") and found["graph"]["reached"] == "in part"
    assert found["grid_sync"][worst].startswith("1 [") and found["grid_sync"]["reached"] == "yes"
    assert found["floor"]["asked"] == "≥ 75 %" and found["floor"]["reached"] == "yes"
    assert found["floor"][worst] == "80 % [80, 80], `c` by `neighbours`"
    # 8 MB more at 3.95 TB/s are 2.03 µs more.
    assert found["diagonal"][worst].startswith("88.1 %") and found["diagonal"]["reached"] == "–"
    assert found["large graph"][worst].startswith("1.04 [")
    assert found["large graph"]["reached"] == "yes"
    best = lines(mhive_jacobi.tables(results)["best"])["`b`"]
    assert best["best version"] == "`neighbours`" and best["over `grid_sync`"].startswith("1 [")


def test_the_best_graph_arm_is_one_that_the_file_has(results, tmp_path):
    text = mhive_jacobi.tables(results)["figures"]
    assert "arm the fastest of `graph`, `graph_overlap`, `graph_fused`. Ratios" in text
    assert "graph_while" not in "".join(mhive_jacobi.tables(results).values())
    rows = [row(), *timed("graph", 6.0), *timed("graph_while", 3.0), *timed("neighbours", 2.0)]
    found = tables_of(tmp_path / "r.h5", rows)
    assert "the best graph arm the fastest of `graph`, `graph_while`. Ratios" in found["figures"]
    assert "every 10, at `graph_while` never)" in found["figures"]
    assert figures(found)["graph"]["measured: worst case"].startswith("1.5 [1.5, 1.5], `small`")
    heads = list(lines(found["baselines"])["`small`"])
    assert heads[2:4] == ["`graph`", "`graph_while`"]
    assert "graph arm" not in tables_of(tmp_path / "o.h5", [row()])["figures"].splitlines()[0]


def test_mhives_version_is_the_best_where_it_is(tmp_path):
    rows = [*timed("kernel_by_kernel", 20.0), *timed("neighbours", 3.0)]
    rows += timed("checkpoints", 2.0, scheduler="megakernel") + timed("grid_sync", 1.0)
    found = figures(tables_of(tmp_path / "r.h5", rows))
    assert "10 [10, 10], `small` by `checkpoints, MK`" in found["base"]["measured: worst case"]
    assert found["base"]["reached"] == "yes" and found["grid_sync"]["reached"] == "**no**"


def test_a_matrix_without_any_best_version_is_a_miss(tmp_path):
    rows = [*timed("kernel_by_kernel", 20.0), *timed("neighbours", 2.0)]
    rows += [row(matrix="m"), row(matrix="m", version="neighbours", status="timeout")]
    found = figures(tables_of(tmp_path / "r.h5", rows))["base"]
    assert found["reached"] == "**no**" and "; failed on `m`" in found["measured: worst case"]
    only = figures(tables_of(tmp_path / "o.h5", rows[2:]))["base"]
    assert only["reached"] == "**no**" and only["measured: worst case"].startswith("not measured")


def test_a_matrix_without_the_baseline_is_named(tmp_path):
    rows = [*timed("grid_sync", 20.0), *timed("neighbours", 2.0)]
    rows += timed("neighbours", 2.0, matrix="m")
    found = figures(tables_of(tmp_path / "r.h5", rows))
    assert "nothing to compare with on `m`" in found["grid_sync"]["measured: worst case"]
    assert found["base"]["measured: worst case"].startswith("not measured; nothing")
    assert found["floor"]["reached"] == "–"


def test_headline(results, tmp_path):
    text = mhive_jacobi.tables(results)["headline"]
    assert H200 in text and "6.32 × kernel by kernel" in text and "80 % of the byte floor" in text
    assert "headline" not in tables_of(tmp_path / "r.h5", [row()])


# --- rows that cannot be compared -------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"max_iterations": 99}, "small: expected one max_iterations"),
        ({"workers": 7}, "expected one workers"),
        ({"entries": 7}, "expected one entries"),
        ({"backend": "host"}, "expected the results of one machine"),
    ],
)
def test_arms_of_different_settings_are_not_compared(tmp_path, values, said):
    with pytest.raises(PlotError, match=re.escape(said)):
        tables_of(tmp_path / "r.h5", [row(), row(version="graph", **values)])


def test_how_often_residuals_are_judged_is_said(tmp_path):
    rows = [row(), row(version="graph", check_every=300), row(version="neighbours", check_every=1)]
    found = tables_of(tmp_path / "r.h5", rows)
    for name in ("figures", "baselines"):
        assert "`neighbours` judge the residual every iteration" in found[name]
        assert "looks at streams and graphs every 10 or 300" in found[name]
    rows.append(row(version="graph", check_every=5))
    with pytest.raises(PlotError, match="small, graph: expected one check_every in /runs, got 5"):
        tables_of(tmp_path / "s.h5", rows)


def test_wrong_files_and_rates_are_told_in_one_line(results, tmp_path, run_script):
    (tmp_path / "text.h5").write_text("no results\n")
    for arguments, words in [
        ([tmp_path / "none.h5"], "no such file"),
        ([tmp_path / "text.h5"], "not a readable HDF5 file"),
        ([results, "--bandwidth-tb-s", "0"], "expected a number above 0, got 0"),
        ([results, "--bandwidth-tb-s", "nan"], "expected a number above 0, got nan"),
    ]:
        done = run_script(SCRIPT, *arguments)
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.count("\n") == 1 and words in done.stderr


# --- command line and README --------------------------------------------------------------------


def test_tables_are_written_and_checked(results, tmp_path, run_script):
    readme = tmp_path / "README.md"
    readme.write_text("x\n<!-- table p-8_4 -->\nold\n<!-- end -->\n<!-- table 8_4 -->\nkept\n")
    check = [results, "--prefix", "p-", "--check", readme]
    assert run_script(SCRIPT, *check).returncode == 1
    assert run_script(SCRIPT, *check[:-2], "--write", readme).returncode == 0
    text = readme.read_text()
    assert "`a`" in text and "old" not in text and text.endswith("<!-- table 8_4 -->\nkept\n")
    assert run_script(SCRIPT, *check).returncode == 0
    readme.write_text(text.replace("1,000 |", "1,001 |"))
    assert run_script(SCRIPT, *check).returncode == 1


def test_the_readme_has_a_place_for_every_table(tmp_path):
    schedulers = mhive_jacobi.MODELS.keys() | {"megakernel_1024", "resident_controller"}
    rows = [one for s in schedulers for one in timed("autonomous", 1.0, scheduler=s)]
    readme = (ROOT / "thesis_mhive/README.md").read_text(encoding="utf-8")
    for name in tables_of(tmp_path / "r.h5", rows):
        assert f"<!-- table h200-jacobi-{name} -->\n" in readme


@pytest.mark.parametrize(
    ("results", "prefix", "readme"),
    [
        ("nvidia-h200-jacobi.h5", "h200-jacobi-", "thesis_mhive/README.md"),
        ("nvidia-h200-jacobi.h5", "h200-jacobi-", "README.md"),
        ("nvidia-h200-jacobi-every.h5", "h200-jacobi-every-", "thesis_mhive/README.md"),
    ],
)
def test_tables_agree_with_the_stored_results(results, prefix, readme):
    command = [sys.executable, ROOT / SCRIPT, ROOT / "thesis_mhive/reference" / results]
    command += ["--prefix", prefix, "--check", ROOT / readme]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_what_the_program_writes_has_tables(tmp_path, run_script):
    program = find_program("mhive-jacobi")
    options = ["--backend", "host", "--quiet", "--repeat", 2, "--max-iterations", 5]
    options += ["--scheduler", "time_sliced,megakernel", "--append", "--output", "r.h5"]
    for spec in ("poisson2d:nx=12", "dominant:n=200,nnz=1000"):
        done = run_program(program, "--generate", spec, *options, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = run_script(SCRIPT, tmp_path / "r.h5", "--bandwidth-tb-s", 0.02)
    assert done.returncode == 0, done.stderr
    texts = dict(re.findall(r"<!-- table (\S+) -->\n(.*?)<!-- end -->", done.stdout, re.S))
    assert {"figures", "8_4", "8_5", "8_6", "baselines", "best", "memory"} <= texts.keys()
    # 5 n entries less those of the border, 12 bytes each, and 28 bytes a row.
    floor_us = ((5 * 144 - 48) * 12 + 144 * 28 + 4) / 0.02e6
    cells = lines(texts["baselines"])["`poisson2d:nx=12`"]
    assert cells["byte floor"] == mhive_jacobi.number(floor_us)
    for name in ("8_5", "8_6"):
        for cells in lines(texts[name]).values():
            assert "–" not in cells.values() and len(cells) >= 6
