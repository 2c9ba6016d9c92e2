"""The program and the figure of scripts/template, which a new artifact starts from."""

import itertools

from conftest import write_results
from gridloom.results import read_files
from program_under_test import columns_of
from script_under_test import load

PROGRAM = "template_artifact"

SMALL = ["--n", 10_000, "--workers", 2, "--repeat", 2, "--quiet", "--no-floors"]
HOST = ["--backend", "host"]


def test_both_methods_are_measured_and_one_is_traced(run, tmp_path):
    done = run(*SMALL, *HOST, "--output", "r.h5", "--trace", "t.h5")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "template_artifact: launch: records no trace\n"
    runs = columns_of(tmp_path / "r.h5", "runs")
    assert sorted(runs["arm"]) == ["claims"] * 2 + ["launch"] * 2
    assert set(runs["verified"]) == {"yes"} and set(runs["n"]) == {10_000}
    assert set(runs["blocks"]) == {2} and set(runs["threads"]) == {1}
    assert sorted(columns_of(tmp_path / "t.h5", "trace")["task"]) == [0, 1, 2]  # 4,096 values each
    traced = columns_of(tmp_path / "t.h5", "traced")
    assert [list(traced[name]) for name in ("arm", "events", "dropped")] == [["claims"], [3], [0]]


def test_threads_where_auto_is_the_host_are_said_to_do_nothing(run, tmp_path):
    done = run(*SMALL, "--threads", 64, "--output", "r.h5")
    assert done.returncode == 0, done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    on_host = set(runs["backend"]) == {"host"}
    words = "--threads: has no effect on the host, where a worker is one thread"
    assert done.stderr == (f"{PROGRAM}: {words}\n" if on_host else "")
    assert set(runs["threads"]) == {1 if on_host else 64}


def test_the_figure_has_a_dot_a_configuration(tmp_path):
    row = {"arm": "", "backend": "host", "n": 0, "blocks": 0, "threads": 1, "repetition": 0,
           "order": 0, "elapsed_ms": 0.0, "status": "ok"}  # fmt: skip
    sizes = itertools.product(("launch", "claims"), (1000, 8000), (2, 4), range(3))
    rows = [
        row | {"arm": arm, "n": n, "blocks": blocks, "repetition": k, "elapsed_ms": n * blocks + k}
        for arm, n, blocks, k in sizes
    ]
    path = write_results(tmp_path / "r.h5", rows, columns=row)
    figure = load("scripts/template/plots/times.py").draw(read_files([path]))
    [axes] = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [
        f"{arm}  [n = {n}, workers: {workers}]"
        for arm in ("launch", "claims") for n in ("1,000", "8,000") for workers in (2, 4)
    ]  # fmt: skip
    texts = [text.get_text() for text in axes.texts]
    assert {"2e+03 ms", "3.2e+04 ms"} <= set(texts) and len(texts) == len(names)
    assert any("threads of each: 1" in text.get_text() for text in figure.texts)
