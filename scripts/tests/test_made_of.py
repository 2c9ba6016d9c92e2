"""Tables and figures of sound results that lack what is needed: one line, no traceback."""

import functools
import re

import h5py
import pytest

from conftest import ROOT, row, write_results
from gridloom.pages import declarations
from gridloom.plot_script import drawn_by
from gridloom.results import PlotError, made_of, read_meta, read_runs
from gridloom_datasets.hdf5_text import plain, read_texts

PLOTS = [[path] for path in sorted((ROOT / "scripts/plots").glob("*/*.py"))]
MODULES = sorted({one.module for tables in declarations().values() for one in tables})
SCRIPTS = [*PLOTS, *([ROOT / "scripts/tables/module.py", name] for name in MODULES)]
FEW = 6  # rows of an arm


@functools.cache
def stored():
    """{program: its smallest stored results}, with the table runs where there are such."""
    found = {}
    for path in sorted(ROOT.glob("*/reference/*.h5"), key=lambda path: path.stat().st_size):
        with h5py.File(path) as file:
            program = plain(file["meta"].attrs.get("program", path.stem))
            if program not in found or ("runs" in file and not found[program][1]):
                found[program] = path, "runs" in file
    return {program: path for program, (path, _) in found.items()}


def first_rows(_columns):
    return slice(FEW)


def cut(source, target, keep=first_rows, without=None):
    """Copies some rows of /runs and the first rows of the other tables. Attributes of /meta that
    begin with `without` are left out."""
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        for name, group in old.items():
            new.create_group(name).attrs.update(
                {k: v for k, v in group.attrs.items() if not (without and k.startswith(without))}
            )
            columns = {k: v for k, v in group.items() if isinstance(v, h5py.Dataset) and v.shape}
            for column, data in columns.items():
                rows = keep(columns) if name == "runs" else slice(FEW)
                new[name].create_dataset(column, data=data[()][rows], dtype=data.dtype)
                new[name][column].attrs.update(data.attrs)
    return target


def one_of_each(name, *but):
    """The first row of every value of a column, but for some."""

    def keep(columns):
        values = read_texts(columns[name])
        return [list(values).index(value) for value in dict.fromkeys(values) if value not in but]

    return keep


def linked(path):
    """Makes a file with data in another file, which readers refuse."""
    with h5py.File(path, "r+") as file:
        file["other"] = h5py.ExternalLink("none.h5", "/x")
    return path


@pytest.fixture(scope="module")
def smaller(tmp_path_factory):
    """Smaller runs, and results of a peer."""
    folder = tmp_path_factory.mktemp("smaller")
    arms, but = one_of_each("algorithm"), one_of_each("version", "kernel_by_kernel")
    files = stored()
    return [
        cut(files["wavefront"], folder / "no-floors.h5", arms, without="floor_"),
        cut(files["mhive-jacobi"], folder / "no-kernels.h5", but),
        cut(files["pets_workflows"], folder / "workflows.h5", arms),
        cut(files["peer-parallel-batch-rcm"], folder / "peer.h5"),
        write_results(folder / "one.h5", [row(arm="tickets")]),
        linked(cut(files["wavefront"], folder / "linked.h5")),
    ]


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The first rows of each program's results, which are of one arm, or of few."""
    folder = tmp_path_factory.mktemp("first")
    files = [cut(path, folder / f"{name}.h5") for name, path in stored().items()]
    return [*files, cut(stored()["pets"], folder / "each.h5", one_of_each("algorithm"))]


@pytest.mark.parametrize("files", ["smaller", pytest.param("first", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "script", SCRIPTS, ids=lambda words: str(words[-1]).rpartition("plots/")[2]
)
def test_every_table_and_figure_says_what_a_file_lacks(script, files, request, tmp_path):
    folder = tmp_path / "out"
    script, *module = script
    more = [] if module else ["--output-dir", folder]
    for file in request.getfixturevalue(files):
        _, failure = drawn_by(script, [*module, file, *more])
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
    file = str(stored()["wavefront"])
    words = rf"^{file} \(results of wavefront\): /runs has no column 'moon'$"
    with pytest.raises(PlotError, match=words), made_of(file):
        read_runs(file)[["tasks", "moon"]]
    with pytest.raises(PlotError, match=r"\): /meta has no 'moon'$"), made_of(file):
        read_meta(file)["moon"]
    with pytest.raises(AssertionError), made_of("a.h5"):
        raise AssertionError
    with pytest.raises(PlotError, match="^a.h5: as it is$"), made_of("a.h5"):
        raise PlotError("a.h5: as it is")
