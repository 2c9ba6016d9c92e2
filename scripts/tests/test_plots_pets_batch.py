"""The figure of batches: which rates are drawn from which rows, and what is told."""

import matplotlib.pyplot as plt
import pytest

import pets_batch
from pets_data import Results
from pets_rows import batch, repeated, write
from test_plots_pets import curves, near


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    plt.close("all")


def test_rates_of_batches_stand_over_the_tasks_of_a_graph(tmp_path):
    rows = [
        *repeated(batch(), elapsed_ms=[2.0, 4.0, 1.0]),  # 500,000 a second
        *repeated(batch(graph="v=20", graphs=3000, tasks=60_000), elapsed_ms=[1.0]),
        batch(steps="priorities", elapsed_ms=0.5),
        batch(implementation="serial", backend="host", graphs=10, tasks=1000),
        batch(implementation="serial", backend="host", steps="priorities", status="wrong"),
    ]
    figure = pets_batch.draw(Results(write(tmp_path / "r.h5", batches=rows)))
    [axes] = figure.axes
    assert curves(axes) == {
        "batch: priorities, TestGPU": near([(100, 2e6)]),
        "batch: whole, TestGPU": near([(20, 3e6), (100, 5e5)]),
        "serial: whole, TestCPU": near([(100, 1e4)]),
    }
    assert axes.get_title() == "batches of 10 to 3,000 graphs"
    assert "serial (1 wrong)" in figure.get_supxlabel()


def test_rates_stand_over_the_graphs_of_a_batch_where_they_vary(tmp_path):
    rows = [
        batch(graphs=n, tasks=100 * n, elapsed_ms=ms)
        for n, ms in ((10, 1.0), (10_000, 2.0), (1000, 1.0))
    ]
    rows.append(batch(graph="v=50", tasks=50_000))
    left, right = pets_batch.draw(Results(write(tmp_path / "r.h5", batches=rows))).axes
    assert curves(left) == {"batch: whole": near([(50, 1e6), (100, 5e6)])}  # the largest batch
    assert curves(right) == {"batch: whole": near([(10, 1e4), (1000, 1e6), (10_000, 5e6)])}
    assert right.get_title() == "v=100"


def test_of_several_launch_shapes_the_fastest_is_drawn(tmp_path):
    rows = [
        *repeated(batch(threads=32), elapsed_ms=[4.0, 4.0]),
        *repeated(batch(threads=128), elapsed_ms=[2.0, 2.0]),
        batch(graph="same size", elapsed_ms=0.1),
        batch(processors=64, elapsed_ms=8.0),
    ]
    figure = pets_batch.draw(Results(write(tmp_path / "r.h5", batches=rows)))
    assert curves(figure.axes[0]) == {
        "batch: whole, 8 processors": near([(100, 5e5)]),
        "batch: whole, 64 processors": near([(100, 125_000)]),
    }
    assert (
        "the fastest" in figure.get_supxlabel() and "another: same size" in figure.get_supxlabel()
    )
