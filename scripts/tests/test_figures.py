"""Every declared figure is drawn from stored results and keeps the rules for all figures.

Input that cannot be drawn is refused in one line. The committed images are up to date.
"""

import shutil
import sys

import h5py
import matplotlib.colors
import matplotlib.text
import numpy as np
import pytest
from matplotlib.container import BarContainer

from conftest import ROOT
from gridloom import figure as figures
from gridloom.artifacts import read_all
from gridloom.measured import read_measured
from gridloom.plot_script import drawn_by
from gridloom.results import read_files, read_meta
from gridloom.sources import hash_of, sources_of
from gridloom.style import FAMILIES, FILLS, GREY
from gridloom.thesis_mhive.patterns import columns_of, read_patterns
from gridloom.thesis_mhive.rcm import short
from gridloom_datasets.hdf5_text import plain
from script_under_test import load
from test_sparsity import banded, write_csr

ARTIFACTS = read_all()
FIGURES = {figure.name: (artifact, figure) for artifact in ARTIFACTS for figure in artifact.figures}
MOST_CURVES = 8


def stored_files(artifact, figure):
    return [ROOT / artifact.name / file for file in figure.stored]


STORED = {
    name: own for name, own in FIGURES.items() if all(file.is_file() for file in stored_files(*own))
}


def images_of(artifact):
    return ROOT / artifact.name / "reference/figures"


def draw(figure, files, folder):
    """Draws in this process, like scripts/reproduce: (what was printed, the failure or None)."""
    return drawn_by(ROOT / figure.script, [*files, "--output-dir", folder])


@pytest.mark.parametrize("name", STORED)
def test_figure_is_drawn_and_refuses_what_it_cannot_read(name, tmp_path, monkeypatch):
    artifact, figure = FIGURES[name]
    drawn = []

    def watched(*arguments):
        check_rules(arguments[0], files)
        drawn.append(arguments[0])
        return save(*arguments)

    save = figures.save
    monkeypatch.setattr(figures, "save", watched)
    words, files = sys.argv, stored_files(artifact, figure)
    printed, failure = draw(figure, files, tmp_path / "out")
    assert failure is None and len(drawn) == 1, failure
    png, svg = (tmp_path / "out" / f"{figure.name}.{kind}" for kind in ("png", "svg"))
    assert str(png) in printed and png.read_bytes().startswith(b"\x89PNG")
    assert "</svg>" in svg.read_text() and svg.stat().st_size > 5_000
    assert sources_of(png) == sources_of(svg) == {file.name: hash_of(file) for file in files}
    assert sys.argv is words  # restored for the next script

    (tmp_path / "text.h5").write_text("not a results file")
    for file, words in (("none.h5", "no such file"), ("text.h5", "text.h5: ")):
        _, failure = draw(figure, [tmp_path / file], tmp_path / "other")
        assert failure.startswith(f"{figure.name}: ") and words in failure
        assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", sorted(FIGURES.keys() - STORED))
def test_a_figure_that_waits_for_its_file_has_a_command_that_writes_it(name):
    artifact, figure = FIGURES[name]
    commands = read_measured(ROOT / artifact.name)
    told = " ".join(f"{command.output} {command.text}" for command in commands).split()
    assert all(file.is_file() or file.name in told for file in stored_files(artifact, figure))
    assert not (images_of(artifact) / f"{name}.png").exists()


def check_inks(axes):
    inks = {matplotlib.colors.to_hex(family.ink) for family in FAMILIES.values()}
    for line in axes.get_lines():
        if line.get_marker() not in ("None", None, "", " ", 2, 3, "|", "_"):
            assert matplotlib.colors.to_hex(line.get_color()) in inks, axes.get_title()


def check_points_are_seen(axes):
    """The points of curves lie within the axes, also those drawn after the limits were set."""
    least, most = sorted(axes.get_ylim())
    for line in axes.get_lines():
        if line.get_marker() in ("None", None, "", " ") or line.get_transform() != axes.transData:
            continue
        drawn = np.asarray(line.get_ydata(), dtype=float)
        drawn = drawn[np.isfinite(drawn)]
        assert np.all((least <= drawn) & (drawn <= most)), f"{axes.get_title()}: {line.get_label()}"


def gpu_of(file):
    """The GPU of a stored file's runs, or None if some ran on the host."""
    meta = read_meta(file)
    if meta.get("backend") != "cuda":
        return None
    with h5py.File(file) as stored:
        on_host = "runs" in stored and b"host" in stored["runs/backend"][...]
    return None if on_host else str(meta["gpu"])


def check_rules(drawn, files):
    """Rules for all: few curves, no bars on logarithmic axes, colours of families, the GPU."""
    for axes in drawn.axes:
        assert len(axes.get_legend_handles_labels()[1]) <= MOST_CURVES, axes.get_title()
        if "log" in (axes.get_xscale(), axes.get_yscale()):
            bars = [made for made in axes.containers if isinstance(made, BarContainer)]
            assert not bars, axes.get_title()
        check_inks(axes)
        check_points_are_seen(axes)
    texts = [text.get_text() for text in drawn.findobj(matplotlib.text.Text)]
    for gpu in {gpu_of(file) for file in files} - {None}:
        assert any(gpu in text and "cuda" in text for text in texts), gpu


def test_families_and_fills_are_told_apart_without_colour():
    def lightness(colour):
        return np.dot(matplotlib.colors.to_rgb(colour), (0.299, 0.587, 0.114))

    inks = [family.ink for family in FAMILIES.values()]
    assert len({*inks, GREY, *FILLS}) == len(inks) + 1 + len(FILLS)
    steps = np.diff([lightness(fill) for fill in FILLS])
    assert np.abs(steps).min() > 0.15
    filled = [lightness(family.ink) for family in FAMILIES.values() if family.filled]
    assert np.ptp(filled) > 0.15


def test_a_script_runs_by_itself(tmp_path, run_script):
    file = ROOT / "wavefront/reference/gpu.h5"
    done = run_script("scripts/plots/wavefront/fig3a.py", file, "--output-dir", tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.count("wavefront_fig3a") == 2
    assert len(list(tmp_path.iterdir())) == 2


# --- committed images -------------------------------------------------------------------------


@pytest.mark.parametrize("name", STORED)
def test_the_committed_image_is_of_the_stored_files_as_they_are(name):
    artifact, figure = FIGURES[name]
    if not (ROOT / artifact.name / "reference").is_dir():
        pytest.skip(f"{artifact.name} has no stored results yet")
    files = stored_files(artifact, figure)
    assert files, f"{name}: artifact.toml does not say what its image is drawn from (stored)"
    expected = {file.name: hash_of(file) for file in files}
    png = images_of(artifact) / f"{name}.png"
    for image in (png, png.with_suffix(".svg")):
        if image == png or image.is_file():
            again = f"draw it again: scripts/plots/reference.py {artifact.name} --figure {name}"
            assert image.is_file(), f"{image} is not there; {again}"
            assert sources_of(image) == expected, f"{image} is older than its data; {again}"


def test_no_image_is_committed_that_is_no_figure():
    for image in ROOT.glob("*/reference/figures/*"):
        assert image.stem in FIGURES, image
        assert image.stat().st_size <= 250_000, image


def test_an_image_of_other_data_or_of_none_is_noticed(tmp_path):
    data = tmp_path / "data.h5"
    data.write_bytes(b"1")
    made = figures.save(figures.plt.figure(), "a", tmp_path, [data])
    assert [sources_of(image) for image in made] == [{"data.h5": hash_of(data)}] * 2
    data.write_bytes(b"2")
    assert all(sources_of(image) != {"data.h5": hash_of(data)} for image in made)
    figures.plt.figure().savefig(tmp_path / "bare.png")
    figures.plt.figure().savefig(tmp_path / "bare.svg")
    assert sources_of(tmp_path / "bare.png") == sources_of(tmp_path / "bare.svg") == {}


SCRIPT = """
import sys
from gridloom import figure
from gridloom.style import use_style
use_style()
def draw(paths):
    made = figure.plt.figure()
    made.text(0, 0, "x" * {length})
    return made
sys.exit(figure.main("mine_{name}", "Draws.", draw, read=list))
"""


def test_reference_images_are_drawn_as_declared(tmp_path, monkeypatch, capsys):
    reference = load("scripts/plots/reference.py")
    folder = tmp_path / "mine"
    (folder / "reference/figures").mkdir(parents=True)
    text = 'name = "mine"\ntitle = "T"\n[runs.r]\ncommands = ["p"]\noutput = "mine.h5"\n'
    for name, length in (("small", 1), ("large", 2_000)):
        text += f'[figures.mine_{name}]\nscript = "{name}.py"\n'
        text += f'stored = "reference/{name}.h5"\ndescription = "D"\n'
        (tmp_path / f"{name}.py").write_text(SCRIPT.format(name=name, length=length))
        (folder / f"reference/{name}.h5").write_text(name)
    (folder / "artifact.toml").write_text(text)
    (folder / "reference/figures/mine_old.png").write_text("old")
    names = reference.main.__globals__
    monkeypatch.setitem(names, "ROOT", tmp_path)
    monkeypatch.setitem(names, "read_all", lambda: read_all(tmp_path))
    monkeypatch.setitem(names, "MOST_SVG_BYTES", 10_000)

    assert reference.main(["mine"]) == 0
    images = sorted(image.name for image in (folder / "reference/figures").iterdir())
    assert images == ["mine_large.png", "mine_small.png", "mine_small.svg"]
    found = sources_of(folder / "reference/figures/mine_small.png")
    assert found == {"small.h5": hash_of(folder / "reference/small.h5")}
    assert reference.main(["other"]) == 2 and "no 'other'" in capsys.readouterr().err
    (folder / "reference/large.h5").unlink()
    assert reference.main(["mine", "--figure", "mine_large"]) == 1
    assert "mine_large: " in capsys.readouterr().err


# --- figure 8.1 -------------------------------------------------------------------------------


def test_patterns_of_matrices_are_kept_and_drawn_without_them(tmp_path, run_script):
    np.savetxt(tmp_path / "o.txt", np.arange(3000)[::-1], fmt="%d")
    files = [write_csr(tmp_path / "m.h5", banded(3000, 700)), tmp_path / "o.txt"]
    script, kept = "scripts/rcm_patterns.py", tmp_path / "patterns.h5"
    done = run_script(script, *files, "--names", "backwards", "--output", kept)
    assert done.returncode == 0, done.stderr
    [direct], [stored] = columns_of(files), read_patterns(kept)
    assert [panel.order for panel in stored] == ["", "backwards"]
    for one, other in zip(direct, stored, strict=True):
        assert np.array_equal(one.found.counts, other.found.counts)
        assert one.found.half_bandwidth == other.found.half_bandwidth == 700
    with h5py.File(kept) as file:
        assert plain(file["patterns/001"].attrs["order_sha256"]) == hash_of(files[1])
    for words in (files, [kept], files[:1]):  # a matrix may have no order
        _, failure = draw(FIGURES["mhive_fig8_1"][1], words, tmp_path / "out")
        assert failure is None
    done = run_script(script, *files, "--names", "a", "b", "--output", tmp_path / "none.h5")
    assert done.returncode == 2 and "expected 2 orders, got 1" in done.stderr
    assert not (tmp_path / "none.h5").exists()
    shutil.copy(files[1], tmp_path / "first.txt")
    _, failure = draw(FIGURES["mhive_fig8_1"][1], [tmp_path / "first.txt"], tmp_path / "out")
    assert "expected a matrix (HDF5 or .mtx) before the first order" in failure


def test_the_stored_patterns_have_the_bandwidths_that_were_measured():
    folder = ROOT / "thesis_mhive/reference"
    runs = read_files([folder / "nvidia-h200-rcm.h5"])
    names = np.array([short(matrix) for matrix in runs["matrix"]])
    for column in read_patterns(folder / "rcm-patterns.h5"):
        for panel in column[1:]:
            arm = "cusolver" if panel.order == "cuSOLVER" else "pdc"
            own = runs.mask((names == panel.matrix) & (runs["arm"] == arm))
            assert set(own["half_bandwidth"]) == {panel.found.half_bandwidth}, panel.matrix


# --- figure 8.2 -------------------------------------------------------------------------------


def test_shares_of_a_bar_are_of_the_run_without_a_trace():
    figure = load("scripts/plots/thesis_mhive/fig8_2.py")
    times = {"create_sort_data": 1.0, "sort_block": 1.5, "sort_global": 0.5}
    assert figure.shares_text(times, 10.0) == "20 % sorting, 10 % other tasks, 70 % no task"
    # If the traced run took longer than the others, no time is left for "no task".
    assert figure.shares_text(times, 2.0) == "100 % sorting, 50 % other tasks"
    assert figure.thesis_name("compress_sort_data") == "CompressSortData"
