"""What the README files tell a reader to type exists, takes the options shown, and works."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from gridloom.artifacts import read_all
from program_under_test import find_program
from readme_commands import WRAPPERS, Command, blocks_of

READMES = [ROOT / "README.md", *sorted(ROOT.glob("*/README.md"))]
BLOCKS = [
    block for path in READMES for block in blocks_of(path.read_text(), str(path.relative_to(ROOT)))
]
COMMANDS = [command for block in BLOCKS for command in block.commands]
TO_RUN = [block for block in BLOCKS if block.run]


def folder_of(artifact, program):
    """Where the CMakeLists.txt lies that makes the program."""
    for path in sorted((ROOT / artifact.name).rglob("CMakeLists.txt")):
        if re.search(rf"gridloom_program\({re.escape(program)}\s", path.read_text()):
            return str(path.parent.relative_to(ROOT))
    raise LookupError(f"{artifact.name} makes no program {program}")


# Name of a program: folder of its sources.
PROGRAMS = {run.program: folder_of(a, run.program) for a in read_all() for run in a.runs}
PROGRAMS["gridloom-matrix"] = "datasets"
PROGRAMS["mhive-example-table"] = "thesis_mhive"
PROGRAMS["mhive-jacobi"] = "thesis_mhive/jacobi"
NONE = [pytest.param(None, marks=pytest.mark.skip("no README has such a block yet"))]


@functools.cache
def help_of(*command):
    command = [*map(str, command), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


def subject_of(words):
    """The word among them that names something of this repository, and what follows it."""
    for place, word in enumerate(words):
        path = word.removeprefix("./")
        if re.match(r"(scripts|build|dist)/", path):
            return path, words[place + 1 :]
        if place == 0 and not (word in WRAPPERS or Path(word).name.startswith("python")):
            break  # a command of the system
    return None, words


def check_presets(words):
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    names = {preset["name"] for preset in presets if not preset.get("hidden")}
    for option, value in zip(words, [*words[1:], ""], strict=True):
        if option == "--preset":
            assert value in names


@pytest.mark.parametrize("command", COMMANDS or NONE, ids=str)
def test_command_exists_and_takes_its_options(command):
    subject, rest = subject_of(command.words)
    end = rest.index("--") if "--" in rest else len(rest)
    rest, wrapped = rest[:end], rest[end + 1 :]
    if subject is None:
        if command.words[0] in ("cmake", "ctest"):
            check_presets(command.words)
        return
    if subject.startswith("scripts/"):
        assert (ROOT / subject).is_file(), f"there is no {subject}"
        script = [sys.executable] if subject.endswith(".py") else []
        assert script or os.access(ROOT / subject, os.X_OK), f"{subject} is not executable"
        shown = help_of(*script, ROOT / subject, *subcommand(subject, rest))
    else:
        name = Path(subject).name
        if name.endswith("_test"):
            return  # Boost.Test's own options
        if name in PROGRAMS:
            program = find_program(name, PROGRAMS[name])
            if not rest:
                return  # an example need not know --help
            command = [rest[0]] if rest and rest[0].isidentifier() else []
            shown = help_of(program, *command)
        else:  # a script that the install step puts beside the programs
            scripts = [path for path in (ROOT / "scripts").rglob(name) if path.is_file()]
            assert scripts, f"what is {name}?"
            shown = help_of(scripts[0])
    for option in (word.split("=")[0] for word in rest if re.match(r"--[a-z]", word)):
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", shown), option
    if wrapped:  # what a script runs in turn
        test_command_exists_and_takes_its_options(Command(command.place, wrapped))


def subcommand(subject, rest):
    """make_dag and the like: the first argument chooses whose options follow."""
    first = rest[0] if rest else ""
    known = re.search(r"\{([\w,-]+)\}", help_of(ROOT / subject)) if first.isidentifier() else None
    return [first] if known and first in known[1].split(",") else []


def lay_out(tree, block):
    """A folder that looks like the repository but has results and figures of its own.

    Its programs are those of the checkout; where the block builds some, those that it builds.
    """
    for path in ROOT.iterdir():
        if path.name not in ("build", "results", "figures", "dist", ".git"):
            (tree / path.name).symlink_to(path)
    for name, folder in sorted(PROGRAMS.items(), key=lambda item: item[1]):
        if any((tree / "build/host" / parent).is_symlink() for parent in Path(folder).parents):
            continue  # within a folder that is linked already
        program = find_program(name, folder)
        for preset in ("host", "cuda"):
            builds = any(c.words[0] == "cmake" and preset in c.words for c in block.commands)
            (tree / "build" / preset).mkdir(parents=True, exist_ok=True)
            (tree / "build" / preset / folder).symlink_to(
                ROOT / "build" / preset / folder if builds else program.parent
            )


def run_block(block, folder):
    """CMake works on the checkout, where what another block or stage has built need not be again.

    In the tree it would compile everything once more, and through the links over the checkout's.
    """
    tree, tools = folder / "tree", folder / "tools"
    tree.mkdir()
    tools.mkdir()
    lay_out(tree, block)
    (tools / "cmake").write_text(f'#!/bin/sh\ncd "{ROOT}" && exec {shutil.which("cmake")} "$@"\n')
    (tools / "cmake").chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.text],
        capture_output=True, text=True, cwd=tree, timeout=900,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PATH": path},
    )  # fmt: skip


@pytest.mark.parametrize("block", TO_RUN or NONE, ids=lambda block: getattr(block, "place", ""))
def test_marked_block_runs(block, tmp_path):
    done = run_block(block, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "cmake --preset moon",
        "cmake --preset host\ncmake --build --preset host --target no_such_target",
        "build/host/bin/wavefront --no-such-option",
    ],
)
def test_a_block_that_does_not_work_fails(text, tmp_path):
    (block,) = blocks_of(f"```sh\n{text}\ntrue\n```\n", "R.md")
    done = run_block(block, tmp_path)
    assert done.returncode != 0 and re.search("moon|no_such_target|no-such-option", done.stderr)


SAMPLE = """
Text with `code`.

```sh
# a comment
scripts/test --quick   # another
FOO=1 build/host/bin/wavefront --rows 4 \\
    --output=results/x.h5 > log.txt && cd results
```

<!-- test: run -->

```sh
$ true | false
```

```python
scripts/none
```
"""


def test_blocks_and_commands_are_found():
    first, second = blocks_of(SAMPLE, "R.md")
    assert (first.place, first.run, second.run) == ("R.md:4", False, True)
    assert [str(command) for command in first.commands] == [
        "R.md:6: scripts/test --quick",
        "R.md:7: build/host/bin/wavefront --rows 4 --output=results/x.h5",
        "R.md:7: cd results",
    ]
    assert first.commands[1].options == ["--rows", "--output"]
    assert [command.words for command in second.commands] == [["true"], ["false"]]


def test_an_open_block_is_an_error():
    with pytest.raises(ValueError, match="R.md:2"):
        blocks_of("text\n```sh\ntrue\n", "R.md")


def test_a_wrapped_program_is_the_subject():
    words = "compute-sanitizer --tool memcheck dist/bin/tests/a_test --run_test=small"
    assert subject_of(words.split()) == ("dist/bin/tests/a_test", ["--run_test=small"])
    assert subject_of(["cmake", "--preset", "host"])[0] is None


def test_the_check_refuses_what_is_not_there():
    wrapped = "scripts/profile --name a -- scripts/test --no-such-option"
    for text in (
        "scripts/nothing",
        "scripts/test --no-such-option",
        "cmake --preset moon",
        wrapped,
    ):
        (block,) = blocks_of(f"```sh\n{text}\n```\n", "R.md")
        with pytest.raises(AssertionError):
            test_command_exists_and_takes_its_options(block.commands[0])
