"""Tests scripts/reproduce: what it runs and draws, what it leaves unchanged, and its report."""

import shutil
import subprocess

import pytest

import reproduce as reproduce_module
from conftest import ROOT, row, write_results
from gridloom import artifacts
from program_under_test import find_program, write_program

DECLARATION = ROOT / "wavefront/artifact.toml"


@pytest.fixture
def build(tmp_path, results):
    """A build folder whose programs write a copy of a stored file."""
    for run in artifacts.read_artifact(DECLARATION).runs:
        stored = results
        if run.name != "smoke":
            stored = DECLARATION.parent / f"reference/{run.name}.h5"
        write_program(
            tmp_path / "build/bin" / run.programs[0],
            f'while [ "$1" != --output ]; do shift; done\ncp {stored} "$2"',
        )
    return tmp_path / "build"


@pytest.fixture
def reproduce(run_script, tmp_path, values):
    """Runs scripts/reproduce for one artifact with the programs of a build folder."""

    def run(build, name="wavefront"):
        own = tmp_path / "results" / values.name
        own.parent.mkdir()
        if values.exists():
            shutil.copy(values, own)
        done = run_script(
            "scripts/reproduce.py", "--artifact", name, "--build-dir", build,
            "--results-dir", own.parent, "--figures-dir", tmp_path / "figures",
        )  # fmt: skip
        if own.exists():
            shutil.copy(own, values)
        return done

    return run


@pytest.fixture(scope="module")
def values(tmp_path_factory):
    """Values of the claims from the stored results, computed once for all tests here."""
    return tmp_path_factory.mktemp("values") / ".values.json"


# Stored figures of all artifacts, whether they were run or not.
REFERENCE_FIGURES = sum(
    (ROOT / artifact.name / f"reference/figures/{figure.name}.png").is_file()
    for artifact in artifacts.read_all()
    for figure in artifact.figures
)


def test_report_embeds_figures_machine_and_medians(reproduce, build, tmp_path):
    done = reproduce(build)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "results/report.html").read_text()
    assert page.count('src="data:image/png;base64,') == 5 + REFERENCE_FIGURES
    # In the numbers of claims, and in the table of machines.
    assert page.count(">here: testbox</th>") == 2
    assert "tasks per second" in page and "<td>timeout</td>" in page  # medians, by status
    assert len(list((tmp_path / "figures").iterdir())) == 10


def test_missing_program_is_reported(reproduce, tmp_path):
    (tmp_path / "build").mkdir()
    done = reproduce(tmp_path / "build")
    assert done.returncode == 1 and "program wavefront is not under" in done.stderr
    assert (tmp_path / "results/report.html").is_file()


@pytest.mark.parametrize("name", [artifact.name for artifact in artifacts.read_all()])
def test_every_artifact_is_reproduced_by_the_programs_that_are_built(reproduce, tmp_path, name):
    """Its smoke runs succeed, and each figure is drawn from their files."""
    [artifact] = [one for one in artifacts.read_all() if one.name == name]
    programs = [find_program(name) for run in artifact.runs for name in run.programs]
    done = reproduce(programs[0].parents[1], name)
    assert done.returncode == 0, done.stderr[-4000:]
    drawn = {path.stem for path in (tmp_path / "figures").glob("*.png")}
    assert drawn == {figure.name for figure in artifact.figures if figure.results}


def test_unknown_artifact_is_a_usage_error(run_script):
    done = run_script("scripts/reproduce.py", "--artifact", "nothing", "--list")
    assert done.returncode == 2 and "no artifact 'nothing'" in done.stderr


@pytest.mark.parametrize("arguments", ["--preset moon", "--preset", "--moon"])
def test_wrong_option_is_a_usage_error_before_anything_is_built(arguments):
    command = [ROOT / "scripts/reproduce", *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1


# --- several runs ----------------------------------------------------------------------------

TWO_RUNS = """
name = "two"
title = "Two programs"
[runs.first]
commands = ["one --n 3"]
output = "two-first.h5"
[runs.first.table]
group = ["arm"]
values = ["elapsed_ms"]
[runs.second]
commands = ["other"]
output = "two-second.h5"
files = { trace = "two-trace.h5" }
[runs.second.table]
group = ["arm"]
values = ["end_to_end_ms"]
[figures.plain]
script = "draw.py"
results = "two-first.h5"
description = "reads the first output"
[figures.traced]
script = "draw.py"
results = "two-trace.h5"
description = "reads the trace"
[figures.both]
script = "draw.py"
results = ["two-second.h5", "two-trace.h5"]
description = "reads two files"
"""


@pytest.fixture
def two_runs(tmp_path, monkeypatch):
    """Runs reproduce.py on an artifact of the two programs `one` and `other`.

    Both copy a stored file to each output; `draw.py` prints the names of the files that it reads.
    """
    (tmp_path / "two").mkdir()
    (tmp_path / "two/artifact.toml").write_text(TWO_RUNS)
    stored = write_results(tmp_path / "stored.h5", [row(arm="first")])
    (tmp_path / "draw.py").write_text(
        "import pathlib, sys\n"
        "*files, option, folder = map(pathlib.Path, sys.argv[1:])\nfolder.mkdir(exist_ok=True)\n"
        'assert str(option) == "--output-dir"\n'
        'name = "both" if files[1:] else "traced" if "trace" in files[0].name else "plain"\n'
        'for kind in ("png", "svg"):\n    (folder / f"{name}.{kind}").write_bytes(b"drawn")\n'
        'print("drawn from", *(file.name for file in files))\n'
    )

    (tmp_path / "requirements.txt").touch()
    (tmp_path / "scripts/gridloom/report").mkdir(parents=True)
    (tmp_path / "scripts/gridloom/report/page.py").touch()

    def run(*more, code=0, with_trace=True):
        for name in ("one", "other"):
            program = tmp_path / "build/bin" / name
            write_program(
                program,
                f'#!/bin/sh\necho "$@" >> {tmp_path}/{name}.arguments\n'
                f"for word; do case $last in --output{'|--trace' if with_trace else ''})"
                f' cp {stored} "$word" ;; esac; last=$word; done\n'
                f"exit {code if name == 'other' else 0}\n",
            )
        monkeypatch.setattr(reproduce_module, "ROOT", tmp_path)
        monkeypatch.setattr(reproduce_module, "read_all", lambda: artifacts.read_all(tmp_path))
        command = ["reproduce", "--build-dir", tmp_path / "build"]
        command += ["--results-dir", tmp_path / "r", "--figures-dir", tmp_path / "f"]
        monkeypatch.setattr("sys.argv", [str(word) for word in [*command, *more]])
        return reproduce_module.main()

    return run


def test_the_commands_of_a_run_write_one_file(two_runs, tmp_path):
    text = TWO_RUNS.replace('["one --n 3"]', '["one --n 3", "one --n 4"]')
    (tmp_path / "two/artifact.toml").write_text(text)
    assert two_runs() == 0
    file = tmp_path / "r/two-first.h5"
    assert (tmp_path / "one.arguments").read_text().splitlines() == [
        f"--n 3 --quiet --output {file}", f"--n 4 --quiet --append --output {file}",
    ]  # fmt: skip


def test_every_run_has_its_program_and_files_and_figures_read_theirs(two_runs, tmp_path):
    assert two_runs() == 0
    r = tmp_path / "r"
    assert (tmp_path / "one.arguments").read_text() == f"--n 3 --quiet --output {r}/two-first.h5\n"
    words = (tmp_path / "other.arguments").read_text()
    assert words == f"--quiet --output {r}/two-second.h5 --trace {r}/two-trace.h5\n"
    page = (r / "report.html").read_text()
    assert "drawn from two-first.h5\ndrawn from two-trace.h5\n" in page
    assert "drawn from two-second.h5 two-trace.h5\n" in page
    assert "<summary>first</summary>" in page and "<summary>second</summary>" in page
    assert page.count(">run time, ms</th>") == page.count(">run time with copies, ms</th>") == 1
    assert "build/bin/one --n 3 --quiet --output r/two-first.h5" in page


def test_a_run_that_fails_is_named_and_run_again_and_the_others_go_on(two_runs, tmp_path, capsys):
    assert two_runs(code=1) == 1
    assert "smoke experiment second: exit code 1" in capsys.readouterr().err
    assert (tmp_path / "f/plain.png").is_file()
    assert (tmp_path / "f/traced.png").is_file()  # drawn from what the failed run wrote
    assert two_runs(code=1) == 1
    made, unchanged = done_by(capsys)
    assert len(made) == 1 and "bin/other" in made[0] and len(unchanged) == 4


def test_a_file_that_a_run_should_have_written_is_missed(two_runs, tmp_path, capsys):
    (tmp_path / "r").mkdir()
    (tmp_path / "r/two-trace.h5").write_text("of an earlier run")
    assert two_runs(with_trace=False) == 1
    assert "smoke experiment second wrote no two-trace.h5" in capsys.readouterr().err
    for name, there in (("traced", False), ("both", False), ("plain", True)):
        assert (tmp_path / f"f/{name}.png").is_file() == there


def done_by(capsys):
    """(commands that were run or drawn, commands whose results are unchanged)."""
    lines = capsys.readouterr().out.splitlines()
    return [
        [line.removeprefix(mark) for line in lines if line.startswith(mark)]
        for mark in ("+ ", "= unchanged: ")
    ]


def test_unchanged_runs_and_figures_are_not_repeated(two_runs, tmp_path, capsys):
    assert two_runs() == 0
    made, unchanged = done_by(capsys)
    assert len(made) == 5 and unchanged == []
    page = (tmp_path / "r/report.html").read_text()
    assert two_runs() == 0
    made, unchanged = done_by(capsys)
    assert made == [] and len(unchanged) == 5
    assert (tmp_path / "r/report.html").read_text() == page
    assert two_runs("--force") == 0
    assert len(done_by(capsys)[0]) == 5

    # Only what depends on a lost figure, a changed script or a changed result is made again.
    (tmp_path / "f/plain.svg").unlink()
    two_runs()
    [drawn], _ = done_by(capsys)
    assert drawn.startswith(".venv/bin/python draw.py r/two-first.h5")
    (tmp_path / "draw.py").write_text((tmp_path / "draw.py").read_text() + "# changed\n")
    two_runs()
    made, _ = done_by(capsys)
    assert len(made) == 3 and all("draw.py" in line for line in made)
    (tmp_path / "r/two-first.h5").write_text("damaged")
    two_runs()
    made, unchanged = done_by(capsys)
    assert "bin/one" in made[0] and len(made) == 1 and len(unchanged) == 4


def test_a_change_of_the_report_does_not_redraw_figures(two_runs, tmp_path, capsys):
    assert two_runs() == 0
    capsys.readouterr()
    page = tmp_path / "r/report.html"
    page.write_text("damaged")
    (tmp_path / "scripts/gridloom/report/page.py").write_text("# changed\n")
    two_runs()
    made, unchanged = done_by(capsys)
    assert made == [] and len(unchanged) == 5 and "</html>" in page.read_text()


def test_the_report_keeps_what_other_artifacts_have(two_runs, tmp_path):
    other = tmp_path / "three/artifact.toml"
    other.parent.mkdir()
    other.write_text(TWO_RUNS.replace("two", "three").split("[figures")[0])
    assert two_runs(code=1) == 1
    first = (tmp_path / "r/report.html").read_text()
    assert two_runs("--artifact", "three", "--force") == 0
    page = (tmp_path / "r/report.html").read_text()
    for part in ("<h2>two</h2>", "<h2>three</h2>"):
        assert part in page
    # Figures, medians, commands, and what failed.
    assert page.count("<figure") == first.count("<figure") == 3
    assert page.count("<summary>first</summary>") == 2
    assert "--n 3 --quiet --output r/two-first.h5" in page
    assert "smoke experiment second: exit code 1" in page
    assert page.count("<td>failed</td>") == 1


def test_an_artifact_that_was_not_run_says_so(two_runs, tmp_path):
    other = tmp_path / "three/artifact.toml"
    other.parent.mkdir()
    claim = '[[claims]]\ntext = "It works."\nverdict = "not tried"\nwhy = "No time."\n'
    other.write_text(TWO_RUNS.replace("two", "three") + claim)
    assert two_runs("--artifact", "two") == 0
    page = (tmp_path / "r/report.html").read_text()
    assert "Not run here." in page and "<strong>It works.</strong> No time." in page
    assert "<td>not run</td>" in page
