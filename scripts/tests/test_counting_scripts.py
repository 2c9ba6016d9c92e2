"""scripts/gpu/ncu_counters.py with a stand-in for ncu: its calls, its files, its tables."""

import sys

import h5py
import pytest

from gridloom.results import read_table
from gridloom.wavefront.tables import counters as counters_tables
from gridloom_datasets.hdf5_text import plain
from program_under_test import find_program, snapshot, write_program
from script_under_test import load

counters = load("scripts/gpu/ncu_counters.py")
# Prints the program's own counts as those of one kernel, or made-up states of its warps.
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
        runs = {{name: int(file["runs"][name][0]) for name in ("loads", "stores", "workers",
                "atomics", "cas")}}
    own = [runs["loads"], runs["stores"], runs["atomics"] + runs["cas"], 4 * runs["workers"]]
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


@pytest.mark.parametrize(
    ("option", "kernel", "arguments", "group", "line"),
    [
        ("--graph", "ticket_queue", "", "stalls_graph", "| `ticket_queue` | from a file | 0.50"),
        (
            "--in-order-graph", "in_order",
            "--algorithm in_order --graph {} --repeat 1 --warmup 0 --no-verify",
            "stalls_in_order", "| `in_order` | layered | 0.25",
        ),
    ],
)  # fmt: skip
def test_a_graph_of_a_file_is_profiled_too(
    tmp_path, capsys, option, kernel, arguments, group, line
):
    graph, output = tmp_path / "g.h5", tmp_path / "c.h5"
    words = [*fake_ncu(tmp_path, 0), option, str(graph), "--output", str(output)]
    assert counters.main(words) == 2
    assert f"{option}: expected an HDF5 file" in capsys.readouterr().err and not output.exists()
    h5py.File(graph, "w").close()
    assert counters.main(words) == 0
    lattice, own = (tmp_path / "asked").read_text().splitlines()
    assert lattice.startswith("regex:ticket_queue.*silent_probe ") and "--rows" in lattice
    assert own.startswith(f"regex:{kernel}.*silent_probe ") and f"--graph {graph}" in own
    assert arguments.format(graph) in own
    with h5py.File(output) as file:
        assert {"stalls_graph", "stalls_in_order"} & set(file) == {group}
        assert set(file[group].attrs) == set(counters.STALLS)
    assert line in counters_tables.texts_of(output)["stalls"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--side", "0"], "argument --side: expected 1 to 10000, got 0"),
        (["--ncu", "./none"], "./none: No such file or directory"),
        (["--graph", ""], "--graph: expected an HDF5 file, got nothing"),
        (["--output", "none/c.h5"], "--output: expected a folder that takes files, got none"),
    ],
)
def test_bad_usage_of_counters_is_one_line(tmp_path, monkeypatch, capsys, change, words):
    monkeypatch.chdir(tmp_path)
    given = {"--program": "wavefront", "--output": "c.h5"}
    others = [part for name in given if name not in change for part in (name, given[name])]
    assert counters.main([*others, *change]) == 2
    assert capsys.readouterr().err == f"ncu_counters.py: {words}\n"
    assert snapshot(tmp_path) == {}
