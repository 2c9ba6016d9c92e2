"""Tables and figures of sound results that lack what they are made of: one line, no traceback."""

import functools
import re

import h5py
import pytest

from conftest import ROOT, row, write_results
from gridloom.plot_script import drawn_by
from gridloom.results import PlotError, made_of, read_meta, read_runs

SCRIPTS = sorted(
    path
    for kind in ("plots", "tables")
    for path in (ROOT / "scripts" / kind).glob("*/*.py")
    if path.name != "tsv.py"  # its arguments are others
)
FEW = 6  # rows of an arm


@functools.cache
def stored(artifact):
    """The smallest results of an artifact that have the table runs."""
    files = sorted(
        (ROOT / artifact / "reference").glob("*.h5"), key=lambda path: path.stat().st_size
    )
    for path in files:
        with h5py.File(path) as file:
            if "runs" in file and not path.stem.endswith(("profiles", "ncu")):
                return path
    return None


def cut(source, target):
    """The first rows of each table, which are of one arm, or of few."""
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        for name, group in old.items():
            new.create_group(name).attrs.update(group.attrs)
            for column, data in group.items():
                if isinstance(data, h5py.Dataset) and data.shape:
                    new[name].create_dataset(column, data=data[:FEW], dtype=data.dtype)
                    new[name][column].attrs.update(data.attrs)
    return target


ARTIFACTS = [name for name in ("datasets", "pets", "thesis_mhive", "tiled_qr", "wavefront")
             if stored(name)]  # fmt: skip


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    files = [cut(stored(name), folder / f"{name}.h5") for name in ARTIFACTS]
    return [*files, write_results(folder / "one.h5", [row(arm="tickets")])]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_table_and_figure_says_what_a_file_lacks(script, small, tmp_path):
    folder = tmp_path / "out"
    more = ["--output-dir", folder] if script.parts[-3] == "plots" else []
    for file in small:
        _, failure = drawn_by(script, [file, *more])
        # The last line of a traceback begins with a capital: KeyError.
        assert failure is None or re.match("[a-z0-9_]+: ", failure), (file.name, failure)
        if failure:
            assert not folder.exists() or list(folder.iterdir()), file.name


def test_what_is_not_there_is_told():
    with pytest.raises(PlotError, match="^a.h5: no column, table or row 'x'$"), made_of(["a.h5"]):
        {}["x"]
    words = r"^a.h5, b.h5: no rows .* \(IndexError in test_made.*: list index out of range\)$"
    with pytest.raises(PlotError, match=words), made_of(["a.h5", "b.h5"]):
        [][0]
    file = str(stored("wavefront"))
    words = rf"^{file} \(results of wavefront\): /runs has no column 'moon'$"
    with pytest.raises(PlotError, match=words), made_of(file):
        read_runs(file)[["tasks", "moon"]]
    with pytest.raises(PlotError, match=r"\): /meta has no 'moon'$"), made_of(file):
        read_meta(file)["moon"]
    with pytest.raises(AssertionError), made_of("a.h5"):
        raise AssertionError
    with pytest.raises(PlotError, match="^a.h5: as it is$"), made_of("a.h5"):
        raise PlotError("a.h5: as it is")
