"""The figures of mhive-rcm: what is drawn comes from the files, and wrong files are told."""

import numpy as np
import pytest
import scipy.io

import gridloom_plots
import mhive_fig8_1
import mhive_fig8_2
import mhive_fig8_3
import mhive_rcm_data
import sparsity
from gridloom_plots import PlotError
from program_under_test import find_program, run_program
from rcm_rows import row, timed, write
from test_sparsity import banded, write_csr

TYPES = ["create_sort_data", "sort_block", "sort_global"]


def drawn(folder, name):
    png, svg = (folder / f"{name}.{kind}" for kind in ("png", "svg"))
    return png.read_bytes().startswith(b"\x89PNG") and "</svg>" in svg.read_text()


# --- 8.1: patterns --------------------------------------------------------------------------


@pytest.fixture
def patterns(tmp_path):
    """Two matrices with orders: a shuffled band with the order that undoes it, and a small one."""
    shuffle = np.random.default_rng(1).permutation(60)
    band = scipy.sparse.csr_array(banded(60, 1))
    write_csr(tmp_path / "band.h5", band[shuffle][:, shuffle])
    np.savetxt(tmp_path / "undone.txt", np.argsort(shuffle), fmt="%d")
    scipy.io.mmwrite(tmp_path / "path.mtx", banded(9, 1), field="pattern", symmetry="symmetric")
    for name, order in (("turned", np.arange(9)[::-1]), ("same", np.arange(9))):
        np.savetxt(tmp_path / f"{name}.txt", order, fmt="%d")
    names = ["band.h5", "undone.txt", "path.mtx", "turned.txt", "same.txt"]
    return [str(tmp_path / name) for name in names]


def panels(figure):
    return {
        (axes.get_title(), axes.get_xlabel().split("half-bandwidth ")[1])
        for axes in figure.axes
        if axes.get_visible()
    }


def test_a_column_a_matrix_and_a_row_an_order(patterns):
    found = dict(panels(mhive_fig8_1.draw(patterns)))
    assert int(found.pop("band\nbefore")) > 20
    assert found == {"after": "1", "path\nbefore": "1", "turned": "1", "same": "1"}
    figure = mhive_fig8_1.draw(patterns[2:], ["a", "b"])
    assert panels(figure) == {("path\nbefore", "1"), ("a", "1"), ("b", "1")}


def test_patterns_of_both_formats_are_the_same(tmp_path):
    matrix = banded(30, 4)
    market = tmp_path / "m.mtx"
    scipy.io.mmwrite(market, matrix, field="pattern", symmetry="symmetric")
    stored = sparsity.Pattern(write_csr(tmp_path / "m.h5", matrix))
    read = mhive_fig8_1.MarketPattern(market)
    counts = [sparsity.density(pattern)[0] for pattern in (stored, read)]
    assert np.array_equal(*counts) and counts[0].sum() == matrix.nnz == read.entries


def test_fig8_1_is_drawn_as_png_and_svg(patterns, tmp_path, run_script):
    done = run_script("scripts/plots/mhive_fig8_1.py", *patterns, "--output-dir", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert drawn(tmp_path / "out", "mhive_fig8_1") and len(done.stdout.splitlines()) == 2


def test_fig8_1_tells_wrong_input_in_one_line(patterns, tmp_path, capsys):
    band, undone, path, turned, same = patterns
    wide = str(write_csr(tmp_path / "wide.h5", np.ones((2, 3))))
    (tmp_path / "text.mtx").write_text("no matrix\n")
    (tmp_path / "dense.mtx").write_text("%%MatrixMarket matrix array real general\n1 1\n1\n")
    for arguments, words in [
        ([str(tmp_path / "none.h5")], "no such file"),
        ([undone], "expected a matrix (HDF5 or .mtx) before the first order"),
        ([band], "expected an order after the matrix"),
        ([band, undone, path], "path.mtx: expected an order after the matrix"),
        ([band, turned], "expected a permutation of 0 to 60 - 1"),
        ([wide, same], "needs a square matrix"),
        ([str(tmp_path / "text.mtx"), same], "not a Matrix Market file"),
        ([str(tmp_path / "dense.mtx"), same], "expected a sparse matrix"),
        ([band, undone, "--rows", "a", "b"], "--rows: expected 1 names, got 2"),
        ([band, undone, "--output-dir", band], "cannot be written"),
    ]:
        output = [] if "--output-dir" in arguments else ["--output-dir", str(tmp_path / "out")]
        assert mhive_fig8_1.main([*arguments, *output]) == 2, words
        message = capsys.readouterr().err
        assert words in message and message.count("\n") == 1, message
    assert not (tmp_path / "out").exists()


# --- 8.2: task types ------------------------------------------------------------------------


def traced(matrix="m.mtx", arms=("tsk", "mk", "pdc", "resident")):
    """The parts of an arm take its number and halves of it."""
    for number, arm in enumerate(arms, 1):
        for place, part in enumerate(TYPES):
            yield arm, matrix, place, part, 10, number / 2**place


def rows_of(matrix="m.mtx", rows=1000):
    return [
        r
        for arm in ("tsk", "mk", "pdc", "levels")
        for r in timed(arm, matrix, rows, 9.0, order_ms=4.0)
    ]


def parts_figure(path, rows, parts, chosen=()):
    write(path, rows, list(parts))
    runs = mhive_rcm_data.prepared(gridloom_plots.read_runs(path))
    return mhive_fig8_2.draw(runs, mhive_fig8_2.read_parts([path]), chosen)


def visible(figure):
    return [axes for axes in figure.axes if axes.get_visible()]


def test_bars_are_the_times_of_the_task_types_after_each_other(tmp_path):
    [axes] = visible(parts_figure(tmp_path / "r.h5", rows_of(), traced()))
    assert [text.get_text() for text in axes.get_yticklabels()] == ["TSK", "MK", "PDC"]
    bars = [(bar.get_x(), bar.get_width()) for bar in axes.patches]
    expected = [(0, 1), (1, 0.5), (1.5, 0.25), (0, 2), (2, 1), (3, 0.5)]
    assert np.allclose(bars[:6], expected) and len(bars) == 9
    lines = [line.get_xdata()[0] for line in axes.get_lines()]
    assert lines == [4, 4, 4]  # the ordering alone
    assert axes.get_xlabel() == "time in ms"


def test_several_traced_runs_are_their_median(tmp_path):
    parts = [("tsk", "m.mtx", 0, "sort_block", 1, ms) for ms in (8.0, 2.0, 3.0)]
    [axes] = visible(parts_figure(tmp_path / "r.h5", rows_of(), parts))
    assert [bar.get_width() for bar in axes.patches] == [3]


def test_the_largest_matrices_are_shown_or_those_asked_for(tmp_path, capsys):
    names = [f"m{k}.mtx" for k in range(8)]
    rows = [r for k, name in enumerate(names) for r in rows_of(name, 1000 + k)]
    parts = [part for name in names for part in traced(name)]
    figure = parts_figure(tmp_path / "r.h5", rows, parts)
    assert [axes.get_title() for axes in visible(figure)] == [f"m{k}" for k in range(2, 8)]
    assert "Left out, more than 6 matrices: m0, m1" in capsys.readouterr().out
    figure = parts_figure(tmp_path / "r.h5", rows, parts, ["m1", "m3.mtx"])
    assert [axes.get_title() for axes in visible(figure)] == ["m1", "m3"]
    with pytest.raises(PlotError, match="no traced run of moon"):
        parts_figure(tmp_path / "r.h5", rows, parts, ["moon"])


def test_fig8_2_is_drawn_and_tells_what_it_lacks(tmp_path, run_script):
    script = "scripts/plots/mhive_fig8_2.py"
    output = ["--output-dir", tmp_path / "out"]
    without = write(tmp_path / "without.h5", rows_of())
    other = write(tmp_path / "other.h5", rows_of(), list(traced(arms=["resident"])))
    workers = [row(arm="mk", workers=k) for k in (1, 2)]
    several = write(tmp_path / "several.h5", workers, list(traced()))
    for path, words in [
        (without, "no table /parts"),
        (other, "no traced run of tsk, mk, pdc"),
        (several, "expected one number of workers, got mk, 1 worker; mk, 2 workers"),
        (tmp_path / "none.h5", "no such file"),
    ]:
        done = run_script(script, path, *output)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert words in done.stderr
    files = [
        write(tmp_path / f"{n}.h5", rows_of(f"{n}.mtx", 1000 + k), list(traced(f"{n}.mtx")))
        for k, n in enumerate("ab")
    ]
    done = run_script(script, *files, *output)
    assert done.returncode == 0, done.stderr
    assert drawn(tmp_path / "out", "mhive_fig8_2")
    assert "mhive_fig8_2.svg" in done.stdout


# --- 8.3: speedups --------------------------------------------------------------------------


def speedup_figure(path, rows):
    return mhive_fig8_3.draw(gridloom_plots.read_runs(write(path, rows)))


def points(figure):
    """{legend: [(rows, speedup)]}."""
    axes = figure.axes[0]
    return {
        bar.get_label(): list(zip(*(bar.lines[0].get_data()), strict=True))
        for bar in axes.containers
    }


def test_points_are_ratios_of_medians_by_rows(tmp_path, capsys):
    rows = [
        *timed("cusolver", "a", 60_000, 30.0, 40.0, 90.0), *timed("levels", "a", 60_000, 2.0),
        *timed("cusolver", "b", 6000, 5.0), *timed("levels", "b", 6000, 10.0),
        *timed("mk", "b", 6000, 1.0), row(arm="tsk", matrix="b", rows=6000, status="failed"),
    ]  # fmt: skip
    figure = speedup_figure(tmp_path / "r.h5", rows)
    found = points(figure)
    assert set(found) == {"levels", "MK"}
    assert np.allclose(sorted(found["levels"]), [(6000, 0.5), (60_000, 20)])
    assert np.allclose(found["MK"], [(6000, 5)])
    assert figure.axes[0].get_ylabel() == "speedup over cuSOLVER"
    assert "tsk (1 failed)" in figure.get_supxlabel()
    table = capsys.readouterr().out.splitlines()
    assert table[0] == "geometric mean of the speedup over cuSOLVER [95 %]"
    assert "levels" in table[2] and "3.16 [" in table[2] and "least 0.5 (b)" in table[2]


@pytest.mark.parametrize(("arms", "over"), [(["scipy", "serial"], "SciPy"), (["serial"], "serial")])
def test_another_baseline_where_there_is_no_cusolver(tmp_path, arms, over):
    rows = [r for arm in (*arms, "levels") for r in timed(arm, "a", 6000, 1.0)]
    figure = speedup_figure(tmp_path / "r.h5", rows)
    assert figure.axes[0].get_ylabel() == f"speedup over {over}"


def test_fig8_3_is_drawn_and_tells_what_it_lacks(tmp_path, run_script):
    script = "scripts/plots/mhive_fig8_3.py"
    output = ["--output-dir", tmp_path / "out"]
    alone = write(tmp_path / "alone.h5", timed("levels", "a", 9, 1.0))
    apart = write(
        tmp_path / "apart.h5", timed("cusolver", "a", 9, 1.0) + timed("levels", "b", 9, 1.0)
    )
    for path, words in [(alone, "no speedup over any"), (apart, "cusolver and another arm")]:
        done = run_script(script, path, *output)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and words in done.stderr
    good = write(
        tmp_path / "good.h5", timed("cusolver", "a", 9, 1.0) + timed("levels", "a", 9, 1.0)
    )
    done = run_script(script, good, *output)
    assert done.returncode == 0, done.stderr
    assert drawn(tmp_path / "out", "mhive_fig8_3")


# --- the program ----------------------------------------------------------------------------


def test_what_the_program_writes_is_drawn(tmp_path, run_script):
    program = find_program("mhive-rcm")
    options = ["--backend", "host", "--quiet", "--repeat", 2, "--parts", "--output", "r.h5"]
    options += ["--order", "o.txt", "--pattern", "p.h5", "--generate", "poisson2d:nx=20,shuffle=1"]
    done = run_program(program, *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for figure, files in [
        ("mhive_fig8_1", ["p.h5", "o.txt"]),
        ("mhive_fig8_2", ["r.h5"]),
        ("mhive_fig8_3", ["r.h5"]),
    ]:
        paths = [tmp_path / file for file in files]
        done = run_script(f"scripts/plots/{figure}.py", *paths, "--output-dir", tmp_path / "out")
        assert done.returncode == 0, done.stderr
        assert drawn(tmp_path / "out", figure)
    runs = gridloom_plots.read_runs(tmp_path / "r.h5")
    figure = mhive_fig8_1.draw([str(tmp_path / "p.h5"), str(tmp_path / "o.txt")])
    assert panels(figure) >= {("after", f"{runs['half_bandwidth'][0]:,}")}
    assert "poisson2d:nx=20,shuffle=1\nbefore" in {name for name, _ in panels(figure)}
