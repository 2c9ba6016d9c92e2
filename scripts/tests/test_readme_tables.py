"""The tables of the READMEs are those of the stored results: nobody typed a number."""

import os
from pathlib import Path

import pytest

from conftest import ROOT

# script: [(stored results, prefix of the names of its tables, further arguments)]
TABLES = {
    "wavefront/schedulers": [
        ("wavefront/reference/nvidia-h200.h5", "h200-"),
        ("wavefront/reference/host-2-cores.h5", "host-"),
    ],
    "thesis_mhive/framework": [
        ("thesis_mhive/reference/nvidia-h200.h5", "h200-"),
        ("thesis_mhive/reference/nvidia-h200-generic.h5", "h200-"),
    ],
    "thesis_mhive/rcm": [("thesis_mhive/reference/nvidia-h200-rcm.h5", "h200-")],
    "thesis_mhive/jacobi": [
        ("thesis_mhive/reference/nvidia-h200-jacobi.h5", "h200-jacobi-"),
        ("thesis_mhive/reference/nvidia-h200-jacobi-every.h5", "h200-jacobi-every-"),
    ],
    "datasets/reading": [("datasets/reference/host-2-cores.h5", "")],
    "profiles": [
        (str(path.relative_to(ROOT)), path.name.removesuffix("profiles.h5").removeprefix("nvidia-"))
        for path in sorted(ROOT.glob("*/reference/*-profiles.h5"))
    ],
}
CASES = [(script, *case) for script, cases in TABLES.items() for case in cases]


@pytest.fixture
def tables(run_script):
    """Runs a script of tables on stored results; its exit code and output."""

    def run(script, results, prefix, *arguments):
        if script == "thesis_mhive/rcm":
            index = Path(os.environ.get("GRIDLOOM_DATA_DIR") or "/none") / "ss_index.csv"
            if not index.is_file():
                pytest.skip("no ss_index.csv: GRIDLOOM_DATA_DIR does not name the test data")
            arguments = ("--collection", index, *arguments)
        own = ("--prefix", prefix) if prefix else ()
        return run_script(f"scripts/tables/{script}.py", ROOT / results, *own, *arguments)

    return run


@pytest.mark.parametrize(("script", "results", "prefix"), CASES, ids=lambda text: text)
def test_tables_agree_with_the_stored_results(tables, tmp_path, script, results, prefix):
    """In the README of the artifact, which shows at least one, and in that of the repository."""
    readmes = [ROOT / results.split("/")[0] / "README.md", ROOT / "README.md"]
    together = tmp_path / "README.md"
    together.write_text("".join(path.read_text(encoding="utf-8") for path in readmes))
    done = tables(script, results, prefix, "--check", together)
    assert done.returncode == 0, done.stderr
    done = tables(script, results, prefix)
    names = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("<!-- table")]
    assert any(f" {name} -->" in together.read_text() for name in names), names


def test_a_changed_number_is_found_and_written(tables, tmp_path):
    case = CASES[0]
    copy = tmp_path / "README.md"
    right = (ROOT / "wavefront/README.md").read_text(encoding="utf-8")
    start = right.index("| `stripes`", right.index("<!-- table h200-fig3 -->"))
    digit = next(i for i in range(start, len(right)) if right[i].isdigit())
    copy.write_text(right[:digit] + str((int(right[digit]) + 1) % 10) + right[digit + 1 :])
    assert tables(*case, "--check", copy).returncode == 1
    assert tables(*case, "--write", copy).returncode == 0
    assert copy.read_text(encoding="utf-8") == right


@pytest.mark.parametrize("script", TABLES)
def test_a_file_that_cannot_be_read_is_told_in_one_line(run_script, tmp_path, script):
    done = run_script(f"scripts/tables/{script}.py", tmp_path / "none.h5")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "none.h5: no such file" in done.stderr
