"""The program gridloom-graph from outside: exit codes, messages, the file it writes."""

import os
import resource
import subprocess

import h5py
import numpy as np

from gridloom_datasets.hdf5_text import plain
from program_under_test import find_program

PROGRAM = "gridloom-graph"


def test_the_file_has_the_graph_and_its_specification(run, tmp_path):
    spec = "tree:width=2,steps=3"
    assert run(spec, "--output", "g.h5", code=0).stdout == "g.h5: 5 tasks, 4 edges\n"
    assert os.listdir(tmp_path) == ["g.h5"]
    with h5py.File(tmp_path / "g.h5") as file:
        graph = file["graph"]
        about = {name: plain(graph.attrs[name]) for name in ("kind", "generator")}
        assert about == {"kind": "dag", "generator": spec} and graph.attrs["n"] == 5
        assert graph["row_offsets"].dtype == np.uint64 and graph["columns"].dtype == np.uint32
        assert graph["row_offsets"][...].tolist() == [0, 2, 4, 4, 4, 4]
        assert graph["columns"][...].tolist() == [1, 2, 3, 4]
    assert "\nrandom_nearest:width=100," in run("--list", code=0).stdout


def test_bad_usage_is_one_line(all_refused, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    all_refused({
        "chain:tasks=5": "--output: expected the file to write",
        "--output g.h5": "generator: expected one of lattice, random",
        "ring --output g.h5": "generator: expected one of lattice, random",
        "random:degree=5,window=4 --output g.h5": "random: degree: expected a whole number",
        "chain star --output g.h5": "too many positional options",
        "chain --output g.h5 --output h.h5": "more than once",
        "chain --output pipe": "--output: ",
        "chain --output none/g.h5": '--output: cannot write "none/g.h5"',
        # Too many tasks for this memory: the file is tried before the graph is made.
        "chain:tasks=2147483646 --output none/g.h5": '--output: cannot write "none/g.h5"',
    })  # fmt: skip


def test_a_graph_beyond_memory_is_one_line(tmp_path):
    def little_memory():
        resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))

    spec = f"random:tasks=99999,degree={2**31 - 2},window={2**31 - 2}"
    done = subprocess.run(
        [find_program(PROGRAM), spec, "--output", "g.h5"],
        cwd=tmp_path, capture_output=True, text=True, preexec_fn=little_memory,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "gridloom-graph: out of memory\n")
    assert os.listdir(tmp_path) == []
