"""The tables of the READMEs are those of the stored results: nobody typed a number."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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
