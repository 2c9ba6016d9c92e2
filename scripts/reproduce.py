#!/usr/bin/env python3
"""Runs the smoke experiments of every artifact, draws its figures and writes one HTML report.

scripts/reproduce prepares and calls this. If an artifact fails, the others still run; the report
shows the failure, and the exit code is 1. A run or a figure is made again only after a change
(results/.stamps.json). For a run, the program, its arguments and its results count; for a figure,
its script, its data and the scripts' package. --force makes all again. With --artifact the report
keeps the earlier results of the other artifacts."""

import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from gridloom.artifacts import DeclarationError, read_all
from gridloom.claims import read_claims
from gridloom.outcome import Outcome
from gridloom.paths import ROOT
from gridloom.plot_script import drawn_by
from gridloom.stamps import Stamps, digest
from gridloom_datasets.arguments import StrictParser


@dataclass
class Places:
    build: Path
    results: Path
    figures: Path
    stamps: Stamps
    force: bool
    made: bool = False  # whether this call ran or drew anything


def typed(command):
    """A command as a user at the root of the repository would type it."""
    return shlex.join(map(str, command)).replace(f"{ROOT}/", "")


def show(text, unchanged=False):
    print(f"= unchanged: {text}" if unchanged else f"+ {text}", flush=True)


def run_title(run):
    return "smoke experiment" if run.name == "smoke" else f"smoke experiment {run.name}"


def smoke_commands(places, run):
    """The commands of a run. All but the first append to its file."""
    output = places.results / run.output
    for number, (name, *arguments) in enumerate(run.commands):
        command = [str(places.build / "bin" / name), *arguments]
        command += [*(["--append"] if number else []), "--output", str(output)]
        for option, file in run.files.items():
            command += [f"--{option}", str(places.results / file)]
        yield command


def run_smoke(places, outcome, run):
    """Runs one experiment unless it is up to date. Failures are stored in the outcome."""
    output = places.results / run.output
    outcome.results.append((run, output))
    places.results.mkdir(parents=True, exist_ok=True)
    programs = [places.build / "bin" / name for name in run.programs]
    written = [places.results / file for file in run.written]
    commands = list(smoke_commands(places, run))
    missing = [program.name for program in programs if not program.is_file()]
    key = None if missing else digest(*programs, *(word for words in commands for word in words))
    text = outcome.commands[run.output] = "\n".join(typed(command) for command in commands)
    if key and not places.force and places.stamps.holds(run.output, key):
        show(text, unchanged=True)
        outcome.seconds += places.stamps.get(run.output)["seconds"]
        return
    places.made = True
    places.stamps.drop(run.output)
    for file in written:  # an old file must not pass for the result of this run
        file.unlink(missing_ok=True)
    if key is None:
        outcome.failures.append(f"program {', '.join(missing)} is not under {places.build}")
        return
    start = time.monotonic()
    code = 0
    for command in commands:
        show(typed(command))
        code = code or subprocess.run(command, cwd=ROOT).returncode
    seconds = time.monotonic() - start
    outcome.seconds += seconds
    if code != 0:
        # A timeout or a wrong result is stored and worth seeing, so go on to the figures.
        outcome.failures.append(f"{run_title(run)}: exit code {code}")
        return
    lost = [file.name for file in written if not file.is_file()]
    outcome.failures += [f"{run_title(run)} wrote no {name}" for name in lost]
    if not lost:
        places.stamps.set(run.output, key, written, seconds=seconds)


def package(report=False):
    """The files of the scripts' package on which figures depend; with `report`, all of them."""
    folder = ROOT / "scripts/gridloom"
    files = [*folder.rglob("*.py"), *folder.rglob("*.css")]
    report_files = {folder / "report", folder / "claims.py"}
    return sorted(file for file in files if report or not report_files & {file, *file.parents})


def draw_figure(places, outcome, figure):
    """Draws one figure if its files exist, unless it is up to date."""
    results = [places.results / file for file in figure.results]
    if not results:
        return  # no run writes the data of this figure
    if not all(file.is_file() for file in results):
        return  # the failed run is already reported
    command = [figure.script, *map(str, results), "--output-dir", str(places.figures)]
    key = digest(ROOT / figure.script, ROOT / "requirements.txt", *command, *results, *package())
    text = outcome.commands[figure.name] = typed([".venv/bin/python", *command])
    png, svg = (places.figures / f"{figure.name}.{kind}" for kind in ("png", "svg"))
    if not places.force and places.stamps.holds(figure.name, key):
        show(text, unchanged=True)
    else:
        show(text)
        places.made = True
        places.stamps.drop(figure.name)
        printed, failure = drawn_by(ROOT / figure.script, command[1:])
        if failure is None and not (png.is_file() and svg.is_file()):
            failure = "wrote no PNG or no SVG"
        if failure is not None:
            outcome.failures.append(f"{figure.name}: {failure}")
            return
        lines = [f"{line}\n" for line in printed.splitlines()]
        notes = "".join(line for line in lines if not line.startswith(str(places.figures)))
        places.stamps.set(figure.name, key, [png, svg], notes=notes)
    outcome.figures.append((figure, png))
    outcome.notes += places.stamps.get(figure.name)["notes"]


def stored_for(outcome):
    """The committed files that the report of an artifact reads."""
    folder = outcome.folder / "reference"
    names = {name for claim in outcome.claims for value in claim.values for name in value.reference}
    files = [*(folder / name for name in names), *folder.glob("figures/*.png")]
    return sorted(file for file in files if file.is_file())


def report_on(places, outcomes):
    """Writes the report, unless it is up to date."""
    path = places.results / "report.html"
    whole = [places.stamps.stamps[name]["key"] for name in sorted(places.stamps.stamps)
             if name != path.name]  # fmt: skip
    texts = [text for o in outcomes for text in (o.artifact, o.claims, *o.failures)]
    stored = [file for outcome in outcomes for file in stored_for(outcome)]
    key = digest(*texts, *whole, *stored, *package(report=True))
    if places.made or not places.stamps.holds(path.name, key):
        from gridloom.report import write_report  # imports pandas, which takes a second

        write_report(path, outcomes, Stamps(places.results / ".values.json"))
        places.stamps.set(path.name, key, [path])
    return path


def parse():
    parser = StrictParser(prog="reproduce", description=__doc__.split("\n")[0])
    parser.add_argument("--artifact", action="append", default=[], metavar="NAME")
    parser.add_argument("--force", action="store_true", help="run and draw what is unchanged, too")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--list-programs", action="store_true", help="what to build")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "host")
    parser.add_argument("--results-dir", type=Path, default=ROOT / "results")
    parser.add_argument("--figures-dir", type=Path, default=ROOT / "figures")
    return parser.parse_args()


def main():
    options = parse()
    try:
        every = read_all()
        known = {artifact.name: artifact for artifact in every}
        if unknown := [name for name in options.artifact if name not in known]:
            names = ", ".join(known)
            raise DeclarationError(f"no artifact '{unknown[0]}'; there are: {names}")
        artifacts = [known[name] for name in options.artifact or known]
        outcomes = [Outcome(a, ROOT / a.name, read_claims(ROOT / a.name)) for a in every]
    except DeclarationError as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return 2
    if options.list:
        for artifact in artifacts:
            print(f"{artifact.name}: {artifact.title}")
            for figure in artifact.figures:
                print(f"  {figure.name:<24} {figure.minutes:>3} min  {figure.description}")
        return 0
    if options.list_programs:
        programs = [name for one in artifacts for run in one.runs for name in run.programs]
        print("\n".join(dict.fromkeys(programs)))
        return 0
    results = options.results_dir.resolve()
    places = Places(
        options.build_dir.resolve(), results, options.figures_dir.resolve(),
        Stamps(results / ".stamps.json"), options.force,
    )  # fmt: skip
    chosen = [outcome for outcome in outcomes if outcome.artifact in artifacts]
    for outcome in outcomes:
        if outcome not in chosen:
            outcome.restore(places.stamps, places.results, places.figures)
            continue
        for run in outcome.artifact.runs:
            run_smoke(places, outcome, run)
        for figure in outcome.artifact.figures:
            draw_figure(places, outcome, figure)
        outcome.keep(places.stamps)
    report = report_on(places, outcomes)
    for outcome in chosen:
        state = "FAILED" if outcome.failures else "ok"
        count = len(outcome.figures)
        print(f"{outcome.artifact.name:<16} {state:<7} {count} figures  {outcome.seconds:.1f} s")
        for failure in outcome.failures:
            print(f"  {failure}", file=sys.stderr)
    print(f"report: {report}")
    return 1 if any(outcome.failures for outcome in chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
