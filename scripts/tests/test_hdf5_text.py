"""Texts of results are of fixed length; those of older files, of variable length, are read, too."""

import h5py
import numpy as np
import pytest

from gridloom import results_file
from gridloom.content import SCHEMA
from gridloom.results import PlotError, read_meta, read_table
from gridloom_datasets.errors import InputError, shortened
from gridloom_datasets.hdf5_text import LONGEST_FIXED, as_utf8, attributes_of, is_fixed_text
from results_changes import make_older

COLUMNS = [
    results_file.Column("word", "text", "", "Größe"),
    results_file.Column("number", "whole numbers", "1", ""),
]
META = {"schema_version": SCHEMA, "program": "test", "cpu": "größer", "gpu": ""}


def write_words(path, words, append=False):
    rows = [{"word": word, "number": number} for number, word in enumerate(words)]
    results_file.write(path, META, {"runs": COLUMNS}, {"runs": rows}, append)


def word_type(path):
    with h5py.File(path) as file:
        return file["runs/word"].dtype, file["runs/word"].fletcher32


def test_texts_of_any_length_come_back(tmp_path):
    path, expected = tmp_path / "r.h5", []
    for size in (0, 3, LONGEST_FIXED, LONGEST_FIXED + 1):
        words = ["x" * size, "ä", ""]
        write_words(path, words, append=True)
        expected += words
        assert list(read_table(path, "runs")["word"]) == expected
        dtype, checked = word_type(path)
        assert is_fixed_text(dtype) == checked == (size <= LONGEST_FIXED), size
    assert read_meta(path)["cpu"] == "größer" and read_meta(path)["gpu"] == ""


def test_many_short_texts_beside_a_long_one_are_not_padded(tmp_path):
    path = tmp_path / "r.h5"
    write_words(path, ["short"] * 10_000 + ["y" * 50_000])
    assert not is_fixed_text(word_type(path)[0]) and path.stat().st_size < 1_000_000
    assert len(read_table(path, "runs")["word"][10_000]) == 50_000


def test_older_files_of_variable_length_are_read_and_added_to(tmp_path):
    path = tmp_path / "r.h5"
    write_words(path, ["a", "b"])
    with h5py.File(path, "r+") as file:
        make_older(file)
        del file["runs/word"]
        old = file["runs"].create_dataset(
            "word", data=["größer", ""], dtype=h5py.string_dtype(), maxshape=(None,), chunks=(8,)
        )
        old.attrs.update({"unit": "", "description": "old"})
        file["meta"].attrs["gpu"] = "ü"
    assert list(read_table(path, "runs")["word"]) == ["größer", ""]
    write_words(path, ["c"], append=True)
    assert list(read_table(path, "runs")["word"]) == ["größer", "", "c"]
    assert is_fixed_text(word_type(path)[0]) and read_meta(path)["gpu"] == "ü"
    with h5py.File(path) as file:
        assert attributes_of(file["runs/word"]) == {"unit": "", "description": "old"}


def test_what_is_no_utf8_is_written_out_and_refused_in_a_file(tmp_path):
    assert as_utf8("é\udcff\ud800\n") == b"\xc3\xa9\\xff\\ud800\n"
    path = tmp_path / "r.h5"
    write_words(path, ["a\udcff"])
    assert list(read_table(path, "runs")["word"]) == ["a\\xff"]
    with h5py.File(path, "r+") as file:
        make_older(file)
        file["runs/word"][0] = np.bytes_(b"\xff")
    with pytest.raises(PlotError, match=r"r.h5: /runs/word: damaged, expected texts in UTF-8$"):
        read_table(path, "runs")
    with h5py.File(path, "r+") as file:
        file["runs/word"][0] = np.bytes_(b"a")
        file["meta"].attrs["gpu"] = np.bytes_(b"\xff")
    with pytest.raises(InputError, match="/meta: expected texts in UTF-8 as attributes, see gpu$"):
        write_words(path, ["c"], append=True)


def changed(path, old, new):
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))


def test_values_of_another_length_than_written_are_refused(tmp_path):
    path = tmp_path / "r.h5"
    write_words(path, ["abcdef"])
    # Class 3 of version 1, NUL-padded UTF-8, and the length.
    changed(path, b"\x13\x11\0\0\x06\0\0\0", b"\x13\x11\0\0\x03\0\0\0")
    told = "/runs/word: damaged, expected values of 6 bytes, got 3"
    with pytest.raises(PlotError, match=told):
        read_table(path, "runs")
    with pytest.raises(InputError, match=told):
        write_words(path, ["c"], append=True)


@pytest.mark.parametrize("name", ["word", "number"])
@pytest.mark.parametrize("mask", [1, 2, 4, 7])
def test_a_chunk_that_claims_to_lack_filters_is_refused(tmp_path, name, mask):
    path = tmp_path / "r.h5"
    write_words(path, ["abc"])
    with h5py.File(path) as file:
        chunk = file["runs"][name].id.get_chunk_info(0)
    key = chunk.size.to_bytes(4, "little") + bytes(20) + chunk.byte_offset.to_bytes(8, "little")
    changed(path, key, key[:4] + bytes([mask]) + key[5:])
    told = f"/runs/{name}: damaged, lacks filters of the values from 0 on"
    with pytest.raises(PlotError, match=told):
        read_table(path, "runs")
    with pytest.raises(InputError, match=told):
        write_words(path, ["c"], append=True)


def test_long_names_are_shortened_in_messages(tmp_path):
    assert shortened("a\n") == "a\\n" and shortened("x" * 80) == "x" * 80
    path = tmp_path / "r.h5"
    write_words(path, ["abc"])
    with h5py.File(path, "r+") as file:
        make_older(file)
        file["runs"]["x" * 60_000] = np.zeros((2, 2))
    with pytest.raises(PlotError) as read:
        read_table(path, "runs")
    with pytest.raises(InputError) as added:
        write_words(path, ["c"], append=True)
    for problem in (read, added):
        assert "x" * 70 + "..." in str(problem.value) or "x" * 80 + "..." in str(problem.value)
        assert len(str(problem.value)) < 400
