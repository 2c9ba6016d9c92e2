"""The seven applications as OpenMP sources have the graphs of the hand-written programs."""

import re
from dataclasses import dataclass, field

import h5py
import numpy as np
import pytest

from conftest import ROOT
from gridloom_datasets.hdf5_text import plain
from juggler_cc_scene import APPS, quick_dag, run_both, same_numbers, tool
from program_under_test import find_program, run_program


@dataclass
class App:
    # Tiles in a row, and rows of a tile, that give the sizes of Table 1.
    table: tuple
    tasks: int  # as in Table 1
    variables: tuple  # variables that juggler-cc --dag needs
    bins: int = 0
    steps: int = 0  # as in Table 1
    kernels: list = field(default_factory=list)  # the hand-written program has the same functions


OF_TILES = ("tiles", "cells")
CASES = {
    "lud": App((15, 64), 1240, ("nBlocks", "bSize"), kernels=["lu0", "fwd", "bdiv", "bmod"]),
    "dtw": App((72, 64), 5184, OF_TILES),
    "sw": App((72, 64), 5184, OF_TILES),
    "sat": App((90, 128), 8100, (*OF_TILES, "side"), kernels=["sum_tile"]),
    "int_hist": App((90, 32), 8100, (*OF_TILES, "rows"), bins=4, kernels=["count_tile"]),
    "heat": App((90, 64), 8100, (*OF_TILES, "steps"), steps=1, kernels=["relax"]),
    "jacobi": App((30, 128), 3600, (*OF_TILES, "steps"), steps=2, kernels=["copy", "compute"]),
}


def graph_of(path):
    """Task types, row offsets and columns of a graph file."""
    with h5py.File(path) as file:
        graph = file["graph"]
        assert plain(graph.attrs["kind"]) == "dag"
        names = [name.split()[0] for name in graph["names"].asstr()[...]]
        return names, graph["row_offsets"][...], graph["columns"][...]


def compare_graphs(name, tiles, side, steps, folder):
    """Both number their tasks in the order of the serial program."""
    app = CASES[name]
    planes = max(app.bins, 1)
    values = {
        "tiles": tiles, "nBlocks": tiles, "side": side, "bSize": side * side, "steps": steps,
        "cells": planes * side * side, "rows": planes * side,
    }  # fmt: skip
    wanted = ",".join(f"{variable}={values[variable]}" for variable in app.variables)
    source = APPS / f"{name}.c"
    tool("--dag", wanted, source, "-o", "translated", *quick_dag(folder), cwd=folder, code=0)
    size = ["--rows", tiles * side, "--tile", side]
    size += ["--bins", app.bins] if app.bins else []
    size += ["--steps", steps] if app.steps else []
    juggler = [find_program("juggler"), "--backend", "host", "--app", name]
    own = run_program(*juggler, *size, "--dag", "own.h5", cwd=folder)
    assert own.returncode == 0, own.stderr
    names, *edges = graph_of(folder / "translated.dag.h5")
    own_names, *own_edges = graph_of(folder / "own.h5")
    assert all(np.array_equal(a, b) for a, b in zip(edges, own_edges, strict=True))
    assert own.stdout.startswith(f"{len(names)} tasks, ")
    assert own.stdout.endswith(f" at once, {len(edges[1])} edges: own.h5\n")
    assert own_names == (names if len(set(names)) > 1 else [name] * len(names))
    return len(names)


def test_every_application_is_tried():
    assert sorted(path.stem for path in APPS.glob("*.c")) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
def test_an_application_computes_what_openmp_computes(name, tmp_path):
    app = CASES[name]
    own = [3] if app.steps else [app.bins] if app.bins else []
    outcome = run_both(APPS / f"{name}.c", tmp_path, 4, 12, *own, 2)
    assert same_numbers(outcome.got, outcome.expected), (outcome.got, outcome.expected)
    assert outcome.got.strip()
    assert len(outcome.reports) == 2  # the region is repeated


@pytest.mark.parametrize("name", CASES)
def test_a_translation_has_the_graph_of_the_hand_written_program(name, tmp_path):
    tasks = compare_graphs(name, 5, 8, 3, tmp_path)
    assert tasks == {"lud": 55, "heat": 75, "jacobi": 150}.get(name, 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_graphs_of_table_1(name, tmp_path):
    tiles, side = CASES[name].table
    assert compare_graphs(name, tiles, side, CASES[name].steps, tmp_path) == CASES[name].tasks


def body_of(function, block, text):
    """Tokens between the braces. `const` and the translator's parentheses are normalised."""
    begin = re.search(rf"\b{function}\((?:Jcc)?Block const ?& ?{block}\b[^{{]*{{", text).end()
    end, depth = begin, 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    body = text[begin : end - 1].replace("jcc_block", "block")
    body = re.sub(r"\bconst (\w+(?: char)?) ?\*", r"\1 const*", body)
    body = re.sub(r"\((\w+ [+*] \w+)\)", r"\1", body).replace("0 + block.", "block.")
    return re.findall(r"\w+|[^\w\s]", body)


@pytest.mark.parametrize("name", [name for name, app in CASES.items() if app.kernels])
def test_hand_written_loops_are_those_of_the_translation(name, tmp_path):
    """So a difference between their times does not come from the kernels."""
    source = APPS / f"{name}.c"
    tool(source, "--emit", "out.cpp", cwd=tmp_path, code=0)
    translated = (tmp_path / "out.cpp").read_text()
    own = (ROOT / "juggler" / "apps" / name / "loops.hpp").read_text()
    for kernel in CASES[name].kernels:
        tokens = body_of(kernel, "jcc_block", translated)
        assert tokens == body_of(kernel, "block", own)
        assert tokens.count("block") >= 3  # rank, size, and a barrier


@pytest.mark.parametrize("name", [name for name, app in CASES.items() if app.kernels])
def test_loops_compute_the_right_results(name, tmp_path):
    options = "--kernels loops --rows 48 --tile 12 --workers 3 --repeat 1 --no-floors --quiet"
    juggler = [find_program("juggler"), "--backend", "host", "--app", name, *options.split()]
    done = run_program(*juggler, "--output", "r.h5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with h5py.File(tmp_path / "r.h5") as file:
        runs = file["runs"]
        assert set(runs["verified"].asstr()[...]) == {"yes"}
        assert set(runs["kernels"].asstr()[...]) == {"loops"}
        methods = set(runs["method"].asstr()[...])
    assert methods == {"lrr", "grr", "grr-block", "lf", "lf-task", "lts", "lts-slots", "serial"}
