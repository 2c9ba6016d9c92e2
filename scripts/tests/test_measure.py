"""scripts/measure, and the commands that the artifacts declare for it."""

import functools
import json
import re
import subprocess
import sys

import pytest
from PIL import Image

from conftest import ROOT
from gridloom.artifacts import DeclarationError
from gridloom.measured import read_measured, read_named
from program_under_test import find_program, write_program

ARTIFACTS = [*sorted(path.parent for path in ROOT.glob("*/artifact.toml")), ROOT / "schedulers"]
DECLARED = [folder for folder in ARTIFACTS if read_measured(folder)]

PROGRAM = """#!/bin/sh
echo "$@" >> told
case "$*" in *bad*) exit 1 ;; esac
"""
# Writes its first argument to the file that it is given last.
MAKE = """#!/bin/sh
for last; do :; done
echo "$1" > "$last"
"""
DECLARATION = """
name = "some"
[words]
A = "--method {B}"
B = "x,y"
[[measured."a.h5"]]
commands = ["own {A} --rows 1", "own --rows {each}"]
each = ["2", "3"]
[[measured."b.h5"]]
on = "host"
times = 2
environment = { COLOUR = "red" }
commands = ["own --graph g.h5"]
prepare = { "g.h5" = "make three" }
"""


@pytest.fixture
def some(tmp_path):
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "artifact.toml").write_text(DECLARATION)
    return folder


@pytest.fixture
def measure(tmp_path):
    """Runs the script on `some`, with a program that writes its arguments to a file."""
    write_program(tmp_path / "bin/own", PROGRAM)
    write_program(tmp_path / "bin/make", MAKE)

    def run(*words, folder=None):
        return subprocess.run(
            [ROOT / "scripts/measure", "--bin-dir", tmp_path / "bin", "--output-dir",
             tmp_path / "out", *map(str, words), *map(str, folder or [tmp_path / "some"])],
            capture_output=True, text=True, timeout=900,
        )  # fmt: skip

    return run


def told(tmp_path):
    return (tmp_path / "out/told").read_text().splitlines()


def test_words_and_values_are_filled_in(some):
    texts = [command.name for command in read_measured(some)]
    assert texts == [
        "own --method x,y --rows 1", "own --rows 2", "own --rows 3",
        "own --graph g.h5 (on the host)", "own --graph g.h5 (on the host) (process 2)",
    ]  # fmt: skip


def test_commands_run_once_in_their_folder_with_the_options_of_their_backend(
    measure, some, tmp_path
):
    done = measure()
    assert done.returncode == 0, done.stderr
    lines = told(tmp_path)
    assert lines[0] == "--backend cuda --quiet --method x,y --rows 1 --append --output a.h5"
    assert lines[-1] == lines[-2] == "--backend host --quiet --graph g.h5 --append --output b.h5"
    assert (tmp_path / "out/g.h5").read_text() == "three\n"
    assert "b.h5: 2 of 2 commands" in done.stdout
    again = measure()
    assert again.returncode == 0 and told(tmp_path) == lines
    assert again.stdout.count("= done before") == len(lines)
    (tmp_path / "out/b.h5").write_text("old")
    assert measure("--again", "--only", "b.h5").returncode == 0
    assert told(tmp_path) == lines + lines[-2:] and not (tmp_path / "out/b.h5").exists()


def test_one_command_on_two_machines_runs_on_both(measure, some, tmp_path):
    tables = ['commands = ["own --rows 1"]', 'on = "host"\ncommands = ["own --rows 1"]']
    declared = "\n".join(f'[[measured."c.h5"]]\n{table}' for table in tables)
    (some / "artifact.toml").write_text(f'name = "some"\n{declared}\n')
    assert measure().returncode == 0
    assert [line.split()[1] for line in told(tmp_path)] == ["cuda", "host"]


def test_an_invalid_log_is_refused(measure, some, tmp_path):
    (tmp_path / "out").mkdir()
    for text in ("{", '{"a.h5": 3}'):
        (tmp_path / "out/measured.json").write_text(text)
        done = measure()
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert "measured.json" in done.stderr and not (tmp_path / "out/told").exists()


def test_a_failed_command_is_reported_and_run_again(measure, some, tmp_path):
    text = DECLARATION.replace("own --rows {each}", "own --bad {each}")
    (some / "artifact.toml").write_text(text)
    done = measure("--only", "a.h5")
    assert done.returncode == 1 and done.stderr.count("measure: failed: own --bad") == 2
    assert set(json.loads((tmp_path / "out/measured.json").read_text())["a.h5"]) == {
        "own --method x,y --rows 1"
    }
    # Where they are declared to end with 1, only the command that has not run yet is left.
    (some / "artifact.toml").write_text(text.replace("commands =", "ends_with = 1\ncommands ="))
    done = measure("--only", "a.h5")
    assert done.returncode == 0 and "failed" not in done.stderr, done.stderr
    done = measure("--only", "a.h5", "--again")
    assert done.returncode == 1 and done.stderr.count("measure: failed: own --method") == 1


def test_no_command_is_begun_beyond_the_budget(measure, some, tmp_path):
    (tmp_path / "bin/own").write_text(PROGRAM + "sleep 1.1\n")
    done = measure("--budget", 1)
    assert done.returncode == 1 and "commands are left" in done.stderr
    assert len(told(tmp_path)) == 1


def test_commands_with_data_sets_need_their_folder(measure, some, tmp_path, monkeypatch):
    text = DECLARATION.replace("make three", "make_pgm {data}/image.png")
    text = text.replace("own --graph g.h5", "own --graph g.h5 --matrix {data}/m.mtx")
    (some / "artifact.toml").write_text(text)
    monkeypatch.delenv("GRIDLOOM_DATA_DIR", raising=False)
    done = measure("--only", "b.h5")
    assert done.returncode == 2 and "GRIDLOOM_DATA_DIR" in done.stderr
    monkeypatch.setenv("GRIDLOOM_DATA_DIR", str(tmp_path / "sets"))
    done = measure("--only", "b.h5")
    assert done.returncode == 2 and "GRIDLOOM_DATA_DIR: expected a folder" in done.stderr
    (tmp_path / "sets").mkdir()
    (tmp_path / "out").mkdir(exist_ok=True)
    (tmp_path / "out/data").write_text("mine")
    done = measure("--only", "b.h5")
    assert done.returncode == 2 and "in the way" in done.stderr and done.stderr.count("\n") == 1
    assert (tmp_path / "out/data").read_text() == "mine"
    (tmp_path / "out/data").unlink()
    Image.new("L", (4, 3), 7).save(tmp_path / "sets/image.png")
    for _ in range(2):
        done = measure("--only", "b.h5", "--again")
        assert done.returncode == 0, done.stderr
    # Stored command lines contain no path of a machine.
    assert "--matrix data/m.mtx" in told(tmp_path)[0]
    assert (tmp_path / "out/data").samefile(tmp_path / "sets")


def test_the_list_is_a_shell_script_of_the_same_commands(measure, some, tmp_path):
    done = measure("--list", "--only", "b.h5")
    assert done.returncode == 0 and not (tmp_path / "out").exists()
    script = subprocess.run(["sh", "-eu"], input=done.stdout, capture_output=True, text=True)
    assert script.returncode == 0, script.stderr
    assert (tmp_path / "out/g.h5").is_file()
    listed = told(tmp_path)
    assert measure("--only", "b.h5").returncode == 0 and told(tmp_path) == listed * 2


EXPERIMENTS = """
[experiments.sizes]
about = "Two sizes."
each = ["4", "8"]
commands = ["own --rows {each} --repeat 3 --method x,y"]
[experiments.few]
on = "host"
commands = ["sizes --repeat 1"]
[[measured."c.h5"]]
commands = ["sizes --method z --timeout-s 9"]
"""
FEW = ["own --rows 4 --repeat 1 --method x,y", "own --rows 8 --repeat 1 --method x,y"]


def test_experiments_run_by_name_and_their_options_can_be_replaced(measure, some, tmp_path):
    (some / "artifact.toml").write_text(DECLARATION + EXPERIMENTS)
    assert [c.text for c in read_measured(some) if c.output == "c.h5"] == [
        "own --rows 4 --repeat 3 --method z --timeout-s 9",
        "own --rows 8 --repeat 3 --method z --timeout-s 9",
    ]
    assert measure("--only", "few").returncode == 0
    assert told(tmp_path) == [
        f"--backend host --quiet {line.removeprefix('own ')} --append --output few.h5"
        for line in FEW
    ]
    done = measure("--only", "few", folder=[tmp_path / "some", "--", "--repeat", 7])
    assert done.returncode == 0, done.stderr
    assert "--repeat 7" in told(tmp_path)[-1] and "--repeat 1" not in told(tmp_path)[-1]


def test_a_bundle_keeps_every_experiment_as_a_script_without_python(measure, some, tmp_path):
    (some / "artifact.toml").write_text(DECLARATION + EXPERIMENTS)
    folder = tmp_path / "share/gridloom/experiments"
    assert "no fewer; --list" in measure("--scripts", folder, "--only", "fewer").stdout
    assert measure("--scripts", folder).returncode == 0
    assert {path.name for path in folder.iterdir()} == {"some-sizes.sh", "some-few.sh"}
    environment = {"PATH": "/usr/bin:/bin"}
    subprocess.run([folder / "some-few.sh", "--mark"], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "told").read_text().splitlines() == [
        f"--backend host --quiet {line.removeprefix('own ')} --append --output few.h5 --mark"
        for line in FEW
    ]


def measured_as(lines):
    return f'[[measured."a.h5"]]\n{lines}\n'


def experiment_as(lines, name="a"):
    return f'[experiments."{name}"]\n{lines}\n'


BAD = {
    measured_as('commands = ["own {C}"]'): "no word {C}",
    measured_as("commands = []"): "commands: expected an array",
    measured_as('commands = [""]'): "expected a command",
    measured_as('commands = ["own"]\non = "gpu"'): "on: expected one of cuda, host",
    measured_as('commands = ["own"]\ntimes = 0'): "times: expected a number",
    measured_as('commands = ["own"]\nends_with = -1'): "ends_with: expected a number",
    measured_as('commands = ["own"]\nspeed = 1'): "unknown key 'speed'",
    '[[measured."a/b.h5"]]\ncommands = ["own"]\n': "expected the name of a file",
    '[measured."a.h5"]\ncommands = ["own"]\n': "measured: expected tables",
    '[[experiments]]\ncommands = ["own"]\n': "experiments: expected tables",
    experiment_as('commands = ["own"]', name="a b"): "expected a name of letters",
    experiment_as('commands = ["own"]\non = "gpu"'): "on: expected one of",
    experiment_as("commands = []"): "commands: expected an array",
    experiment_as('commands = ["own x"]')
    + experiment_as('commands = ["a --n 3"]', name="b"): "expected options",
}


def test_an_invalid_declaration_is_refused_in_one_line(measure, some):
    for text, words in BAD.items():
        (some / "artifact.toml").write_text(text)
        with pytest.raises(DeclarationError, match=re.escape(words)) as error:
            read_measured(some)
        assert "\n" not in str(error.value), text
    for words in ([], ["--list"]):
        done = measure(*words)
        assert done.returncode == 2 and "expected options" in done.stderr
        assert done.stderr.count("\n") == 1


def test_bad_usage_is_refused_in_one_line(measure, some, tmp_path):
    for words in (["--only", "nothing"], ["--bin-dir", "/none"], ["--budget", 0]):
        done = measure(*words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
    done = measure(folder=[tmp_path])
    assert done.returncode == 2 and "expected an artifact's folder" in done.stderr
    assert not (tmp_path / "out").exists()


# --- what the artifacts declare -------------------------------------------------------------------


@functools.cache
def list_of(program):
    return subprocess.run([program, "--list"], capture_output=True, text=True).stdout


@pytest.mark.parametrize("folder", DECLARED, ids=lambda folder: folder.name)
def test_programs_know_the_options_of_their_commands(folder):
    named = [command for _, own in read_named(folder).values() for command in own]
    for command in {c.text: c for c in [*read_measured(folder), *named]}.values():
        words = command.line(ROOT / "bin", "data")
        if words[0] == sys.executable:  # a script
            if "--" not in words:
                continue
            words = words[words.index("--") + 1 :]
        program = find_program(words[0].rsplit("/", 1)[1])
        done = subprocess.run([program, *words[1:], "--help"], capture_output=True, text=True)
        assert done.returncode == 0, (command.text, done.stderr)
        for option in ("--method", "--algorithm"):
            if option in words and program.name.startswith(("juggler", "tiled", "wavefront")):
                names = words[words.index(option) + 1].split(",")
                lost = [
                    name for name in names if not re.search(rf"^ *{name}\b", list_of(program), re.M)
                ]
                assert not lost, command.text


@pytest.mark.parametrize("folder", DECLARED, ids=lambda folder: folder.name)
def test_every_stored_file_has_its_commands(folder):
    commands = read_measured(folder)
    written = {command.output for command in commands}
    written |= {word for c in commands for word in c.text.split() if word.endswith(".h5")}
    stored = {path.name for path in (folder / "reference").glob("*.h5")}
    assert stored - written - MADE_BY_OTHERS == set()


# Written by scripts/peers, by scripts/gpu, or by scripts that start several runs themselves.
MADE_BY_OTHERS = {
    "ncu.h5", "openmp.h5", "nvidia-h200-rcm-peer.h5", "nvidia-h200-rcm-beside-peer.h5",
    "rcm-patterns.h5", "example.h5", "random.h5", "saga.h5", "workflows.h5",
}  # fmt: skip
