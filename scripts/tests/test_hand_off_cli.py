"""The program gridloom-hand-off from outside: messages, mechanisms, what it writes."""

import numpy as np

PROGRAM = "gridloom-hand-off"
SMALL = ["--backend", "host", "--workers", "2", "--tasks", "200", "--repeat", "2", "--quiet"]
PRIMITIVES = ["same-block", "cluster", "l2-counter", "data-as-flag"]

# {arguments: words of the error message}
BAD_ARGUMENTS = {
    "--workers 1": "--workers: expected at least 2",
    "--tasks 99": "--tasks",
    "--tasks 2001": "--tasks",
    "--mechanism pigeon": "--mechanism",
    "--trace t.h5": "--trace",
}


def test_bad_arguments_are_refused_in_one_line(all_refused):
    all_refused(BAD_ARGUMENTS, "--backend", "host")


def test_every_mechanism_counts_every_hand_off(measured, tmp_path):
    from program_under_test import columns_of

    runs = measured(*SMALL)
    assert set(runs["status"]) == {"ok"} and set(runs["verified"]) == {"yes"}
    assert len(runs["mechanism"]) == 2 * len(set(runs["mechanism"]))
    assert set(runs["mechanism"][runs["by"] == "primitive"]) == set(PRIMITIVES)
    for one in ("scanning", "juggler-grr", "mhive-mk", "fr4", "in-order", "graph-pdl", "barriers"):
        assert one in runs["mechanism"]
    of_pairs = np.isin(runs["mechanism"], PRIMITIVES[1:])
    assert set(runs["hand_offs"][of_pairs]) == {100}
    assert set(runs["hand_offs"][runs["by"] != "primitive"]) == {199}
    assert (runs["median_ns"] > 0).all() and (runs["p99_ns"] >= runs["median_ns"]).all()
    assert (runs["period_ns"] > 0).all()
    assert set(runs["moved_percent"][runs["mechanism"] == "serial-block"]) == {0}
    assert set(runs["moved_percent"][runs["mechanism"] == "static-lists"]) == {100}
    samples = columns_of(tmp_path / "r.h5", "hand_offs")
    for one in set(runs["mechanism"]):
        own = samples["mechanism"] == one
        assert samples["count"][own].sum() == runs["hand_offs"][runs["mechanism"] == one].sum()
        assert (np.diff(samples["latency_ns"][own]) > 0).all()
