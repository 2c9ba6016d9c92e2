"""The checksum over all that a results file says: what it is, what it notices, and that programs
and scripts have the same. Its constant is that of common/bench/tests/results_content_test.cpp,
which writes the same file."""

import math

import h5py
import numpy as np
import pytest

from gridloom import content, results_file
from gridloom.results import PlotError, find_table, read_meta, read_runs, read_table
from gridloom.stored_files import processes_of
from gridloom_datasets import hdf5
from gridloom_datasets.errors import InputError
from gridloom_datasets.hdf5_copy import contents_of
from program_under_test import find_program, run_program
from results_changes import make_older_file

TWO_PROCESSES = 1_924_379_436
COLUMNS = [
    results_file.Column("word", "text", "", "Größe"),
    results_file.Column("number", "whole numbers", "1", ""),
    results_file.Column("elapsed_ms", "reals", "ms", "a time"),
]
META = {"schema_version": content.SCHEMA, "program": "test", "cpu": "größer", "gpu": ""}
ROWS = [("a", 0, 0.5), ("größer", -1, -0.0), ("", 2**63 - 1, math.inf)]


def write(path, append=False):
    names = [column.name for column in COLUMNS]
    rows = [dict(zip(names, row, strict=True)) for row in ROWS]
    results_file.write(path, META, {"runs": COLUMNS}, {"runs": rows}, append)


@pytest.fixture
def path(tmp_path):
    write(tmp_path / "r.h5")
    return tmp_path / "r.h5"


def stated_in(path):
    with h5py.File(path) as file:
        return file["meta"].attrs["content_crc32"]


READERS = [
    lambda path: read_table(path, "runs"),
    lambda path: find_table(path, "runs"),
    read_runs,
    read_meta,
    processes_of,
]


def require_refused(path, words=": "):
    """By everyone who reads, and who appends leaves the file as it is."""
    before = path.read_bytes()
    for read in READERS:
        with pytest.raises(PlotError, match=words) as told:
            read(path)
        assert str(told.value).startswith(f"{path}: ") and "\n" not in str(told.value)
    with pytest.raises(InputError, match=words if words == ": " else "damaged|/meta"):
        write(path, append=True)
    assert path.read_bytes() == before


# --- what it is ------------------------------------------------------------------------------


def test_the_checksum_of_a_small_file_is_known(path):
    write(path, append=True)
    assert stated_in(path) == TWO_PROCESSES and stated_in(path).dtype == np.uint32
    assert list(read_table(path, "runs")["number"]) == [0, -1, 2**63 - 1] * 2


def test_how_values_are_stored_does_not_matter(path):
    with h5py.File(path, "r+") as file:
        runs = file["runs"]
        for name, dtype in (("word", h5py.string_dtype()), ("number", ">i8")):
            values, attributes = runs[name][...], dict(runs[name].attrs)
            del runs[name]
            runs.create_dataset(name, data=values, dtype=dtype).attrs.update(attributes)
        runs["word"].attrs["description"] = "Größe"  # of variable length
        runs["word"].attrs["unit"] = ""
    assert list(read_table(path, "runs")["word"]) == [word for word, _, _ in ROWS]


def test_every_part_of_the_contents_counts():
    def crc32(change=None):
        name = "/nonexistent/content"
        with h5py.File(name, "w", driver="core", backing_store=False) as file:
            file.create_group("meta").attrs.update(program="p", content_crc32=np.uint32(1))
            file["t/a"] = np.arange(6, dtype="<i8").reshape(2, 3)
            file["t/b"] = np.array([b"ab", b"c"])
            if change is not None:
                change(file)
            return content.crc32_of(contents_of(file, name))

    changes = [
        lambda f: f["t/b"].write_direct(np.array([b"a", b"bc"])),
        lambda f: f["t/a"].write_direct(np.zeros((2, 3), dtype="<i8")),
        lambda f: f["t"].attrs.update(content_crc32=np.uint32(1)),
        lambda f: f["t"].move("a", "c"),
        lambda f: f.move("t", "u"),
        lambda f: f["meta"].attrs.update(program=1),
        lambda f: f.create_group("more"),
    ]
    for kind in ("<u8", "<f8", "<i4"):
        changes.append(lambda f, kind=kind: replace(f, np.arange(6, dtype=kind).reshape(2, 3)))
    changes.append(lambda f: replace(f, np.arange(6, dtype="<i8").reshape(3, 2)))
    found = [crc32(), *map(crc32, changes)]
    assert len(set(found)) == len(found)
    assert crc32(lambda f: f["meta"].attrs.update(content_crc32=np.uint32(2))) == found[0]


def replace(file, values):
    del file["t/a"]
    file["t/a"] = values


# --- what it notices -------------------------------------------------------------------------


def patch(path, old, new):
    data = path.read_bytes()
    assert old in data
    at = data.index(old)
    path.write_bytes(data[:at] + new + data[at + len(old) :])


def swap(path, one, other):
    """Everywhere in the file."""
    data, none = path.read_bytes(), b"\xa5\x5a" * (len(one) // 2)
    assert len(one) == len(other) and one in data and other in data and none not in data
    path.write_bytes(data.replace(one, none).replace(other, one).replace(none, other))


def record_of_chunk(path, name):
    """What the B-tree of a column keeps of its only chunk: size, mask, offsets, address."""
    with h5py.File(path) as file:
        chunk = file[name].id.get_chunk_info(0)
    data, address = path.read_bytes(), chunk.byte_offset.to_bytes(8, "little")
    at = data.index(address)
    assert int.from_bytes(data[at - 24 : at - 20], "little") == chunk.size
    return data[at - 24 : at + 8]


def swap_chunks(path):
    swap(path, record_of_chunk(path, "runs/number"), record_of_chunk(path, "runs/process"))


def swap_objects(path, *names):
    with h5py.File(path) as file:
        addresses = [h5py.h5o.get_info(file[name].id).addr for name in names]
    swap(path, *(address.to_bytes(8, "little") for address in addresses))


# Types: class and version, bits (the lowest is the byte order, the fourth the sign), bytes.
WHOLE, REAL = b"\x10\x08\0\0\x08\0\0\0", b"\x11\x20\x3f\0\x08\0\0\0"
DAMAGE = {
    "order of whole numbers": lambda p: patch(p, WHOLE, WHOLE.replace(b"\x08", b"\x09", 1)),
    "order of reals": lambda p: patch(p, REAL, REAL.replace(b"\x20", b"\x21")),
    "sign of whole numbers": lambda p: patch(p, WHOLE, WHOLE.replace(b"\x08", b"\0", 1)),
    "chunks of two columns": swap_chunks,
    "two columns": lambda p: swap_objects(p, "runs/number", "runs/process"),
    "columns of two kinds": lambda p: swap_objects(p, "runs/number", "runs/elapsed_ms"),
    "two groups": lambda p: swap_objects(p, "runs", "meta"),
    "name of a table": lambda p: patch(p, b"runs\0", b"rums\0"),
    "name of /meta": lambda p: patch(p, b"meta\0", b"mete\0"),
    "name of a column": lambda p: patch(p, b"number\0", b"numbeq\0"),
    "name of the checksum": lambda p: patch(p, b"content_crc32\0", b"content_crc33\0"),
    "name of the schema": lambda p: patch(p, b"schema_version\0", b"schema_versiom\0"),
    "name of an attribute": lambda p: patch(p, b"cpu\0", b"cpv\0"),
    "a text of an attribute": lambda p: patch(p, "größer".encode(), "großer".encode()),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_that_can_be_read_is_refused(path, damage):
    damage(path)
    require_refused(path)


OF_PROGRAMS = {
    "two columns": lambda p: swap_objects(p, "runs/rows", "runs/entries"),
} | {
    name: DAMAGE[name]
    for name in ("order of whole numbers", "order of reals", "name of a table", "name of /meta",
                 "two groups", "name of the checksum", "name of the schema")
}  # fmt: skip


@pytest.mark.parametrize("damage", OF_PROGRAMS.values(), ids=OF_PROGRAMS)
def test_results_of_a_program_are_refused_by_it_and_by_scripts(tmp_path, damage):
    path, program = tmp_path / "r.h5", find_program("mhive-rcm")
    arguments = ["--generate", "path:n=9", "--arm", "serial", "--backend", "host", "--repeat", 1]
    arguments += ["--warmup", 0, "--no-floors", "--quiet", "--output", path, "--append"]
    for rows in (1, 2):
        assert run_program(program, *arguments, cwd=tmp_path).returncode == 0
        assert len(read_runs(path)) == rows and stated_in(path) > 0
    damage(path)
    before = path.read_bytes()
    done = run_program(program, *arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "r.h5" in done.stderr
    assert path.read_bytes() == before
    for read in READERS:
        with pytest.raises(PlotError):
            read(path)


def test_a_file_without_its_checksum_is_damaged(path):
    with h5py.File(path, "r+") as file:
        del file["meta"].attrs["content_crc32"]
    require_refused(path, "damaged, lacks the checksum of its contents")


def test_a_file_without_meta_is_no_results_file(path):
    with h5py.File(path, "r+") as file:
        del file["meta"]
    require_refused(path, "expected a Gridloom results file with a group /meta")


def test_a_file_of_schema_1_is_read_without_and_gets_one_by_an_append(path):
    make_older_file(path)
    assert len(read_table(path, "runs")) == 3 and "content_crc32" not in read_meta(path)
    write(path, append=True)
    assert read_meta(path)["schema_version"] == "2" and stated_in(path) == TWO_PROCESSES


def test_contents_are_checked_again_when_they_changed(path):
    assert len(read_table(path, "runs")) == 3
    patch(path, b"cpu\0", b"cpv\0")
    with pytest.raises(PlotError, match="holds other contents than were written"):
        read_table(path, "runs")


def test_other_files_are_sealed_and_checked_as_well(tmp_path):
    """Those that scripts write without results_file.write."""

    def fill(file):
        file.create_group("meta").attrs.update(META)
        file["table/x"] = np.arange(4, dtype=np.uint32).reshape(2, 2)
        file["table"].attrs["share"] = 0.25

    path = tmp_path / "p.h5"
    content.write_results(path, fill)
    assert content.read_results(path, lambda file: file["table/x"][1, 1]) == 3
    hdf5.extend(path, lambda file: file["table"].attrs.update(share=0.5))  # without a new seal
    with pytest.raises(InputError, match="holds other contents than were written"):
        content.read_results(path, lambda file: 0)
