"""The tables of the READMEs are those of the stored results: nobody typed a number."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rcm_rows import row, write

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "tables"))
import mhive_rcm  # noqa: E402

REFERENCE = ROOT / "wavefront" / "reference"


@pytest.mark.parametrize("readme", ["wavefront/README.md", "README.md"])
@pytest.mark.parametrize(
    ("results", "prefix"), [("nvidia-h200.h5", "h200-"), ("host-2-cores.h5", "host-")]
)
def test_tables_agree_with_the_stored_results(readme, results, prefix):
    command = [sys.executable, ROOT / "scripts/tables/wavefront.py", REFERENCE / results]
    command += ["--prefix", prefix, "--check", ROOT / readme]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("readme", ["thesis_mhive/README.md", "README.md"])
@pytest.mark.parametrize("results", ["nvidia-h200.h5", "nvidia-h200-generic.h5"])
def test_mhive_tables_agree_with_the_stored_results(readme, results):
    command = [sys.executable, ROOT / "scripts/tables/mhive.py"]
    command += [ROOT / "thesis_mhive/reference" / results, "--prefix", "h200-"]
    command += ["--check", ROOT / readme]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("readme", ["thesis_mhive/README.md", "README.md"])
def test_rcm_tables_agree_with_the_stored_results(readme):
    results = ROOT / "thesis_mhive/reference/nvidia-h200-rcm.h5"
    if not results.is_file():
        pytest.skip("no stored results of mhive-rcm yet")
    index = Path(os.environ.get("GRIDLOOM_DATA_DIR") or "/none") / "ss_index.csv"
    if not index.is_file():
        pytest.skip("no ss_index.csv: GRIDLOOM_DATA_DIR does not name the folder of the test data")
    command = [sys.executable, ROOT / "scripts/tables/mhive_rcm.py", results, "--prefix", "h200-"]
    command += ["--collection", index, "--check", ROOT / readme]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_the_readme_has_a_place_for_every_rcm_table(tmp_path):
    texts = mhive_rcm.tables(write(tmp_path / "r.h5", [row()]))
    readme = (ROOT / "thesis_mhive/README.md").read_text(encoding="utf-8")
    for name in texts:
        assert f"<!-- table h200-{name} -->\n" in readme


# Files of scripts/profile: <artifact>/reference/<machine>-profiles.h5
PROFILES = sorted(ROOT.glob("*/reference/*-profiles.h5"))
NONE = [pytest.param(None, marks=pytest.mark.skip("no stored profiles yet"))]


@pytest.mark.parametrize("results", PROFILES or NONE, ids=lambda path: getattr(path, "name", ""))
def test_tables_of_profiles_agree_with_the_stored_results(results):
    """And there is one: an artifact does not store profiles that its README does not show."""
    prefix = results.name.removesuffix("profiles.h5").removeprefix("nvidia-")
    own = results.parents[1] / "README.md"
    assert f"<!-- table {prefix}profiles" in own.read_text(encoding="utf-8")
    for readme in (own, ROOT / "README.md"):
        command = [sys.executable, ROOT / "scripts/tables/profiles.py", results]
        command += ["--prefix", prefix, "--check", readme]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr


def test_reading_tables_agree_with_the_stored_results():
    command = [sys.executable, ROOT / "scripts/tables/datasets.py"]
    command += [ROOT / "datasets/reference/host-2-cores.h5", "--check", ROOT / "datasets/README.md"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_a_changed_number_is_found(tmp_path):
    readme = (ROOT / "wavefront/README.md").read_text(encoding="utf-8")
    start = readme.index("<!-- table h200-fig3 -->")
    row = readme.index("| `stripes`", start)
    digit = next(i for i in range(row, len(readme)) if readme[i].isdigit())
    changed = readme[:digit] + str((int(readme[digit]) + 1) % 10) + readme[digit + 1 :]
    copy = tmp_path / "README.md"
    copy.write_text(changed, encoding="utf-8")
    command = [sys.executable, ROOT / "scripts/tables/wavefront.py"]
    command += [REFERENCE / "nvidia-h200.h5", "--prefix", "h200-", "--check", copy]
    assert subprocess.run(command, capture_output=True).returncode == 1
