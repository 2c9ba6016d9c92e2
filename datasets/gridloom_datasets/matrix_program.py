"""Runs the C++ program gridloom-matrix, which converts, makes and measures matrices."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from gridloom_datasets.children import run_child
from gridloom_datasets.errors import FetchError, InputError

ROOT = Path(__file__).resolve().parents[2]
NAME = "gridloom-matrix"


def find_program(root=ROOT, *, name=NAME):
    """Finds the program: in $GRIDLOOM_BIN_DIR if it is set, else in the newest build, dist/bin and
    PATH. Raises FetchError that says how to build it."""

    def usable(path):
        return path.is_file() and os.access(path, os.X_OK)

    if given := os.environ.get("GRIDLOOM_BIN_DIR"):
        if not usable(path := Path(given).absolute() / name):
            raise FetchError(f"GRIDLOOM_BIN_DIR is {given}, but there is no program {path}")
        return path
    builds = [path for path in root.glob(f"build/*/bin/{name}") if path.is_file()]
    builds.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in (*builds, root / "dist/bin" / name):
        if usable(path):
            return path
    if found := shutil.which(name):
        return Path(found)
    raise FetchError(
        f"{name} is not built: cmake --preset host && cmake --build --preset host --target {name}"
        " (or name its folder in GRIDLOOM_BIN_DIR)"
    )


def as_argument(value):
    """A path that begins with a dash must not look like an option."""
    text = str(value)
    return f"./{text}" if isinstance(value, Path) and text.startswith("-") else text


def run(program, *arguments, timeout=None):
    """Returns the standard output of one of our programs. Throws InputError for exit code 2,
    FetchError for any other error."""
    done = run_child(
        [program, *map(as_argument, arguments)], timeout=timeout, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="surrogateescape",
    )  # fmt: skip
    if done.returncode == 0:
        return done.stdout
    lines = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
    message = lines[-1].removeprefix(f"{program.name}: ")
    raise (InputError if done.returncode == 2 else FetchError)(f"{program.name}: {message}")


def convert(program, source, target, about=""):
    """Writes a matrix as CSR HDF5, completely or not at all."""
    run(program, "convert", source, target, *(["--source", about] if about else []))


def generate(program, spec, target):
    """Makes a matrix from a line of text, as CSR HDF5."""
    run(program, "generate", spec, target)


def measure(program, path):
    """The results of `gridloom-matrix info`: num_rows, num_cols, entries, lower_bandwidth, ..."""
    text = run(program, "info", path, "--json")
    try:
        facts = json.loads(text)
        if not isinstance(facts, dict):
            raise ValueError("not an object")
    except ValueError as error:
        raise FetchError(f"{NAME} info --json printed no JSON object: {error}") from error
    return facts


def disagreements(matrix, facts):
    """How a measured matrix differs from the manifest, in words. Empty if it agrees."""
    expected = {"num_rows": matrix.n, "num_cols": matrix.n, "entries": matrix.entries}
    wrong = {key: value for key, value in expected.items() if facts.get(key) != value}
    for key in () if matrix.generate else ("lower_bandwidth", "upper_bandwidth"):
        value, measured = getattr(matrix, key), facts.get(key)
        # The index ignores stored zeros, so measured bandwidths may be larger.
        more = matrix.entries > matrix.nonzeros and isinstance(measured, int) and measured > value
        wrong |= {} if measured == value or more else {key: value}
    return [f"{key} is {facts.get(key)}, not {value}" for key, value in wrong.items()]
