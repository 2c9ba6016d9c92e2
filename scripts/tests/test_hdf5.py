"""HDF5 files of scripts: what is written can be read, and damaged or foreign files give one
line."""

import os
import random
import re
import signal

import h5py
import numpy as np
import pytest

from gridloom import results_file
from gridloom.results import read_meta, read_table
from gridloom_datasets import hdf5
from gridloom_datasets.errors import InputError

COLUMNS = [
    results_file.Column("word", "text", "", "Größe"),
    results_file.Column("number", "whole numbers", "1", "a count"),
    results_file.Column("elapsed_ms", "reals", "ms", "a time"),
]
META = {"schema_version": results_file.SCHEMA, "program": "test", "cpu": "größer", "argv": ""}
WORDS = ["größer", "", "b" * 70_000, "odd \udcff"]


def write(path, append=False, meta=META):
    rows = [{"word": w, "number": i, "elapsed_ms": 0.5 * i} for i, w in enumerate(WORDS)]
    results_file.write(path, meta, {"runs": COLUMNS}, {"runs": rows}, append)


@pytest.fixture
def path(tmp_path):
    write(tmp_path / "r.h5")
    return tmp_path / "r.h5"


def test_what_is_written_comes_back_and_rows_are_added(path):
    write(path, True, META | {"argv": "x" * 100_000})
    runs = read_table(path, "runs")
    assert runs["word"].tolist() == 2 * ["größer", "", "b" * 70_000, "odd \\xff"]
    assert runs["process"].tolist() == [0] * 4 + [1] * 4
    assert (
        runs["elapsed_ms"].tolist() == 2 * [0, 0.5, 1, 1.5] and read_meta(path)["cpu"] == "größer"
    )
    with h5py.File(path) as file:
        assert len(file["meta/appended_1"].attrs["argv"]) == 100_000
        assert all(data.fletcher32 for data in file["runs"].values())
        assert h5py.check_string_dtype(file["runs/word"].dtype).length is not None
        assert file["runs/number"].attrs["description"] == b"a count"
    assert [found.name for found in path.parent.iterdir()] == ["r.h5"]


def test_an_append_keeps_what_it_does_not_know(path, run_script):
    with h5py.File(path, "r+") as file:
        file["more/x"] = [1, 2]
    with pytest.raises(InputError, match="has no checksum, so another program"):
        write(path, True)
    assert run_script("scripts/renew_checksum", path).returncode == 0
    write(path, True)
    assert hdf5.read_file(path, lambda file: file["more/x"][...].tolist()) == [1, 2]


def test_another_program_or_machine_is_not_added_to(path):
    for name in ("program", "cpu", "schema_version"):
        with pytest.raises(InputError, match=f'{name} is ".*" in the file, "x" here'):
            write(path, True, META | {name: "x"})


def test_the_checksum_is_that_of_the_programs():
    """The same bytes as in common/files/tests/foreign_file_test.cpp."""
    assert hdf5.with_checksum(b"aaa") == b"aaaGRIDLOOM-s\x07\xf0"
    assert hdf5.without_checksum(b"aaaGRIDLOOM-s\x07\xf0") == b"aaa"


def test_a_changed_byte_is_refused_with_the_way_out_that_takes_no_damaged_file(path, run_script):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    words = f"differ from its checksum; if you changed the file, run {hdf5.RENEW} {path}"
    with pytest.raises(InputError, match=re.escape(words)):
        read_table(path, "runs")
    done = run_script("scripts/renew_checksum", path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert path.read_bytes() == data


def test_a_child_tells_what_a_foreign_file_does_to_its_reader(tmp_path):
    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        file["a"] = np.arange(3)
    assert hdf5.read_file(path, sorted) == ["a"]
    for number, words in ((signal.SIGSEGV, "damaged HDF5"), (signal.SIGTERM, "ended by SIGTERM")):
        parent = os.getpid()

        def read(file, number=number, parent=parent):
            if os.getpid() != parent:
                os.kill(os.getpid(), number)

        with pytest.raises(InputError, match=words):
            hdf5.read_file(path, read)
    with pytest.raises(InputError, match="absent"):
        hdf5.read_file(path, lambda file: file["absent"])
    with h5py.File(path, "a") as file:
        file["b"] = h5py.ExternalLink("other.h5", "/a")
    with pytest.raises(InputError, match="/b: expected no link into another file"):
        hdf5.read_file(path, sorted)


def test_damaged_files_are_refused_or_read_as_written(path):
    """The reader of the programs: common/bench/tests/hdf5_mutants_test.cpp."""
    good, expected = path.read_bytes(), read_table(path, "runs")
    refused = 0
    for number in range(500):
        draw, data = random.Random(number), bytearray(good)
        for _ in range(draw.choice((1, 1, 8))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        cut = draw.choice(
            (len(data), len(data), len(data) - hdf5.TRAILER_BYTES, draw.randrange(99))
        )
        path.write_bytes(data[:cut])
        try:
            assert read_table(path, "runs").equals(expected), number
        except InputError as error:
            refused += 1
            assert str(error).startswith(str(path)) and "\n" not in str(error)
    assert refused > 300
