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
