"""How scripts end: on Ctrl-C, without a reader, without disk space, memory or packages."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from conftest import ROOT
from program_under_test import find_program, run_program

SCRIPTS = {
    "plots/wavefront/fig3a.py": ["r.h5", "--output-dir", "out"],
    "plots/thesis_mhive/fig8_1.py": ["m.h5", "--output-dir", "out"],
    "tables/module.py": ["pets.tables", ROOT / "pets/reference/nvidia-h200.h5"],
    "datasets": ["list"],
    "rcm_scipy.py": ["--matrix", "m.h5", "--repeat", "100000", "--output", "out.h5"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, results):
    made = tmp_path_factory.mktemp("inputs")
    shutil.copy(results, made / "r.h5")
    run_program(find_program("gridloom-matrix"), "generate", "path:n=9", "m.h5", cwd=made)
    return made


def command(name):
    return [sys.executable, ROOT / "scripts" / name, *SCRIPTS[name]]


def start(words, folder, **settings):
    text = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | settings
    return subprocess.Popen(words, cwd=folder, **text)


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_interrupted_script_says_nothing_and_leaves_nothing(tmp_path, folder, name):
    for file in folder.iterdir():
        shutil.copy(file, tmp_path)
    given = set(os.listdir(tmp_path))
    for wait_s in (0, 0.1, 0.4):
        marker = tmp_path / "begun"
        wait = "from gridloom_datasets import endings; endings.install(); "
        wait += f"open({str(marker)!r}, 'w').close(); "
        run = "import runpy, sys; sys.argv = sys.argv[1:]; "
        run += "runpy.run_path(sys.argv[0], run_name='__main__')"
        words = [sys.executable, "-c", wait + run, *command(name)[1:]]
        process = start(words, tmp_path)
        while not marker.exists():
            time.sleep(0.005)
        time.sleep(wait_s)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=900)
        assert "Traceback" not in errors and "Error" not in errors, errors
        assert process.returncode in (0, -signal.SIGINT, 130), (out, errors)
        marker.unlink()
        if process.returncode:
            whole = {"out", "out.h5"}
            assert set(os.listdir(tmp_path)) - given <= whole
            assert not any(".part-" in path.name for path in tmp_path.rglob("*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_in_a_callback_is_not_lost(tmp_path, number):
    """Python prints a traceback of an exception in such a callback, and goes on."""
    script = f"""
import os, time, weakref
from tempfile import TemporaryDirectory
from gridloom_datasets.endings import install
install()
class Kept: pass
with TemporaryDirectory(dir={str(tmp_path)!r}):
    kept = Kept()
    seen = weakref.ref(kept, lambda _: os.kill(os.getpid(), {int(number)}))
    del kept
    time.sleep(60)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stderr, done.returncode) == ("", -number)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("name", ["plots/wavefront/fig3a.py", "datasets"])
def test_a_stdout_that_takes_nothing_is_one_line(tmp_path, folder, name):
    for file in folder.iterdir():
        shutil.copy(file, tmp_path)
    with open("/dev/full", "w") as full:
        process = start(command(name), tmp_path, stdout=full)
        assert "No space left" in one_line_of(process)
    process = start(["sh", "-c", '"$@" >&-', "sh", *command(name)], tmp_path)
    assert "Bad file descriptor" in one_line_of(process)
    reader, writer = os.pipe()
    os.close(reader)  # the reader has left
    process = start(command(name), tmp_path, stdout=writer)
    os.close(writer)
    assert process.communicate(timeout=900)[1] == ""
    assert process.returncode == 128 + signal.SIGPIPE


def one_line_of(process):
    errors = process.communicate(timeout=900)[1]
    assert process.returncode == 1 and errors.count("\n") == 1, errors
    assert "cannot write to standard output: " in errors
    return errors


BY_NAME = [
    "datasets", "profile", "pets_saga.py", "pets_workflows.py", "rcm_scipy.py", "rcm_patterns.py",
    "make_pgm",
]  # fmt: skip


def copy_with_environment(name, folder):
    """Copies the script and the module that finds the environment."""
    (folder / "gridloom").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / name, folder)
    shutil.copy(ROOT / "scripts/gridloom/environment.py", folder / "gridloom")


@pytest.mark.parametrize("name", BY_NAME)
def test_a_script_called_by_its_name_goes_on_in_the_environment(tmp_path, name):
    (tmp_path / ".venv/bin").mkdir(parents=True)
    copy_with_environment(name, tmp_path / "scripts")
    python = tmp_path / ".venv/bin/python"
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    plain = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "GRIDLOOM_REEXEC")}
    script = tmp_path / "scripts" / name
    process = start([sys.executable, "-E", "-s", "-S", script, "--a", "b c"], tmp_path, env=plain)
    out, errors = process.communicate(timeout=900)
    assert (process.returncode, out, errors) == (0, f"{script} --a b c\n", "")


def test_an_environment_that_cannot_be_reached_is_one_line(tmp_path):
    """Called by a Python without packages, in a checkout where .venv leads nowhere."""
    copy_with_environment("datasets", tmp_path / "scripts")
    venv, python = tmp_path / ".venv", tmp_path / ".venv/bin/python"
    plain = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    words = [sys.executable, "-E", "-s", "-S", tmp_path / "scripts/datasets"]
    for make in (
        lambda: venv.symlink_to("a" * 255 + "/" + "b" * 255 + "/" + "c" * 300),
        lambda: (venv.unlink(), python.parent.mkdir(parents=True), python.write_text("")),
        lambda: python.chmod(0o755),
    ):
        make()
        process = start(words, tmp_path, env=plain)
        errors = process.communicate(timeout=900)[1]
        assert process.returncode == 1 and errors.count("\n") == 1, errors
        assert "run scripts/bootstrap" in errors
