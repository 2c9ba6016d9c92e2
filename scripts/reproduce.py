#!/usr/bin/env python3
"""Runs the smoke experiments of every artifact, draws its figures and writes one HTML report.

scripts/reproduce prepares and calls this. One artifact that fails does not stop the others; the
report says what failed and the exit code is then 1.
"""

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from artifacts import ROOT, DeclarationError, read_all
from report import write_report


@dataclass
class Outcome:
    """What happened to one artifact; the report is written from a list of these."""

    artifact: object
    results: list = field(default_factory=list)  # (Run, path of its output, perhaps not there)
    seconds: float = 0.0
    figures: list = field(default_factory=list)  # (Figure, path of the PNG)
    failures: list = field(default_factory=list)  # one line each
    notes: str = ""  # what the plotting scripts print besides file names


def find_program(build, name):
    """The program in an installed or a build tree."""
    place = build / "bin" / name
    return place if place.is_file() else None


def show(command):
    """Prints a command as a user at the root of the repository would type it."""
    print("+", " ".join(command).replace(f"{ROOT}/", ""), flush=True)


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"


def run_smoke(build, outcome, run, folder):
    """Runs one program with its files in `folder`; what fails is noted in the outcome."""
    output = folder / run.output
    outcome.results.append((run, output))
    folder.mkdir(parents=True, exist_ok=True)
    for file in run.written:  # an old file must not pass for the result of this run
        (folder / file).unlink(missing_ok=True)
    program = find_program(build, run.program)
    if program is None:
        outcome.failures.append(f"program {run.program} is not under {build}")
        return
    command = [str(program), *run.arguments, "--output", str(output)]
    for option, file in run.files.items():
        command += [f"--{option}", str(folder / file)]
    show(command)
    start = time.monotonic()
    code = subprocess.run(command, cwd=ROOT).returncode
    outcome.seconds += time.monotonic() - start
    if code != 0:
        # A timeout or a wrong result is stored and worth seeing, so go on to the figures.
        outcome.failures.append(f"{run_title(run)}: exit code {code}")
        return
    for file in run.written:
        if not (folder / file).is_file():
            outcome.failures.append(f"{run_title(run)} wrote no {file}")


def run_title(run):
    return "smoke experiment" if run.name == "smoke" else f"smoke experiment {run.name}"


def draw_figures(outcome, folder, figures):
    """Every figure whose files are there; where one is not, the failure of its run is noted."""
    for figure in outcome.artifact.figures:
        results = [folder / file for file in figure.read]
        if not all(file.is_file() for file in results):
            continue
        command = [sys.executable, figure.script, *map(str, results), "--output-dir", str(figures)]
        show(command)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            outcome.failures.append(f"{figure.name}: {last_line(done.stderr)}")
            continue
        outcome.figures.append((figure, figures / f"{figure.name}.png"))
        files = str(figures)
        extra = [line for line in done.stdout.splitlines() if not line.startswith(files)]
        outcome.notes += "".join(f"{line}\n" for line in extra)


def list_artifacts(artifacts):
    for artifact in artifacts:
        print(f"{artifact.name}: {artifact.title}")
        for figure in artifact.figures:
            print(f"  {figure.name:<24} {figure.minutes:>3} min  {figure.description}")


def choose(artifacts, names):
    known = {artifact.name: artifact for artifact in artifacts}
    for name in names:
        if name not in known:
            raise DeclarationError(f"no artifact '{name}'; there are: {', '.join(known)}")
    return [known[name] for name in names] if names else artifacts


def main():
    parser = argparse.ArgumentParser(prog="reproduce", description=__doc__.split("\n")[0])
    parser.add_argument("--artifact", action="append", default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--list-programs", action="store_true", help="what to build")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "host")
    parser.add_argument("--results-dir", type=Path, default=ROOT / "results")
    parser.add_argument("--figures-dir", type=Path, default=ROOT / "figures")
    options = parser.parse_args()
    try:
        artifacts = choose(read_all(), options.artifact)
    except DeclarationError as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return 2
    if options.list:
        list_artifacts(artifacts)
        return 0
    if options.list_programs:
        runs = [run for artifact in artifacts for run in artifact.runs]
        print("\n".join(dict.fromkeys(run.program for run in runs)))
        return 0
    build, results, figures = (
        path.resolve() for path in (options.build_dir, options.results_dir, options.figures_dir)
    )
    outcomes = []
    for artifact in artifacts:
        outcome = Outcome(artifact)
        for run in artifact.runs:
            run_smoke(build, outcome, run, results)
        draw_figures(outcome, results, figures)
        outcomes.append(outcome)
    report = results / "report.html"
    write_report(report, outcomes)
    for outcome in outcomes:
        state = "FAILED" if outcome.failures else "ok"
        count = len(outcome.figures)
        print(f"{outcome.artifact.name:<16} {state:<7} {count} figures  {outcome.seconds:.1f} s")
        for failure in outcome.failures:
            print(f"  {failure}", file=sys.stderr)
    print(f"report: {report}")
    return 1 if any(outcome.failures for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
