"""What the headline figures of wavefront say of known rows."""

import runpy

from conftest import ROOT, row, write_results
from gridloom.results import read_runs

HEADLINES = runpy.run_path(str(ROOT / "scripts/tables/wavefront/headlines.py"))


def arm(name, ms, setup_ms=0.0, **values):
    return row(arm=name, algorithm=name.split()[0], elapsed_ms=ms, setup_ms=setup_ms, **values)


def cells(table):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


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
    found = cells(HEADLINES["headlines_table"](runs))[2:]
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
    assert [line[9] for line in found[3:]] == ["0.4 ×", "1 ×", "0.5 ×"]


def test_waves_that_were_there_before_have_no_setup(tmp_path):
    graph = {"experiment": "custom", "graph": "dag", "rows": 1, "cols": 10_000}
    rows = [arm("waves_graph", 2.0, setup_ms=0.1, **graph), arm("ticket_queue", 8.0, 2.0, **graph)]
    runs = read_runs(write_results(tmp_path / "r.h5", rows))
    rival, ours = cells(HEADLINES["headlines_table"](runs))[2:]
    assert (rival[7], rival[9]) == ("–", "–")
    assert (ours[7], ours[8], ours[9]) == ("2", "4 ×", "–")


def test_the_row_counts_the_rivals_that_are_ahead(tmp_path):
    times = {"scanning": 50.0, "single_queue": 90.0, "multi_queue b 100%": 20.0, "stripes": 0.5}
    times |= {"waves_graph": 2.0, "waves_barrier": 4.0, "waves_stream": 9.0}
    for ours, words in ((1.0, "ahead of both"), (3.0, "behind one of"), (5.0, "behind both")):
        rows = [arm(name, ms) for name, ms in (times | {"ticket_queue": ours}).items()]
        runs = read_runs(write_results(tmp_path / "r.h5", rows))
        assert f"{words} rivals" in HEADLINES["row"](runs)["wavefront-row"].replace(" the ", " ")


def test_the_row_says_who_runs_a_task_and_compares_equal_widths_apart(tmp_path):
    lanes = {"waves_graph": 2.0, "waves_barrier": 4.0, "ticket_queue": 5.0, "stripes": 1.0}
    blocks = {"scanning": 50.0, "single_queue": 90.0, "multi_queue b 100%": 20.0}
    rows = [arm(name, ms, width="lane") for name, ms in lanes.items()]
    rows += [arm(name, ms, width="block") for name, ms in blocks.items()]
    text = HEADLINES["row"](read_runs(write_results(tmp_path / "a.h5", rows)))["wavefront-row"]
    assert "**Published**, a block a task: `multi_queue`" in text and "for all" not in text
    assert "**Rivals**, a lane a task: `waves_graph`" in text
    assert "**Ours**, a lane a task: `ticket_queue`" in text
    equal = {"multi_queue b 100%": 8.0, "scanning": 9.0, "waves_graph": 2.0, "ticket_queue": 4.0}
    works = {"experiment": "metg", "body": "work", "width": "block"}
    rows += [arm(name, ms, work_ns=250, **works) for name, ms in equal.items()]
    rows += [arm("ticket_queue one fence", 0.1, work_ns=250, **works)]
    rows += [arm("multi_queue b 100%", 1.0, work_ns=8000, **works)]
    text = HEADLINES["row"](read_runs(write_results(tmp_path / "b.h5", rows)))["wavefront-row"]
    told = text.split("tasks of 250 ns, a block a task for all: ")[1]
    assert [name.split("`")[1] for name in told.split(", ")] == [
        "multi_queue", "waves_graph", "ticket_queue",
    ]  # fmt: skip
    rates = [float(name.split()[1]) for name in told.split(", ")]
    assert rates[1] == 4 * rates[0] and rates[2] == 2 * rates[0]
