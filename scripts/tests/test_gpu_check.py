"""gridloom-gpu-check skips what needs a device where there is none, and fails what fails."""

import os
import shutil
import subprocess

import pytest

from conftest import ROOT

PROGRAMS = ("wavefront", "mhive-overhead", "mhive-generic", "mhive-rcm", "mhive-jacobi", "pets")
MHIVE = ("time_sliced", "megakernel", "device_controller", "resident_controller")


@pytest.fixture
def check(tmp_path):
    """Runs the script beside programs and a test that print a message and exit with a code."""

    def run(message, code, *arguments, path=os.environ["PATH"]):
        folder = tmp_path / "bin"
        (folder / "tests").mkdir(parents=True)
        shutil.copy(ROOT / "scripts/gpu/gridloom-gpu-check", folder)
        for name in (*PROGRAMS, "tests/a_test"):
            program = folder / name
            program.write_text(f"#!/bin/sh\necho '{message}' >&2\nexit {code}\n")
            program.chmod(0o755)
        command = [folder / "gridloom-gpu-check", "--output", tmp_path / "out", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=60, env=os.environ | {"PATH": path}
        )

    return run


@pytest.fixture
def sanitizer(tmp_path):
    """A compute-sanitizer that finds nothing; (its PATH, a reader of the commands it was given)."""
    tool = tmp_path / "tools" / "compute-sanitizer"
    tool.parent.mkdir()
    log = tmp_path / "commands"
    tool.write_text(f'#!/bin/sh\nprintf "%s " "$@" >> {log}\necho >> {log}\n')
    tool.chmod(0o755)
    return f"{tool.parent}:{os.environ['PATH']}", lambda: log.read_text().splitlines()


@pytest.mark.parametrize(
    "message", ["this build has no CUDA backend (it was made so)", "no CUDA device is there"]
)
def test_without_a_device_everything_is_skipped(message, check):
    done = check(f"wavefront: --backend cuda: {message}", 2, "--no-sanitizer")
    assert done.returncode == 0, done.stdout
    assert "FAILED" not in done.stdout and message in done.stdout
    assert done.stdout.endswith("0 passed, 0 failed, 10 skipped\n")


@pytest.mark.parametrize(("message", "code"), [("unknown option", 2), ("wrong result", 1)])
def test_other_failures_are_failures(message, code, check):
    done = check(message, code, "--no-sanitizer")
    assert done.returncode == 1 and "0 passed, 10 failed, 0 skipped" in done.stdout


def test_with_a_device_everything_runs(check):
    done = check("", 0, "--no-sanitizer")
    assert done.stdout.endswith("10 passed, 0 failed, 0 skipped\n")
    assert "mhive-overhead smoke experiment" in done.stdout


def test_every_scheduler_runs_under_a_tool_that_can_see_it(check, sanitizer):
    path, commands = sanitizer
    done = check("", 0, path=path)
    assert done.returncode == 0 and "0 failed, 0 skipped" in done.stdout
    memcheck, race = (
        [c for c in commands() if c.startswith(f"--tool {tool} ") and "mhive" in c]
        for tool in ("memcheck", "racecheck")
    )
    assert all("--error-exitcode 1 " in command for command in commands())
    for program in ("mhive-overhead", "mhive-generic"):
        own = [c for c in memcheck if f"/{program} " in c]
        assert [c.split("--scheduler ")[1].split()[0] for c in own] == list(MHIVE)
    arms = [c.split("--arm ")[1].split()[0] for c in memcheck if "/mhive-rcm " in c]
    assert arms == ["tsk", "mk", "pdc", "resident", "levels"]
    assert len([c for c in memcheck if "/mhive-jacobi " in c]) == 1
    [levels] = [c for c in race if "mhive_rcm_levels_cuda_test " in c]
    race.remove(levels)
    [persistent] = [c for c in race if "mhive_jacobi_persistent_cuda_test " in c]
    race.remove(persistent)
    cases = (ROOT / "thesis_mhive/tests/jacobi_persistent_test.cpp").read_text()
    for name in persistent.split("--run_test=jacobi_persistent/")[1:]:
        assert f"BOOST_AUTO_TEST_CASE({name.strip()})" in cases
    for tool in ("memcheck", "racecheck"):
        own = [c for c in commands() if c.startswith(f"--tool {tool} ") and "/pets " in c]
        assert [("--batch" in c) for c in own] == [False, True]
        named = own[0].split("--implementation ")[1].split()[0].split(",")
        listed = (ROOT / "pets/src/pipeline.cpp").read_text()
        assert len(named) == 8 and all(f'{{"{name}",' in listed for name in named)
    # Racecheck cannot see into programs that launch from the device: the test program instead.
    wanted = [name for name in MHIVE if name != "device_controller"]
    assert len(race) == len(wanted)
    for command, scheduler in zip(race, wanted, strict=True):
        assert "tests/mhive_cuda_test " in command and "mhive-overhead" not in command
        assert f"--run_test=dependencies/*{scheduler}* " in command


def test_the_filters_of_racecheck_name_cases_that_are_there():
    """A filter that leaves out nothing would run the largest cases under the tool."""
    text = (ROOT / "scripts/gpu/gridloom-gpu-check").read_text()
    for suite, case in (("dependencies", "random_"), ("forests", "every_")):
        assert f"--run_test=!{suite}/{case}*" in text
        [source] = (ROOT / "thesis_mhive/tests").glob(f"{suite[:6]}*_test.cpp")
        words = source.read_text()
        assert f"BOOST_AUTO_TEST_SUITE({suite})" in words and f" {case}" in words.replace("(", " ")
    levels = (ROOT / "thesis_mhive/tests/rcm_levels_test.cpp").read_text()
    for case in ("every_strategy_and_number_of_candidates", "long_rows_of_every_length"):
        assert f"--run_test=by_levels/{case}" in text and f"CASE({case})" in levels
