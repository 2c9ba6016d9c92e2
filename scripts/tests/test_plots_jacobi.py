"""The figures of mhive-jacobi: which curves are drawn from which rows, and what is told."""

import matplotlib.pyplot as plt
import pytest

import gridloom_plots
import mhive_jacobi_data
import mhive_jacobi_floor
import mhive_jacobi_panels
import mhive_jacobi_speedup
from gridloom_plots import PlotError
from jacobi_rows import row, sample_rows, timed, write
from program_under_test import find_program, run_program

FIGURES = ["mhive_jacobi_speedup", "mhive_jacobi_floor"]
PLAIN = "baselines, ours, and the best of MHive"


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    plt.close("all")


@pytest.fixture
def results(tmp_path):
    return write(tmp_path / "r.h5", sample_rows())


def runs_of(path, rows, **meta):
    return gridloom_plots.read_files([write(path, rows, **meta)])


def curves(figure):
    """{title of a panel: {label: [(entries, value)]}}"""
    found = {}
    for axes in figure.axes:
        if not axes.get_visible():
            continue
        handles, labels = axes.get_legend_handles_labels()
        lines = [handle[0] if isinstance(handle, tuple) else handle for handle in handles]
        found[axes.get_title()] = {
            label: [(float(x), float(y)) for x, y in zip(*line.get_data(), strict=True)]
            for label, line in zip(labels, lines, strict=True)
        }
    return found


@pytest.mark.parametrize("figure", FIGURES)
def test_figure_is_drawn_as_png_and_svg(figure, results, tmp_path, run_script):
    done = run_script(f"scripts/plots/{figure}.py", results, "--output-dir", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    png, svg = (tmp_path / "out" / f"{figure}.{kind}" for kind in ("png", "svg"))
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 5_000
    assert "</svg>" in svg.read_text() and svg.stat().st_size > 5_000


@pytest.mark.parametrize("figure", FIGURES)
def test_what_cannot_be_drawn_is_refused_in_one_line(figure, tmp_path, run_script):
    mixed = [row(), row(version="graph", tolerance=1.0)]
    files = {
        "no such file": tmp_path / "none.h5",
        "expected one tolerance in /runs": write(tmp_path / "mixed.h5", mixed),
        "no rows with status ok": write(tmp_path / "bad.h5", [row(status="timeout")]),
    }
    for words, path in files.items():
        done = run_script(f"scripts/plots/{figure}.py", path, "--output-dir", tmp_path / "out")
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert words in done.stderr and not (tmp_path / "out").exists()


def test_speedups_are_ratios_to_kernel_by_kernel(results, capsys):
    found = curves(mhive_jacobi_speedup.draw(gridloom_plots.read_files([results])))
    assert found[PLAIN]["neighbours"] == [(1000, 10), (2000, 4), (5_000_000, 2)]
    assert found[PLAIN]["grid_sync"] == [(1000, 4), (2000, 4)]
    best = pytest.approx(20 / 7)  # autonomous under PDC
    assert found[PLAIN]["best of MHive"] == [(1000, best), (2000, best)]
    assert "kernel_by_kernel" not in found[PLAIN]
    titles = ["time_sliced (TSK)", "megakernel (MK)", "device_controller (PDC)"]
    assert list(found) == [PLAIN, *titles]
    assert found["time_sliced (TSK)"] == {"autonomous": [(1000, 2.5), (2000, 2.5)]}
    printed = capsys.readouterr().out
    [line] = [text for text in printed.splitlines() if " neighbours " in text]
    assert "4.31 [" in line and line.endswith("3 of 3 systems")


def test_times_stand_over_the_byte_floor(results, capsys):
    figure = mhive_jacobi_floor.draw(gridloom_plots.read_files([results]))
    found = curves(figure)
    assert found[PLAIN]["kernel_by_kernel"] == [(1000, 20), (2000, 20), (5_000_000, 50)]
    for panel in found.values():
        small = pytest.approx(8804 / 3.95e6)
        floor = panel["byte floor at 3.95 TB/s"]
        assert floor == [(1000, small), (2000, small), (5_000_000, 20)]
    assert "not known" not in figure.get_supxlabel() + capsys.readouterr().out


def test_the_rate_is_told_or_the_floor_is_left_out(tmp_path, capsys):
    runs = runs_of(tmp_path / "r.h5", sample_rows(), gpu="Other GPU")
    figure = mhive_jacobi_floor.draw(runs)
    assert not any("byte floor" in label for panel in curves(figure).values() for label in panel)
    note = "No byte floor, rate of a copy not known: Other GPU"
    assert note in figure.get_supxlabel() and note in capsys.readouterr().out
    found = curves(mhive_jacobi_floor.draw(runs, bandwidth_tb_s=7.9))
    assert found[PLAIN]["byte floor at 7.9 TB/s"][-1] == (5_000_000, 10)


def test_a_bad_rate_is_refused(results, tmp_path, run_script):
    script = "scripts/plots/mhive_jacobi_floor.py"
    done = run_script(script, results, "--bandwidth-tb-s", "-1", "--output-dir", tmp_path / "out")
    assert done.returncode == 2 and "expected a number above 0, got -1" in done.stderr


def test_one_system_is_enough(tmp_path):
    runs = runs_of(tmp_path / "r.h5", [*timed("graph", 2.0), *timed("kernel_by_kernel", 6.0)])
    for module, value in ((mhive_jacobi_speedup, 3), (mhive_jacobi_floor, 2)):
        assert curves(module.draw(runs))[PLAIN]["graph"] == [(500, value)]


def test_no_kernel_by_kernel_is_nothing_to_compare_with(tmp_path):
    runs = runs_of(tmp_path / "r.h5", timed("graph", 2.0))
    with pytest.raises(PlotError, match="no rows with status ok"):
        mhive_jacobi_speedup.draw(runs)


def test_failed_runs_are_words_and_never_points(results):
    for module in (mhive_jacobi_speedup, mhive_jacobi_floor):
        figure = module.draw(gridloom_plots.read_files([results]))
        assert "autonomous under megakernel (1 timeout)" in figure.get_supxlabel()
        assert "autonomous" not in curves(figure)["megakernel (MK)"]
        for panel in curves(figure).values():
            assert all(y > 0 for points in panel.values() for _, y in points)


def test_all_panels_show_all_that_is_drawn(results):
    for module in (mhive_jacobi_speedup, mhive_jacobi_floor):
        figure = module.draw(gridloom_plots.read_files([results]))
        points = [p for panel in curves(figure).values() for line in panel.values() for p in line]
        for axes in figure.axes:
            (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
            assert all(left < x < right and bottom < y < top for x, y in points)
            assert bottom > min(1, *(y for _, y in points)) / 2  # and not decades of nothing


def test_systems_are_named_with_their_entries(results):
    figure = mhive_jacobi_floor.draw(gridloom_plots.read_files([results]))
    assert "a (1 k), b (2 k), c (5 M)" in figure.get_supxlabel()


def test_machines_and_precisions_have_panels_of_their_own(tmp_path):
    cuda = write(tmp_path / "a.h5", [row(), *timed("graph", 2.0)])
    host = write(tmp_path / "b.h5", [row(backend="host"), *timed("graph", 9.0, backend="host")])
    single = timed("graph", 1.0, precision="float")
    both = write(tmp_path / "c.h5", [*single, row(precision="float"), row(matrix="m")])
    found = curves(mhive_jacobi_floor.draw(gridloom_plots.read_files([cuda, host, both])))
    assert {title.split("\n")[1]: panel["graph"] for title, panel in found.items()} == {
        "NVIDIA H200, cuda, double": [(500, 2)],
        "TestCPU, host, double": [(500, 9)],
        "NVIDIA H200, cuda, float": [(500, 1)],
    }


def test_versions_not_known_are_drawn_after_the_others(tmp_path):
    rows = [row(), *timed("mine", 1.0), *timed("mine", 1.0, scheduler="my_scheduler")]
    rows += timed("neighbours", 1.0)
    found = curves(mhive_jacobi_floor.draw(runs_of(tmp_path / "r.h5", rows)))
    order = [label for label in found[PLAIN] if not label.startswith("byte")]
    assert order == ["neighbours", "kernel_by_kernel", "mine", "best of MHive"]
    assert "mine" in found["my_scheduler (MHive)"]


def test_a_version_looks_the_same_everywhere():
    known = [*mhive_jacobi_data.OURS, *mhive_jacobi_data.BASELINES]
    assert len({mhive_jacobi_panels.style_index(v, known) for v in known}) == len(known)
    for version in known:
        assert mhive_jacobi_panels.style_index(version, [version]) == known.index(version)
    assert mhive_jacobi_panels.style_index("mine", ["mine"]) > len(known)


def test_what_the_program_writes_is_drawn(tmp_path, run_script):
    program = find_program("mhive-jacobi")
    options = ["--backend", "host", "--quiet", "--repeat", 2, "--max-iterations", 5]
    options += ["--scheduler", "time_sliced", "--tolerance", 0]
    specs = {"a.h5": "poisson2d:nx=12", "b.h5": "dominant:n=200,nnz=1000"}
    for name, spec in specs.items():
        done = run_program(program, "--generate", spec, *options, "--output", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    files = [tmp_path / name for name in specs]
    figure = mhive_jacobi_floor.draw(gridloom_plots.read_files(files), bandwidth_tb_s=0.02)
    found = curves(figure)
    assert list(found) == [PLAIN, "time_sliced (TSK)"]
    for panel in found.values():
        assert len(panel) >= 5 and all(len(points) == 2 for points in panel.values())
    for name in FIGURES:
        drawn = run_script(f"scripts/plots/{name}.py", *files, "--output-dir", tmp_path / "out")
        assert drawn.returncode == 0, drawn.stderr
