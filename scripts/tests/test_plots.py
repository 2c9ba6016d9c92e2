"""Figures come out of a stored file, and say so when they cannot."""

import numpy as np
import pytest

import gridloom_plots
import wavefront_data
import wavefront_fig3b
import wavefront_metg
import wavefront_scaling
from conftest import row, write_results

FIGURES = [f"wavefront_{name}" for name in ("fig3a", "fig3b", "fig3c", "scaling", "metg")]


@pytest.mark.parametrize("figure", FIGURES)
def test_figure_is_drawn_as_png_and_svg(figure, results, tmp_path, run_script):
    done = run_script(f"scripts/plots/{figure}.py", results, "--output-dir", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    png, svg = (tmp_path / "out" / f"{figure}.{kind}" for kind in ("png", "svg"))
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 5_000
    assert "</svg>" in svg.read_text() and svg.stat().st_size > 5_000


@pytest.mark.parametrize("figure", FIGURES)
def test_missing_file_is_a_usage_error_in_one_line(figure, tmp_path, run_script):
    done = run_script(f"scripts/plots/{figure}.py", tmp_path / "none.h5")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "none.h5: no such file" in done.stderr


@pytest.mark.parametrize("figure", FIGURES)
def test_no_matching_rows_is_a_usage_error(figure, tmp_path, run_script):
    other = write_results(tmp_path / "other.h5", [row(experiment="custom")])
    done = run_script(f"scripts/plots/{figure}.py", other, "--output-dir", tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "no rows" in done.stderr
    assert not list(tmp_path.glob("*.png"))


def test_file_that_is_not_hdf5_is_a_usage_error(tmp_path, run_script):
    text = tmp_path / "text.h5"
    text.write_text("not a results file")
    done = run_script("scripts/plots/wavefront_fig3a.py", text)
    assert done.returncode == 2 and "not a readable HDF5 file" in done.stderr


def test_two_files_of_two_machines_are_two_bars_an_arm(tmp_path):
    first = write_results(tmp_path / "a.h5", [row()], cpu="one")
    second = write_results(tmp_path / "b.h5", [row(backend="cuda")], cpu="two", gpu="big")
    runs = gridloom_plots.read_files([first, second])
    bars = wavefront_data.fig3_bars(runs, 0, wavefront_data.throughput)
    assert [config["machine"] for config, _, _ in bars] == ["one", "big"]


def test_timeout_is_a_word_and_never_a_zero(tmp_path):
    rows = [row(arm="good"), row(arm="stuck", status="timeout", elapsed_ms=0.0)]
    runs = gridloom_plots.read_files([write_results(tmp_path / "r.h5", rows)])
    bars = wavefront_data.fig3_bars(runs, 0, wavefront_data.throughput)
    assert [(c["arm"], samples is None, why) for c, samples, why in bars] == [
        ("good", False, ""),
        ("stuck", True, "timeout"),
    ]
    figure = gridloom_plots.bar_chart(bars, "t", "x", str)
    axes = figure.axes[0]
    assert len(axes.patches) == 1  # the good arm's bar only
    assert "timeout" in [text.get_text() for text in axes.texts]


def test_timeouts_among_good_repetitions_do_not_change_the_median(tmp_path):
    rows = [row(elapsed_ms=2.0), row(elapsed_ms=2.0), row(status="timeout", elapsed_ms=0.0)]
    runs = gridloom_plots.read_files([write_results(tmp_path / "r.h5", rows)])
    [(_, samples, _)] = wavefront_data.fig3_bars(runs, 0, wavefront_data.throughput)
    assert samples.tolist() == [5e6, 5e6]


def test_lines_leave_timeouts_out_and_name_them(results):
    runs = gridloom_plots.read_files([results])
    for module in (wavefront_scaling, wavefront_metg):
        figure = module.draw(runs)
        for axes in figure.axes:
            curves = [line for line in axes.get_lines() if len(line.get_ydata()) > 2]
            assert curves
            for line in curves:
                assert np.all(np.asarray(line.get_ydata(), dtype=float) > 0)
            assert "stuck" not in " ".join(axes.get_legend_handles_labels()[1])
        assert "stuck (1 timeout)" in figure.get_supxlabel()


def test_true_zero_is_written_where_a_log_axis_cannot_show_it(results):
    figure = wavefront_fig3b.draw(gridloom_plots.read_files([results]))
    assert "0" in [text.get_text() for text in figure.axes[0].texts]


def test_counting_and_timing_rows_are_kept_apart(results):
    runs = gridloom_plots.read_files([results])
    for counters in (0, 1):
        bars = wavefront_data.fig3_bars(runs, counters, lambda rows: rows["counters"])
        assert all(set(samples) == {counters} for _, samples, _ in bars if samples is not None)


def metg_rows(points, arm="x"):
    """Rows whose efficiency is exactly the given one: 1,000 tasks on 4 units."""
    for work_ns, efficiency in points:
        elapsed_ms = 1_000 * work_ns / (4 * efficiency) / 1e6
        settings = {"experiment": "metg", "body": "work", "tasks": 1_000, "units": 4}
        yield row(arm=arm, work_ns=work_ns, elapsed_ms=elapsed_ms, **settings)


def metg_of(path, points):
    runs = gridloom_plots.read_files([write_results(path, list(metg_rows(points)))])
    [(_, durations, statistics)] = wavefront_metg.curves(runs)
    return wavefront_metg.metg_text(durations, [m for m, _, _ in statistics])


def test_metg_is_interpolated_in_the_logarithm(tmp_path):
    # Half way between 25 % and 75 % is half way between 100 ns and 10 µs on a log axis.
    assert metg_of(tmp_path / "r.h5", [(100, 0.25), (10_000, 0.75)]) == "1 µs"


def test_metg_outside_the_measured_durations_is_a_bound(tmp_path):
    assert metg_of(tmp_path / "a.h5", [(100, 0.6), (1_000, 0.9)]) == "≤ 100 ns"
    assert metg_of(tmp_path / "b.h5", [(100, 0.1), (1_000, 0.4)]) == "> 1 µs"


def test_metg_takes_the_last_rise_through_the_level():
    crossing = gridloom_plots.log_crossing([1, 10, 100, 1000], [0.6, 0.4, 0.6, 0.9], 0.5)
    assert crossing == pytest.approx(10**1.5)


def test_median_interval_holds_the_median_and_repeats():
    samples = np.random.default_rng(3).lognormal(size=40)
    median, low, high = gridloom_plots.median_interval(samples)
    assert low <= median <= high and low < high
    assert gridloom_plots.median_interval(samples) == (median, low, high)
    assert gridloom_plots.median_interval([4.0]) == (4.0, 4.0, 4.0)


def test_sweep_fixes_what_was_measured_with_most_values():
    points = [({"blocks": b, "tasks": t}, None) for b, t in ((1, 9), (2, 9), (4, 9), (4, 16))]
    kept = wavefront_scaling.sweep(points, lambda c: c["tasks"], lambda c: c["blocks"])
    assert [config["blocks"] for config, _ in kept] == [1, 2, 4]
