"""The pieces of the report: medians, the one table of machines, claims beside their numbers."""

import pytest

import pets_rows
from conftest import ROOT, row, write_results
from gridloom import artifacts
from gridloom.claims import Claim, Quantity, Value
from gridloom.outcome import Outcome
from gridloom.report import html, machine, medians, names, page, verdicts
from gridloom.results import read_runs

# --- medians ---------------------------------------------------------------------------------


def rows_of(path, rows):
    """The rows of medians as dicts by column, intervals still in the text."""
    run, *_ = artifacts.read_artifact(ROOT / "wavefront/artifact.toml").runs
    runs = read_runs(write_results(path, rows))
    heads = ["samples", *run.table.values, "rate"]
    return [
        key | dict(zip(heads, [samples, *cells], strict=True))
        for key, samples, cells in medians.median_rows(runs, run.table)
    ]


def test_times_of_the_counting_build_are_left_out(tmp_path):
    rows = [row(elapsed_ms=1.0), row(counters=1, elapsed_ms=9.0), row(counters=1, arm="x")]
    [shown] = rows_of(tmp_path / "r.h5", rows)
    assert (shown["arm"], shown["samples"], shown["elapsed_ms"]) == ("single queue", 1, "1")
    assert "counters" not in shown


def test_only_several_samples_have_an_interval(tmp_path):
    rows = [row(arm="one")] + [row(arm="many", elapsed_ms=ms) for ms in (1.0, 2.0, 3.0)]
    one, many = rows_of(tmp_path / "r.h5", rows)
    assert one["elapsed_ms"] == "1" and one["end_to_end_ms"] == "1.1"
    assert many["elapsed_ms"] == "2 [1, 3]"


def test_failed_runs_have_no_numbers(tmp_path):
    rows = [row(), row(status="timeout", elapsed_ms=0.0)]
    _, stuck = rows_of(tmp_path / "r.h5", rows)
    assert stuck["status"] == "timeout" and stuck["elapsed_ms"] == stuck["rate"] == html.NONE


def test_shared_values_appear_once_and_columns_have_plain_names(tmp_path):
    rows = [row(arm=arm, rows=n) for arm in ("b", "a") for n in (200, 30)]
    path = write_results(tmp_path / "r.h5", rows)
    shown = medians.medians(path, artifacts.Table(["graph", "arm", "rows"], ["elapsed_ms"]))
    assert "All rows: graph: lattice." in shown and "status" not in shown
    assert ">run time, ms</th>" in shown and "elapsed_ms</th>" not in shown
    cells = [line.split("</td><td")[:2] for line in shown.split("<tr>")[2:]]
    assert [cell.removeprefix("<td>") for cell, _ in cells] == ["b", "b", "a", "a"]
    assert [cell.split(">")[1] for _, cell in cells] == ["30", "200"] * 2  # numbers ascend


def test_medians_may_be_of_another_table_than_runs(tmp_path):
    rows = [pets_rows.batch(elapsed_ms=2.0), pets_rows.batch(steps="priorities", elapsed_ms=1.0)]
    path = pets_rows.write(tmp_path / "b.h5", batches=rows)
    wanted = artifacts.Table(["graph", "steps"], ["elapsed_ms"], "graphs", rows="batches")
    shown = medians.run_section(artifacts.Run("batch", [["pets"]], "b.h5", {}, wanted), path)
    assert "All rows: graph: v=100." in shown
    assert "<td>whole</td>" in shown and ">2</td>" in shown and ">500 k</td>" in shown


def test_declared_columns_have_plain_names_and_units():
    for artifact in artifacts.read_all():
        for run in artifact.runs:
            for name in (*run.table.group, *run.table.values):
                assert "_" not in names.column(name), name
    assert names.column("elapsed_ms", "ms") == "run time, ms"
    assert names.column("queue_wait_us", "us") == "queue wait, µs"
    assert names.column("tasks", "1") == "tasks"
    assert names.described("elapsed_ms over the iterations") == "run time over the iterations"


# --- machines --------------------------------------------------------------------------------

HOST = {"cpu": "TestCPU", "logical_cores": "2", "gpu": "none", "backend": "host"}
GPU = HOST | {"gpu": "TestGPU", "backend": "cuda", "driver": "13.0"}


def test_runs_of_one_machine_are_one_column_with_the_least_and_most_of_its_floors():
    runs = [HOST | {"floor_signal_ns": "40.0", "commit": "a" * 40, "date": "2026-01-02T03:04:05Z"},
            HOST | {"floor_signal_ns": "500.0", "commit": "b" * 40, "dirty": "1"}]  # fmt: skip
    shown = machine.machine_table(runs, [GPU | {"signal_ns": "7.0"}])
    assert shown.count("<th>") == 3 and ">here: TestCPU</th>" in shown
    assert ">reference: TestGPU</th>" in shown
    assert "<td>40 to 500</td><td>7</td>" in shown
    assert f"{'a' * 12}; {'b' * 12}, changed" in shown
    assert "<td>results files</td><td>2</td><td>1</td>" in shown
    assert "CUDA" not in shown  # nobody says anything of it


# --- claims ----------------------------------------------------------------------------------


class Known:
    """Values by the names of files."""

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
    quantity = Quantity("a `ratio`", "v", "3 × & more", ">= 15000", ["r.h5"], ["h.h5"])
    claim = Claim("It is <fast>.", "not reproduced", "It is not.", [quantity, quantity])
    artifact = artifacts.Artifact("own", "Title", [], [], [])
    return Outcome(artifact, tmp_path, [claim], results=[("run", tmp_path / "results/h.h5")])


def test_both_numbers_stand_beside_that_of_the_paper_with_their_inputs(outcome, tmp_path):
    sources = Known({
        "r.h5": Value((2.0, 1.5, 2.5), "×", "large"), "h.h5": Value((0.5, 0.5, 0.5), "×", "small"),
    })  # fmt: skip
    shown = verdicts.values_table(outcome, sources, tmp_path / "results")
    assert ">reference: TestGPU</th>" in shown and ">here: TestCPU</th>" in shown
    cells = ["1", "a <code>ratio</code>", "3 × &amp; more", "2 × [1.5, 2.5]", "0.5 ×", "large",
             "small", "≥ 15,000"]  # fmt: skip
    assert "</td><td>".join(cells) in shown
    assert f"<tr><td></td><td>{cells[1]}" in shown  # the claim's number once


def test_missing_runs_and_measurements_are_named(outcome, tmp_path):
    shown = verdicts.values_table(outcome, Known({}), tmp_path / "elsewhere")
    assert "<td>not measured</td><td>not run</td>" in shown


def test_claims_have_their_verdicts_in_words_and_are_counted(outcome):
    shown = verdicts.claims_list(outcome.claims)
    assert '<span class="verdict not-reproduced">not reproduced</span>' in shown
    assert "<strong>It is &lt;fast&gt;.</strong> It is not." in shown
    assert verdicts.counts(outcome.claims).startswith('<div class="count">1 <span')


def test_artifacts_come_in_the_order_of_the_readme_and_others_last(tmp_path, monkeypatch):
    def of(*names):
        made = [artifacts.Artifact(name, "Title", [], [], []) for name in names]
        return [Outcome(artifact, tmp_path) for artifact in made]

    def ordered(*names):
        return [outcome.artifact.name for outcome in page.in_order_of_readme(of(*names))]

    monkeypatch.setattr(page, "ROOT", tmp_path)
    assert ordered("b", "a") == ["b", "a"]  # without a README as they come
    text = "a and c are spoken of, [`c`](c/README.md), [`b`](b/README.md), [`a`](a/README.md)"
    (tmp_path / "README.md").write_text(text)
    assert ordered("a", "new", "b", "c") == ["c", "b", "a", "new"]
    assert ordered("new", "c", "other") == ["c", "new", "other"]


def test_a_figure_stands_beside_the_stored_one(outcome, tmp_path):
    own = artifacts.Figure("own_f", "f.py", 1, "What it shows", "h.h5")
    outcome = Outcome(artifacts.Artifact("own", "Title", [], [own], []), tmp_path)
    assert page.figures_part(outcome) == ""
    stored = tmp_path / "reference/figures/own_f.png"
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_bytes(b"stored")
    assert "not drawn here" in page.figures_part(outcome)
    (tmp_path / "here.png").write_bytes(b"here")
    outcome.figures.append((own, tmp_path / "here.png"))
    shown = page.figures_part(outcome)
    assert shown.count("<img") == 2 and 'alt="What it shows: reference, as stored"' in shown
    stored.unlink()
    assert 'class="single"' in page.figures_part(outcome)
