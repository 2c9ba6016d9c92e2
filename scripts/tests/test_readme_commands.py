"""Commands on the pages exist, take the options shown, and work."""

import functools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT
from gridloom.pages import declarations, pages_of
from program_under_test import find_program, write_program
from readme_commands import WRAPPERS, blocks_of
from script_under_test import run_script

READMES = [path for folder in ["", *declarations()] for path in pages_of(folder)]
READMES.append(ROOT / "scripts/peers/README.md")
BLOCKS = {
    name: blocks_of(path.read_text(), name)
    for name, path in ((str(path.relative_to(ROOT)), path) for path in READMES)
}


@functools.cache
def help_of(*command):
    command = [*map(str, command), "--help"]
    if is_python(Path(command[0])):
        done = run_script(*command, cwd=ROOT)
    else:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


def is_python(path):
    with open(path, "rb") as file:
        return path.suffix == ".py" or file.readline() == b"#!/usr/bin/env python3\n"


def subject_of(words):
    """The word that names a file of this repository, and the words after it."""
    for place, word in enumerate(words):
        path = word.removeprefix("./")
        if re.match(r"(scripts|build|dist)/", path):
            return path, words[place + 1 :]
        if place == 0 and not (word in WRAPPERS or Path(word).name.startswith("python")):
            break  # a command of the system
    return None, words


def help_of_subject(subject, rest):
    """The --help of a script or of a built program."""
    name = Path(subject).name
    if not subject.startswith("scripts/"):
        installed = [path for path in (ROOT / "scripts").rglob(name) if path.is_file()]
        if not installed:
            program = find_program(name)
            return help_of(program, *rest[:1]) if rest[0].isidentifier() else help_of(program)
        subject = installed[0].relative_to(ROOT)
    script = ROOT / subject
    assert script.is_file(), f"there is no {subject}"
    assert script.suffix == ".py" or os.access(script, os.X_OK), f"{subject} is not executable"
    shown = help_of(script)
    # For scripts such as datasets the first argument chooses the options.
    known = re.search(r"\{([\w,-]+)\}", shown)
    if rest and known and rest[0] in known[1].split(","):
        return help_of(script, rest[0])
    return shown


def check_command(words):
    if words[0] in ("cmake", "ctest"):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        names = {preset["name"] for preset in presets if not preset.get("hidden")}
        for option, value in zip(words, [*words[1:], ""], strict=True):
            assert option != "--preset" or value in names, f"there is no preset {value}"
    subject, rest = subject_of(words)
    # Examples need no --help; C++ tests have the options of Boost.Test.
    if subject is None or subject.endswith("_test") or (subject.startswith("build/") and not rest):
        return
    end = rest.index("--") if "--" in rest else len(rest)
    rest, wrapped = rest[:end], rest[end + 1 :]
    shown = help_of_subject(subject, rest)
    for option in (word.split("=")[0] for word in rest if re.match(r"--[a-z]", word)):
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", shown), f"no option {option}"
    if wrapped:  # a command that the script runs
        check_command(wrapped)


@pytest.mark.parametrize("readme", BLOCKS)
def test_commands_exist_and_take_their_options(readme):
    wrong = []
    for command in (command for block in BLOCKS[readme] for command in block.commands):
        try:
            check_command(command.words)
        except AssertionError as error:
            wrong.append(f"{command}: {error}")
    assert not wrong, "\n".join(wrong)


def lay_out(tree, blocks):
    """Links a folder to the repository, with results and figures of its own.

    Its programs are those of the checkout, or those that a block builds.
    """
    for path in ROOT.iterdir():
        if path.name not in ("build", "results", "figures", "dist", ".git"):
            (tree / path.name).symlink_to(path)
    (tree / "build").mkdir()
    if any(command.words[0] == "cmake" for block in blocks for command in block.commands):
        for preset in ("host", "cuda"):
            (tree / "build" / preset).symlink_to(ROOT / "build" / preset)
    elif any("build/" in block.text for block in blocks):
        (tree / "build/host").mkdir()
        (tree / "build/host/bin").symlink_to(find_program("gridloom-matrix").parent)


def run_blocks(blocks, folder):
    """Runs the blocks in such a folder. CMake runs in the checkout, where most is built already. In
    the folder it would compile everything again, and overwrite the checkout through the links."""
    tree, tools = folder / "tree", folder / "tools"
    tree.mkdir()
    lay_out(tree, blocks)
    write_program(tools / "cmake", f'#!/bin/sh\ncd "{ROOT}" && exec {shutil.which("cmake")} "$@"\n')
    path = f"{tools}:{os.environ['PATH']}"
    for block in blocks:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.text],
            capture_output=True, text=True, cwd=tree,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PATH": path},
        )  # fmt: skip
        assert done.returncode == 0, block.place + "\n" + done.stdout + done.stderr


def marked(run):
    """The blocks with a mark, by page."""
    found = {name: [b for b in blocks if b.run == run] for name, blocks in BLOCKS.items()}
    return [pytest.param(blocks, id=name) for name, blocks in found.items() if blocks]


@pytest.mark.parametrize("blocks", marked("run"))
def test_marked_blocks_run(blocks, tmp_path):
    run_blocks(blocks, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("blocks", marked("run slow"))
def test_slow_blocks_run(blocks, tmp_path):
    run_blocks(blocks, tmp_path)


def test_the_pages_have_commands():
    """An empty list would make the tests above pass without a check."""
    assert sum(len(block.commands) for blocks in BLOCKS.values() for block in blocks) >= 100
    assert len(marked("run")) >= 4


def test_the_check_refuses_missing_scripts_presets_and_options():
    for text in (
        "scripts/nothing",
        "scripts/test --no-such-option",
        "cmake --preset moon",
        "scripts/profile --name a -- scripts/test --no-such-option",
    ):
        with pytest.raises(AssertionError):
            check_command(text.split())
    wrapped = "compute-sanitizer --tool memcheck dist/bin/tests/a_test --run_test=small"
    assert subject_of(wrapped.split()) == ("dist/bin/tests/a_test", ["--run_test=small"])
