"""The script that asks the hardware for its counts, on small inputs, and its files."""

import sys

import h5py
import pytest

from gridloom.results import read_table
from gridloom.wavefront.tables import counters as counters_tables
from gridloom_datasets.hdf5_text import plain
from program_under_test import find_program, snapshot, write_program
from script_under_test import load

counters = load("scripts/gpu/ncu_counters.py")
# Tells what the program counted itself, as one kernel, or a state of its warps.
NCU = """#!{python}
import subprocess, sys
import h5py
at = sys.argv.index("--metrics") + 1
metrics, command = sys.argv[at].split(","), sys.argv[at + 1:]
command[command.index("cuda")] = "host"
values = dict.fromkeys(metrics, 0.25 if "in_order" in command else 0.5)
if "--counters" not in command:
    with open("{folder}/asked", "a") as asked:
        print(sys.argv[sys.argv.index("--kernel-name") + 1], *command, file=asked)
if "--counters" in command:
    command[command.index("--threads") + 1] = "1"
    subprocess.run(command, check=True)
    with h5py.File(command[command.index("--output") + 1]) as file:
        runs = {{name: int(file["runs"][name][0]) for name in ("loads", "stores", "blocks",
                "atomics", "cas")}}
    own = [runs["loads"], runs["stores"], runs["atomics"] + runs["cas"], 4 * runs["blocks"]]
    values = dict(zip(metrics, own)) | {{metrics[0]: own[0] + {more}}}
print("==PROF== lines before")
print('"ID","Metric Name","Metric Value"')
for name, value in values.items():
    print(f'"0","{{name}}","{{value:,}}"')
"""


def fake_ncu(folder, more):
    path = folder / "ncu"
    write_program(path, NCU.format(python=sys.executable, more=more, folder=folder))
    return ["--ncu", str(path), "--program", str(find_program("wavefront")), "--side", "5"]


@pytest.mark.parametrize(("more", "code"), [(0, 0), (500, 1)])
def test_counts_stand_beside_those_of_the_hardware(tmp_path, capsys, more, code):
    output = tmp_path / "c.h5"
    assert counters.main([*fake_ncu(tmp_path, more), "--output", str(output)]) == code
    assert "largest difference" in capsys.readouterr().out
    rows = read_table(output, "ncu")
    assert list(rows["algorithm"]) == list(counters.ARMS) and set(rows["tasks"]) == {25}
    assert list(rows["hardware_loads"] - rows["loads"]) == [more] * len(rows)
    assert list(rows["hardware_atomics"]) == list(rows["atomics"]) and min(rows["stores"]) > 0
    with h5py.File(output) as file:
        assert plain(file["meta"].attrs["gpu"]) == "none" and "driver" in file["meta"].attrs
        assert set(file["stalls"].attrs) == set(counters.STALLS)
        assert plain(file["meta"].attrs["commit"])
        assert "stalls_graph" not in file
    tables = counters_tables.texts_of(output)
    assert "scanning" in tables["counters"]
    assert tables["stalls"].splitlines()[2:] == [
        "| `ticket_queue` | lattice" + " | 0.50" * 5 + " |"
    ]


def test_the_queue_is_profiled_on_a_graph_from_a_file_too(tmp_path, capsys):
    graph, output = tmp_path / "g.h5", tmp_path / "c.h5"
    arguments = [*fake_ncu(tmp_path, 0), "--graph", str(graph), "--output", str(output)]
    assert counters.main(arguments) == 2
    assert "--graph: expected an HDF5 file" in capsys.readouterr().err and not output.exists()
    h5py.File(graph, "w").close()
    assert counters.main(arguments) == 0
    asked = (tmp_path / "asked").read_text().splitlines()
    assert len(asked) == 2 and "--rows" in asked[0] and f"--graph {graph}" in asked[1]
    with h5py.File(output) as file:
        assert set(file["stalls_graph"].attrs) == set(counters.STALLS)
    assert "| `ticket_queue` | from a file | 0.50" in counters_tables.texts_of(output)["stalls"]


def test_in_order_is_profiled_on_a_graph_of_its_own(tmp_path, capsys):
    graph, output = tmp_path / "g.h5", tmp_path / "c.h5"
    arguments = [*fake_ncu(tmp_path, 0), "--in-order-graph", str(graph), "--output", str(output)]
    assert counters.main(arguments) == 2
    said = capsys.readouterr().err
    assert "--in-order-graph: expected an HDF5 file" in said and not output.exists()
    graph.write_text("a graph")
    assert counters.main(arguments) == 2
    h5py.File(graph, "w").close()
    assert counters.main(arguments) == 0
    asked = (tmp_path / "asked").read_text().splitlines()
    queue, in_order = asked
    assert queue.startswith("regex:ticket_queue.*silent_probe ")
    assert in_order.startswith("regex:in_order.*silent_probe ")
    assert f"--algorithm in_order --graph {graph} --repeat 1 --warmup 0 --no-verify" in in_order
    with h5py.File(output) as file:
        assert "stalls_graph" not in file
        assert set(file["stalls_in_order"].attrs.values()) == {0.25}
    found = counters_tables.texts_of(output)
    assert "| `in_order` | layered | 0.25" in found["stalls"] and found["l2-in-order"] == "0.25 %"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--side", "0"], "argument --side: expected 1 to 10000, got 0"),
        (["--ncu", "./none"], "./none: No such file or directory"),
        (["--graph", ""], "--graph: expected an HDF5 file, got nothing"),
        (["--in-order-graph", ""], "--in-order-graph: expected an HDF5 file, got nothing"),
        (["--output", "none/c.h5"], "--output: expected a folder that takes files, got none"),
        (["more"], "unrecognized arguments: more"),
    ],
)
def test_bad_usage_of_counters_is_one_line(tmp_path, monkeypatch, capsys, change, words):
    monkeypatch.chdir(tmp_path)
    given = {"--program": "wavefront", "--output": "c.h5"}
    others = [part for name in given if name not in change for part in (name, given[name])]
    assert counters.main([*others, *change]) == 2
    assert capsys.readouterr().err == f"ncu_counters.py: {words}\n"
    assert snapshot(tmp_path) == {}
