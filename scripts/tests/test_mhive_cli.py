"""The programs mhive-generic, mhive-dynamic and mhive-overhead from outside: exit codes, messages,
the files they write."""

import collections

import h5py
import pytest

from conftest import ROOT
from gridloom.plot_script import drawn_by
from gridloom_datasets.hdf5_text import attributes_of, plain
from program_under_test import columns_of, find_program, run_program

PROGRAM = "mhive-generic"

SCHEDULERS = [
    "time_sliced", "megakernel", "megakernel_1024", "device_controller", "resident_controller",
]  # fmt: skip
ARMS = [f"{name}, {kind}" for name in SCHEDULERS for kind in ("phases", "individual")]
ARMS.append("graph, launches")
SMALL = ["--backend", "host", "--workers", "2", "--instances", "20", "--quiet"]

TREE = """task a flops=100 worker=1 phase=0
task b flops=100 worker=64 phase=1
edge a b probability=0.5
"""


# {arguments: words of the error message}
BAD_ARGUMENTS = {
    "--preset fig9.9": "fig7.1",
    "--instances 2000000000": "2^30",
    "--instances 400000000 --dependencies phases": "MiB",
    "--threads 64": "--threads",
    "--workers 1024": "1023",
    "--tree none.tree": "none.tree",
    "--tree none.tree --preset fig7.1": "--tree",
    "--tree my.tree --output my.tree": "--tree",
}


def test_the_example_takes_no_arguments(tmp_path):
    example = find_program("mhive-example-table")
    done = run_program(example, "--help", cwd=tmp_path)
    assert done.returncode == 0 and "Usage: mhive-example-table" in done.stdout
    assert " ms" not in done.stdout
    for words in (["--hlep"], ["5"], [""], ["--help", "--quiet"]):
        done = run_program(example, *words, cwd=tmp_path)
        assert done.returncode == 2 and done.stdout == "", words
        assert done.stderr.count("\n") == 1 and f'got "{words[-1]}"' in done.stderr
    done = run_program(example, cwd=tmp_path)
    assert done.returncode == 0 and "1000 of 1000 tables" in done.stdout


def test_bad_arguments_are_refused_in_one_line(all_refused, tmp_path):
    (tmp_path / "my.tree").write_text(TREE)
    all_refused(BAD_ARGUMENTS, "--backend", "host")


def test_a_bad_tree_is_refused_with_its_line(refused, tmp_path):
    (tmp_path / "bad.tree").write_text(TREE + "edge b a\n")
    message = refused(*SMALL, "--tree", "bad.tree")
    assert "bad.tree:4" in message and "cycle" in message


def test_a_tree_without_phases_runs_with_individual_dependencies(run, tmp_path):
    (tmp_path / "flat.tree").write_text(
        "task a flops=1 worker=1\ntask b flops=1 worker=1\nedge a b\n"
    )
    arguments = [*SMALL, "--tree", "flat.tree", "--repeat", 1]
    assert run(*arguments).returncode == 2
    run(*arguments, "--dependencies", "individual", code=0)


def test_the_example_of_chapter_4_is_drawn_from_its_trace(run, tmp_path):
    run(*SMALL, "--preset", "fig4.1", "--repeat", 1, "--trace", "trace.h5", code=0)
    script = ROOT / "scripts/plots/thesis_mhive/fig4_1.py"
    printed, failure = drawn_by(script, [tmp_path / "trace.h5", "--output-dir", tmp_path])
    assert failure is None and "mhive_fig4_1.png" in printed
    svg = (tmp_path / "mhive_fig4_1.svg").read_text()
    assert all(name in svg for name in ("legs", "tabletop", "assemble", "phase 1"))


@pytest.mark.parametrize("preset", ["fig7.1", pytest.param("fig7.2", marks=pytest.mark.slow)])
def test_every_arm_runs_verified_in_balanced_order(run, tmp_path, preset):
    path = tmp_path / "results.h5"
    done = run(*SMALL, "--preset", preset, "--repeat", len(ARMS), "--output", path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["results.h5"]
    runs = columns_of(path, "runs")
    assert collections.Counter(runs["arm"]) == dict.fromkeys(ARMS, len(ARMS))
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert set(runs["tree"]) == set(runs["experiment"]) == {preset}
    assert set(runs["instances"]) == {20} and len(set(runs["tasks"])) == 1
    assert runs["tasks"][0] == 80 or preset == "fig7.2"
    assert (runs["elapsed_ms"] > 0).all() and (runs["end_to_end_ms"] >= runs["elapsed_ms"]).all()
    places = collections.Counter(zip(runs["arm"], runs["order"], strict=True))
    assert places == {(arm, place): 1 for arm in ARMS for place in range(len(ARMS))}
    # Each phase of a preset has tasks; individual dependencies have one phase.
    changes = {"fig7.1": 2, "fig7.2": 4}[preset]
    phased = runs["dependencies"] == "phases"
    assert set(runs["phase_changes"][phased]) == {changes}
    assert set(runs["phase_changes"][~phased]) == {0}
    for arm in ARMS:
        assert arm in done.stdout
    with h5py.File(path) as file:
        meta = attributes_of(file["meta"])
        assert all(plain(data.attrs["description"]) for data in file["runs"].values())
    assert meta["program"] == "mhive-generic" and meta["tree"] == preset


def test_traces_hold_every_task_once(run, tmp_path):
    (tmp_path / "my.tree").write_text(TREE)
    run(*SMALL, "--tree", "my.tree", "--repeat", 1, "--trace", "trace.h5", code=0)
    trace = columns_of(tmp_path / "trace.h5", "trace")
    tree = columns_of(tmp_path / "trace.h5", "tree")
    edges = columns_of(tmp_path / "trace.h5", "edges")
    assert tree["name"].tolist() == ["a", "b"] and tree["worker"].tolist() == [1, 64]
    assert tree["phase"].tolist() == [0, 1] and tree["flops"].tolist() == [100, 100]
    assert (edges["from"][0], edges["to"][0], edges["probability"][0]) == (0, 1, 0.5)
    assert set(trace["arm"]) == set(ARMS)
    assert set(zip(trace["node"], trace["name"], strict=True)) == {(0, "a"), (1, "b")}
    assert (trace["end_ns"] >= trace["begin_ns"]).all()
    counts = collections.Counter(zip(trace["arm"], trace["node"], strict=True))
    assert {counts[arm, 0] for arm in ARMS} == {20}
    assert len({counts[arm, 1] for arm in ARMS}) == 1 and 0 < counts[ARMS[0], 1] < 20
    # Every task b waits for the a of its instance.
    dependences = columns_of(tmp_path / "trace.h5", "dependences")
    assert dependences["from"].tolist() == [to - 1 for to in dependences["to"]]
    for arm in ARMS:
        mine = trace["arm"] == arm
        assert trace["begin_ns"][mine].min() == 0
        assert sorted(trace["task"][mine & (trace["node"] == 0)]) == list(range(0, 40, 2))
        assert set(trace["task"][mine & (trace["node"] == 1)]) == set(dependences["to"])
        if arm.endswith("phases"):
            first, second = mine & (trace["node"] == 0), mine & (trace["node"] == 1)
            assert trace["end_ns"][first].max() <= trace["begin_ns"][second].min()


# {arguments: words of the error message}
BAD_SEARCHES = {
    "--search T9": "T1",
    "--batch 0": "--batch",
    "--batch 4 --scheduler serial": "--batch",
    "--capacity 1": "--capacity",
    "--capacity 64 --scheduler level_launches": "--capacity: level 3",
    "--capacity 64 --scheduler level_loop": "--capacity: level 3",
    "--scheduler device_launches": "CUDA",
    "--trace t.h5": "--trace",
}


def test_searches_are_refused_in_one_line_and_never_hang(tmp_path):
    program = find_program("mhive-dynamic")
    for text, words in BAD_SEARCHES.items():
        done = run_program(program, "--backend", "host", "--quiet", *text.split(), cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), (text, done.stderr)
        assert done.stderr.startswith("mhive-dynamic: ") and done.stderr.count("\n") == 1, text
        assert words in done.stderr, (text, done.stderr)
    short = ["--timeout-s", "0.01", "--scheduler", "megakernel"]
    done = run_program(program, "--backend", "host", "--quiet", *short, cwd=tmp_path)
    assert done.returncode == 1 and "timeout" in done.stderr


def test_all_methods_of_a_search_find_the_same(tmp_path):
    program, path = find_program("mhive-dynamic"), tmp_path / "r.h5"
    words = "--backend host --quiet --repeat 2 --workers 2 --batch 1,64 --search small"
    done = run_program(program, *words.split(), "--output", path, cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["verified"]) == {"yes"} and set(runs["status"]) == {"ok"}
    assert len(set(runs["arm"])) == 4 * 2 + 3
    for column in ("nodes", "sum", "depth"):
        assert len(set(runs[column])) == 1, column
    # With a batch of 1, each node with children is a task.
    nodes = runs["nodes"] - runs["sum"]
    assert (runs["tasks"][runs["batch"] == 1] == nodes[runs["batch"] == 1]).all()
    assert (runs["tasks"][runs["batch"] == -1] == -1).all()


BAD_GROUPS = {
    "--group 32 --form individual": "--group: goes with --form grouped",
    "--group 32 --scheduler graph": "--group: cannot go with --scheduler graph",
    "--group 32,32": "--group: 32 is given twice",
    "--width 64,96 --group 64": "--group: expected a divisor of --width 96, got 64",
}


def test_groups_divide_the_width_and_only_the_grouped_form_varies_with_them(tmp_path):
    program, path = find_program("mhive-overhead"), tmp_path / "r.h5"
    for text, words in BAD_GROUPS.items():
        done = run_program(program, "--backend", "host", "--quiet", *text.split(), cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), (text, done.stderr)
        assert done.stderr == f"mhive-overhead: {words}\n", text
    words = "--backend host --quiet --repeat 1 --workers 2 --form individual,grouped --width 96"
    more = ["--layers", "5", "--group", "0,1,32", "--output", path]
    done = run_program(program, *words.split(), *more, cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(path, "runs")
    assert set(runs["verified"]) == {"yes"} and set(runs["tasks"]) == {96 * 5}
    for scheduler in set(runs["scheduler"]):
        own = runs["scheduler"] == scheduler
        found = sorted(zip(runs["form"][own], runs["group"][own], strict=True))
        grouped = [("grouped", n) for n in (1, 32, 96)]
        assert found == (
            [("graph", -1)] if scheduler == "graph" else [*grouped, ("individual", -1)]
        )
