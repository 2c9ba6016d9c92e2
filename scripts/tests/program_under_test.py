"""Finds built programs for the tests that run them, runs them, and reads what they wrote."""

import os
import subprocess

import h5py
import pytest

from conftest import ROOT
from gridloom_datasets.hdf5_text import attributes_of, is_text, read_texts

BUILDS = [ROOT / "build" / preset for preset in ("host", "cuda")]


def find_program(name):
    """The built program, or a visible skip. GRIDLOOM_PROGRAM_DIR names another folder."""
    folders = [build / "bin" for build in BUILDS]
    if given := os.environ.get("GRIDLOOM_PROGRAM_DIR"):
        folders = [ROOT / given]  # `/` keeps an absolute path unchanged
    for folder in folders:
        if os.access(folder / name, os.X_OK) and (folder / name).is_file():
            return folder / name
    looked = ", ".join(str(folder) for folder in folders)
    pytest.skip(f"{name} is not built: not in {looked} (set GRIDLOOM_PROGRAM_DIR)")


def write_program(path, text):
    """Writes an executable file, by default of bash commands. Makes its folder; replaces a link."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(text if text.startswith("#!") else f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


def run_program(program, *arguments, cwd, timeout=900):
    """Runs a program. The time limit only ends a hang."""
    return subprocess.run(
        [program, *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, timeout=timeout, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def columns_of(path, table):
    with h5py.File(path) as file:
        group = file[table]
        assert sorted(attributes_of(group)["columns"].split("\n")) == sorted(group)
        return {
            name: read_texts(data) if is_text(data.dtype) else data[...]
            for name, data in group.items()
        }


def snapshot(folder):
    """Every file with its bytes, to see that nothing was written."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }
