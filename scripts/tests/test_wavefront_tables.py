"""Wavefront's tables of rows made by hand: the rules that the stored results do not exercise.

The numbers of the stored results are compared with the pages in test_page_tables.py.
"""

import h5py
import pytest

from conftest import ROW, add_table, row, write_results
from gridloom import timeline
from gridloom.results import PlotError, read_runs
from gridloom.wavefront import load
from gridloom.wavefront.tables import headlines, metg

# The columns of wavefront alone.
MORE = ROW | {"input": "", "durations": "", "work_total_ms": 0.0, "work_path_ms": 0.0}


def arm(name, ms, **values):
    return row(arm=name, algorithm=name.split()[0], elapsed_ms=ms, **values)


def cells(table):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_times_stand_against_the_best_rival_and_its_setup(tmp_path):
    rows = [
        arm("scanning", 40.0, workers=220),
        arm("multi_queue a 50%", 30.0, workers=220),
        arm("multi_queue a 100%", 20.0, workers=220),
        arm("multi_queue a 100% 64 blocks", 10.0, workers=64),
        arm("waves_graph", 2.0, setup_ms=8.0, width="lane"),
        arm("waves_barrier", 4.0, setup_ms=0.0, width="lane"),
        arm("ticket_queue one fence", 0.5, setup_ms=0.0, width="lane"),
        arm("ticket_queue", 5.0, setup_ms=0.0, width="lane"),
    ]
    runs = read_runs(write_results(tmp_path / "r.h5", [MORE | one for one in rows], MORE))
    found = cells(headlines.headlines_table(runs))[2:]
    # The published algorithm is shown with the paper's grid and with its best grid. The queue with
    # one fence is left out: it does not schedule tasks that exchange data.
    assert [(line[1], line[2], line[8]) for line in found] == [
        ("`scanning`", "published", "0.05 ×"),
        ("`multi_queue a 100%`", "published", "0.1 ×"),
        ("`multi_queue a 100%`", "published", "0.2 ×"),
        ("`waves_barrier`", "rival", "0.5 ×"),
        ("`waves_graph`", "rival", "1 ×"),
        ("`ticket_queue`", "ours", "0.4 ×"),
    ]
    # With set-up the best rival is another one: barriers record nothing.
    assert [line[9] for line in found[3:]] == ["1 ×", "0.4 ×", "0.8 ×"]


def work_row(name, work_ns, efficiency, path=0.5, **values):
    """A row of 1,000 equal tasks on 4 units; `path`: the critical path over the work per unit."""
    total = 1_000 * work_ns / 1e6
    least = max(total / 4, path * total / 4)
    base = {"experiment": "metg", "body": "work", "tasks": 1_000, "units": 4, "width": "block"}
    base |= {"work_total_ms": total, "work_path_ms": path * total / 4, "work_ns": work_ns}
    own = {"arm": name, "algorithm": name, "durations": "constant"}
    own["elapsed_ms"] = least / efficiency
    return MORE | base | own | values


def test_only_timed_runs_of_equal_work_count_and_efficiency_knows_the_critical_path(tmp_path):
    rows = [work_row("multi_queue", 100, 0.25), work_row("multi_queue", 10_000, 0.75, path=3)]
    for one in rows:  # as a process of several durations names them
        one["arm"] += f" {one['work_ns']} ns constant"
    rows += [work_row("scanning", 10_000, 0.4), work_row("in_order", 10_000, 0.9)]
    expected = {"metg-multi_queue": "1 µs", "metg-scanning": "> 10 µs"}
    others = ({"counters": 1}, {"status": "timeout"}, {"experiment": "rivals"}, {"work_ns": 0},
              {"durations": "uniform"}, {"width": "lane"}, {"hash": "mix"})  # fmt: skip
    rows += [work_row("multi_queue", 100, 0.5, elapsed_ms=1e-9) | other for other in others]
    path = write_results(tmp_path / "r.h5", rows, MORE)
    assert metg.texts_of(path) == expected
    custom = {"experiment": "custom", "workers": 8}
    for name, ms in (("in_order", 2.0), ("waves_graph", 1.0), ("scanning", 0.5)):
        rows.append(work_row(name, 100, 0.5, elapsed_ms=ms, **custom))
    found = metg.texts_of(write_results(tmp_path / "s.h5", rows, MORE))
    assert found.items() >= expected.items() and found["most-blocks-rival"] == "1 ms"
    assert found["most-blocks-in_order"] == "2 ms" and "rare-long-multi_queue" not in found
    rare = custom | {"durations": "rare-long"}
    for name, ms in (("multi_queue", 0.5), ("waves_graph", 2.0), ("waves_barrier", 3.0)):
        rows.append(work_row(name, 400, 0.5, elapsed_ms=ms, **rare))
        rows.append(work_row(name, 100, 0.5, elapsed_ms=1.0, **rare))
    found = metg.texts_of(write_results(tmp_path / "s.h5", rows, MORE))
    assert found["rare-long-multi_queue"] == "4 ×"
    assert found["rare-long"].splitlines()[-1] == "| `multi_queue` | 1 × | 4 × |"


# --- load ---------------------------------------------------------------------------------------

# (worker, begin, end) in ns: three of four workers execute tasks, one of them two.
WORK = [(0, 0, 40), (0, 60, 100), (2, 20, 40), (3, 20, 30)]


def trace_file(path, **config):
    """A trace of one arm as the program writes it."""
    arm = {"arm": "multi_queue", "algorithm": "multi_queue", "tasks": len(WORK), "workers": 4}
    arm |= {"threads": 32, "width": "block", "queues": 2} | config
    tasks = [
        {"arm": arm["arm"], "worker": worker, "task": task, "begin_ns": begin, "end_ns": end}
        for task, (worker, begin, end) in enumerate(WORK)
    ]
    write_results(path, tasks, tasks[0], "trace", backend="host")
    with h5py.File(path, "a") as file:
        add_table(file, "workers", [arm], arm)
    return path


def test_load_is_the_share_of_time_in_which_tasks_execute(tmp_path):
    [traced], machine = load.read(trace_file(tmp_path / "t.h5"))
    assert machine == "testbox, host" and traced.workers == 4
    edges, tasks = timeline.active(traced, 5)
    assert edges.tolist() == [0, 20, 40, 60, 80, 100]
    assert tasks.tolist() == pytest.approx([1, 2.5, 0, 1, 1])
    assert timeline.busy_share(traced) == pytest.approx(110 / 400)
    shares = timeline.shares(traced, 4, 5)
    assert shares[0].tolist() == pytest.approx([1, 1, 0, 1, 1])
    assert shares[1].sum() == 0 and shares[3].tolist() == pytest.approx([0, 0.5, 0, 0, 0])
    assert timeline.shares(traced, 2, 5)[1].tolist() == pytest.approx([0, 0.75, 0, 0, 0])
    assert load.tasks_of_workers(traced).tolist() == [2, 0, 1, 1]
    assert load.tasks_of_queues(traced).tolist() == [3, 1]


def test_a_trace_that_lacks_tasks_is_refused(tmp_path):
    with pytest.raises(PlotError, match="holds 4 tasks, not all"):
        load.read(trace_file(tmp_path / "t.h5", tasks=5))
