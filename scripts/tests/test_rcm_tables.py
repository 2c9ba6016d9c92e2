"""The tables of mhive-rcm: what stands in them comes from the rows, and misses are said."""

import os
import subprocess
import sys

import pytest

import gridloom_plots
import mhive_rcm_data
from conftest import ROOT
from program_under_test import find_program, run_program
from rcm_rows import row, timed, write

sys.path.insert(0, str(ROOT / "scripts" / "tables"))
import mhive_rcm
from rcm_collection import Collection

SCRIPT = "scripts/tables/mhive_rcm.py"
INDEX = "Group,Name,nrows,nentries,nnz,rcm_lowerbandwidth,rcm_upperbandwidth\n"


def prepared(path, rows):
    return mhive_rcm_data.prepared(gridloom_plots.read_runs(write(path, rows)))


def lines(table):
    """Cells by the first one."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {cells[0]: cells[1:] for cells in rows}


def sample_rows():
    """Two large matrices with speedups of 10 and 40 over cuSOLVER, one small with 1/2."""
    for matrix, n, factor in (("a.mtx", 60_000, 10), ("b.h5", 70_000, 40), ("c.mtx.gz", 6000, 0.5)):
        yield from timed("levels", matrix, n, 1.9, 2.0, 2.1, bandwidth=101, half_bandwidth=50)
        yield from timed("cusolver", matrix, n, 2.0 * factor, bandwidth=99)
        yield from timed("scipy", matrix, n, 8.0, bandwidth=111)
        yield row(arm="mk", matrix=matrix, rows=n, status="timeout", both_ms=0, order_ms=0)


@pytest.fixture
def results(tmp_path):
    return write(tmp_path / "r.h5", sample_rows())


@pytest.fixture
def index(tmp_path):
    path = tmp_path / "ss_index.csv"
    path.write_text(
        INDEX + "G,a,60000,4500,1,40,42\nG,c,9,9,9,1,1\nH,other,70000,4500,9,25,25\n"
        "H,two,6000,1,1,1,1\nG,two,6000,4500,1,2,2\n"
    )
    (tmp_path / "README.md").write_text("| file | id |\n| `b` | H/other | values |\n")
    return path


def test_the_name_of_a_matrix_has_no_endings():
    names = ["a.mtx.gz", "b.h5", "c", "poisson2d:nx=3,ny=2", ".mtx", "d.graph"]
    shortened = ["a", "b", "c", "poisson2d:nx=3,ny=2", ".mtx", "d"]
    assert list(map(mhive_rcm_data.short, names)) == shortened


def test_figures_are_geometric_means_and_least_values(results, index):
    figures = lines(mhive_rcm.tables(results, index)["rcm-figures"])
    mean, again, least, scipy, aim, band = list(figures.values())[2:]
    assert mean[0] == "≥ 15" and mean[1].startswith("20.00 [") and mean[2] == "yes"
    assert "2 matrices" in mean[1]
    assert again[1].startswith("18.18 [")  # with the copies, a tenth more
    assert least[1].startswith("0.50 [") and "`c`, of 3 matrices" in least[1]
    assert least[2] == "**no**"
    assert scipy[0] == "≥ 2" and scipy[1].startswith("4.00 [") and scipy[2] == "yes"
    assert aim[1].startswith("4.00 [")
    # 50 / 42 and 50 / 25; the collection's c is another matrix.
    assert band[1] == "1.543, 2 matrices" and band[2] == "**no**"


def test_published_times_of_the_ordering_are_marks_to_pass(tmp_path):
    rows = [row(matrix="bcspwr10.mtx.gz", order_ms=0.23), row(matrix="usroads.mtx", order_ms=19.6)]
    figures = lines(mhive_rcm.tables(write(tmp_path / "r.h5", rows))["rcm-figures"])
    [cells] = [c for name, c in figures.items() if name.startswith("ordering alone")]
    assert cells == ["> 1", "0.50 [0.50, 0.50] (`usroads`, of 2 matrices)", "**no**"]


def test_an_arm_that_fails_on_a_matrix_misses_the_figure(tmp_path):
    rows = [*sample_rows(), row(matrix="d", rows=80_000, status="failed", both_ms=float("nan"))]
    figures = lines(mhive_rcm.tables(write(tmp_path / "r.h5", rows))["rcm-figures"])
    for name, cells in figures.items():
        if name.startswith(("speedup", "least")):
            assert "failed on d" in cells[1] and cells[2] == "**no**"


def test_matrices_and_bandwidths(results, index):
    found = mhive_rcm.tables(results, index)
    sizes = lines(found["rcm-8_1"])
    assert list(sizes)[2:] == ["`c`", "`a`", "`b`"]  # by rows
    assert sizes["`c`"] == ["6,000", "4,500", "0.8"]
    bands = lines(found["rcm-8_2"])
    assert bands["`a`"] == ["1,999", "99", "111", "101", "83"]
    assert bands["`b`"][-1] == "51"  # by the README's name of it
    assert bands["`c`"][-1] == "–"  # another size


def test_times_are_medians_of_what_went_well(results):
    found = mhive_rcm.tables(results)
    both, order = (lines(found[f"rcm-8_3-{name}"]) for name in ("both", "order"))
    assert both["matrix"] == ["cuSOLVER", "SciPy", "MK", "levels"]
    assert both["`a`"] == ["20 [20, 20]", "8 [8, 8]", "timeout", "2 [1.9, 2.1]"]
    assert order["matrix"] == ["MK", "levels"]  # the others do not tell the ordering apart
    assert lines(found["rcm-8_3-copies"])["`a`"][-1].startswith("2.2 [")


def test_a_library_without_a_time_of_both_is_taken_by_its_call(tmp_path):
    rows = timed("cusolver", "a", 60_000, 30.0) + timed("levels", "a", 60_000, 2.0)
    rows[0]["both_ms"] = -1.0
    runs = prepared(tmp_path / "r.h5", rows)
    [(value, _)] = mhive_rcm_data.speedups(runs, "cusolver", "levels").values()
    assert value == pytest.approx(16.5)


def test_memory_is_beside_the_equation(results):
    memory = lines(mhive_rcm.tables(results)["rcm-memory"])
    assert memory["matrix"] == ["Eq. 8.2", "MK", "levels"]
    assert memory["`a`"] == ["48.1", "2", "2"]


def test_host_figures_go_by_workers(tmp_path):
    host = {"backend": "host", "start": "pseudo-peripheral"}
    rows = [
        *timed("scipy", "a", 500_000, 6.0),
        *timed("levels", "a", 500_000, 8.0, workers=1, **host),
        *timed("levels", "a", 500_000, 5.0, workers=2, **host),
        *timed("serial", "a", 500_000, 5.0, workers=1, **host),
        *timed("serial", "a", 500_000, 7.0, workers=2, **host),
    ]
    found = mhive_rcm.tables(write(tmp_path / "r.h5", rows, gpu="none"))
    figures = lines(found["rcm-figures"])
    one, two = (next(c for n, c in figures.items() if f"{k} worker" in n) for k in (1, 2))
    serial = next(cells for name, cells in figures.items() if "`serial`" in name)
    assert serial == ["≥ 0.667", "1.00 [0.86, 1.20] (`a`, of 1 matrix)", "yes"]
    assert one == ["≥ 0.667", "0.75 [0.75, 0.75] (`a`, of 1 matrix)", "yes"]
    assert two[0] == "> 1" and two[1].startswith("1.20 [") and two[2] == "yes"
    both = lines(found["rcm-8_3-both"])
    assert both["matrix"] == ["SciPy", "serial", "levels, 1 worker", "levels, 2 workers"]
    assert both["`a`"][1] == "6 [5, 7]"  # one thread, whatever was asked for


def test_a_host_thread_may_lose_somewhere_but_that_is_said(tmp_path):
    rows = [
        *timed("scipy", "a", 9000, 2.0), *timed("serial", "a", 9000, 5.0),
        *timed("scipy", "b", 9000, 8.0), *timed("serial", "b", 9000, 2.0),
        *timed("levels", "a", 9000, 1.0), *timed("levels", "b", 9000, 1.0),
    ]  # fmt: skip
    figures = lines(mhive_rcm.tables(write(tmp_path / "r.h5", rows))["rcm-figures"])
    serial = next(cells for name, cells in figures.items() if "`serial`" in name)
    assert serial[1].startswith("0.40 [") and "geometric mean 1.26" in serial[1]
    assert serial[2] == "in part"


def test_rows_that_cannot_be_compared_are_refused(tmp_path):
    good = row()
    for other, words in [
        ({"start": "minimum-degree"}, "one way to choose start nodes"),
        ({"candidates": 3}, "one limit"),
        ({"rows": 1001}, "several sizes"),
    ]:
        with pytest.raises(gridloom_plots.PlotError, match=words):
            prepared(tmp_path / "r.h5", [good, row(**other)])
    files = [write(tmp_path / f"{gpu}.h5", [good], gpu=gpu) for gpu in ("one", "two")]
    with pytest.raises(gridloom_plots.PlotError, match="of one machine, got one, two"):
        mhive_rcm_data.prepared(gridloom_plots.read_files(files))


def test_the_headline_names_machine_and_means(results, tmp_path):
    line = mhive_rcm.tables(results)["rcm-headline"]
    assert "TestGPU" in line and "20.0 × cuSOLVER and 4.0 × SciPy" in line
    small = write(tmp_path / "s.h5", [row()])
    assert "rcm-headline" not in mhive_rcm.tables(small)


# --- the collection -------------------------------------------------------------------------


def test_the_collection_is_asked_by_name_size_and_readme(index):
    known = Collection(index)
    assert known.find("a", 60_000, 1) == (40, 42)
    assert known.find("a", 60_001, 4500) is None and known.find("moon", 9, 9) is None
    assert known.find("two", 6000, 4500) == (2, 2)  # of two groups by its entries
    assert known.find("two", 6000, 7) is None
    assert known.find("b", 70_000, 9) == (25, 25)


def test_without_an_index_the_manifest_is_asked():
    known = Collection()
    assert known.find("bcsstk32", 44_609, 2_014_701) == (2390, 2390)
    assert known.find("bcsstk32", 44_608, 2_014_701) is None and known.find("A3", 10_000, 1) is None


def test_the_real_index_is_read():
    folder = os.environ.get("GRIDLOOM_DATA_DIR") or "/none"
    if not os.path.isfile(f"{folder}/ss_index.csv"):
        pytest.skip("no ss_index.csv: GRIDLOOM_DATA_DIR does not name the folder of the test data")
    known = Collection(f"{folder}/ss_index.csv")
    assert known.find("bcspwr10", 5300, 21842) == (285, 285)
    assert known.find("4elt", 15606, 91756) == (378, 378)  # Pothen/barth5


# --- command line ---------------------------------------------------------------------------


def test_tables_are_printed_written_and_checked(results, index, tmp_path, run_script):
    readme = tmp_path / "R.md"
    readme.write_text("<!-- table gpu-rcm-8_1 -->\nold\n<!-- end -->\n")
    arguments = [SCRIPT, results, "--prefix", "gpu-", "--collection", index]
    printed = run_script(*arguments)
    assert printed.returncode == 0 and "<!-- table gpu-rcm-8_3-both -->" in printed.stdout
    assert run_script(*arguments, "--check", readme).returncode == 1
    assert run_script(*arguments, "--write", readme).returncode == 0
    assert "| `a` | 60,000 | 4,500 | 0.1 |" in readme.read_text()
    assert run_script(*arguments, "--check", readme).returncode == 0


def test_wrong_input_is_told_in_one_line(results, tmp_path, run_script):
    (tmp_path / "bad.csv").write_text("Name\na\n")
    (tmp_path / "word.csv").write_text(INDEX + "G,a,many,1,1,1,1\n")
    for arguments, words in [
        ([tmp_path / "none.h5"], "none.h5: no such file"),
        ([tmp_path / "bad.csv"], "not a readable HDF5 file"),
        ([results, "--collection", tmp_path / "none.csv"], "none.csv: cannot be read"),
        ([results, "--collection", tmp_path / "bad.csv"], "not the collection's index"),
        ([results, "--collection", tmp_path / "word.csv"], "not the collection's index"),
        ([results, "--write", tmp_path / "none.md"], "none.md"),
    ]:
        done = run_script(SCRIPT, *arguments)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert words in done.stderr


def test_what_the_program_writes_becomes_tables(tmp_path):
    program = find_program("mhive-rcm")
    for spec in ("poisson2d:nx=20,ny=10,shuffle=1", "star:n=50"):
        options = ["--backend", "host", "--quiet", "--repeat", 2, "--generate", spec]
        done = run_program(program, *options, "--append", "--output", "r.h5", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    command = [sys.executable, ROOT / SCRIPT, tmp_path / "r.h5"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    both = lines(mhive_rcm.tables(tmp_path / "r.h5")["rcm-8_3-both"])
    arms = ["serial", "two_threads", "CPU–GPU", "TSK", "MK", "PDC", "resident", "levels"]
    assert both["matrix"] == arms
    assert len(both) == 4 and all("[" in cell for cell in both["`star:n=50`"])
