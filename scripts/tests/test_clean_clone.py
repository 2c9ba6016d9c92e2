"""scripts/reproduce works in a clean clone: the repository has everything that it needs.

Clones HEAD, so uncommitted files are not tested. Only scripts/reproduce runs here, with preset
host. .ci/run tests scripts/test in a clean clone. GRIDLOOM_NO_CLONE_TEST=1 skips the test."""

import hashlib
import os
import subprocess

import pytest

from conftest import ROOT
from gridloom.artifacts import read_all

pytestmark = pytest.mark.slow

# Variables of a git hook and settings of this run must not reach the clone.
FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GRIDLOOM_")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}


def git(*arguments):
    command = ["git", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, env=ENVIRONMENT)


def lend_environment(clone):
    """Links the checkout's .venv into the clone if scripts/bootstrap will accept it unchanged.

    bootstrap clears an environment that it does not accept, and through the link that would be
    ours."""
    stamp = ROOT / ".venv/.requirements.sha256"
    wanted = hashlib.sha256((clone / "requirements.txt").read_bytes()).hexdigest()
    python = ROOT / ".venv/bin/python"
    if not stamp.is_file() or stamp.read_text().split() != [wanted, "-"]:
        return
    if subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
        (clone / ".venv").symlink_to(ROOT / ".venv")
        with open(clone / ".git/info/exclude", "a") as exclude:
            exclude.write("/.venv\n")  # .gitignore means the folder


@pytest.fixture
def clone(tmp_path):
    if os.environ.get("GRIDLOOM_NO_CLONE_TEST"):
        pytest.skip("GRIDLOOM_NO_CLONE_TEST is set")
    if not (ROOT / ".git").exists() or git("-C", ROOT, "rev-parse", "HEAD").returncode != 0:
        pytest.skip(f"{ROOT} is no git checkout with a commit")
    folder = tmp_path / "clone"
    done = git("clone", "--quiet", "--no-hardlinks", ROOT, folder)
    assert done.returncode == 0, done.stderr
    lend_environment(folder)
    return folder


def test_reproduce_makes_everything_in_a_clean_clone(clone):
    done = subprocess.run(
        [clone / "scripts/reproduce", "--preset", "host"],
        capture_output=True, text=True, cwd=clone, timeout=1800, env=ENVIRONMENT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    artifacts = read_all(clone)
    figures = [figure.name for artifact in artifacts for figure in artifact.figures]
    assert len(figures) >= 5 and (clone / "results/wavefront-smoke.h5").is_file()
    for artifact in artifacts:
        for file in (file for run in artifact.runs for file in run.written):
            assert (clone / "results" / file).stat().st_size > 0
    for name in figures:
        png, svg = (clone / "figures" / f"{name}.{kind}" for kind in ("png", "svg"))
        assert png.read_bytes().startswith(b"\x89PNG") and "</svg>" in svg.read_text()
    page = (clone / "results/report.html").read_text()
    assert page.count(': here"') == len(figures) and 'class="failed"' not in page
    # Git ignores the outputs, so that results of a second run count as those of a clean commit.
    assert git("-C", clone, "status", "--porcelain").stdout == ""
