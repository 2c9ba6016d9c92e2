"""The report is one file that holds figures and medians; a failing program is reported."""

import shutil
import stat
import subprocess

import pytest

import artifacts
import report
from conftest import ROOT, row, write_results


@pytest.fixture
def build(tmp_path, results):
    """A build folder whose `wavefront` hands out a stored file and exits with a given code."""

    def make(code):
        program = tmp_path / "build" / "bin" / "wavefront"
        program.parent.mkdir(parents=True)
        shutil.copy(results, tmp_path / "stored.h5")
        program.write_text(
            "#!/bin/sh\n"
            'while [ "$1" != --output ]; do shift; done\n'
            f'cp {tmp_path}/stored.h5 "$2"\nexit {code}\n'
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return tmp_path / "build"

    return make


def reproduce(run_script, build, tmp_path):
    return run_script(
        "scripts/reproduce.py", "--artifact", "wavefront", "--build-dir", build,
        "--results-dir", tmp_path / "results", "--figures-dir", tmp_path / "figures",
    )  # fmt: skip


def test_report_embeds_figures_meta_and_medians(run_script, build, tmp_path):
    done = reproduce(run_script, build(0), tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "results/report.html").read_text()
    assert page.count('src="data:image/png;base64,') == 5
    assert "<td>testbox</td>" in page  # /meta
    assert "tasks per second" in page and "<td>timeout</td>" in page  # medians, by status
    assert len(list((tmp_path / "figures").iterdir())) == 10


def test_failed_program_fails_the_run_and_keeps_what_it_wrote(run_script, build, tmp_path):
    done = reproduce(run_script, build(1), tmp_path)
    assert done.returncode == 1 and "exit code 1" in done.stderr
    page = (tmp_path / "results/report.html").read_text()
    assert "exit code 1" in page and page.count('src="data:image/png') == 5


def test_missing_program_is_reported(run_script, tmp_path):
    (tmp_path / "build").mkdir()
    done = reproduce(run_script, tmp_path / "build", tmp_path)
    assert done.returncode == 1 and "program wavefront is not under" in done.stderr
    assert (tmp_path / "results/report.html").is_file()


def test_unknown_artifact_is_a_usage_error(run_script):
    done = run_script("scripts/reproduce.py", "--artifact", "nothing", "--list")
    assert done.returncode == 2 and "no artifact 'nothing'" in done.stderr


@pytest.mark.parametrize("arguments", ["--preset moon", "--preset", "--moon"])
def test_wrong_option_is_a_usage_error_before_anything_is_built(arguments):
    command = [ROOT / "scripts/reproduce", *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1


# --- the table of medians -------------------------------------------------------------------


def rows_of(path, rows):
    """The table of the report as dicts by column, intervals still in the text."""
    [run] = artifacts.read_artifact(ROOT / "wavefront/artifact.toml").runs
    runs = report.read_runs(write_results(path, rows))
    names = [name for name in report.grouping(run.table) if name in runs]
    names += ["samples", *run.table.values, "rate"]
    return [dict(zip(names, cells, strict=True)) for cells in report.median_rows(runs, run.table)]


def test_times_of_the_counting_build_are_left_out(tmp_path):
    rows = [row(elapsed_ms=1.0), row(counters=1, elapsed_ms=9.0), row(counters=1, arm="x")]
    [shown] = rows_of(tmp_path / "r.h5", rows)
    assert (shown["arm"], shown["samples"], shown["elapsed_ms"]) == ("single queue", 1, "1")
    assert "counters" not in shown


def test_only_several_samples_have_an_interval(tmp_path):
    rows = [row(arm="one")] + [row(arm="many", elapsed_ms=ms) for ms in (1.0, 2.0, 3.0)]
    one, many = rows_of(tmp_path / "r.h5", rows)
    assert one["elapsed_ms"] == "1" and one["wall_ms"] == "1.1"
    assert many["elapsed_ms"] == "2 (1 to 3)" and " to " in many["wall_ms"]
    assert many["setup_ms"] == "0.2"  # taken once
