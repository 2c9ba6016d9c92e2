"""The parts of the report: medians, the table of machines, claims with their numbers."""

import pytest

from conftest import ROOT, row, write_results
from gridloom import artifacts
from gridloom.claims import Claim, Quantity, Value
from gridloom.outcome import Outcome
from gridloom.report import machine, medians, names, verdicts
from gridloom.results import read_runs

# --- medians ---------------------------------------------------------------------------------


def rows_of(path, rows):
    """The rows of the table of medians as {column: text}."""
    run, *_ = artifacts.read_artifact(ROOT / "wavefront/artifact.toml").runs
    runs = read_runs(write_results(path, rows))
    heads = ["samples", *run.table.values, "rate"]
    return [
        key | dict(zip(heads, [samples, *cells], strict=True))
        for key, samples, cells in medians.median_rows(runs, run.table)
    ]


def test_medians_leave_out_counting_builds_and_failed_runs(tmp_path):
    rows = [row(arm="one"), row(arm="one", counters=1, elapsed_ms=9.0)]
    rows += [row(arm="many", elapsed_ms=ms) for ms in (1.0, 2.0, 3.0)]
    rows.append(row(arm="stuck", status="timeout", elapsed_ms=0.0))
    one, many, stuck = rows_of(tmp_path / "r.h5", rows)
    assert (one["samples"], one["elapsed_ms"], one["end_to_end_ms"]) == (1, "1", "1.1")
    assert many["elapsed_ms"] == "2 [1, 3]"
    assert stuck["status"] == "timeout" and stuck["elapsed_ms"] == stuck["rate"] == "–"


def test_declared_columns_have_plain_names():
    for artifact in artifacts.read_all():
        for run in artifact.runs:
            for name in (*run.table.group, *run.table.values):
                assert "_" not in names.column(name), name


# --- machines --------------------------------------------------------------------------------

HOST = {"cpu": "TestCPU", "logical_cores": "2", "gpu": "none", "backend": "host"}
GPU = HOST | {"gpu": "TestGPU", "backend": "cuda", "driver": "13.0"}


def test_runs_of_one_machine_are_one_column_with_the_least_and_most_of_its_floors():
    runs = [HOST | {"floor_signal_ns": "40.0", "commit": "a" * 40, "date": "2026-01-02T03:04:05Z"},
            HOST | {"floor_signal_ns": "500.0", "commit": "b" * 40, "dirty": "1"}]  # fmt: skip
    shown = machine.machine_table(runs, [GPU | {"floor_signal_ns": "7.0"}])
    assert shown.count("<th>") == 3 and ">here: TestCPU</th>" in shown
    assert ">reference: TestGPU</th>" in shown
    assert "<td>40 to 500</td><td>7</td>" in shown
    assert f"{'a' * 12}; {'b' * 12}, changed" in shown
    assert "<td>results files</td><td>2</td><td>1</td>" in shown
    assert "CUDA" not in shown  # no file names a version of CUDA


# --- claims ----------------------------------------------------------------------------------


class Known:
    """Stands for Sources: has a value for each file name."""

    def __init__(self, values):
        self.values = values

    def value(self, artifact, quantity, paths):
        return self.values.get(paths[0].name)


@pytest.fixture
def outcome(tmp_path):
    """The outcome of an artifact with one claim; the files of both numbers exist."""
    (tmp_path / "reference").mkdir()
    (tmp_path / "results").mkdir()
    write_results(tmp_path / "reference/r.h5", [row()], **GPU)
    write_results(tmp_path / "results/h.h5", [row()], **HOST)
    quantity = Quantity("a `ratio`", "v", "3 × & more", ">= 15000", ["r.h5"], ["h.h5"], "today")
    claim = Claim(
        "It is <fast>.", "in part", "It is [not](r.md).", [quantity] * 2, "4", "not reproduced"
    )
    artifact = artifacts.Artifact("own", "Title", [], [], [])
    return Outcome(artifact, tmp_path, [claim], results=[("run", tmp_path / "results/h.h5")])


def test_claims_stand_beside_their_numbers(outcome, tmp_path):
    sources = Known({
        "r.h5": Value((2.0, 1.5, 2.5), "×", "large"), "h.h5": Value((0.5, 0.5, 0.5), "×", "small"),
    })  # fmt: skip
    shown = verdicts.values_table(outcome, sources, tmp_path / "results")
    assert ">reference: TestGPU</th>" in shown and ">here: TestCPU</th>" in shown
    cells = ["1", "a <code>ratio</code>, today", "3 × &amp; more", "2 × [1.5, 2.5]", "0.5 ×",
             "large", "small", "≥ 15,000"]  # fmt: skip
    assert "</td><td>".join(cells) in shown
    assert f"<tr><td></td><td>{cells[1]}" in shown  # the claim's number appears once
    missing = verdicts.values_table(outcome, Known({}), tmp_path / "elsewhere")
    assert "<td>not measured</td><td>not run</td>" in missing
    listed = verdicts.claims_list(outcome.claims)
    assert '<span class="verdict in-part">in part</span> today' in listed
    assert '<span class="verdict not-reproduced">not reproduced</span>' in listed
    assert "<strong>It is &lt;fast&gt;.</strong> (4) It is not." in listed
