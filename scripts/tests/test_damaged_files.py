"""Damaged HDF5 files, seen from outside: exit code 2 and one line, never a signal.

The readers of the programs have thousands of mutants in hdf5_mutants_test; here are fewer, through
the whole programs and scripts, and the long run of that test.
"""

import os
import random
import subprocess

import h5py
import pytest

from conftest import ROOT, sample_rows, write_results
from gridloom import results_file
from gridloom.content import NAME, SCHEMA
from gridloom.results import PlotError, read_meta, read_table
from gridloom.sparsity import Pattern
from gridloom_datasets import hdf5, hdf5_copy
from gridloom_datasets.errors import InputError
from program_under_test import find_program, run_program

QUICK, LONG = 25, 10_000
WORDS = [0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**63 - 1, 2**64 - 1]


def mutant(data, number):
    """The file with one to eight bytes changed, a word made extreme, a piece copied, or cut."""
    source, data = random.Random(number), bytearray(data)

    def place():
        return source.randrange(len(data))

    kind = number % 5
    if kind <= 1:
        for _ in range(1 if kind == 0 else source.randint(2, 8)):
            data[place()] = source.randrange(256)
    elif kind == 2:
        at, width = place(), source.choice([1, 2, 4, 8])
        data[at : at + width] = source.choice(WORDS).to_bytes(8, "little")[:width]
    elif kind == 3:
        at, to, count = place(), place(), source.randint(1, 64)
        piece = data[at : at + count]
        data[to : to + len(piece)] = piece
    else:
        del data[place() :]
    return bytes(data)


def refuse_or_read(program, folder, data, numbers, *arguments):
    """How many of the mutants were refused; a failure says its number."""
    refused, appends = 0, "--append" in arguments
    (folder / "mutant.h5").write_bytes(data)
    written = contents(folder / "mutant.h5") if appends else None
    for number in numbers:
        (folder / "mutant.h5").write_bytes(mutant(data, number))
        done = run_program(program, *arguments, cwd=folder)
        told = (number, done.returncode, done.stdout, done.stderr)
        assert done.returncode in (0, 2), told
        if done.returncode == 2:
            refused += 1
            assert done.stderr.count("\n") == 1 and "mutant.h5" in done.stderr, told
            assert not appends or (folder / "mutant.h5").read_bytes() == mutant(data, number), told
        elif appends:
            require_kept(written, folder / "mutant.h5", number)
    assert not [path.name for path in folder.iterdir() if ".part-" in path.name]
    return refused


def contents(path):
    """{name: attributes and values} as the HDF5 library of h5py reads the whole file, or None."""
    try:
        items = hdf5.read_apart(path, lambda file: hdf5_copy.contents_of(file, path))
    except InputError:
        return None
    return {item.name: item for item in items}


def require_kept(written, path, number):
    """After an append: all can be read, and what was there is what the sound file says."""
    after = contents(path)
    assert after is not None, number
    for name, good in written.items():
        said = {k: v for k, v in good.attributes.items() if k != NAME}
        assert said.items() <= after[name].attributes.items(), (number, name)
        if good.values is not None:
            # A number may be a NaN; texts may be of another length.
            kept = after[name].values[: len(good.values)].tolist()
            assert list(map(repr, kept)) == list(map(repr, good.values.tolist())), (number, name)


def small_run(program, folder, name, *more):
    arguments = ["--rows", 4, "--cols", 4, "--workers", 2, "--repeat", 1, "--warmup", 0]
    arguments += ["--algorithm", "ticket_queue", "--no-floors", "--quiet", "--backend", "host"]
    return [*arguments, "--output", name, *more]


def test_appending_to_damaged_results(tmp_path):
    program = find_program("wavefront")
    assert run_program(program, *small_run(program, tmp_path, "r.h5"), cwd=tmp_path).returncode == 0
    append = small_run(program, tmp_path, "mutant.h5", "--append")
    data = (tmp_path / "r.h5").read_bytes()
    assert refuse_or_read(program, tmp_path, data, range(QUICK), *append) > 0


def test_damaged_matrices(tmp_path):
    program = find_program("gridloom-matrix")
    spec = "poisson2d:nx=4,ny=4,points=5"
    assert run_program(program, "generate", spec, "m.h5", cwd=tmp_path).returncode == 0
    data = (tmp_path / "m.h5").read_bytes()
    assert refuse_or_read(program, tmp_path, data, range(QUICK), "info", "mutant.h5") > 0


def test_damaged_task_graphs(tmp_path):
    from gridloom_datasets.importers import import_dag

    (tmp_path / "g_edges.csv").write_text("source,target,weight\na,b,1\na,c,2\nb,d,3\nc,d,4\n")
    (tmp_path / "g_costs.csv").write_text("task,p\na,1\nb,2\nc,3\nd,4\n")
    import_dag(tmp_path / "g_edges.csv", tmp_path / "g.h5")
    data = (tmp_path / "g.h5").read_bytes()
    arguments = ["--dag", "mutant.h5", "--repeat", 1, "--warmup", 0, "--no-floors", "--quiet"]
    program = find_program("pets")
    assert refuse_or_read(program, tmp_path, data, range(QUICK), *arguments) > 0


def flip_in_key(path, name, bit):
    """Flips a bit of what the B-tree keeps of the only chunk: its size (4 bytes), a mask (4), its
    offset (8), 8 zeros and its address."""
    with h5py.File(path) as file:
        chunk = file[name].id.get_chunk_info(0)
    data = bytearray(path.read_bytes())
    at = data.index(chunk.byte_offset.to_bytes(8, "little")) - 24
    assert int.from_bytes(data[at : at + 4], "little") == chunk.size
    data[at + bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


COLUMNS = [
    results_file.Column("word", "text", "", ""),
    results_file.Column("number", "whole numbers", "1", ""),
]
META = {"schema_version": SCHEMA, "program": "test", "cpu": "one"}


def write_words(path, words, append):
    rows = [{"word": word, "number": number} for number, word in enumerate(words)]
    results_file.write(path, META, {"runs": COLUMNS}, {"runs": rows}, append)


@pytest.mark.parametrize(
    "count", [100, pytest.param(LONG, marks=pytest.mark.slow)], ids=["quick", "long"]
)
def test_a_script_appends_to_damaged_results(tmp_path, count):
    path, refused = tmp_path / "r.h5", 0
    write_words(path, ["a", "b"], False)
    write_words(path, ["c"], True)
    data, written = path.read_bytes(), contents(path)
    for number in range(count):
        path.write_bytes(mutant(data, number))
        try:
            write_words(path, ["d"], True)
        except InputError as error:
            refused += 1
            assert "\n" not in str(error), number
            assert path.read_bytes() == mutant(data, number), number
        else:
            require_kept(written, path, number)
    assert 0.05 * count < refused < 0.95 * count


def test_a_wrong_size_of_a_chunk_loses_no_row_of_a_script(tmp_path):
    path, refused = tmp_path / "r.h5", 0
    for bit in range(16):
        write_words(path, ["a", "b"], False)
        flip_in_key(path, "runs/word", bit)
        try:
            write_words(path, ["c"], True)
        except InputError:
            refused += 1
            continue
        with h5py.File(path) as file:
            assert list(file["runs/word"]) == [b"a", b"b", b"c"]
            assert list(file["runs/number"]) == [0, 1, 0]
            assert list(file["runs/process"]) == [0, 0, 1]
    assert refused > 0


@pytest.mark.parametrize("bit", [74, 75, 81, 104])
def test_a_chunk_that_the_index_does_not_name_is_no_row_of_zeros(tmp_path, bit):
    path = tmp_path / "r.h5"
    for name in ("number", "word"):
        write_words(path, ["a", "b"], False)
        flip_in_key(path, f"runs/{name}", bit)
        before = path.read_bytes()
        words = f"/runs/{name}: damaged, lacks the values from 0 on"
        with pytest.raises(InputError, match=words):
            write_words(path, ["c"], True)
        with pytest.raises(PlotError, match=words):
            read_table(path, "runs")
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    "count", [100, pytest.param(LONG, marks=pytest.mark.slow)], ids=["quick", "long"]
)
def test_scripts_read_or_refuse(tmp_path, count):
    """PlotError, or what is left of the rows; a crash would end this process."""
    write_results(tmp_path / "r.h5", list(sample_rows())[:8])
    data, refused = (tmp_path / "r.h5").read_bytes(), 0
    path = tmp_path / "mutant.h5"
    for number in range(count):
        path.write_bytes(mutant(data, number))
        for read in (
            lambda: read_table(path, "runs"),
            lambda: read_meta(path),
            lambda: Pattern(path),
        ):
            try:
                read()
            except PlotError as error:
                refused += 1
                assert "\n" not in str(error), number
    assert refused > count  # no mutant is a matrix


@pytest.mark.parametrize(
    "count", [100, pytest.param(LONG, marks=pytest.mark.slow)], ids=["quick", "long"]
)
def test_scripts_read_what_was_written_or_refuse(tmp_path, count):
    """Files with a checksum: whatever is damaged, no other value is read."""
    path, refused = tmp_path / "r.h5", 0
    write_words(path, ["a", "b"], False)
    write_words(path, ["c"], True)
    data, table, meta = path.read_bytes(), read_table(path, "runs"), read_meta(path)
    for number in range(count):
        path.write_bytes(mutant(data, number))
        try:
            assert read_meta(path) == meta and read_table(path, "runs").equals(table), number
        except PlotError:
            refused += 1
    assert 0.05 * count < refused < 0.95 * count


@pytest.mark.slow
def test_ten_thousand_mutants_of_each_kind():
    program = next(
        (test for build in ("host", "cuda")
         if (test := ROOT / "build" / build / "tests/hdf5_mutants_test").is_file()), None,
    )  # fmt: skip
    if program is None:
        pytest.skip("hdf5_mutants_test is not built")
    done = subprocess.run(
        [program], capture_output=True, text=True, env=os.environ | {"GRIDLOOM_MUTANTS": str(LONG)}
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
