"""Results files with the programs' layout, for scripts that measure.

The layout is that of gridloom/bench/results.hpp: /meta says where the numbers come from, and each
table is a group of one dataset per column. The table `runs` ends with the column `process`. Files
are written completely or not at all. Needs only h5py."""

import contextlib
import os
import platform
import shlex
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import h5py
import numpy as np

from gridloom.paths import ROOT
from gridloom_datasets import files, hdf5
from gridloom_datasets.errors import InputError, one_line, reason, shortened
from gridloom_datasets.hdf5_text import attributes_of, is_text, plain, read_texts, set_attributes

SCHEMA = "2"  # version of the layout; only a file of this version is appended to
DTYPES = {"reals": "<f8", "whole numbers": "<i8"}
KINDS = {"i": "whole numbers", "u": "whole numbers", "f": "reals"}


class Column(NamedTuple):
    name: str
    kind: str  # "text" or a key of DTYPES
    unit: str  # "ms", "bytes", "1" for counts; empty for text
    description: str


APPENDED = "0 for the first process of the file, k for the k-th appended one"
PROCESS = Column("process", "whole numbers", "1", APPENDED)


# --- reading ---------------------------------------------------------------------------------


def read_results(path, read, error=InputError):
    """Returns `read(file)` for a results file. See hdf5.read_file."""

    def checked(file):
        if not isinstance(file.get("meta"), h5py.Group):
            raise error(f"{path}: expected a Gridloom results file with a group /meta")
        return read(file)

    return hdf5.read_file(path, checked, error)


# --- where the numbers come from -------------------------------------------------------------


def cpu_name():
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown"


def answer(*command):
    """The output of a command, or None if it is missing, fails or hangs."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def collect_meta(program, script, arguments):
    """Attributes of /meta. `program` has the layout of the file, and `script` wrote it."""
    git = ("git", "-C", str(ROOT))
    dirty = answer(*git, "status", "--porcelain", "--untracked-files=no")
    return {
        "schema_version": SCHEMA,
        "program": program,
        "script": script,
        "argv": shlex.join([script, *map(one_line, arguments)]),
        "commit": answer(*git, "rev-parse", "HEAD") or "unknown",
        "dirty": "unknown" if dirty is None else str(int(bool(dirty))),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "host": platform.node() or "unknown",
        "cpu": cpu_name(),
        "logical_cores": str(os.cpu_count() or "unknown"),
        "python": platform.python_version(),
    }


# --- checks ----------------------------------------------------------------------------------


def require_appendable(file, path, meta, tables, machine):
    """Checks an open results file and returns the number of the next process."""

    def refuse(what):
        raise InputError(f"{path}: {what}; cannot append, use another file")

    # Numbers of two machines in one file would look comparable.
    for name in ("schema_version", "program", machine):
        there = str(plain(file["meta"].attrs.get(name, "")))
        if there != meta[name]:
            refuse(f'{name} is "{shortened(there)}" in the file, "{meta[name]}" here')
    for name, columns in tables.items():
        if name in file:
            check_table(file[name], name, columns_of(name, columns), refuse)
    process = 1
    while f"appended_{process}" in file["meta"]:
        process += 1
    return process


def columns_of(name, columns):
    return [*columns, PROCESS] if name == "runs" else list(columns)


def check_table(group, name, columns, refuse):
    names = {column.name for column in columns}
    if not isinstance(group, h5py.Group) or set(group) != names:
        other = sorted(set(group) ^ names)[0] if isinstance(group, h5py.Group) else name
        refuse(f'/{name} has other columns than this script, see "{shortened(other)}"')
    for column in columns:
        data = group[column.name]
        if not isinstance(data, h5py.Dataset):
            refuse(f'column "{column.name}" is no dataset')
        kind = "text" if is_text(data.dtype) else KINDS.get(data.dtype.kind, "something else")
        if kind != column.kind:
            refuse(f'column "{column.name}" is {kind} in the file, {column.kind} here')
        unit = plain(data.attrs.get("unit", ""))
        if unit != column.unit:
            there = f'is in "{shortened(unit)}" in the file'
            refuse(f'column "{column.name}" {there}, in "{column.unit}" here')
    if len({group[column.name].shape for column in columns}) != 1:
        refuse(f"/{name} has columns of unequal length")


def require_output(path, append, meta, tables, machine="cpu", inputs=(), others=()):
    """Before measuring, checks everything that could prevent writing the file.

    `tables` has columns by name of the table. `machine` is the attribute that identifies the
    machine. `inputs` are files to read, and `others` further outputs as (option, path or None)."""
    try:
        lock = [("the lock file of --output", files.lock_name_of(path))] if append else []
        files.require_different_files([*lock, ("--output", path), *others], inputs)
        if append:
            files.require_lock_name(path)
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
            raise InputError(f"--output: expected a folder that takes files, got {path.parent}")
        if there := path.exists():
            files.require_regular(path)
        files.probe_beside(path)
    except OSError as error:  # also raised if a name is too long
        raise InputError(f"--output: cannot write {path}: {reason(error)}") from None
    if append and there:
        hdf5.require_checksum(path)
        read_results(path, lambda file: require_appendable(file, path, meta, tables, machine))


# --- writing ---------------------------------------------------------------------------------


def add_table(file, name, columns, rows, old=None):
    """Adds a table with these rows (dicts), after the rows of the group `old`."""
    group = file.create_group(name)
    set_attributes(group, {"columns": "\n".join(column.name for column in columns)})
    for column in columns:
        values = [row[column.name] for row in rows]
        before = [] if old is None else old[column.name]
        about = {"unit": column.unit, "description": column.description}
        if old is not None:
            about = attributes_of(before)
        if column.kind == "text":
            values = np.array([*(read_texts(before) if len(before) else []), *values], dtype=object)
        else:
            values = np.concatenate(
                [np.asarray(part, dtype=DTYPES[column.kind]) for part in (before, values)]
            )
        hdf5.add(group, column.name, values, **about)


def write(path, meta, tables, rows, append, machine="cpu"):
    """Writes the rows (dicts by name of the table) to a new file, or with `append` adds them to a
    file."""

    def fill(file, old):
        process = 0
        if old:
            process = require_appendable(old, path, meta, tables, machine)
            for name in old:
                if name not in tables:
                    old.copy(old[name], file, name=name)
        group = file.require_group("meta")
        set_attributes(group.create_group(f"appended_{process}") if old else group, meta)
        for name, columns in tables.items():
            own = [row | {"process": process} for row in rows[name]]
            add_table(file, name, columns_of(name, columns), own, old.get(name))

    with files.locked(path) if append else contextlib.nullcontext():
        if append and path.exists():
            hdf5.require_checksum(path)
            image = read_results(path, lambda old: hdf5.image_of(lambda file: fill(file, old)))
            files.write_bytes(path, image)
        else:
            hdf5.write(path, lambda file: fill(file, {}))
