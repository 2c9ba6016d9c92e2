"""Names of 60,000 bytes on the command line are cut in messages, which fit on a screen."""

import pytest

from gridloom_datasets.errors import cut
from program_under_test import find_program, run_program

LONG = "x" * 60_000
SPACED = "x y " * 15_000
PROGRAMS = ["wavefront", "pets", "mhive-rcm", "tiled-qr", "juggler", "gridloom-matrix"]
SCRIPTS = [
    "scripts/plots/wavefront/fig3a.py", "scripts/plots/sparsity.py", "scripts/make_dag",
    "scripts/make_pgm", "scripts/rcm_scipy.py", "scripts/pets_workflows.py", "scripts/datasets",
    "scripts/profile", "scripts/reproduce.py", "scripts/tables/wavefront/schedulers.py",
]  # fmt: skip
GIVEN = [[f"--{LONG}"], [f"--{LONG}=1"], [LONG], ["--output", f"{LONG}/r.h5"], [f"--{SPACED}"]]


def require_short(done, arguments):
    told = (arguments[0][:20], done.stderr[:500])
    assert done.returncode == 2 and done.stderr.count("\n") == 1, told
    assert len(done.stderr) <= 310 and not done.stdout, told


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_cut_long_names(tmp_path, name):
    program = find_program(name)
    values = [["--workers", LONG], ["--backend", LONG], ["--workers", SPACED]]
    for arguments in [*GIVEN, *(values if name != "gridloom-matrix" else [["info", LONG]])]:
        require_short(run_program(program, *arguments, cwd=tmp_path), arguments)


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_cut_long_names(tmp_path, run_script, script):
    for arguments in GIVEN:
        require_short(run_script(script, *arguments, cwd=tmp_path), arguments)


def test_a_path_is_told_whole():
    path = "/" + "/".join(["folder"] * 30)
    assert cut(f"{path}: no such file") == f"{path}: no such file"
    assert cut(f"a {LONG}: b") == f"a {'x' * 80}... b"
