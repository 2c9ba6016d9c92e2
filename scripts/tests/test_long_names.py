"""Messages cut names of 60,000 bytes, so that they fit on a screen."""

import pytest

from gridloom_datasets.errors import cut
from program_under_test import find_program, run_program

LONG = "x" * 60_000
SPACED = "x y " * 15_000
# One of each parser: those of the programs, of figures, of tables and of the other scripts.
SCRIPTS = [
    "scripts/plots/wavefront/fig3a.py", "scripts/plots/thesis_mhive/fig8_1.py",
    "scripts/datasets", "scripts/tables/pages.py",
]  # fmt: skip
GIVEN = [[f"--{LONG}"], [f"--{LONG}=1"], [LONG], ["--output", f"{LONG}/r.h5"], [f"--{SPACED}"]]
VALUES = {
    "wavefront": [["--workers", LONG], ["--backend", LONG], ["--workers", SPACED]],
    "gridloom-matrix": [["info", LONG]],
    "gridloom-graph": [[LONG, "--output", "g.h5"]],
}


def require_short(done, arguments):
    told = (arguments[0][:20], done.stderr[:500])
    assert done.returncode == 2 and done.stderr.count("\n") == 1, told
    assert len(done.stderr) <= 310 and not done.stdout, told


@pytest.mark.parametrize("name", VALUES)
def test_programs_cut_long_names(tmp_path, name):
    for arguments in [*GIVEN, *VALUES[name]]:
        require_short(run_program(find_program(name), *arguments, cwd=tmp_path), arguments)


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_cut_long_names(tmp_path, run_script, script):
    for arguments in GIVEN:
        require_short(run_script(script, *arguments, cwd=tmp_path), arguments)


@pytest.mark.parametrize("letters", [251, 300])
def test_outputs_that_the_folder_cannot_name_are_told(tmp_path, run_script, letters):
    """A name of 251 letters is possible, but leaves no room for the temporary file and the lock."""
    (tmp_path / "dags/stg").mkdir(parents=True)
    (tmp_path / "dags/stg/a.stg").write_text("1\n0 0 0\n1 2 1 0\n2 0 1 1\n")
    (tmp_path / "m.h5").touch()
    before = sorted(tmp_path.rglob("*"))
    output = ["--output", "x" * letters]
    for script, *arguments in (
        ["scripts/rcm_scipy.py", "--matrix", "m.h5", *output],
        ["scripts/rcm_scipy.py", "--matrix", "m.h5", *output, "--append"],
        ["scripts/pets_workflows.py", "--data", ".", *output],
    ):
        done = run_script(script, *arguments, cwd=tmp_path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert f"--output: cannot write {'x' * 80}... " in done.stderr, done.stderr
        assert len(done.stderr) <= 310 and sorted(tmp_path.rglob("*")) == before
    done = run_script(
        "scripts/rcm_scipy.py", "--matrix", "x" * letters, "--output", "r.h5", cwd=tmp_path
    )
    assert done.returncode == 2 and f"{'x' * 80}... " in done.stderr, done.stderr
    words = ["scripts/tables/juggler/tsv.py", "m.h5", "execTime", "x" * 300]
    done = run_script(*words, cwd=tmp_path)
    assert done.returncode == 2 and f"{'x' * 80}... " in done.stderr, done.stderr


def test_a_path_is_told_whole():
    path = "/" + "/".join(["folder"] * 30)
    assert cut(f"{path}: no such file") == f"{path}: no such file"
    assert cut(f"a {LONG}: b") == f"a {'x' * 80}... b"
