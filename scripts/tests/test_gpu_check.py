"""gridloom-gpu-check skips what needs a device where there is none, and fails what fails."""

import shutil
import subprocess

import pytest

from conftest import ROOT


@pytest.fixture
def check(tmp_path):
    """Runs the script beside a program and a test that print a message and exit with a code."""

    def run(message, code):
        folder = tmp_path / "bin"
        (folder / "tests").mkdir(parents=True)
        shutil.copy(ROOT / "scripts/gpu/gridloom-gpu-check", folder)
        for program in (folder / "wavefront", folder / "tests" / "a_test"):
            program.write_text(f"#!/bin/sh\necho '{message}' >&2\nexit {code}\n")
            program.chmod(0o755)
        command = [folder / "gridloom-gpu-check", "--output", tmp_path / "out", "--no-sanitizer"]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    return run


@pytest.mark.parametrize(
    "message", ["this build has no CUDA backend (it was made so)", "no CUDA device is there"]
)
def test_without_a_device_everything_is_skipped(message, check):
    done = check(f"wavefront: --backend cuda: {message}", 2)
    assert done.returncode == 0, done.stdout
    assert "FAILED" not in done.stdout and message in done.stdout
    assert done.stdout.endswith("0 passed, 0 failed, 2 skipped\n")


@pytest.mark.parametrize(("message", "code"), [("unknown option", 2), ("wrong result", 1)])
def test_other_failures_are_failures(message, code, check):
    done = check(message, code)
    assert done.returncode == 1 and "0 passed, 2 failed, 0 skipped" in done.stdout


def test_with_a_device_everything_runs(check):
    assert check("", 0).stdout.endswith("2 passed, 0 failed, 0 skipped\n")
