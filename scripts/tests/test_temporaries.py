"""SIGTERM and SIGHUP leave no folder and no child of a script behind, as Ctrl-C does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import ROOT
from program_under_test import write_program

# {script: (arguments, program that it waits for)}; `{}` is the folder of the programs
SCRIPTS = {
    "datasets": ("import a.txt out.h5 --as mtx", "gridloom-matrix"),
    "rcm_scipy.py": ("--generate path:n=9 --output out.h5", "gridloom-matrix"),
    "peers/rcm_peer.py": ("--program {}/peer --generate path:n=9 --output out.h5", "mhive-rcm"),
    "pets_saga.py": ("--saga-python {}/saga --tasks 9 --output out.h5", "saga"),
    "pets_workflows.py": ("--data data --output out.h5", "pets"),
    "profile": ("--ncu {}/ncu --name a --kernel b --output out.h5 -- true", "ncu"),
}  # fmt: skip
ABOUT = (
    '{"name": "a", "repository": "b", "revision": "c", "changes": "d", "compiler": "e", '
    '"flags": "f", "gpu": "g", "driver": "h", "cuda": "i"}'
)
# Answers --about and --version, and then waits: this is the program that a script waits for. It
# writes its process number, and partial files into the script's folder and beside its output.
PROGRAM = f"""#!/bin/sh
case "$1" in
  --about) echo '{ABOUT}'; exit ;;
  --version) echo "program 1.0"; exit ;;
esac
trap 'rm -f "$PWD/out.h5.part-1"; exit 1' TERM
touch "$PWD/out.h5.part-1"
for folder in "$TMPDIR"/*; do touch "$folder/half"; done
echo $$ > "$MARK.new"
mv "$MARK.new" "$MARK"
while :; do sleep 0.1; done
"""


def runs(process):
    """False for a zombie too."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


# SIGHUP and SIGTERM raise the same exception, so only one script gets both.
@pytest.mark.parametrize(
    ("name", "number"),
    [(name, number) for name in SCRIPTS for number in (signal.SIGTERM, signal.SIGINT)]
    + [("datasets", signal.SIGHUP)],
)
def test_a_signal_leaves_no_folder_and_no_child(tmp_path, name, number):
    arguments, waited_for = SCRIPTS[name]
    programs, scratch, mark = (tmp_path / part for part in ("bin", "tmp", "mark"))
    for folder in (scratch, tmp_path / "data/dags/stg"):
        folder.mkdir(parents=True)
    for program in {waited_for, "peer", "pets", "gridloom-matrix", "mhive-rcm"}:
        write_program(programs / program, PROGRAM)
    (tmp_path / "a.txt").write_text("0 1\n")
    (tmp_path / "data/dags/stg/a.stg").write_text("1\n0 0 0\n1 5 1 0\n2 0 1 1\n")
    before = set(os.listdir(tmp_path))
    words = arguments.format(programs).split()
    process = subprocess.Popen(
        [sys.executable, ROOT / "scripts" / name, *words], cwd=tmp_path, stdout=subprocess.DEVNULL,
        stderr=open(tmp_path / "errors", "w"), text=True,  # noqa: SIM115 (a pipe waits for all)
        env=os.environ | {"TMPDIR": str(scratch), "MARK": str(mark),
                          "GRIDLOOM_BIN_DIR": str(programs)},
    )  # fmt: skip
    while not mark.exists():
        assert process.poll() is None, (tmp_path / "errors").read_text()
        time.sleep(0.01)
    child = int(mark.read_text())
    try:
        assert list(scratch.iterdir()) != []
        process.send_signal(number)
        code, errors = process.wait(timeout=900), (tmp_path / "errors").read_text()
        assert code in (-number, 128 + number) and errors.count("\n") < 2, errors
        for _ in range(6000):  # on a busy machine the child may end late
            if not runs(child):
                break
            time.sleep(0.01)
        assert not runs(child) and list(scratch.iterdir()) == []
        left = set(os.listdir(tmp_path)) - before - {"mark", "errors"}
        killed = name in ("profile", "pets_saga.py")  # the others are asked to end, and clean up
        assert left <= ({"out.h5.part-1"} if killed else set())
    finally:
        if runs(child):
            os.kill(child, signal.SIGKILL)
