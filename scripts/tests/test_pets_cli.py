"""The program pets from outside: schedules, files, figures, messages."""

import re

import h5py
import numpy as np
import pytest

from gridloom.results import PlotError
from imported import SEEDS
from program_under_test import columns_of
from script_under_test import load

pets_gantt = load("scripts/plots/pets/gantt.py")

PROGRAM = "pets"
ALL = (
    "pets_insertion,pets_append,pets_literal,heft_insertion,heft_append,cpop_insertion,cpop_append"
)
EXAMPLE = ["--generate", "topcuoglu", "--repeat", 2, "--algorithm", ALL]


def write_dag(path, successors, costs, weights):
    """A task graph as the importers write it, from a list of successors a task."""
    with h5py.File(path, "w") as file:
        group = file.create_group("graph")
        group.attrs["kind"] = "dag"
        group.attrs["n"] = np.uint64(len(successors))
        offsets = np.cumsum([0, *map(len, successors)])
        group["row_offsets"] = offsets.astype(np.uint64)
        group["columns"] = np.array([c for row in successors for c in row], dtype=np.uint32)
        group["costs"] = np.array(costs, dtype=np.uint64)
        group["weights"] = np.array(weights, dtype=np.uint64)


def test_the_example_has_its_known_makespans(run, tmp_path):
    done = run(*EXAMPLE, "--output", "r.h5")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    found = dict(zip(runs["algorithm"], runs["makespan"], strict=True))
    assert [found[name] for name in ALL.split(",")] == [76, 89, 89, 80, 80, 86, 86]
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert len(runs["repetition"]) == 14 and (runs["elapsed_ms"] > 0).all()


def test_stored_schedules_are_right_by_a_check_of_their_own(run, tmp_path):
    """A chain 0 -> 1 -> 2 beside a task: communication counts between processors only."""
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
    done = run(*EXAMPLE, "--explain")
    assert done.returncode == 0, done.stderr
    assert " 0 3 1 2 5 4 8 7 6 9" in done.stdout  # the order
    assert "makespan 76" in done.stdout
    # ACC, DTC, RPT and rank by hand: task 0 costs 14, 16 and 9 and sends 18, 12, 9, 11 and 14.
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["0", "0", "13.00", "64", "0", "77"] in lines
    assert ["7", "2", "10.00", "11", "140", "161"] in lines
    # EFTs: task 3 waits for data of P2; the first task for nothing.
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
    assert run(*EXAMPLE, "--output", "r.h5", "--gantt", "g.svg").returncode == 0
    text = (tmp_path / "g.svg").read_text()
    assert text.count("<rect") == 10 and text.rstrip().endswith("</svg>")
    found = re.findall(
        r'<rect x="([^"]+)" y="([^"]+)" width="([^"]+)".*<title>(\d+): (\d+) to (\d+)', text
    )
    assert len(found) == 10
    own = columns_of(tmp_path / "r.h5", "schedules")
    names = ("task", "processor", "algorithm")
    placed = zip(*(own[name] for name in names), strict=True)
    rows = {str(t): p for t, p, algorithm in placed if algorithm == "pets_insertion"}
    x, wide = (np.array([float(row[k]) for row in found]) for k in (0, 2))
    start, finish = (np.array([int(row[k]) for row in found]) for k in (4, 5))
    scale = wide[0] / (finish[0] - start[0])
    assert wide == pytest.approx((finish - start) * scale, rel=1e-3)
    assert x - x[start == 0][0] == pytest.approx(start * scale, abs=0.1)
    heights = {rows[row[3]]: float(row[1]) for row in found}
    assert all(float(row[1]) == heights[rows[row[3]]] for row in found)
    assert heights[0] < heights[1] < heights[2]
    ticks = re.findall(r'<text x="([^"]+)"[^>]*text-anchor="middle">(\d+)</text>', text)
    ticks = [(float(a), int(b)) for a, b in ticks[-5:]]
    assert [at for _, at in ticks] == [0, 16, 32, 48, 64]
    assert [a - ticks[0][0] for a, _ in ticks] == pytest.approx(
        [16 * k * scale for k in range(5)], abs=0.1
    )
    done = run_script(
        "scripts/plots/pets/gantt.py", tmp_path / "r.h5", "--output-dir", tmp_path / "out"
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/pets_gantt.png").read_bytes().startswith(b"\x89PNG")
    figure = pets_gantt.draw(pets_gantt.read_schedules(tmp_path / "r.h5"))
    assert figure.axes[0].get_title() == "pets_insertion: 76"
    assert [len(axes.patches) for axes in figure.axes] == [10] * 7
    assert run(*EXAMPLE, "--output", "r.h5", "--append").returncode == 0
    again = pets_gantt.draw(pets_gantt.read_schedules(tmp_path / "r.h5"))
    assert [len(axes.patches) for axes in again.axes] == [10] * 7
    with pytest.raises(PlotError, match="no schedule of x"):
        pets_gantt.draw(pets_gantt.read_schedules(tmp_path / "r.h5"), "x")


def test_schedules_can_be_left_out_and_results_appended(run, tmp_path):
    arguments = [*EXAMPLE, "--no-schedules", "--output", "r.h5", "--append"]
    assert [run(*arguments).returncode for _ in range(2)] == [0, 0]
    assert len(columns_of(tmp_path / "r.h5", "runs")["graph"]) == 28
    assert len(columns_of(tmp_path / "r.h5", "schedules")["graph"]) == 0
    with pytest.raises(PlotError, match="no rows"):
        pets_gantt.read_schedules(tmp_path / "r.h5")


THESIS = ["adjacency", "transposed", "rectangular", "rectangular_vectorised"]
OURS = ["csr", "hand_over", "in_order"]
HOST = ["--backend", "host", "--implementation"]


def test_all_implementations_make_the_same_schedules(run, tmp_path):
    implementations = ["host", *THESIS, *OURS]
    done = run(
        "--generate", "v=300,jump=0", "--repeat", 2, *HOST, ",".join(implementations),
        "--workers", 3, "--algorithm", "pets_append,pets_insertion,heft_append", "--output", "r.h5",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    columns = columns_of(tmp_path / "r.h5", "runs")
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
    assert set(runs["algorithm"][on_device]) == {"pets_append"}
    # The thesis's loop launches once a level, and once for the entries; its matrices are larger.
    loops = np.isin(runs["implementation"], [*THESIS, "csr"])
    assert (runs["launches"][loops] == runs["levels"][loops] + 1).all()
    matrices = np.isin(runs["implementation"], THESIS[:2])
    assert runs["metrics_bytes"][matrices].min() > 10 * runs["metrics_bytes"][~matrices].max()
    memory = columns_of(tmp_path / "r.h5", "memory")
    assert len(memory["bytes"]) == 2 and (np.asarray(memory["elapsed_ms"]) > 0).all()


def test_graphs_are_stored_with_what_was_asked_for(run, tmp_path):
    done = run(
        "--generate", "v=50,ccr=2,alpha=0.5", "--generate", "gauss:m=5", "--count", 2,
        "--repeat", 1, "--algorithm", "pets_append", "--output", "r.h5",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    graphs = columns_of(tmp_path / "r.h5", "graphs")
    assert list(graphs["kind"]) == ["random", "random", "gauss", "gauss"]
    assert list(graphs["tasks"]) == [50, 50, 14, 14] and list(graphs["graph_seed"]) == [1, 2, 1, 2]
    assert list(graphs["v"]) == [50, 50, -1, -1] and list(graphs["ccr"]) == [2, 2, 1, 1]
    assert list(graphs["alpha"]) == [0.5, 0.5, -1, -1] and list(graphs["eta"]) == [0.5] * 4
    # Gaussian elimination: a pivot, then the columns right of it.
    assert list(graphs["levels"])[2:] == [8, 8] and list(graphs["widest"])[2:] == [4, 4]


def test_the_optimum_of_small_graphs_stands_beside(run, tmp_path):
    arguments = ["--generate", "v=8,beta=2", "--repeat", 1, "--count", 5, "--processors", 3]
    done = run(*arguments, "--output", "r.h5")
    assert done.returncode == 0 and "  optimum  " in done.stdout, done.stderr
    graphs = columns_of(tmp_path / "r.h5", "graphs")
    least = dict(zip(graphs["graph_seed"], graphs["optimum"], strict=True))
    runs = columns_of(tmp_path / "r.h5", "runs")
    ratios = [m / least[s] for m, s in zip(runs["makespan"], runs["graph_seed"], strict=True)]
    assert min(ratios) >= 1 and 1 < max(ratios) < 2
    assert run("--generate", "v=9", "--repeat", 1, "--output", "n.h5").returncode == 0
    assert list(columns_of(tmp_path / "n.h5", "graphs")["optimum"]) == [-1]


def test_an_implementation_that_is_out_of_time_is_a_status(run, tmp_path):
    done = run(
        "--generate", "v=60000,alpha=0.05", "--repeat", 2, *HOST, "host,hand_over,csr",
        "--algorithm", "pets_append", "--timeout-s", "0.001", "--output", "r.h5",
    )  # fmt: skip
    assert done.returncode == 1 and "levels and ranks" in done.stderr
    runs = columns_of(tmp_path / "r.h5", "runs")
    found = dict(zip(runs["implementation"], runs["status"], strict=True))
    assert found == {"host": "ok", "hand_over": "timeout", "csr": "timeout"}
    late = [e for e, s in zip(runs["elapsed_ms"], runs["status"], strict=True) if s == "timeout"]
    assert len(late) == 2 and np.isnan(late).all()


# command line: words that the message must hold
BAD = {
    "": "--dag, --generate: expected one of them",
    "--generate v=9 --dag g.h5": "--dag, --generate: expected one of them",
    "--dag absent.h5": "absent.h5",
    "--dag ''": "--dag: expected a file name",
    "--generate v=9 --gantt ''": "--gantt: expected a file name",
    "--generate v=9 --workers 2": "--workers",
    "--generate v=9 --processors 0": 'expected a whole number from 1 to 4096, got "0"',
    "--generate topcuoglu --processors 4": "expected 3 processors",
    "--generate v=9 --algorithm fifo": "--algorithm",
    "--generate v=9 --backend cuda --implementation host": "--backend",
    "--generate v=9 --implementation list": "--implementation",
    "--generate v=9 --implementation csr": "expected host among them",
    "--generate v=9 --trace t.h5": "--trace",
    "--generate v=9 --generate foo": "generator: expected KEY=VALUE",
    "--generate v=9,w=0": "w: expected",
    "--generate v=9 --threads 1 --implementation host,csr": "expected hand_over",
    "--generate v=9 --batch --timeout-s 1": "--timeout-s: not with --batch",
    "--generate v=9 --batch --gantt g.svg": "--gantt: not with --batch",
    "--generate v=1000 --batch --count 2147483647": "of memory",
    "--generate v=1025 --batch": "1024",
    "--generate v=16385 --algorithm pets_append --implementation transposed": "16384",
    "--generate v=101 --explain": "--explain: expected at most 100 tasks",
    "--generate v=9 --count 2 --gantt g.svg": "expected one graph",
    "--generate v=9 --gantt r.h5 --output r.h5": "--gantt",
    "--dag g.h5 --processors 3": "--processors: expected 2, as g.h5 has costs for, got 3",
    "--dag g.h5 --backend host --implementation host,in_order": "expected edges from smaller",
}


def test_bad_usage_is_refused_in_one_line(all_refused, tmp_path):
    write_dag(tmp_path / "g.h5", [[], [0]], [[1, 1], [1, 1]], [1])
    all_refused(BAD)


def changed(folder, name, data):
    """A task graph 0 -> 1, one array of which is another."""
    write_dag(folder / "g.h5", [[1], []], [[1, 2], [3, 4]], [5])
    with h5py.File(folder / "g.h5", "r+") as file:
        del file["graph"][name]
        if data is not None:
            file["graph"][name] = data


MOST = 2**63 - 1
WRONG = [
    ("costs", np.array([[1, -2], [3, 4]]), "/graph/costs: expected uint64, got int64"),
    ("costs", np.array([[1, 2.5], [3, 4]]), "/graph/costs: expected uint64, got float64"),
    ("costs", np.array([[2**63, 2], [3, 4]], dtype=np.uint64), f"at most {MOST}"),
    ("costs", np.full((2, 2), 2**62, dtype=np.uint64), f"at most {MOST}"),
    ("costs", np.ones((3, 2), dtype=np.uint64), "expected 2 rows"),
    ("costs", np.ones(2, dtype=np.uint64), "expected two dimensions"),
    ("costs", np.ones((2, 0), dtype=np.uint64), "of at least one cost"),
    ("costs", np.ones((2, 4097), dtype=np.uint64), "at most 4096 processors"),
    ("costs", None, "costs"),
    ("weights", np.array([-5]), "/graph/weights: expected uint64, got int64"),
    ("weights", np.array([2**62], dtype=np.uint64), "weights times the processors"),
    ("weights", np.array([2**64 - 1], dtype=np.uint64), "add up to at most"),
    ("weights", np.array([], dtype=np.uint64), "expected 1 weights"),
    ("weights", None, "weights"),
]


def test_costs_and_weights_that_are_none_are_refused(refused, tmp_path):
    for name, data, words in WRONG:
        changed(tmp_path, name, data)
        message = refused("--dag", "g.h5", "--output", "r.h5")
        assert message.startswith("g.h5: ") and words in message, (name, data)


def test_graphs_that_are_none_are_refused(refused, tmp_path):
    for successors, words in (
        ([], "at least one task"), ([[0], []], "edge 0 -> 0"), ([[1, 1], []], "twice"),
    ):  # fmt: skip
        costs = np.ones((len(successors), 2))
        write_dag(tmp_path / "g.h5", successors, costs, [1] * sum(map(len, successors)))
        assert words in refused("--dag", "g.h5", "--output", "r.h5")
    # 0 -> 1 -> 2 -> 3 -> 1 and 3 -> 4: neither the way in nor the way out is on the cycle.
    write_dag(tmp_path / "g.h5", [[1], [2], [3], [1, 4], []], [[1, 1]] * 5, [1] * 5)
    message = refused("--dag", "g.h5")
    assert re.fullmatch(r"g\.h5: edge (1 -> 2|2 -> 3|3 -> 1) lies on a cycle", message)


def test_files_that_hold_no_graph_are_refused(refused, tmp_path):
    for name in ("stg/plain.stg", "dax/minimal.xml", "wfformat/split.json"):
        path = tmp_path / name.split("/")[1]
        path.write_bytes((SEEDS / name).read_bytes())
        assert refused("--dag", path.name) == f"{path.name}: expected an HDF5 file"
    write_dag(tmp_path / "g.h5", [[1], []], [[1, 2], [3, 4]], [5])
    data = (tmp_path / "g.h5").read_bytes()
    (tmp_path / "g.h5").write_bytes(data[: len(data) // 2])
    assert refused("--dag", "g.h5").startswith("g.h5")
