"""scripts/peers/rcm_peer.py: what it stores of a public program, checks, and how one may fail."""

import subprocess
import sys

import h5py
import numpy as np
import pytest
import scipy.sparse

from conftest import ROOT
from gridloom.results import read_runs
from gridloom_datasets.hdf5_text import attributes_of
from matrices import banded, grid, half_bandwidth, write_csr
from program_under_test import columns_of, find_program, write_program
from script_under_test import load

SCRIPT = "scripts/peers/rcm_peer.py"
rcm_peer = load(SCRIPT)
HINT = "expected a line of JSON with name, repository"


@pytest.fixture
def peer(tmp_path):
    program = tmp_path / "fake_peer"
    stand_in = ROOT / "scripts/tests/fake_rcm_peer.py"
    write_program(program, f'#!/bin/sh\nexec {sys.executable} {stand_in} "$@"\n')
    return program


@pytest.fixture
def measure(tmp_path, run_script, peer, monkeypatch):
    """Runs the script with the stand-in: (the finished process, its output file)."""
    monkeypatch.setenv("GRIDLOOM_BIN_DIR", str(find_program("mhive-rcm").parent))

    def run(*arguments, how=""):
        monkeypatch.setenv("FAKE_PEER", how)
        output = tmp_path / "r.h5"
        own = [] if "--program" in arguments else ["--program", peer]
        return run_script(SCRIPT, *own, "--output", output, *arguments), output

    return run


def test_each_repetition_is_a_row_with_the_quality_of_the_order(tmp_path, measure):
    matrix = grid(9, 7)
    path = write_csr(tmp_path / "grid.h5", matrix)
    done, output = measure("--matrix", path, "--repeat", 3)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.startswith("grid.h5: 2.500 ms [")
    runs = columns_of(output, "runs")
    assert list(runs["repetition"]) == [0, 1, 2] and list(runs["order_ms"]) == [1.5, 2.5, 3.5]
    same = {
        "arm": "fake-rcm", "backend": "cuda", "device": "Fake 1", "matrix": "grid.h5", "rows": 63,
        "entries": 220, "components": 1, "ordered_entries": 220, "workers": 7, "reset_ms": 0.25,
        "bandwidth_before": 2 * half_bandwidth(matrix) + 1, "same": "yes", "verified": "yes",
        "start_levels": 9 + 7 - 1, "status": "ok", "process": 0,
    }  # fmt: skip
    for name, value in same.items():
        assert set(runs[name]) == {value}, name
    assert set(runs["half_bandwidth"]) <= {7, 8}  # a grid's best order gives the shorter side
    assert np.array_equal(runs["bandwidth"], 2 * runs["half_bandwidth"] + 1)
    assert set(read_runs(output)["machine"]) == {"Fake 1"}  # as tables and figures read it
    with h5py.File(output) as file:
        meta = attributes_of(file["meta"])
    assert meta["program"] == "peer-fake-rcm" and meta["gpu"] == "Fake 1"
    assert meta["peer_revision"] == "its revision" and meta["peer_changes"] == "its changes"
    assert len(meta["mhive_rcm_commit"]) >= 7
    assert {name for name, v in meta.items() if not isinstance(v, str)} == set()


def test_every_matrix_and_generator_is_ordered_and_files_grow(tmp_path, measure):
    path = write_csr(tmp_path / "grid.h5", grid(5, 4))
    arguments = ["--matrix", path, "--generate", "rgg:n=300,shuffle=1", "--repeat", 2]
    assert measure(*arguments)[0].returncode == 0
    done, output = measure("--generate", "poisson2d:nx=6,ny=5", "--repeat", 1, "--append")
    assert done.returncode == 0, done.stderr
    runs = columns_of(output, "runs")
    assert list(runs["matrix"][::2]) == ["grid.h5", "rgg:n=300,shuffle=1", "poisson2d:nx=6,ny=5"]
    assert list(runs["process"]) == [0, 0, 0, 0, 1]


def test_the_largest_component_has_the_start_node(tmp_path, measure):
    parts = [banded(3, 1), grid(6, 5), banded(4, 1)]
    path = write_csr(tmp_path / "parts.h5", scipy.sparse.block_diag(parts))
    done, output = measure("--matrix", path, "--repeat", 1)
    assert done.returncode == 0, done.stderr
    runs = columns_of(output, "runs")
    assert list(runs["components"]) == [3] and 3 <= runs["start_node"][0] < 33
    assert list(runs["start_levels"]) == [6 + 5 - 1]
    assert list(runs["same"]) == ["off"] and list(runs["verified"]) == ["yes"]


FAILURES = {
    "hang": ("timeout", -1, "timeout"),
    "crash": ("failed", 220, "failed (the card is on fire)"),
    "silent": ("failed", 220, "failed"),
    "few": ("failed", 220, "failed (1 times of 2)"),
}


@pytest.mark.parametrize("how", FAILURES)
def test_a_peer_without_times_is_one_row_that_says_so(tmp_path, measure, how):
    status, entries, words = FAILURES[how]
    path = write_csr(tmp_path / "grid.h5", grid(9, 7))
    limit = ["--timeout", 1] if how == "hang" else []
    done, output = measure("--matrix", path, "--repeat", 2, *limit, how=how)
    assert (done.returncode, done.stdout) == (1, f"grid.h5: {words}\n"), done.stderr
    runs = columns_of(output, "runs")
    assert list(runs["status"]) == [status] and list(runs["ordered_entries"]) == [entries]
    assert np.isnan(runs["order_ms"]).all() and np.isnan(runs["reset_ms"]).all()


def test_output_of_a_peer_before_its_timeout_is_kept(tmp_path, measure, peer, monkeypatch, capsys):
    run = rcm_peer.run_child

    def end_late(command, **options):
        done = run(command, **options)
        if "timeout" in options and "--about" not in command:
            raise subprocess.TimeoutExpired(command, options["timeout"])
        return done

    monkeypatch.setitem(rcm_peer.ask.__globals__, "run_child", end_late)
    monkeypatch.setenv("FAKE_PEER", "cut")
    path, output = write_csr(tmp_path / "grid.h5", grid(9, 7)), tmp_path / "r.h5"
    given = ["--program", peer, "--matrix", path, "--output", output]
    assert rcm_peer.main([str(word) for word in given]) == 1
    assert capsys.readouterr().out == "grid.h5: timeout\n"
    runs = columns_of(output, "runs")
    assert list(runs["status"]) == ["timeout"] and list(runs["ordered_entries"]) == [220]
    assert np.isnan(runs["order_ms"]).all()  # a part of the repetitions is no measurement


@pytest.mark.parametrize("how", ["twice", "levels"])
def test_an_invalid_order_is_wrong(tmp_path, measure, how):
    path = write_csr(tmp_path / "grid.h5", grid(9, 7))
    done, output = measure("--matrix", path, "--repeat", 2, how=how)
    assert done.returncode == 1 and done.stdout.endswith(", wrong\n"), done.stderr
    runs = columns_of(output, "runs")
    assert set(runs["status"]) == {"wrong"} and set(runs["verified"]) == {"no"}
    assert (runs["bandwidth"] == -1).all() == (how == "twice")


@pytest.mark.parametrize("how", ["mute", "shout"])
def test_a_program_without_a_description_is_refused(tmp_path, measure, how):
    path = write_csr(tmp_path / "grid.h5", grid(3, 3))
    done, output = measure("--matrix", path, how=how)
    assert (done.returncode, done.stdout) == (2, "") and not output.exists()
    assert HINT in done.stderr and done.stderr.count("\n") == 1


def test_what_cannot_be_measured_is_refused_in_one_line(tmp_path, measure):
    unsymmetric = write_csr(tmp_path / "u.h5", [[1, 1, 0], [0, 1, 1], [0, 0, 1]])
    cases = {
        ("--repeat", 2): "--matrix, --generate: expected at least one of these options",
        ("--generate", "moon:n=3"): "moon",
        ("--matrix", tmp_path / "none.mtx"): "none.mtx",
        ("--matrix", unsymmetric): "symmetric",
        ("--matrix", unsymmetric, "--repeat", 0): "expected 1 to 1000000, got 0",
        ("--matrix", unsymmetric, "--program", tmp_path): "--program: expected a program",
    }
    for arguments, words in cases.items():
        done, output = measure(*arguments)
        assert done.returncode == 2 and not output.exists(), (arguments, done.stderr)
        assert words in done.stderr and done.stderr.count("\n") == 1, (arguments, done.stderr)
    assert measure("--matrix", unsymmetric, "--symmetrize", "--repeat", 1)[0].returncode == 0


def test_the_readme_names_every_word_of_the_peer():
    text = (ROOT / "scripts/peers/README.md").read_text(encoding="utf-8")
    for word in rcm_peer.ABOUT:
        assert f"`{word}`" in text, word
    for word in ("entries", "order_ms", "reset_ms", "workers"):
        assert f'"{word}": ' in text, word
