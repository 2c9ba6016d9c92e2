"""The figure of mhive-overhead: which rows are bars, and what METG(50 %) is."""

import h5py
import numpy as np
import pytest

import gridloom_plots
import mhive_overhead
from conftest import write_results
from program_under_test import find_program, run_program

# One row of mhive-overhead's /runs, as far as the figure reads it.
ROW = {
    "experiment": "throughput", "scheduler": "megakernel", "form": "individual", "backend": "host",
    "worker_size": 32, "width": 10, "layers": 10, "tasks": 100, "work": 0, "repetition": 0,
    "elapsed_ms": 1.0, "status": "ok",
}  # fmt: skip


def row(**values):
    assert set(values) <= set(ROW)
    made = ROW | values
    return made | {"tasks": made["width"] * made["layers"]}


def write(path, rows, **meta):
    meta = {"program": "mhive-overhead", "multiprocessors": "4"} | meta
    return write_results(path, list(rows), ROW, **meta)


def runs_of(path, rows, **meta):
    return gridloom_plots.read_files([write(path, rows, **meta)])


def sample_rows():
    for repetition in range(3):
        for index, scheduler in enumerate(mhive_overhead.SCHEDULERS):
            forms = ["graph"] if scheduler == "graph" else ["individual", "phases"]
            base = {"scheduler": scheduler, "repetition": repetition}
            for form, size in ((f, s) for f in forms for s in (1, 32, 256)):
                arm = base | {"form": form, "worker_size": size}
                ms = (1 + index) * (1 + 0.1 * repetition) * size**0.5
                yield row(**arm, elapsed_ms=ms)
                yield row(**arm, experiment="latency", width=1, elapsed_ms=ms / 7)
            for form in forms:
                for work in (16, 256, 4096, 65536):
                    ms = (work + 1000 * (1 + index)) * 1e-5
                    yield row(**base, form=form, experiment="metg", work=work, elapsed_ms=ms)
    yield row(experiment="queue", form="queue", layers=1)
    yield row(scheduler="stuck", status="failed", elapsed_ms=0.0)


@pytest.fixture
def results(tmp_path):
    return write(tmp_path / "sample.h5", sample_rows())


def plot(run_script, *arguments):
    return run_script("scripts/plots/mhive_overhead.py", *arguments)


def test_figure_is_drawn_as_png_and_svg_with_a_table(results, tmp_path, run_script):
    done = plot(run_script, results, "--output-dir", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    png, svg = (tmp_path / "out" / f"mhive_overhead.{kind}" for kind in ("png", "svg"))
    assert png.read_bytes().startswith(b"\x89PNG") and "</svg>" in svg.read_text()
    table = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    assert len(table) == 9 and table[0].split()[:2] == ["time_sliced", "individual,"]
    assert "Left out" not in done.stdout


def test_missing_file_and_no_matching_rows_are_usage_errors(tmp_path, run_script):
    custom = write(tmp_path / "custom.h5", [row(experiment="custom")])
    for path, words in ((tmp_path / "none.h5", "no such file"), (custom, "no rows")):
        done = plot(run_script, path, "--output-dir", tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and words in done.stderr
    assert not list(tmp_path.glob("*.png"))


@pytest.mark.parametrize(
    ("experiment", "left_out"),
    [("queue", 2), ("throughput", 2), ("latency", 2), ("metg", 2)],
)
def test_panels_without_rows_are_left_out_with_a_note(experiment, left_out, tmp_path, capsys):
    rows = [row(experiment=experiment, work=work) for work in (4, 8)]
    figure = mhive_overhead.draw(runs_of(tmp_path / "r.h5", rows))
    assert len(figure.axes) == 3 - left_out
    assert figure.get_supxlabel().count("Left out, no rows") == left_out
    assert capsys.readouterr().out.count("Left out, no rows") == left_out


def test_bars_are_times_of_a_task_and_of_a_layer(tmp_path):
    rows = [row(elapsed_ms=ms) for ms in (1.0, 2.0, 6.0)]
    rows += [row(experiment="latency", width=1, layers=20, elapsed_ms=0.5)]
    figure = mhive_overhead.draw(runs_of(tmp_path / "r.h5", rows))
    heights = [[patch.get_height() for patch in axes.patches] for axes in figure.axes]
    assert heights == [[2e6 / 100], [0.5e6 / 20]]


def test_bars_show_warps_and_every_worker_size_has_a_marker(tmp_path):
    rows = [row(worker_size=size, elapsed_ms=size / 100) for size in (1, 32, 256)]
    rows += [row(worker_size=1, scheduler="time_sliced")]
    axes = mhive_overhead.draw(runs_of(tmp_path / "r.h5", rows)).axes[0]
    assert [patch.get_height() for patch in axes.patches] == [32 / 100 * 1e6 / 100]
    markers = [line for line in axes.get_lines() if line.get_marker() in "os^"]
    assert {line.get_marker() for line in markers} == {"o", "s", "^"} and len(markers) == 4


def test_layers_of_other_sizes_are_groups_of_their_own(tmp_path):
    rows = [row(), row(width=20), row(experiment="queue", form="queue", layers=1)]
    axes = mhive_overhead.draw(runs_of(tmp_path / "r.h5", rows)).axes[0]
    names = [label.get_text() for label in axes.get_xticklabels()]
    assert names == ["queue\n10 × 1", "individual\n10 × 10", "individual\n20 × 10"]


def test_failed_runs_are_words_and_never_zeros(results, capsys):
    figure = mhive_overhead.draw(gridloom_plots.read_files([results]))
    assert "stuck individual (1 failed)" in figure.get_supxlabel()
    for axes in figure.axes:
        assert all(patch.get_height() > 0 for patch in axes.patches)
        assert "stuck" not in " ".join(axes.get_legend_handles_labels()[1])
    capsys.readouterr()


# --- METG -------------------------------------------------------------------------------------


def metg_rows(points, **settings):
    """Rows of 100 tasks: (work, elapsed_ms)."""
    return [row(experiment="metg", work=work, elapsed_ms=ms, **settings) for work, ms in points]


def test_granularity_is_the_time_of_a_core_per_task(tmp_path):
    points = [(100, 1.0)]
    [(_, host, _)] = mhive_overhead.curves(runs_of(tmp_path / "h.h5", metg_rows(points)))
    assert host == pytest.approx([1e6 * 4 / 100])
    rows = metg_rows(points, backend="cuda")
    [(_, cuda, _)] = mhive_overhead.curves(runs_of(tmp_path / "c.h5", rows, multiprocessors="132"))
    assert cuda == pytest.approx([1e6 * 4 * 132 / 100])


def test_efficiency_is_the_median_rate_over_the_best_of_all_arms(tmp_path):
    slow = [(100, 4.0), (400, 4.0), (400, 4.4), (400, 0.1), (1000, 8.0)]
    fast = metg_rows([(100, 1.0), (1000, 4.0)], scheduler="time_sliced")
    runs = runs_of(tmp_path / "r.h5", metg_rows(slow) + fast)
    (first, _, best), (_, granularity, efficiency) = mhive_overhead.curves(runs)
    assert first["scheduler"] == "time_sliced"  # in the order of the schedulers
    assert np.all(np.diff(granularity) >= 0)
    assert best == pytest.approx([0.4, 1.0])  # of 100 and 250
    assert efficiency == pytest.approx([0.1, 0.4, 0.5])  # of 25, 100 and 125


def metg_of(path, points):
    [(_, granularity, efficiency)] = mhive_overhead.curves(runs_of(path, metg_rows(points)))
    return mhive_overhead.metg_text(granularity, efficiency)


def test_metg_is_interpolated_in_the_logarithm_of_the_granularity(tmp_path):
    # 25 % at 1 µs and 75 % at 100 µs: half way is 10 µs. A granularity of 1 µs is 25 µs elapsed.
    points = [(25, 0.025), (7500, 2.5), (4_000_000, 1000.0)]
    assert metg_of(tmp_path / "r.h5", points) == "10 µs"


def test_metg_below_what_was_measured_is_a_bound(tmp_path):
    assert metg_of(tmp_path / "r.h5", [(60, 0.025), (1000, 0.25)]) == "≤ 1 µs"


def test_an_arm_that_sinks_again_is_read_up_to_where_it_was_good(tmp_path):
    assert metg_of(tmp_path / "r.h5", [(1000, 0.25), (2000, 25.0)]) == "≤ 10 µs"


def test_an_arm_that_never_reaches_half_of_the_peak_has_no_metg(tmp_path):
    best = metg_rows([(1000, 1.0)], scheduler="time_sliced")
    for points, text in ([[(100, 4.0)], "> 160 µs"], [[(100, 4.0), (110, 40.0)], "–"]):
        runs = runs_of(tmp_path / "r.h5", metg_rows(points) + best)
        _, (_, granularity, efficiency) = mhive_overhead.curves(runs)
        assert mhive_overhead.metg_text(granularity, efficiency) == text


# --- the program ------------------------------------------------------------------------------


def test_what_the_program_writes_is_drawn(tmp_path, run_script):
    program = find_program("mhive-overhead")
    options = ["--backend", "host", "--quiet", "--repeat", 2, "--experiment", "smoke"]
    done = run_program(program, *options, "--output", "r.h5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "r.h5") as file:
        assert set(ROW) <= set(file["runs"]) and int(file["meta"].attrs["multiprocessors"]) > 0
    drawn = plot(run_script, tmp_path / "r.h5", "--output-dir", tmp_path / "out")
    assert drawn.returncode == 0, drawn.stderr
    assert drawn.stdout.count("Left out") == 1  # the smoke experiment has no METG
