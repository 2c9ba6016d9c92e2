"""The program and the figure of scripts/template, which a new artifact starts from."""

import itertools

from conftest import write_results
from gridloom.results import read_files
from program_under_test import columns_of
from script_under_test import load

PROGRAM = "template_artifact"

SMALL = ["--tiles", 5, "--workers", 2, "--repeat", 2, "--quiet", "--no-floors"]
HOST = ["--backend", "host"]


def test_every_scheduler_is_measured_and_traced(run, tmp_path):
    done = run(*SMALL, *HOST, "--output", "r.h5", "--trace", "t.h5")
    assert (done.returncode, done.stderr) == (0, "")
    runs = columns_of(tmp_path / "r.h5", "runs")
    arms = sorted(set(runs["arm"]))
    assert sorted(runs["arm"]) == sorted(2 * arms)
    assert {"scanning", "juggler-grr", "fr4", "barriers"} < {*arms}
    assert set(runs["by"]) == {"published", "ours", "rival"}
    assert set(runs["verified"]) == {"yes"} and set(runs["tasks"]) == {25}
    assert set(runs["workers"]) == {2} and set(runs["threads"]) == {1}
    assert sorted(columns_of(tmp_path / "t.h5", "trace")["task"]) == sorted(
        [*range(25)] * len(arms)
    )
    traced = columns_of(tmp_path / "t.h5", "traced")
    assert sorted(traced["arm"]) == arms and set(traced["dropped"]) == {0}


def test_threads_where_auto_is_the_host_are_said_to_do_nothing(run, tmp_path):
    done = run(*SMALL, "--scheduler", "fr4", "--threads", 64, "--output", "r.h5")
    assert done.returncode == 0, done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    on_host = set(runs["backend"]) == {"host"}
    words = "--threads: has no effect on the host, where a worker is one thread"
    assert done.stderr == (f"{PROGRAM}: {words}\n" if on_host else "")
    assert set(runs["threads"]) == {1 if on_host else 64}


def test_the_figure_has_a_dot_a_configuration(tmp_path):
    row = {"arm": "", "by": "", "backend": "host", "tiles": 0, "workers": 0, "threads": 1,
           "repetition": 0, "order": 0, "elapsed_ms": 0.0, "status": "ok"}  # fmt: skip
    sizes = itertools.product(("graph", "fr4"), (10, 40), (2, 4), range(3))
    rows = [
        row
        | {
            "arm": arm,
            "by": "rival" if arm == "graph" else "published",
            "tiles": tiles,
            "workers": blocks,
            "repetition": k,
            "elapsed_ms": 100 * tiles * blocks + k,
        }
        for arm, tiles, blocks, k in sizes
    ]
    path = write_results(tmp_path / "r.h5", rows, columns=row)
    figure = load("scripts/template/plots/times.py").draw(read_files([path]))
    [axes] = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [
        f"{arm}  [{tiles} tiles per row, workers: {workers}]"
        for arm in ("graph", "fr4") for tiles in (10, 40) for workers in (2, 4)
    ]  # fmt: skip
    texts = [text.get_text() for text in axes.texts]
    assert {"2e+03 ms", "1.6e+04 ms"} <= set(texts) and len(texts) == len(names)
    assert any("threads of each: 1" in text.get_text() for text in figure.texts)
