"""The program pets from outside: schedules, files, figures, messages."""

import csv
import hashlib
import json

import h5py
import numpy as np
import pytest

from conftest import ROOT
from gridloom.plot_script import drawn_by
from imported import SEEDS, write_dag
from program_under_test import columns_of
from script_under_test import load

pets_gantt = load("scripts/plots/pets/gantt.py")

PROGRAM = "pets"
ALL = (
    "pets_insertion,pets_append,pets_literal,heft_insertion,heft_append,cpop_insertion,cpop_append"
)
EXAMPLE = ["--generate", "topcuoglu", "--repeat", 2, "--algorithm", ALL]


def test_the_example_has_its_known_makespans(measured):
    runs = measured(*EXAMPLE, silent=True)
    found = dict(zip(runs["algorithm"], runs["makespan"], strict=True))
    assert [found[name] for name in ALL.split(",")] == [76, 89, 89, 80, 80, 86, 86]
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert len(runs["repetition"]) == 14 and (runs["elapsed_ms"] > 0).all()


def test_times_by_device_are_drawn_for_all_layouts(run, tmp_path):
    layouts = "host,adjacency,transposed,rectangular,rectangular_vectorised,csr"
    of = ["--generate", "v=200", "--generate", "v=100", "--algorithm", "pets_append"]
    run(*of, "--implementation", layouts, "--repeat", 2, "--output", "r.h5", code=0)
    script = ROOT / "scripts/plots/pets/devices.py"
    _, failure = drawn_by(script, [tmp_path / "r.h5", "--output-dir", tmp_path])
    assert failure is None
    svg = (tmp_path / "pets_devices.svg").read_text()
    assert "200 tasks" in svg and all(name in svg for name in layouts.split(","))


def test_stored_schedules_pass_an_independent_check(run, tmp_path):
    """A chain 0 -> 1 -> 2 and a single task. Data cost time between processors only."""
    write_dag(tmp_path / "g.h5", [[1], [2], [], []], [[3, 9], [9, 2], [4, 9], [9, 5]], [10, 1])
    assert run("--dag", "g.h5", "--repeat", 1, "--output", "r.h5").returncode == 0
    own = columns_of(tmp_path / "r.h5", "schedules")
    algorithms = {"pets_insertion", "pets_append", "heft_insertion", "cpop_insertion"}
    assert set(own["algorithm"]) == algorithms and set(own["processors"]) == {2}
    for algorithm in algorithms:
        keep = np.asarray(own["algorithm"]) == algorithm
        rows = {name: np.asarray(own[name])[keep] for name in own}
        assert list(rows["task"]) == [0, 1, 2, 3]
        where, start, finish = rows["processor"], rows["start"], rows["finish"]
        for parent, child, data in ((0, 1, 10), (1, 2, 1)):
            moved = data if where[parent] != where[child] else 0
            assert start[child] >= finish[parent] + moved
        for a in range(4):
            for b in range(a):
                assert where[a] != where[b] or finish[a] <= start[b] or finish[b] <= start[a]


def test_stored_schedules_have_levels_ranks_and_the_order(run, tmp_path):
    assert run(*EXAMPLE, "--output", "r.h5").returncode == 0
    own = columns_of(tmp_path / "r.h5", "schedules")
    keep = np.asarray(own["algorithm"]) == "pets_append"
    level, rank, place = (np.asarray(own[name])[keep] for name in ("level", "rank", "place"))
    assert list(level) == [0, 1, 1, 1, 1, 1, 2, 2, 2, 3]
    assert list(rank) == [77, 129, 114, 140, 102, 105, 142, 161, 170, 185]
    assert list(np.argsort(place)) == [0, 3, 1, 2, 5, 4, 8, 7, 6, 9]


def test_explain_shows_how_pets_works(run):
    done = run(*EXAMPLE, "--explain", code=0)
    assert " 0 3 1 2 5 4 8 7 6 9" in done.stdout  # the order
    assert "makespan 76" in done.stdout
    # ACC, DTC, RPT and rank by hand: task 0 costs 14, 16 and 9, and sends 18, 12, 9, 11 and 14.
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["0", "0", "13.00", "64", "0", "77"] in lines
    assert ["7", "2", "10.00", "11", "140", "161"] in lines
    # EFTs: task 3 waits for data from P2, the first task for nothing.
    assert ["3", "31", "26", "26", "P1,", "18", "to", "26"] in lines
    assert ["0", "14", "16", "9", "P2,", "0", "to", "9"] in lines
    ranks = [line.split()[-1] for line in done.stdout.splitlines()[2:12]]
    assert " ".join(ranks) == "77 129 114 140 102 105 142 161 170 185"


def test_several_graphs_are_those_of_consecutive_seeds(run, tmp_path):
    one = ["--generate", "v=60", "--repeat", 1, "--algorithm", "pets_append", "--output"]
    assert run(*one, "all.h5", "--count", 3, "--seed", 4).returncode == 0
    assert run(*one, "last.h5", "--seed", 6).returncode == 0
    runs, last = (columns_of(tmp_path / name, "runs") for name in ("all.h5", "last.h5"))
    assert list(runs["graph_seed"]) == [4, 5, 6]
    assert runs["makespan"][2] == last["makespan"][0] != runs["makespan"][0]


def test_gantt_charts_are_drawn(run, tmp_path, run_script):
    assert run(*EXAMPLE, "--output", "r.h5").returncode == 0
    done = run_script(
        "scripts/plots/pets/gantt.py", tmp_path / "r.h5", "--output-dir", tmp_path / "out"
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/pets_gantt.png").read_bytes().startswith(b"\x89PNG")
    figure = pets_gantt.draw(pets_gantt.read_schedules(tmp_path / "r.h5"))
    assert figure.axes[0].get_title() == "pets_insertion: 76"
    assert [len(axes.collections[0].get_paths()) for axes in figure.axes] == [10] * 7
    assert run(*EXAMPLE, "--output", "r.h5", "--append").returncode == 0
    again = pets_gantt.draw(pets_gantt.read_schedules(tmp_path / "r.h5"))
    assert [len(axes.collections[0].get_paths()) for axes in again.axes] == [10] * 7


THESIS = ["adjacency", "transposed", "rectangular", "rectangular_vectorised"]
OURS = ["csr", "hand_over", "in_order"]
HOST = ["--backend", "host", "--implementation"]


def test_all_implementations_make_the_same_schedules(measured, tmp_path):
    implementations = ["host", *THESIS, *OURS]
    columns = measured(
        "--generate", "v=300,jump=0", "--repeat", 2, *HOST, ",".join(implementations), "--workers",
        3, "--algorithm", "pets_append,pets_insertion,heft_append",
    )  # fmt: skip
    runs = {name: np.asarray(column) for name, column in columns.items()}
    assert set(runs["status"]) == {"ok"} and set(runs["backend"]) == {"host"}
    assert len(runs["graph"]) == 2 * (2 * len(implementations) + 1)
    for algorithm in ("pets_append", "pets_insertion"):
        own = runs["algorithm"] == algorithm
        assert list(dict.fromkeys(sorted(runs["implementation"][own]))) == sorted(implementations)
        assert len(set(runs["makespan"][own])) == 1
    device = runs["implementation"] != "host"
    steps = sum(runs[f"{step}_ms"] for step in ("entries", "metrics", "sort", "selection"))
    assert steps[device] == pytest.approx(runs["elapsed_ms"][device])
    assert (runs["setup_ms"][runs["repetition"] == 0] > 0).all()
    assert (runs["metrics_bytes"][device] > 0).all() and (runs["metrics_bytes"][~device] == 0).all()
    on_device = runs["selection"] == "device"
    assert set(runs["implementation"][on_device]) == {"hand_over", "in_order"}
    assert set(runs["algorithm"][on_device]) == {"pets_append", "pets_insertion"}
    # The thesis's loop launches one kernel per level and one for the entries.
    loops = np.isin(runs["implementation"], [*THESIS, "csr"])
    assert (runs["launches"][loops] == runs["depth"][loops] + 1).all()
    matrices = np.isin(runs["implementation"], THESIS[:2])
    assert runs["metrics_bytes"][matrices].min() > 10 * runs["metrics_bytes"][~matrices].max()
    memory = columns_of(tmp_path / "r.h5", "memory")
    assert len(memory["bytes"]) == 2 and (np.asarray(memory["elapsed_ms"]) > 0).all()


def test_graphs_are_stored_with_the_requested_parameters(measured):
    graphs = measured(
        "--generate", "v=50,ccr=2,alpha=0.5", "--generate", "star:leaves=4", "--count", 2,
        "--repeat", 1, "--algorithm", "pets_append", table="graphs",
    )  # fmt: skip
    assert list(graphs["kind"]) == ["random", "random", "star", "star"]
    assert list(graphs["tasks"]) == [50, 50, 5, 5] and list(graphs["graph_seed"]) == [1, 2, 1, 2]
    assert list(graphs["v"]) == [50, 50, -1, -1] and list(graphs["ccr"]) == [2, 2, 1, 1]
    assert list(graphs["alpha"]) == [0.5, 0.5, -1, -1] and list(graphs["eta"]) == [0.5] * 4
    assert list(graphs["depth"])[2:] == [2, 2] and list(graphs["widest_level"])[2:] == [4, 4]


def test_a_timeout_of_an_implementation_is_a_status(run, tmp_path):
    done = run(
        "--generate", "v=60000,alpha=0.05", "--repeat", 2, *HOST, "host,hand_over,csr",
        "--algorithm", "pets_append", "--timeout-s", "0.001", "--output", "r.h5",
    )  # fmt: skip
    assert done.returncode == 1 and "levels and ranks" in done.stderr
    assert "timeout after 0.001 s (--timeout-s): selection of processors on the host" in done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    found = dict(zip(runs["implementation"], runs["status"], strict=True))
    assert set(found.values()) == {"timeout"} and len(found) == 3
    late = [e for e, s in zip(runs["elapsed_ms"], runs["status"], strict=True) if s == "timeout"]
    assert len(late) == 3 and np.isnan(late).all()


# {arguments: words of the error message}
BAD = {
    "--generate v=9 --dag g.h5": "--dag, --generate: expected one of them",
    "--generate topcuoglu --processors 4": "expected 3 processors",
    "--generate v=9 --implementation csr": "expected host among them",
    "--generate v=9 --generate foo": "generator: expected KEY=VALUE",
    "--generate v=9,w=0": "w: expected",
    "--generate v=9 --threads 1 --implementation host,csr": "goes with --implementation hand_over",
    "--generate v=9 --batch --schedule s.csv": "--batch: cannot go with --schedule",
    "--generate v=9 --results schedules": "--results: goes with --batch",
    "--generate v=9 --batch --results order": "makespans",
    "--generate v=9 --schedule s.txt": "--schedule: expected a file that ends in .h5, .csv or",
    "--generate v=9 --schedule s.csv --repeat 3": "--schedule: cannot go with --repeat",
    "--dag empty": "--dag: empty: expected files that end in .h5 in the folder, got none",
    "--dag g.h5 --schedule g.h5": "--schedule",
    "--dag g.h5 --dag g.h5": "--dag",
    "--dag g.h5 --dag h.h5 --explain": "expected one graph, got 2",
    "--dag g.h5 --dag h.h5 --batch": "batch: expected graphs for 2 processors, got 3",
    "--generate v=1000 --batch --count 2147483647": "of memory",
    "--generate v=9 --processors 129 --batch": "128 processors",
    "--generate v=16385 --algorithm pets_append --implementation transposed": "16384",
    "--generate v=101 --explain": "--explain: expected at most 100 tasks",
    "--dag g.h5 --processors 3": "--processors: expected 2, as g.h5 has costs for, got 3",
    "--dag g.h5 --backend host --implementation host,in_order": "expected edges from smaller",
}


def test_bad_usage_is_refused_in_one_line(all_refused, tmp_path):
    write_dag(tmp_path / "g.h5", [[], [0]], [[1, 1], [1, 1]], [1])
    write_dag(tmp_path / "h.h5", [[], [0]], [[1, 1, 1], [1, 1, 1]], [1])
    (tmp_path / "empty").mkdir()
    all_refused(BAD)


def changed(folder, name, data):
    """Writes a task graph 0 -> 1 with one array replaced."""
    write_dag(folder / "g.h5", [[1], []], [[1, 2], [3, 4]], [5])
    with h5py.File(folder / "g.h5", "r+") as file:
        del file["graph"][name]
        file["graph"][name] = data


WRONG = [
    ("costs", np.array([[1, -2], [3, 4]]), "/graph/costs: expected uint64, got int64"),
    ("costs", np.ones(2, dtype=np.uint64), "expected two dimensions"),
    ("costs", np.ones((2, 0), dtype=np.uint64), "of at least one cost"),
    ("costs", np.ones((2, 4097), dtype=np.uint64), "at most 4096 processors"),
    ("weights", np.array([-5]), "/graph/weights: expected uint64, got int64"),
    ("weights", np.array([2**62], dtype=np.uint64), "weights times the processors"),
]


def test_invalid_costs_and_weights_are_refused(refused, tmp_path):
    for name, data, words in WRONG:
        changed(tmp_path, name, data)
        message = refused("--dag", "g.h5", "--output", "r.h5")
        assert message.startswith("g.h5: ") and words in message, (name, data)


def test_files_that_hold_no_graph_are_refused(refused, tmp_path):
    (tmp_path / "plain.stg").write_bytes((SEEDS / "stg/plain.stg").read_bytes())
    assert refused("--dag", "plain.stg") == "plain.stg: expected an HDF5 file"
    write_dag(tmp_path / "g.h5", [[1], []], [[1, 2], [3, 4]], [5])
    data = (tmp_path / "g.h5").read_bytes()
    (tmp_path / "g.h5").write_bytes(data[: len(data) // 2])
    assert refused("--dag", "g.h5").startswith("g.h5")


# --- units, speeds, links -----------------------------------------------------------------------


def write_workflow(path, machines=None):
    """A chain of tasks of 30 and 60 us that passes 1,000 bytes, as imported from a workflow."""
    write_dag(path, [[1], []], [[30], [60]], [1000])
    with h5py.File(path, "r+") as file:
        group = file["graph"]
        group["costs"].attrs["unit"], group["weights"].attrs["unit"] = "us", "byte"
        if machines:
            speeds, ran_on = machines
            group.attrs["machines"] = np.uint64(len(speeds))
            group["machine_speeds"] = np.array(speeds, dtype=np.uint64)
            group["ran_on"] = np.array(ran_on, dtype=np.uint32)


ONE = ["--repeat", 1, "--warmup", 0, "--algorithm", "pets_append", "--output", "r.h5"]


def test_makespans_have_a_unit_and_data_a_bandwidth(run, refused, tmp_path):
    write_workflow(tmp_path / "w.h5")
    words = "w.h5: costs are in us, edges in byte: expected --bandwidth MB/s (and --latency us)"
    assert refused("--dag", "w.h5") == words
    # On a second processor the task of 60 us takes 10, and its data 4 + 1000 / 400 = 6.5.
    options = ["--bandwidth", 400, "--latency", 4, "--speeds", "1,6"]
    (tmp_path / "costs.txt").write_text("1 6\n")
    for more in (options, [*options[:-1], "costs.txt"]):
        done = run("--dag", "w.h5", *more, *ONE, code=0)
        assert "w.h5: 2 processors by --speeds, 400 MB/s, latency 4 us" in done.stdout
        assert " 15 us " in done.stdout  # 5 and 10, both on the second
        runs = columns_of(tmp_path / "r.h5", "runs")
        assert list(runs["makespan"]) == [15] and list(runs["unit"]) == ["us"]
        graphs = columns_of(tmp_path / "r.h5", "graphs")
        assert list(graphs["unit"]) == ["us"] and "400 MB/s" in graphs["platform"][0]
        assert set(columns_of(tmp_path / "r.h5", "schedules")["unit"]) == {"us"}


def test_machines_of_a_workflow_are_its_processors(run, tmp_path):
    write_workflow(tmp_path / "w.h5", ([1000, 3000], [0, 1]))
    done = run("--dag", "w.h5", "--bandwidth", "1", *ONE, code=0)
    assert "2 machines of the file, 1000 to 3000 MHz" in done.stdout
    assert list(columns_of(tmp_path / "r.h5", "runs")["makespan"]) == [10 + 60]
    done = run("--dag", "w.h5", "--bandwidth", "1", "--processors", 2, *ONE)
    assert "2 processors alike" in done.stdout
    assert list(columns_of(tmp_path / "r.h5", "runs")["makespan"]) == [30 + 60]


PLATFORM_BAD = {
    "--generate v=9 --bandwidth 1": "--bandwidth: goes with --dag",
    "--dag w.h5 --bandwidth 1 --latency -1": "--latency: expected whole microseconds",
    "--dag w.h5 --bandwidth 1 --speeds 1,0": "--speeds: expected speeds above 0",
    "--dag w.h5 --bandwidth 1 --speeds 1,2 --processors 3": "expected 3 speeds",
    "--dag w.h5 --bandwidth pairs.txt --processors 3": "expected a row for each of 3 processors",
    "--dag w.h5 --bandwidth torn.txt": "torn.txt: expected as many numbers per row as rows",
    "--dag g.h5 --bandwidth 1": "g.h5 has costs in 1 and edges in 1",
    "--dag g.h5 --speeds 1,1": "--speeds: expected none, as g.h5 has costs on each of 2",
    "--dag bad.h5 --bandwidth 1": "/graph/ran_on: expected 2 machine numbers below 2",
    "--dag zero.h5 --bandwidth 1": "/graph/machine_speeds: expected 2 speeds above 0",
}


def test_invalid_platforms_are_refused_in_one_line(all_refused, tmp_path):
    write_workflow(tmp_path / "w.h5")
    write_workflow(tmp_path / "bad.h5", ([1, 2], [0, 2]))
    write_workflow(tmp_path / "zero.h5", ([1, 0], [0, 1]))
    write_dag(tmp_path / "g.h5", [[], []], [[1, 1], [1, 1]], [])
    (tmp_path / "pairs.txt").write_text("0 1\n1 0\n")
    (tmp_path / "torn.txt").write_text("0 1\n1\n")
    all_refused(PLATFORM_BAD)


# --- schedules, many graphs ---------------------------------------------------------------------


def test_a_schedule_is_one_run_written_as_its_ending_says(run, tmp_path):
    write_dag(tmp_path / "g.h5", [[1], [2], [], []], [[3, 9], [9, 2], [4, 9], [9, 5]], [10, 1])
    with h5py.File(tmp_path / "g.h5", "r+") as file:
        names = ["a", 'b,"c', "d\u00e9", "e"]
        file["graph"].create_dataset("names", data=names, dtype=h5py.string_dtype())
        file["graph/costs"].attrs["unit"] = file["graph/weights"].attrs["unit"] = "us"
    both = ["--dag", "g.h5", "--algorithm", "pets_append,heft_insertion", "--schedule"]
    found = {}
    for file in ("s.csv", "s.json", "s.h5"):
        done = run(*both, file)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        assert "makespan" in done.stdout and "floors" not in done.stdout
    with (tmp_path / "s.csv").open(encoding="utf-8", newline="") as file:
        found["csv"] = [
            (r["algorithm"], r["task"], *(int(r[k]) for k in ("processor", "start", "end")))
            for r in csv.DictReader(file)
            if (r["graph"], r["unit"]) == ("g.h5", "us")
        ]
    one = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["schedules"]
    assert {s["unit"] for s in one} == {"us"} and {s["processors"] for s in one} == {2}
    found["json"] = [
        (s["algorithm"], t["task"], t["processor"], t["start"], t["end"])
        for s in one
        for t in s["tasks"]
    ]
    own = columns_of(tmp_path / "s.h5", "schedules")
    columns = ("algorithm", "name", "processor", "start", "finish")
    found["h5"] = list(zip(*(list(own[name]) for name in columns), strict=True))
    assert found["csv"] == found["json"] == [tuple(row) for row in found["h5"]]
    assert len(found["csv"]) == 8 and found["csv"][1][1] == names[1]
    assert one[0]["makespan"] == max(end for name, *_, end in found["csv"] if name == "pets_append")


def test_the_terminal_shows_a_table_sorted_by_start(run):
    done = run("--generate", "topcuoglu", "--algorithm", "heft_insertion", "--schedule", "-")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["task", "processor", "start", "end"] and lines[1] == ["0", "2", "0", "9"]
    starts = [int(line[2]) for line in lines[1:11]]
    assert starts == sorted(starts) and "makespan 80" in done.stdout
    more = run("--generate", "v=50", "--algorithm", "heft_insertion", "--schedule", "s.csv")
    assert "... and 10 tasks more" in more.stdout


def test_a_schedule_that_takes_too_long_is_given_up(run, tmp_path):
    one = ["--generate", "v=60000,ccr=5", "--algorithm", "heft_insertion", "--schedule", "s.csv"]
    done = run(*one, "--timeout-s", "0.001")
    assert done.returncode == 1 and not (tmp_path / "s.csv").exists()
    assert done.stderr.startswith("pets: timeout after 0.001 s (--timeout-s): selection of")


def test_many_files_and_folders_are_scheduled_in_one_call(run, measured, tmp_path):
    (tmp_path / "some").mkdir()
    for k, name in enumerate(("some/b.h5", "some/a.h5", "c.h5")):
        write_dag(tmp_path / name, [[1], []], [[k + 1, 9], [9, k + 2]], [5])
    (tmp_path / "some/notes.txt").write_text("no graph")
    arguments = ["--dag", "c.h5", "--dag", "some", "--repeat", 1]
    graphs = measured(*arguments, "--algorithm", "pets_append", table="graphs")
    assert list(graphs["graph"]) == ["c.h5", "a.h5", "b.h5"]
    digest = hashlib.sha256((tmp_path / "c.h5").read_bytes()).hexdigest()
    assert graphs["sha256"][0] == digest and len(set(graphs["sha256"])) == 3
    run(*arguments, "--batch", "--output", "b.h5", "--timeout-s", 30, code=0)
    batches = columns_of(tmp_path / "b.h5", "batches")
    assert set(batches["graphs"]) == {3} and set(batches["verified"]) == {"yes"}


@pytest.mark.parametrize("results", ["makespans", "schedules"])
def test_a_batch_takes_graphs_beyond_shared_memory(run, tmp_path, results):
    arguments = ["--generate", "v=1500", "--count", 3, "--batch", "--results", results]
    run(*arguments, "--repeat", 1, "--output", "b.h5", code=0)
    batches = columns_of(tmp_path / "b.h5", "batches")
    assert set(batches["status"]) == {"ok"} and set(batches["verified"]) == {"yes"}
    delivered = dict(zip(batches["steps"], batches["results"], strict=True))
    assert delivered == {"priorities": "order", "whole": results}
