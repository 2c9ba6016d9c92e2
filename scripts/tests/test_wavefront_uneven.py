"""What wavefront's table of uneven tasks says of known rows."""

import pytest

from gridloom.results import PlotError, read_runs
from gridloom.wavefront import metg
from gridloom.wavefront.tables import uneven
from wavefront_rows import cells, uneven_row, written


def test_efficiency_counts_what_was_drawn_and_the_longest_path(tmp_path):
    rows = [uneven_row("in_order", 100, 0.25), uneven_row("in_order", 10_000, 0.75, path=3)]
    runs = read_runs(written(tmp_path / "r.h5", rows))
    assert metg.efficiency(runs).tolist() == pytest.approx([0.25, 0.75])
    [(place, own)] = metg.uneven(runs).items()
    assert place[1] == "block" and list(own) == ["exponential"]
    table = cells(uneven.texts_of(tmp_path / "r.h5")["uneven-metg"])
    assert table[2][1:] == ["a block", "4 × 1", "`in_order`", "1 µs"]


def test_uneven_tasks_leave_the_table_of_equal_ones_as_it_was(tmp_path):
    rows = [uneven_row("in_order", 100, 0.6, durations="constant")]
    alone = read_runs(written(tmp_path / "a.h5", rows))
    rows += [uneven_row("in_order", 100, 0.1), uneven_row("in_order", 100, 0.1, width="lane")]
    runs = read_runs(written(tmp_path / "b.h5", rows))
    [(one, durations, points)], [(same, *_)] = metg.curves(runs), metg.curves(alone)
    assert one == same and durations.tolist() == [100] and points[0][0] == pytest.approx(0.6)
    with pytest.raises(PlotError, match="drawn"):
        metg.uneven(alone)


def test_ours_is_ahead_from_the_shortest_task_after_which_no_rival_is_faster(tmp_path):
    ours = {250: 0.5, 500: 0.2, 1_000: 0.45, 2_000: 0.8}
    rivals = {250: 0.4, 500: 0.3, 1_000: 0.4, 2_000: 0.5}
    rows = [uneven_row("in_order_ticket", *point) for point in ours.items()]
    rows += [uneven_row("waves_graph", *point) for point in rivals.items()]
    rows += [uneven_row("ticket_queue", *point) for point in rivals.items()]
    rows += [uneven_row("multi_queue", 2_000, 0.25)]
    [line] = cells(uneven.texts_of(written(tmp_path / "r.h5", rows))["uneven-ahead"])[2:]
    assert line[3:] == [
        "exponential", "`waves_graph`", "–", "from 1 µs (1.6 × at 2 µs)", "never (1 × at 2 µs)",
        "–", "–", "never (0.5 × at 2 µs)",
    ]  # fmt: skip


def swept_row(name, work_ns, efficiency, blocks, threads, **values):
    """A row of a run with `--work-ns` and its own grid, whose arms name the mean."""
    own = {"experiment": "custom", "arm": f"{name} {work_ns} ns exponential"}
    shape = {"blocks": blocks, "threads": threads}
    return uneven_row(name, work_ns, efficiency, **{**own, **shape, **values})


def test_each_grid_stands_by_itself_and_then_each_algorithm_with_its_best(tmp_path):
    """Blocks and threads make a grid; one that ours did not run with counts for the best alone."""
    rows = [uneven_row("in_order", w, 0.8) for w in (100, 200)]
    rows += [uneven_row("waves_graph", w, 0.4) for w in (100, 200)]
    rows += [uneven_row("waves_barrier", w, 0.2) for w in (100, 200)]
    for name, values in (("in_order", (0.3, 0.5)), ("waves_graph", (0.4, 0.4))):
        for threads, less in ((32, 1), (64, 2)):
            for work_ns, value in zip((100, 200), values, strict=True):
                rows += [swept_row(name, work_ns, value / less, 16, threads)]
    rows += [swept_row("waves_graph", 100, 0.9, 1, 128)]
    # A mean of one grid alone says nothing of the best ones.
    rows += [uneven_row("in_order", 400, 0.9), uneven_row("waves_graph", 400, 0.6)]
    found = uneven.texts_of(written(tmp_path / "r.h5", rows))
    ahead = [line[2:6] for line in cells(found["uneven-ahead"])[2:]]
    kind = ["exponential", "`waves_graph`"]
    assert ahead == [
        ["4 × 1", *kind, "from 100 ns (1.5 × at 400 ns)"],
        ["16 × 32", *kind, "from 200 ns (1.25 × at 200 ns)"],
        ["16 × 64", *kind, "from 200 ns (1.25 × at 200 ns)"],
        ["the best of each", *kind, "from 200 ns (2 × at 200 ns)"],
    ]
    named = [line[2:] for line in cells(found["uneven-metg"])[2:] if line[2]]
    assert named == [
        ["4 × 1", "`waves_graph`", "283 ns"],
        ["16 × 32", "`waves_graph`", "> 200 ns"],
        ["16 × 64", "`waves_graph`", "> 200 ns"],
    ]
    assert [line[2] for line in cells(found["uneven-queues"])[2:]] == [
        "4 × 1",
        "16 × 32",
        "16 × 64",
    ]


def test_rivals_alone_make_no_standings(tmp_path):
    """Nor do they disturb those of ours, on another graph or with another kind of durations."""
    alone = [swept_row("waves_graph", 100, 0.4, 1, threads) for threads in (32, 64)]
    with pytest.raises(PlotError, match="no rows of ours"):
        uneven.texts_of(written(tmp_path / "a.h5", alone))
    rows = [uneven_row("in_order", 100, 0.6), uneven_row("waves_graph", 100, 0.5)]
    found = uneven.texts_of(written(tmp_path / "b.h5", rows))
    rows += [row | {"width": "lane"} for row in alone]
    assert uneven.texts_of(written(tmp_path / "c.h5", rows)) == found
    rows += [row | {"durations": "uniform"} for row in alone]
    ahead = cells(uneven.texts_of(written(tmp_path / "d.h5", rows))["uneven-ahead"])[2:]
    assert [line[2:4] for line in ahead] == [
        ["4 × 1", "exponential"], ["the best of each", "exponential"],
    ]  # fmt: skip


def test_only_timed_runs_of_work_count(tmp_path):
    rows = [uneven_row("in_order", 100, 0.6), uneven_row("waves_graph", 100, 0.5)]
    path = written(tmp_path / "a.h5", rows)
    faster = {"elapsed_ms": 1e-9}
    for other in ({"counters": 1}, {"status": "timeout"}, {"experiment": "rivals"}, {"work_ns": 0}):
        rows += [uneven_row("waves_graph", 100, 0.5) | faster | other]
    assert uneven.texts_of(written(tmp_path / "b.h5", rows)) == uneven.texts_of(path)
    equal = [uneven_row("in_order", 100, 0.6, durations="constant")]
    [(_, _, points)] = metg.curves(read_runs(written(tmp_path / "c.h5", equal)))
    equal += [swept_row("in_order", 100, 0.1, 4, 1, durations="constant")]
    [(_, _, same)] = metg.curves(read_runs(written(tmp_path / "d.h5", equal)))
    assert same == points  # of the experiment alone


def test_what_more_blocks_do_to_the_shortest_equal_tasks(tmp_path):
    rows = [uneven_row("in_order", 100, 0.5)]
    for name, ms in (("in_order", 3.0), ("waves_graph", 2.0), ("waves_barrier", 4.0)):
        rows += [uneven_row(name, 100, 0.5, durations="constant", elapsed_ms=ms)]
        for work_ns, less in ((100, 1.0), (200, 0.1)):
            own = {"durations": "constant", "elapsed_ms": ms / 2 * less}
            rows += [swept_row(name, work_ns, 0.5, 16, 32, **own)]
    found = uneven.texts_of(written(tmp_path / "r.h5", rows))
    assert found["uneven-most-blocks"] == "16 blocks"
    assert found["uneven-most-blocks-rival"] == "1 ms"
    assert found["uneven-most-blocks-in_order"] == "1.5 ms"


@pytest.mark.parametrize(
    "gains, where",
    [
        ((0.9, 0.9, 0.9, 0.9), "never"),
        ((1.1, 0.9, 1.1, 1.2), "from 300 ns"),
        ((1.1, 1.1, 0.9, 0.9), "up to 200 ns"),
        ((0.9, 1.1, 1.2, 0.9), "200 ns to 300 ns"),
        ((1.1, 0.9, 1.1, 0.9), "at 300 ns"),
    ],
)
def test_the_stretch_that_reaches_furthest_says_where_one_is_ahead(gains, where):
    lengths = {100 * (i + 1): {"in_order": g, "waves_graph": 1.0} for i, g in enumerate(gains)}
    assert uneven.ahead(lengths, "in_order") == f"{where} ({gains[-1]:.3g} × at 400 ns)"
    assert uneven.ahead(lengths, "ticket_queue") == "–"


def test_queues_stand_against_the_static_deal_by_mean_duration(tmp_path):
    static = {250: 0.5, 500: 0.2, 1_000: 0.4}
    queue = {250: 0.4, 500: 0.3, 1_000: 0.6}
    rows = [uneven_row("in_order", *point) for point in static.items()]
    rows += [uneven_row("ticket_queue", *point) for point in queue.items()]
    rows += [uneven_row("multi_queue", *point) for point in static.items()]
    rows += [uneven_row("waves_graph", length, 0.9) for length in static]
    rows += [uneven_row("single_queue", 1_000, 0.8)]
    [line] = cells(uneven.texts_of(written(tmp_path / "r.h5", rows))["uneven-queues"])[2:]
    assert line[3:] == [
        "exponential", "–", "from 500 ns (1.5 × at 1 µs)", "–", "from 1 µs (2 × at 1 µs)",
        "never (1 × at 1 µs)", "from 500 ns (1.5 × at 1 µs)",
    ]  # fmt: skip
