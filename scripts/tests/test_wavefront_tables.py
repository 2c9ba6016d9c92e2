"""What the tables of wavefront say of known rows."""

import h5py
import numpy as np
import pytest

from conftest import row, write_results
from gridloom.claims import Source
from gridloom.results import PlotError, read_runs
from gridloom.wavefront import load, rivals
from gridloom.wavefront.claims import QUANTITIES
from gridloom.wavefront.tables import equal_work, headlines
from gridloom.wavefront.tables import load as load_table
from gridloom.wavefront.tables import rivals as rivals_table
from wavefront_rows import MORE, arm, cells, written


def test_times_stand_against_the_best_rival_and_its_setup(tmp_path):
    rows = [
        arm("scanning", 40.0, blocks=220),
        arm("multi_queue a 50%", 30.0, blocks=220),
        arm("multi_queue a 100%", 20.0, blocks=220),
        arm("multi_queue a 100% 64 blocks", 10.0, blocks=64),
        arm("waves_graph", 2.0, setup_ms=8.0, width="lane"),
        arm("waves_barrier", 4.0, width="lane"),
        arm("ticket_queue one fence", 0.5, width="lane"),
        arm("ticket_queue", 5.0, width="lane"),
    ]
    runs = read_runs(write_results(tmp_path / "r.h5", rows))
    found = cells(headlines.headlines_table(runs))[2:]
    # The best of the published algorithm with the paper's grid and with any, and no arm that is
    # no scheduler for tasks that exchange data.
    assert [(line[1], line[2], line[8]) for line in found] == [
        ("`scanning`", "published", "20 ×"),
        ("`multi_queue a 100%`", "published", "10 ×"),
        ("`multi_queue a 100%`", "published", "5 ×"),
        ("`waves_barrier`", "rival", "2 ×"),
        ("`waves_graph`", "rival", "1 ×"),
        ("`ticket_queue`", "ours", "2.5 ×"),
    ]
    # With set-up the best rival is another one: barriers record nothing.
    assert [line[9] for line in found[3:]] == ["1 ×", "2.5 ×", "1.25 ×"]


def test_the_best_rivals_are_shown_without_and_with_setup_and_one_form_of_in_order(tmp_path):
    ms = {"waves_graph": 1.0, "waves_graph_pdl": 0.5, "waves_stream": 2.0, "waves_barrier": 3.0}
    ms |= {"in_order": 0.3, "in_order_ticket": 0.2, "ticket_queue": 4.0}
    rows = [arm(name, own, setup_ms=0.0 if own > 2 else 9.0) for name, own in ms.items()]
    rows += [arm(name, own, body="recurrence") for name, own in ms.items()]
    found = cells(headlines.headlines_table(read_runs(write_results(tmp_path / "r.h5", rows))))
    shown = [line[1].strip("`") for line in found[2:]]
    assert shown == [
        "waves_barrier", "waves_graph_pdl", "ticket_queue", "in_order_ticket",
        "waves_graph_pdl", "ticket_queue", "in_order_ticket",
    ]  # fmt: skip


def test_the_graph_that_suits_in_order_least_is_named(tmp_path):
    def one(name, ms, graph, **values):
        return arm(name, ms, experiment="custom", graph="dag", **values) | {"input": graph}

    rows = [one("in_order", 1.0, "a.h5"), one("waves_graph", 2.0, "a.h5")]
    rows += [one("in_order", 4.0, "b.h5"), one("waves_graph", 2.0, "b.h5")]
    rows += [one("waves_barrier", 1.0, "b.h5"), one("ticket_queue", 0.1, "b.h5")]
    rows += [one("in_order", 9.0, "b.h5", body="recurrence")]
    runs = read_runs(written(tmp_path / "r.h5", rows))
    assert headlines.worst_in_order(runs) == {"in_order-worst": "0.25 ×"}


def test_what_packed_successors_save(tmp_path):
    def one(name, ms, graph):
        return arm(name, ms, experiment="custom", graph="dag") | {"input": graph}

    rows = [one("ticket_queue", 9.0, "a.h5"), one("ticket_queue rows", 10.0, "a.h5")]
    rows += [one("ticket_queue", 6.0, "b.h5"), one("ticket_queue rows", 8.0, "b.h5")]
    rows += [one("ticket_queue", 1.0, "c.h5")]
    runs = read_runs(written(tmp_path / "r.h5", rows))
    assert headlines.packed_gain(runs) == {"packed-saves": "10 to 25 %"}


def test_waves_that_were_there_before_have_no_setup(tmp_path):
    graph = {"experiment": "custom", "graph": "dag", "rows": 1, "cols": 10_000}
    rows = [arm("waves_graph", 2.0, setup_ms=0.1, **graph), arm("ticket_queue", 8.0, 2.0, **graph)]
    runs = read_runs(write_results(tmp_path / "r.h5", rows))
    rival, ours = cells(headlines.headlines_table(runs))[2:]
    assert (rival[7], rival[9]) == ("–", "–")
    assert (ours[7], ours[8], ours[9]) == ("2", "4 ×", "–")


def test_ahead_is_from_the_shortest_task_on_which_no_rival_is_level(tmp_path):
    works = {"experiment": "metg", "body": "work"}
    rows = []
    for work_ns, ours in ((250, 1.0), (1000, 2.0), (4000, 1.5), (16_000, 1.0)):
        rows += [arm("ticket_queue", ours, work_ns=work_ns, **works)]
        rows += [arm("waves_graph", 2.0, work_ns=work_ns, **works)]
    found = headlines.ahead_from(read_runs(write_results(tmp_path / "r.h5", rows)))
    assert found == {"metg-ahead": "4 µs"}  # level at 1 µs; that it is ahead below says nothing


def test_the_headlines_take_the_dag_with_most_edges(tmp_path):
    dag = {"experiment": "custom", "graph": "dag", "rows": 1}
    rows = [arm("ticket_queue", 4.0, edges=n, **dag) for n in (10_000, 30_000, 20_000)]
    [line] = cells(headlines.headlines_table(read_runs(write_results(tmp_path / "r.h5", rows))))[2:]
    assert line[0] == "DAG, 10,000 tasks, 30,000 edges, no-op"


# --- general graphs ---------------------------------------------------------------------------


def on_graph(name, ms, body="noop", **values):
    base = {"experiment": "rivals", "graph": "dag", "input": "layered.h5", "backend": "cuda"}
    base |= {"rows": 1, "cols": 10_000, "width": "lane", "body": body}
    label = f"{name} {values.get('threads', '')} {body} {values.get('tile', '')}"
    return base | {"arm": label, "algorithm": name, "elapsed_ms": ms} | values


def test_ours_stand_against_the_rival_by_waves_whose_blocks_suit_it_best(tmp_path):
    rows = [
        on_graph("waves_graph", 6.0, threads=64, waves_ms=30.0, record_ms=5.0, setup_ms=1.0),
        on_graph("waves_graph", 4.0, threads=256, waves_ms=30.0, record_ms=5.0, setup_ms=1.0),
        on_graph("waves_barrier", 5.0, threads=512, waves_ms=30.0),
        on_graph("in_order", 2.0),
        on_graph("ticket_queue", 8.0),
        on_graph("waves_barrier", 12.0, "recurrence", threads=512),
        on_graph("in_order", 3.0, "recurrence"),
    ]
    found = rivals_table.texts_of(written(tmp_path / "r.h5", rows))
    lines = cells(found["over-waves"])[2:]
    assert [line[1] for line in lines] == ["no-op", "needs results"]
    assert lines[0][3:5] == ["`waves_graph`, 4 × 256", "4"]
    assert lines[0][5:] == ["2 (2 ×)", "–", "–", "8 (0.5 ×)", "–"]
    assert lines[1][3:6] == ["`waves_barrier`, 4 × 512", "12", "3 (4 ×)"]
    assert found["in_order-noop"] == "2 to 2 ×" and found["in_order-recurrence"] == "4 to 4 ×"
    best, barrier, _ = cells(found["waves"])[2:]
    assert best[2:5] == ["`waves_graph`", "4 × 256, best of 2", "4 [4, 4]"]
    assert best[5:] == ["40,000", "30", "5", "36"]
    assert barrier[:3] == ["", "", "`waves_barrier`"]


def test_the_best_rival_on_the_largest_lattice_is_told_by_task(tmp_path):
    lattice = {"graph": "lattice", "input": "", "rows": 10, "cols": 1000}
    rows = [
        on_graph("waves_graph", 6.0, threads=64, **lattice),
        on_graph("waves_graph", 4.0, threads=256, **lattice),
        on_graph("waves_barrier", 3.0, "recurrence", **lattice),
        on_graph("in_order", 1.0, **lattice),
        on_graph("waves_graph", 0.5, **lattice | {"cols": 10, "tasks": 100}),
        on_graph("waves_graph", 0.25),
    ]
    found = rivals_table.texts_of(written(tmp_path / "r.h5", rows))
    assert found["lattice-rival-noop"] == "4 ms" and found["lattice-rival-recurrence"] == "3 ms"
    assert found["lattice-barrier-recurrence"] == "3 ms" and "lattice-barrier-noop" not in found
    assert found["lattice-in_order-noop"] == "0.25 ×"  # of the run of the best rival


def test_runs_with_wide_results_stand_over_those_with_narrow_ones_graph_by_graph(tmp_path):
    other = {"input": "lattice.h5"}
    rows = [
        on_graph("waves_graph", 6.0, "recurrence"),
        on_graph("waves_barrier", 8.0, "recurrence"),
        on_graph("waves_graph", 10.0, "wide"),
        on_graph("waves_barrier", 9.0, "wide"),
        on_graph("in_order", 2.0, "recurrence"),
        on_graph("in_order", 3.0, "wide"),
        on_graph("waves_graph", 5.0, "recurrence", **other),
        on_graph("waves_graph", 10.0, "wide", **other),
        on_graph("in_order", 1.0, "recurrence", **other),
        on_graph("in_order", 4.0, "wide", **other),
        on_graph("waves_graph", 1.0, "wide", input="without.h5"),
        on_graph("in_order", 1.0, "wide", input="without.h5"),
    ]
    found = rivals_table.texts_of(written(tmp_path / "r.h5", rows))
    assert found["longer-in_order"] == "1.5 to 4 ×"
    assert found["longer-rival"] == "1.5 to 2 ×"  # the best of each width
    assert found["in_order-wide"] == "1 to 3 ×"
    assert [line[1] for line in cells(found["over-waves"])[2:4]] == [
        "needs results", "needs wide results",
    ]  # fmt: skip
    narrow = rivals_table.texts_of(written(tmp_path / "n.h5", rows[4:5] + rows[:2]))
    assert "longer-in_order" not in narrow


def test_hash_b_over_a_on_the_largest_grid_is_with_a_queue_a_block(tmp_path):
    def one(hash_name, ms, blocks, queues):
        label = f"multi_queue {hash_name} {blocks} {queues}"
        return arm(label, ms, hash=hash_name, blocks=blocks, queues=queues)

    b_over_a = QUANTITIES["b_over_a_most_blocks"]
    rows = [arm("single_queue", 9.0, blocks=4)]
    rows += [one("a", 2.0, 4, 4), one("b", 4.0, 4, 4)]
    with pytest.raises(PlotError, match="on a larger grid"):
        b_over_a(Source([write_results(tmp_path / "a.h5", rows)]))
    rows += [one("a", 3.0, 16, 16), one("b", 2.0, 16, 16), one("b", 1.0, 16, 8)]
    found = b_over_a(Source([write_results(tmp_path / "b.h5", rows)]))
    assert found.numbers[0] == pytest.approx(1.5)


def test_what_ours_cost_once_stands_beside_the_waves(tmp_path):
    rows = [
        on_graph("waves_graph", 4.0, waves_ms=30.0, record_ms=5.0, setup_ms=1.0),
        on_graph("waves_barrier", 9.0, waves_ms=30.0),
        on_graph("ticket_queue", 8.0, setup_ms=10.0),
        on_graph("in_order", 2.0, setup_ms=70.0),
        on_graph("in_order", 2.0, setup_ms=np.nan),  # a long set-up is not repeated
        on_graph("in_order", 3.0, "recurrence", setup_ms=80.0),
    ]
    found = rivals_table.texts_of(written(tmp_path / "r.h5", rows))
    assert cells(found["our-setups"])[2:] == [
        ["layered: 10,000 tasks, 19,800 edges", "`in_order`", "2", "70", "`waves_graph`", "36"],
        ["", "`ticket_queue`", "8", "10", "", ""],
    ]
    # No rival by waves to stand beside.
    alone = written(tmp_path / "a.h5", [on_graph("in_order", 2.0), on_graph("omp_tasks", 2.0)])
    assert "our-setups" not in rivals_table.texts_of(alone)


def test_host_rivals_show_their_best_tile_by_threads(tmp_path):
    host = {"backend": "host", "threads": 1}
    rows = [
        on_graph("serial", 10.0, blocks=1, **host),
        on_graph("omp_tiles", 8.0, blocks=4, tile=16, **host),
        on_graph("omp_tiles", 5.0, blocks=4, tile=64, **host),
        *(on_graph("omp_tiles", ms, blocks=1, tile=64, **host) for ms in (11.0, 9.0, 40.0)),
    ]
    found = rivals_table.texts_of(written(tmp_path / "r.h5", rows))
    assert set(found) == {"host-rivals"}
    first, second = cells(found["host-rivals"])[2:]
    assert first[2:4] == ["`omp_tiles`, tile 64", "rival"] and first[5:] == [
        "11 [9, 40]", "5 [5, 5]",
    ]  # fmt: skip
    assert second[2] == "`serial`" and second[5:] == ["10 [10, 10]", "–"]


def test_on_a_host_ours_come_after_the_rivals(tmp_path):
    host = {"backend": "host", "threads": 1, "blocks": 4}
    rows = [on_graph("in_order", 1.0, **host), on_graph("stripes", 3.0, **host)]
    rows += [on_graph("serial", 2.0, backend="host", threads=1, blocks=1)]
    found = rivals_table.texts_of(written(tmp_path / "r.h5", rows))
    lines = cells(found["host-rivals"])[2:]
    assert [line[2:4] for line in lines] == [
        ["`serial`", "rival"], ["`in_order`", "ours"], ["`stripes`", "ours"],
    ]  # fmt: skip


def test_rivals_need_their_experiment(tmp_path):
    with pytest.raises(PlotError, match="rivals"):
        rivals.by_graph(read_runs(written(tmp_path / "r.h5", [row()])))


# --- equal work -------------------------------------------------------------------------------


def test_widths_stand_against_the_best_rival_of_the_same_width_and_task(tmp_path):
    def one(name, ms, width, body="noop"):
        own = {"experiment": "widths", "arm": f"{name} {width} {body}", "algorithm": name}
        return own | {"elapsed_ms": ms, "width": width, "body": body}

    rows = [one("waves_graph", 1.0, "lane"), one("waves_graph", 2.0, "block")]
    rows += [one("waves_barrier", 4.0, "block"), one("scanning", 20.0, "block")]
    rows += [one("in_order", 0.5, "lane"), one("in_order", 1.0, "block")]
    rows += [one("in_order", 0.5, "lane", "recurrence")]
    table = cells(equal_work.texts_of(written(tmp_path / "r.h5", rows))["widths"])[2:]
    found = {line[0]: line[1:] for line in table}
    assert table[0][0] == "`scanning`"
    assert found["`scanning`"] == ["published", "500 k (10 ×), 4 × 1", "–", "–", "–"]
    assert found["`in_order`"][1].startswith("10 M (0.5 ×)")
    assert found["`in_order`"][3].startswith("20 M (0.5 ×)")
    assert found["`in_order`"][4].startswith("20 M, 4 × 1")  # no rival ran those


def test_widths_take_rivals_with_swept_blocks_of_the_same_graph_alone(tmp_path):
    def one(name, ms, experiment, **values):
        own = {"experiment": experiment, "arm": name, "algorithm": name, "width": "lane"}
        return own | {"elapsed_ms": ms} | values

    rows = [one("in_order", 1.0, "widths"), one("waves_graph", 4.0, "widths")]
    rows += [one("waves_graph", 2.0, "rivals", blocks=1, threads=512)]
    rows += [one("waves_graph", 3.0, "rivals", blocks=1, threads=256)]
    rows += [one("waves_graph", 0.5, "rivals", rows=7, cols=7, tasks=49)]
    rows += [one("waves_graph", 0.5, "widths", rows=7, cols=7, tasks=49)]
    rows += [one("waves_graph", 0.5, "rivals", input="another.h5")]
    rows += [one("in_order", 0.5, "rivals")]  # no rival: ours have no sweep
    path = written(tmp_path / "r.h5", rows)
    table = cells(equal_work.texts_of(path)["widths"])[2:]
    found = {line[0]: line[4] for line in table}
    assert found["`waves_graph`"] == "5 M (1 ×), 1 × 512"
    assert found["`in_order`"].startswith("10 M (0.5 ×)")


def test_the_peak_of_each_hash_is_over_blocks_and_queues(tmp_path):
    def one(hash_name, blocks, queues, ms):
        own = {"experiment": "peak", "arm": f"{hash_name} {blocks} {queues}", "hash": hash_name}
        own |= {"algorithm": "multi_queue", "blocks": blocks, "queues": queues}
        return own | {"elapsed_ms": ms}

    rows = [one("a", 8, 8, 4.0), one("a", 8, 4, 2.0), one("a", 4, 4, 5.0), one("b", 4, 4, 1.0)]
    found = equal_work.texts_of(written(tmp_path / "r.h5", rows))
    lines = cells(found["peak"])[2:]
    assert lines == [
        ["a", "100 %", "2 M", "2.5 M"], ["a", "50 %", "–", "5 M"], ["b", "100 %", "10 M", "–"],
    ]  # fmt: skip


def test_set_up_holds_the_waves_and_the_recording_where_they_were_timed(tmp_path):
    dag = {"experiment": "custom", "graph": "dag", "rows": 1, "edges": 30_000}
    cube = {"experiment": "custom", "depth": 5}
    costs = {"waves_ms": 30.0, "record_ms": 5.0}
    rows = [MORE | arm("waves_graph", 2.0, 0.5) | dag | costs]
    rows += [MORE | arm("ticket_queue", 8.0, 1.5) | dag]
    rows += [MORE | arm("waves_graph_pdl", 1.0, 0.25) | cube | costs]
    runs = read_runs(written(tmp_path / "r.h5", rows))
    found = headlines.setup_values(runs)
    assert (found["waves-setup"], found["waves-run"]) == ("30 ms", "1.00 ms")
    lines = cells(headlines.headlines_table(runs))[2:]
    rival = next(line for line in lines if line[1] == "`waves_graph`")
    ours = next(line for line in lines if line[1] == "`ticket_queue`")
    assert rival[7] == "35.5" and ours[9] == f"{9.5 / 37.5:.3g} ×"


# --- load -------------------------------------------------------------------------------------

# (worker, begin, end) in ns: two workers of four work, one of them twice.
WORK = [(0, 0, 40), (0, 60, 100), (2, 20, 40), (3, 20, 30)]


def trace_file(path, work=WORK, **config):
    """A trace of one arm as the program writes it."""
    arm = {"arm": "multi_queue", "algorithm": "multi_queue", "tasks": len(work), "blocks": 4}
    arm |= {"threads": 32, "width": "block", "queues": 2} | config
    tasks = [
        {"arm": arm["arm"], "worker": worker, "task": task, "begin_ns": begin, "end_ns": end}
        for task, (worker, begin, end) in enumerate(work)
    ]
    write_results(path, tasks, tasks[0], backend="host")
    with h5py.File(path, "a") as file:
        file.move("runs", "trace")
        for name, value in arm.items():
            kind = h5py.string_dtype() if isinstance(value, str) else None
            file.create_dataset(f"workers/{name}", data=[value], dtype=kind)
    return path


def test_load_is_the_time_that_tasks_are_at_work(tmp_path):
    [traced], machine = load.read(trace_file(tmp_path / "t.h5"))
    assert machine == "testbox, host" and traced.workers == 4
    edges, tasks = load.active(traced, 5)
    assert edges.tolist() == [0, 20, 40, 60, 80, 100]
    assert tasks.tolist() == pytest.approx([1, 2.5, 0, 1, 1])
    assert load.busy_share(traced) == pytest.approx(110 / 400)
    shares = load.timeline(traced, 4, 5)
    assert shares[0].tolist() == pytest.approx([1, 1, 0, 1, 1])
    assert shares[1].sum() == 0 and shares[3].tolist() == pytest.approx([0, 0.5, 0, 0, 0])
    assert load.timeline(traced, 2, 5)[1].tolist() == pytest.approx([0, 0.75, 0, 0, 0])
    assert load.tasks_of_workers(traced).tolist() == [2, 0, 1, 1]
    assert load.tasks_of_queues(traced).tolist() == [3, 1]


def test_lanes_are_workers_and_one_queue_has_no_balance(tmp_path):
    path = trace_file(tmp_path / "t.h5", width="lane", blocks=2, threads=3, queues=0)
    [traced], _ = load.read(path)
    assert traced.workers == 6 and load.tasks_of_queues(traced) is None
    assert np.shape(load.timeline(traced, 66, 7)) == (6, 7)


def test_a_trace_that_lacks_tasks_is_refused(tmp_path):
    with pytest.raises(PlotError, match="holds 4 tasks, not all"):
        load.read(trace_file(tmp_path / "t.h5", tasks=5))


def test_the_table_of_load(tmp_path):
    [line] = cells(load_table.texts_of(trace_file(tmp_path / "load.h5"))["load"])[2:]
    assert line[3:] == ["100 ns", "28 %", "1.1", "3", "0 to 2", "0.5 to 1.5"]
