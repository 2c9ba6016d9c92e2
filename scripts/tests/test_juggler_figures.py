"""Juggler's figures from results made by hand: what is drawn, and what is refused in one line."""

import numpy as np
import pytest

from conftest import ROOT
from gridloom import figure as figures
from gridloom.plot_script import drawn_by
from juggler_rows import LAUNCH, TIMES, methods_runs, run, write
from script_under_test import load

JACOBI = {"app": "jacobi", "rows": 1920, "cols": 1920, "steps": 2, "tasks": 3600}


def scaling():
    for steps in (2, 4, 6, 8):
        own = JACOBI | {"steps": steps, "tasks": 1800 * steps}
        yield from methods_runs(scale=steps, experiment="scaling", **own)


def events(most=40):
    for arm, apart in (("grr", 10), ("barriers", 20)):
        for k in range(most):
            yield {"arm": arm, "worker": k % 4, "task": k, "type": k % 4,
                   "begin_ns": 5000 + apart * k, "end_ns": 5010 + apart * k}  # fmt: skip


def tiles():
    for tile, slower in ((16, 1), (64, 10)):
        for app in ("lud", "dtw"):
            # Large tiles add the same time to every method, so the ratios approach 1.
            times = {method: ms + slower for method, ms in TIMES.items()}
            yield from methods_runs(times=times, experiment="wide", app=app, tile=tile)


@pytest.fixture
def draw(tmp_path, monkeypatch):
    """Draws rows with a script: (figure or None, what was printed, error or None)."""

    def drawing(name, rows, **more):
        drawn, save = [], figures.save
        monkeypatch.setattr(figures, "save", lambda *all_: drawn.append(all_[0]) or save(*all_))
        path = write(tmp_path / "r.h5", rows=list(rows), **more)
        script = ROOT / f"scripts/plots/juggler/{name}.py"
        printed, failure = drawn_by(script, [path, "--output-dir", tmp_path / "out"])
        return (drawn or [None])[0], printed, failure

    return drawing


EMPTY = {
    "fig4": ([run()], {}, "both with barriers and under a policy"),
    "fig5": ([run(max_task_load=-1)], {}, "count the tasks of workers"),
    "fig6": ([LAUNCH], {"columns": LAUNCH}, "--counters l2"),
    "fig7": ([run()], {}, "three numbers of tasks"),
    "overhead": ([run(method="ticket")], {}, "no runs under a policy"),
    "rivals": ([run(status="timeout")], {}, "no runs of an application"),
    "tiles": (list(methods_runs()), {}, "tiles of several sizes"),
    "fig1": ([{"arm": "grr", "worker": 0, "task": 0, "type": 9, "begin_ns": 0, "end_ns": 1}],
             {"table": "trace"}, "the four kernels of lud"),
}  # fmt: skip


@pytest.mark.parametrize("name", EMPTY)
def test_results_without_what_the_figure_shows_are_refused_in_one_line(draw, tmp_path, name):
    rows, more, words = EMPTY[name]
    _, _, failure = draw(name, rows, **more)
    assert failure.startswith(f"juggler_{name}: ") and words in failure
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["fig4", "fig5", "overhead", "rivals", "tiles"])
def test_results_of_another_experiment_are_refused_by_its_name(draw, name):
    _, _, failure = draw(name, scaling())
    assert "--label paper, wide or custom; got jacobi of scaling" in failure


def test_two_machines_are_not_compared(draw):
    _, _, failure = draw("fig4", [*methods_runs(), *methods_runs(backend="host")])
    assert "expected results of one machine and backend" in failure


def test_figure_4_shows_ratios_of_medians_in_both_rows(draw):
    figure, _, failure = draw("fig4", methods_runs())
    assert failure is None
    dots = [[line for line in axes.get_lines() if line.get_marker() in {*"os^*"}]
            for axes in figure.axes]  # fmt: skip
    heights = [sorted(line.get_ydata()[0] for line in panel) for panel in dots]
    # lf, lrr, grr, lts; in the lower row with 0.05 ms of overhead.
    assert heights[0] == pytest.approx([0.5, 1.6, 2, 2.5])
    assert heights[1] == pytest.approx([2 / (TIMES[m] + 0.05) for m in ("lf", "lrr", "grr", "lts")])


def test_figure_4_is_over_the_papers_barriers_if_they_were_run(draw):
    figure, _, _ = draw("fig4", methods_runs(times={**TIMES, "barriers_sync": 8.0}))
    for axes in figure.axes:  # queued barriers have no overhead in either row
        [queued] = [line for line in axes.get_lines() if line.get_marker() == "o"
                    and line.get_markerfacecolor() != line.get_color()]  # fmt: skip
        assert queued.get_ydata()[0] == pytest.approx(4)


def test_figure_5_shows_the_average_and_the_ends(draw):
    rows = [run(max_task_load=most, min_task_load=5) for most in (5, 6, 10)]
    figure, _, _ = draw("fig5", rows)
    [bar] = figure.axes[0].containers
    assert bar.lines[0].get_ydata() == [2]
    [ends] = bar.lines[2][0].get_segments()
    assert [y for _, y in ends] == [0, 5]


def test_figure_1_has_the_barriers_above_and_the_share_of_work(draw):
    figure, _, _ = draw("fig1", events(), table="trace")
    titles = [axes.get_title() for axes in figure.axes]
    # 40 tasks of 10 ns on 4 workers in 400 and in 790 ns.
    assert titles == ["global barriers, queued: workers execute 13 % of 0.79 µs",
                      "GRR: workers execute 25 % of 0.4 µs"]  # fmt: skip


def test_figure_7_names_the_slope_and_the_fit(draw):
    figure, _, _ = draw("fig7", scaling())
    labels = figure.axes[0].get_legend_handles_labels()[1]
    assert "GRR: 556 ns per task, R² = 1.0000" in labels


def test_shares_of_a_bar_make_a_whole():
    overhead = load("scripts/plots/juggler/overhead.py")
    from gridloom.results import runs_of

    rows = [run(inspection_ms=0.2, build_csr_ms=0.1, elapsed_ms=0.7)]
    shares = overhead.shares_of(runs_of({k: np.array([r[k] for r in rows]) for k in rows[0]}))
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["inspection loop"] == pytest.approx(0.2 / 1.03)


def test_speed_by_tiles_is_the_barriers_time_over_the_method_s(draw):
    figure, _, failure = draw("tiles", tiles())
    assert failure is None
    curves = [tuple(line.get_ydata()) for line in figure.axes[0].get_lines()]
    # graph of 1.6 ms, barriers of 2.
    assert pytest.approx((3 / 2.6, 12 / 11.6)) in curves
