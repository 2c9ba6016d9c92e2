"""Finds built programs for the tests that run them, and runs them."""

import os
import subprocess

import pytest

from conftest import ROOT

BUILDS = [ROOT / "build" / preset for preset in ("host", "cuda")]


def find_program(name):
    """The built program, or a visible skip. GRIDLOOM_PROGRAM_DIR names another folder."""
    folders = [build / "bin" for build in BUILDS]
    if given := os.environ.get("GRIDLOOM_PROGRAM_DIR"):
        folders = [ROOT / given]  # an absolute path stays what it is
    for folder in folders:
        if os.access(folder / name, os.X_OK) and (folder / name).is_file():
            return folder / name
    looked = ", ".join(str(folder) for folder in folders)
    pytest.skip(f"{name} is not built: not in {looked} (set GRIDLOOM_PROGRAM_DIR)")


def run_program(program, *arguments, cwd, timeout=120):
    return subprocess.run(
        [program, *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, timeout=timeout, stdin=subprocess.DEVNULL,
    )  # fmt: skip
