"""Reads tables of results files as data frames, with the machine of each row.

A results file has /meta, which says where the numbers come from, and tables such as /runs: one
dataset per column, one row per configuration and repetition. Only rows with status "ok" are
numbers. A timeout is a word, never a zero."""

import contextlib
import traceback
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

from gridloom.columns import standard, standard_names
from gridloom.results_file import read_results
from gridloom_datasets.errors import InputError, shortened
from gridloom_datasets.hdf5_text import attributes_of, is_text, plain, read_texts


class PlotError(InputError):
    """There is nothing to show, for this reason. The command line prints it and exits with 2."""


@contextlib.contextmanager
def made_of(files):
    """Turns errors of making a table or figure from wrong files into a PlotError that names the
    files. The files may be sound but lack what is needed."""
    files = files if isinstance(files, list) else [files]
    try:
        yield
    except PlotError as problem:
        if any(str(file) in str(problem) for file in files):
            raise
        raise PlotError(f"{told_apart(files)}: {problem}") from problem
    except (InputError, OSError, AssertionError):
        raise
    except Exception as problem:
        if isinstance(problem, KeyError):
            lacks = f"no column, table or row {problem.args[0] if problem.args else ''!r}"
        else:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            place = f"{type(problem).__name__} in {Path(last.filename).name}:{last.lineno}"
            what = f"{place}: {' '.join(str(problem).split())}"
            lacks = f"no rows or values of the kind that this is made of ({what})"
        raise PlotError(f"{told_apart(files)}: {lacks}") from problem


def told_apart(files):
    """The files as text, each with the program that wrote it."""
    told = []
    for file in files:
        with contextlib.suppress(InputError, OSError):
            told.append(f"{file} (results of {read_meta(file)['program']})")
            continue
        told.append(str(file))
    return ", ".join(told)


class Runs(pd.DataFrame):
    """A data frame that knows its table's name. Its errors name the missing column."""

    _metadata = ["table"]  # noqa: RUF012 (pandas reads it from the class)
    table = "runs"

    @property
    def _constructor(self):
        return Runs

    def __getitem__(self, key):
        names = [key] if isinstance(key, str) else key if isinstance(key, list) else []
        if lost := [name for name in names if isinstance(name, str) and name not in self.columns]:
            raise PlotError(f"/{self.table} has no column '{lost[0]}'")
        return super().__getitem__(key)

    def mask(self, keep):
        """The rows for which `keep` is true, with new row numbers."""
        return self[np.asarray(keep)].reset_index(drop=True)

    def only(self, **conditions):
        """The rows in which every named column equals the given value."""
        keep = np.ones(len(self), dtype=bool)
        for name, value in conditions.items():
            keep &= np.asarray(self[name] == value)
        return self.mask(keep)

    def groups(self, names):
        """(values by name, rows) for each combination of the named columns, in the order of the
        file."""
        names = [name for name in names if name in self]
        for values, rows in self.groupby(names, sort=False, dropna=False) if names else ():
            key = dict(zip(names, map(plain, values), strict=True))
            yield key, rows.reset_index(drop=True)


def runs_of(columns, table="runs"):
    """Makes a data frame of arrays by name."""
    runs = Runs(columns)
    runs.table = table
    return runs


def read_column(dataset):
    """The values of a column: texts, or plain numbers whose entries the file really holds."""
    path = dataset.file.filename
    place = f"{path}: {shortened(dataset.name)}"
    if not isinstance(dataset, h5py.Dataset) or dataset.ndim != 1:
        raise PlotError(f"{place}: expected a column")
    text = is_text(dataset.dtype)
    if not text and dataset.dtype.kind not in "iufb":
        raise PlotError(f"{place}: expected whole numbers, reals or text")
    return read_texts(dataset, PlotError) if text else dataset[...]


def read_table(path, table, needed=(), writer="the program"):
    """Reads a table as a data frame. Raises a PlotError that tells the user what to do.

    If `needed` names columns, they must exist, and all others are left out."""
    path = Path(path)
    if not path.exists():
        raise PlotError(f"{path}: no such file")

    def read(file):
        group = file.get(table)
        if not isinstance(group, h5py.Group):
            why = "; not a results file" if table == "runs" else f"; {writer} writes it"
            raise PlotError(f"{path}: no group /{table}{why}")
        new = standard_names(group, table)
        there = {new.get(name, name): name for name in group}
        if lacking := [name for name in needed if name not in there]:
            raise PlotError(f"{path}: no /{table}/{lacking[0]}; {writer} writes it")
        names = [there[name] for name in needed] or list(group)
        if odd := [name for name in names if not str(name).isprintable() or name != str(name)]:
            told = f"expected other column names than '{shortened(odd[0])}'"
            raise PlotError(f"{path}: /{table}: {told}")
        return {name: read_column(group[name]) for name in names}

    columns = read_results(path, read, PlotError)
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1 or 0 in lengths:
        raise PlotError(f"{path}: /{table} has no rows or columns of unequal length")
    return runs_of(standard(columns, table), table)


def find_table(path, table, needed=(), writer="the program"):
    """Like read_table, but returns None if the file has no such table."""
    if Path(path).exists() and not read_results(path, lambda file: table in file, PlotError):
        return None
    return read_table(path, table, needed, writer)


def read_runs(path, table="runs"):
    """Reads /runs, or another table, of one file. Adds the column `machine`.

    If the program measured them, also adds the number of multiprocessors and the read bandwidth."""
    runs = read_table(path, table)
    meta = read_meta(path)
    host, gpu = machine_names(meta, path)
    if "backend" in runs:
        runs["machine"] = np.where(runs["backend"] == "cuda", gpu, host).astype(object)
    else:
        runs["machine"] = host
    if (count := str(meta.get("multiprocessors", ""))).isdecimal():
        runs["multiprocessors"] = int(count)
    if "floor_read_gbs" in meta:
        runs["floor_read_gbs"] = float(meta["floor_read_gbs"])
    return runs


def machine_names(meta, path):
    """(the host, the GPU or else the host), as named in the file's /meta."""
    names = {name: str(meta.get(name, "")) for name in ("gpu", "cpu", "host")}
    named = {name: text for name, text in names.items() if text not in ("", "none", "unknown")}
    host = named.get("cpu") or named.get("host") or Path(path).stem
    return host, named.get("gpu", host)


def machine_of(path):
    """The machine of a traced run, such as "NVIDIA H200, cuda"."""
    meta = read_meta(path)
    backend = str(meta.get("backend", "host"))
    return f"{machine_names(meta, path)[backend == 'cuda']}, {backend}"


def read_files(paths):
    """The rows of all files, one file after the other, with the columns that all files have."""
    return joined([read_runs(path) for path in paths])


def joined(parts):
    frame = pd.concat(parts, join="inner", ignore_index=True)
    return runs_of(frame, parts[0].table)


class Meta(dict):
    """The attributes of /meta. Its errors name the missing attribute."""

    def __missing__(self, name):
        raise PlotError(f"/meta has no '{name}'")


def read_meta(path):
    """The attributes of /meta as plain values."""

    def read(file):
        return attributes_of(file["meta"]) if "meta" in file else {}

    return Meta(read_results(path, read, PlotError))
