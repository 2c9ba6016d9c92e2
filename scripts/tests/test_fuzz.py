"""scripts/fuzz: its options, and that a failure of a target is not lost.

The targets here are stand-ins; that the real ones hold is for scripts/fuzz and the seeds tests.
"""

import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

NATIVE = {
    "metis": "common/sparse/fuzz",
    "edge_list": "common/sparse/fuzz",
    "matrix_market": "common/sparse/fuzz",
    "juggler_inputs": "juggler/fuzz",
}
TARGETS = [*NATIVE, "dax", "wfformat", "stg", "csv"]


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def tree(tmp_path):
    """A tree with scripts/fuzz and stand-ins for CMake and Python; returns a runner of it.

    CMake "builds" programs that do what build/program says.
    """
    for name in ("fuzz", "lib.sh"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    tools = tmp_path / "tools"
    write_program(tools / "clang++-14", "exit 0")
    write_program(tools / "cmake", 'mkdir -p build/fuzz && echo "$@" >>build/cmake.log')
    write_program(tmp_path / ".venv/bin/python", 'echo "python $@"; exit "${PYTHON_EXIT:-0}"')

    def run(*arguments, **environment):
        path = f"{tools}:{os.environ['PATH']}"
        return subprocess.run(
            [tmp_path / "scripts/fuzz", *arguments], capture_output=True, text=True, timeout=900,
            env=os.environ | {"PATH": path} | environment,
        )  # fmt: skip

    return tmp_path, run


def add_native(root, name, text):
    write_program(root / "build/fuzz" / NATIVE[name] / f"fuzz_{name}", text)


def test_help_and_list_run_nothing(tree):
    root, run = tree
    assert "--seconds N" in run("-h").stdout
    assert run("--list").stdout.split() == TARGETS
    assert not (root / "build").exists()


@pytest.mark.parametrize(
    "arguments",
    [["nope"], ["--seconds"], ["--seconds", "0"], ["--seconds", "1.5"], ["--fast"], ["metis", "x"]],
)
def test_bad_usage_is_named_and_runs_nothing(tree, arguments):
    root, run = tree
    done = run(*arguments)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert not (root / "build").exists()


def test_every_native_target_has_a_source_seeds_and_a_dictionary():
    for name, folder in NATIVE.items():
        assert (ROOT / folder / f"fuzz_{name}.cpp").is_file()
        assert (ROOT / folder / f"{name}.dict").is_file()
        for seed in (ROOT / folder / "seeds" / name).iterdir():
            assert seed.stat().st_size < 1000, seed
    sources = {
        path.stem for folder in NATIVE.values() for path in (ROOT / folder).glob("fuzz_*.cpp")
    }
    assert sources == {f"fuzz_{name}" for name in [*NATIVE, "target", "entry"]}


def test_the_input_that_broke_a_target_is_named_and_the_others_still_run(tree):
    root, run = tree
    add_native(
        root, "metis",
        "echo boom; echo 'Test unit written to build/fuzz/crashes/metis/crash-1'; exit 77",
    )  # fmt: skip
    add_native(root, "edge_list", 'echo "$@"; echo "stat::number_of_executed_units: 123"')
    done = run("--seconds", "7", "metis", "edge_list")
    assert done.returncode == 1
    assert "metis: FAILED on build/fuzz/crashes/metis/crash-1" in done.stderr
    assert "boom" in done.stderr and done.stderr.endswith("fuzz: failed: metis\n")
    assert "edge_list: 123 inputs, no failure" in done.stdout
    given = (root / "build/fuzz/edge_list.log").read_text()
    assert "-max_total_time=7" in given and "common/sparse/fuzz/seeds/edge_list" in given
    assert re.search(r"--target fuzz_metis fuzz_edge_list$", (root / "build/cmake.log").read_text())


def test_a_target_that_does_not_start_fails(tree):
    _, run = tree
    done = run("metis")
    assert done.returncode == 1 and "and no input; see build/fuzz/metis.log" in done.stderr


def test_python_targets_need_no_build_and_get_the_seconds(tree):
    root, run = tree
    write_program(root / "datasets/fuzz/fuzz_importers.py", "")
    done = run("--seconds", "3", "dax", "csv")
    assert done.returncode == 0, done.stderr
    for name in ("dax", "csv"):
        command = f"python datasets/fuzz/fuzz_importers.py {name} --seconds 3"
        assert f"{command} --crashes build/fuzz/crashes/{name}\n" in done.stdout
    assert not (root / "build/cmake.log").exists()
    done = run("stg", PYTHON_EXIT="1")
    assert done.returncode == 1 and "stg: FAILED" in done.stderr


def test_a_missing_python_command_fails_only_when_it_was_asked_for(tree):
    root, run = tree
    for name in NATIVE:
        add_native(root, name, "exit 0")
    done = run()
    assert done.returncode == 0, done.stderr
    assert "dax: SKIPPED, no datasets/fuzz/fuzz_importers.py" in done.stdout
    assert run("dax").returncode == 1
