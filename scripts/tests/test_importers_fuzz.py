"""Mutated inputs of every format, always the same ones, and the fuzzer itself."""

import pytest

from gridloom_datasets.errors import InputError
from imported import SEEDS, importer_property

FUZZER = "datasets/fuzz/fuzz_importers.py"
KINDS = ("dax", "wfformat", "stg", "csv")


def mutate(kind, runs, run_script, crashes):
    done = run_script(
        FUZZER, kind, "--engine", "mutate", "--runs", runs, "--seed", 1, "--crashes", crashes
    )
    assert done.returncode == 0, done.stderr
    assert f"{runs:,} inputs" in done.stdout and list(crashes.iterdir()) == []
    imported = int(done.stdout.split(", ")[1].split()[0])
    assert 0.01 < imported / runs < 0.75  # neither all noise nor all valid


@pytest.mark.parametrize("kind", KINDS)
def test_no_mutated_input_breaks_an_importer(kind, run_script, tmp_path):
    mutate(kind, 200, run_script, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nor_do_many(kind, run_script, tmp_path):
    mutate(kind, 5000, run_script, tmp_path)


def raises(error):
    def run(path, output, kind):
        raise error

    return run


def leaves(*names, text=b"x"):
    def run(path, output, kind):
        for name in names:
            (output.parent / name).write_bytes(text)
        raise InputError(f"{path}: expected better, got this")

    return run


def test_the_property_sees_planted_faults(tmp_path):
    for number, (run, message) in enumerate(
        [
            (raises(KeyError("id")), "KeyError"),
            (raises(RecursionError()), "RecursionError"),
            (raises(MemoryError()), "MemoryError"),
            (raises(InputError("expected a place")), "no one-line message"),
            (leaves("graph.h5.tmp"), "left behind"),
            (leaves("output.h5"), "left behind"),
        ]
    ):
        (folder := tmp_path / str(number)).mkdir()
        with pytest.raises(importer_property.Violation, match=message):
            importer_property.try_input("stg", b"1\n", folder, run)


def test_a_slow_import_is_interrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(importer_property, "MAX_SECONDS", 0.2)

    def spin(path, output, kind):
        while True:
            pass

    with pytest.raises(importer_property.Violation, match=r"more than 0\.2 s"):
        importer_property.try_input("stg", b"1\n", tmp_path, spin)


def test_the_seeds_are_valid(tmp_path):
    for kind in KINDS:
        (folder := tmp_path / kind).mkdir()
        for data in importer_property.seeds(kind):
            assert importer_property.try_input(kind, data, folder), kind


def test_a_saved_input_can_be_tried_again(run_script):
    done = run_script(FUZZER, "stg", "--replay", SEEDS / "stg" / "plain.stg")
    assert (done.returncode, done.stdout) == (0, "imported\n")
    done = run_script(FUZZER, "stg", "--replay", SEEDS / "dax" / "version2.xml")
    assert (done.returncode, done.stdout) == (0, "refused\n")
