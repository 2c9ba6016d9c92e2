"""scripts/fuzz: its options, and that a failure of a target is not lost.

The targets here are stand-ins; that the real ones hold is for scripts/fuzz and the seeds tests.
"""

import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT
from program_under_test import write_program

TARGETS = {"matrix_market": "common/sparse/tests/fuzz", "juggler_inputs": "juggler/tests/fuzz"}


@pytest.fixture
def tree(tmp_path):
    """A tree with scripts/fuzz and a stand-in for CMake, which builds nothing; returns a runner."""
    for name in ("fuzz", "lib.sh"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    tools = tmp_path / "tools"
    write_program(tools / "clang++-14", "exit 0")
    write_program(tools / "cmake", 'mkdir -p build/fuzz && echo "$@" >>build/cmake.log')

    def run(*arguments):
        path = f"{tools}:{os.environ['PATH']}"
        return subprocess.run(
            [tmp_path / "scripts/fuzz", *arguments], capture_output=True, text=True, timeout=900,
            env=os.environ | {"PATH": path},
        )  # fmt: skip

    return tmp_path, run


def add_target(root, name, text):
    write_program(root / "build/fuzz" / TARGETS[name] / f"fuzz_{name}", text)


def test_help_and_list_run_nothing(tree):
    root, run = tree
    assert "--seconds N" in run("-h").stdout
    assert run("--list").stdout.split() == list(TARGETS)
    assert not (root / "build").exists()


@pytest.mark.parametrize(
    "arguments", [["nope"], ["--seconds"], ["--seconds", "0"], ["--seconds", "1.5"], ["--fast"]]
)
def test_bad_usage_is_named_and_runs_nothing(tree, arguments):
    root, run = tree
    done = run(*arguments)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert not (root / "build").exists()


def test_every_target_has_a_source_seeds_and_a_dictionary():
    for name, folder in TARGETS.items():
        assert (ROOT / folder / f"{name}.dict").is_file()
        for seed in (ROOT / folder / "seeds" / name).iterdir():
            assert seed.stat().st_size < 1000, seed
    sources = {path.stem for folder in TARGETS.values() for path in (ROOT / folder).glob("f*.cpp")}
    assert sources == {f"fuzz_{name}" for name in [*TARGETS, "entry"]}


def test_the_input_that_broke_a_target_is_named_and_the_others_still_run(tree):
    root, run = tree
    crash = "build/fuzz/crashes/matrix_market/crash-1"
    add_target(root, "matrix_market", f"echo boom; echo 'Test unit written to {crash}'; exit 77")
    add_target(root, "juggler_inputs", 'echo "$@"; echo "stat::number_of_executed_units: 123"')
    done = run("--seconds", "7")
    assert done.returncode == 1
    assert f"matrix_market: FAILED on {crash}" in done.stderr
    assert "boom" in done.stderr and done.stderr.endswith("fuzz: failed: matrix_market\n")
    assert "juggler_inputs: 123 inputs, no failure" in done.stdout
    given = (root / "build/fuzz/juggler_inputs.log").read_text()
    assert "-max_total_time=7" in given and "juggler/tests/fuzz/seeds/juggler_inputs" in given
    built = (root / "build/cmake.log").read_text()
    assert re.search(r"--target fuzz_matrix_market fuzz_juggler_inputs$", built)


def test_a_target_that_does_not_start_fails(tree):
    _, run = tree
    done = run("matrix_market")
    assert done.returncode == 1 and "and no input; see build/fuzz/matrix_market.log" in done.stderr
