"""Inputs of the program juggler that come from files: matrices, images, sequences and series."""

import os

import h5py
import numpy as np
import pytest

from program_under_test import columns_of

PROGRAM = "juggler"
HOST = ["--backend", "host", "--workers", "2", "--repeat", "2", "--no-floors", "--quiet"]


@pytest.mark.parametrize(
    "value, is_taken", [("1e-320", False), ("-1e-320", False), ("3e-308", True)]
)
def test_a_diagonal_element_too_small_for_a_residual_is_refused(
    run, refused, tmp_path, value, is_taken
):
    header = "%%MatrixMarket matrix coordinate real general\n1 1 1\n"
    (tmp_path / "a.mtx").write_text(f"{header}1 1 {value}\n")
    words = [*HOST, "--input", "a.mtx", "--method", "serial,lts"]
    if is_taken:
        assert run(*words).returncode == 0
    else:
        assert "a.mtx: row 1: expected a diagonal element of at least 2.2" in refused(*words)


def test_images_are_read_with_their_sizes(measured, refused, tmp_path):
    """Damaged files of each kind: juggler/tests."""
    image = np.arange(5 * 7, dtype=np.uint8).reshape(5, 7)
    (tmp_path / "a.pgm").write_bytes(b"P5\n# five rows\n7 5 255\n" + image.tobytes())
    path = tmp_path / "r.h5"
    options = ["--app", "sat,int_hist", "--image", "a.pgm", "-b", 4, "--method", "lrr,serial"]
    runs = measured(*HOST, *options)
    assert set(runs["verified"]) == {"yes"} and set(runs["input"]) == {"a.pgm"}
    assert set(runs["rows"]) == {5} and set(runs["cols"]) == {7} and set(runs["tasks"]) == {4}
    with h5py.File(path) as file:
        assert "sha256_image" in file["meta"].attrs
    assert "--rows: inputs from files have their own" in refused(*HOST, "--image", "a.pgm", "-n", 8)
    (tmp_path / "a.pgm").write_bytes(b"P5 3 2 255 abcde")
    assert "a.pgm: ends before its 6 pixels" in refused(*HOST, "--image", "a.pgm")


def test_sequences_of_files_are_aligned(measured, refused, tmp_path):
    (tmp_path / "a.fa").write_text(">one\nTGTTACGG\n>two\nggttg\nacta\n")
    (tmp_path / "b.fa").write_text(">three\nGGTTGACTA\n")
    scores = ["--match", 3, "--mismatch", -3, "--gap-open", 0, "--gap-extend", 2]
    for files in (["a.fa"], ["a.fa", "--pair", "1,2"], ["a.fa", "--fasta", "b.fa"]):
        runs = measured(*HOST, "--app", "sw", "--fasta", *files, *scores, "-b", 4)
        real = runs["method"] != "floor"
        facts = {"score": 13, "end_row": 6, "end_col": 7, "rows": 8, "cols": 9}
        for column, expected in facts.items():
            assert set(runs[column][real]) == {expected}, column
        assert set(runs["input"]) == {"a.fa b.fa" if "b.fa" in files else "a.fa"}
    fasta = [*HOST, "--app", "sw", "--fasta", "a.fa"]
    assert "--rows" in refused(*fasta, "--rows", 8)
    (tmp_path / "a.fa").write_text(">a\nAC\n>b\nAJ\n")
    assert 'a.fa:4: expected letters of ACGTN, got "J"' in refused(*fasta)


@pytest.mark.parametrize("again", ["a.fa", "./a.fa", "b.fa"])
def test_a_sequence_can_be_aligned_with_itself(run, tmp_path, again):
    (tmp_path / "a.fa").write_text(">one\nTGTTACGG\n")
    (tmp_path / "b.fa").symlink_to("a.fa")
    for more in (["--pair", "1,1"], ["--fasta", again]):
        words = ["--app", "sw", "--fasta", "a.fa", *more, "--method", "serial,lts", "-b", 4]
        run(*HOST, *words, "--output", "r.h5", code=0)
        assert set(columns_of(tmp_path / "r.h5", "runs")["score"]) == {8 * 2}


@pytest.mark.parametrize(
    "gaps, score", [((), 88 - 12), (("--gap-open", 3), 88 - 4), (("--gap-extend", 2), 88 - 13)]
)
def test_gap_costs_of_proteins_come_from_their_matrix_by_default(run, tmp_path, gaps, score):
    # Eight pairs of W at 11 each, and a gap of one letter.
    (tmp_path / "a.fa").write_text(">one\nWWWWAWWWW\n>two\nWWWWWWWW\n")
    words = ["--app", "sw", "--fasta", "a.fa", "--matrix", "BLOSUM62", *gaps, "--method", "lrr"]
    run(*HOST, *words, "--output", "r.h5", code=0)
    assert set(columns_of(tmp_path / "r.h5", "runs")["score"]) == {score}


def test_series_of_files_are_warped_in_both_precisions(measured, tmp_path):
    (tmp_path / "s.tsv").write_text("1\t9\t9\n2\t1\t2\t4\n1\t1\t3\t4\n")
    for precision in ("double", "float"):
        runs = measured(
            *HOST, "--app", "dtw", "--series", "s.tsv", "--pair", "2,3", "-b", 2, "--precision",
            precision,
        )  # fmt: skip
        assert set(runs["distance"][runs["method"] != "floor"]) == {1.0}
        assert set(runs["verified"]) == {"yes"}


def test_series_with_overflowing_costs_are_refused(run, refused, tmp_path):
    (tmp_path / "s.tsv").write_text("1\t1e39\t-1e39\n2\t3\t4\n")
    series = [*HOST, "--app", "dtw", "--series", "s.tsv", "--method", "serial,lts"]
    assert "--series: values up to 1e+39" in refused(*series, "--precision", "float")
    assert run(*series).returncode == 0
    (tmp_path / "s.tsv").write_text("1\t1e308\t-1e308\n2\t3\t4\n")
    assert "--series: values up to 1e+308" in refused(*series)


def test_an_input_name_may_have_bytes_that_are_not_utf_8(run, tmp_path):
    name = os.fsdecode(b"s\xff.tsv")
    (tmp_path / name).write_text("1\t1\n2\t3\n")
    run(*HOST, "--app", "dtw", "--series", name, "--output", "r.h5", code=0)
    assert set(columns_of(tmp_path / "r.h5", "runs")["input"]) == {"s\\xff.tsv"}
