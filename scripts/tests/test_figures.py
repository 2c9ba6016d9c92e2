"""Every declared figure is drawn from stored results, and says in one line when it cannot be."""

import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT
from gridloom.artifacts import read_all
from reproduce import drawn_by
from test_sparsity import banded, write_csr

FIGURES = {figure.name: figure for artifact in read_all() for figure in artifact.figures}
MHIVE, PETS = "thesis_mhive/reference/nvidia-h200", "pets/reference"
# What a figure is drawn from here; those that are not named, from its artifact's nvidia-h200.h5.
STORED = {
    "mhive_fig7_1": f"{MHIVE}-fig7.1-trace.h5",
    "mhive_fig7_2": f"{MHIVE}-fig7.2-trace.h5",
    "mhive_fig8_2": f"{MHIVE}-rcm.h5",
    "mhive_fig8_3": f"{MHIVE}-rcm.h5",
    "mhive_jacobi_speedup": f"{MHIVE}-jacobi.h5",
    "mhive_jacobi_floor": f"{MHIVE}-jacobi.h5",
    "pets_gantt": f"{PETS}/example.h5",
    "pets_quality": f"{PETS}/random.h5",
    "pets_batch": f"{PETS}/nvidia-h200-batch.h5",
}


def draw(figure, files, folder):
    """(what was printed, what went wrong or None), in this process as scripts/reproduce does it."""
    return drawn_by(ROOT / figure.script, [*files, "--output-dir", folder])


def stored_files(figure, folder):
    if figure.name == "mhive_fig8_1":
        np.savetxt(folder / "order.txt", np.arange(3000)[::-1], fmt="%d")
        return [write_csr(folder / "m.h5", banded(3000, 700)), folder / "order.txt"]
    artifact = Path(figure.script).parent.name
    return [ROOT / STORED.get(figure.name, f"{artifact}/reference/nvidia-h200.h5")]


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_figure_is_drawn_and_refuses_what_it_cannot_read(figure, tmp_path):
    words = sys.argv
    printed, failure = draw(figure, stored_files(figure, tmp_path), tmp_path / "out")
    assert failure is None, failure
    png, svg = (tmp_path / "out" / f"{figure.name}.{kind}" for kind in ("png", "svg"))
    assert str(png) in printed and png.read_bytes().startswith(b"\x89PNG")
    assert "</svg>" in svg.read_text() and svg.stat().st_size > 5_000
    assert sys.argv is words  # as the next script finds it

    (tmp_path / "text.h5").write_text("not a results file")
    for name, words in (("none.h5", "no such file"), ("text.h5", "text.h5: ")):
        _, failure = draw(figure, [tmp_path / name], tmp_path / "other")
        assert failure.startswith(f"{figure.name}: ") and words in failure
        assert not (tmp_path / "other").exists()


def test_a_script_runs_by_itself(tmp_path, run_script):
    file = ROOT / "wavefront/reference/nvidia-h200.h5"
    done = run_script("scripts/plots/wavefront/fig3a.py", file, "--output-dir", tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.count("wavefront_fig3a") == 2
    assert len(list(tmp_path.iterdir())) == 2
