"""Reads the declarations <artifact>/artifact.toml that plug artifacts into the scripts.

A declaration names the artifact's smoke runs `[runs.NAME]`, whose `commands` may name experiments
(gridloom.experiments), and its figures. A table `[figures.NAME]` reads the output of the only run,
or the file or files that its key `results` names. Its script is
scripts/plots/ARTIFACT/ and the name without its prefix, unless `script` says otherwise. `stored`
names the stored files that its image in reference/figures is drawn from. A figure without results
([]) needs more than a run, such as counters of the hardware, and is drawn from stored files alone.
`[tables]` names the scripts that make the tables of the pages from stored results (gridloom.pages).
`[[claims]]` has the claims of the artifact's document (gridloom.claims), `[[measured.FILE]]` the
commands behind a stored file (gridloom.measured), and `[[checks]]` and `[tests]` what
scripts/gpu/gridloom-gpu-check runs."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from gridloom.declarations import REQUIRED, DeclarationError, as_list, declared, keys_of, named
from gridloom.experiments import command_lines, read_experiments
from gridloom.paths import ROOT


@dataclass(frozen=True)
class Table:
    """The medians that the report shows of a run."""

    group: list  # columns; the report has one row per combination
    values: list  # columns whose medians are shown
    per_second: str | None = None  # column shown divided by elapsed_ms as well
    rows: str = "runs"  # table of the results file


@dataclass(frozen=True)
class Run:
    """Commands that write one file; `output` and `files` are names without a folder."""

    name: str
    commands: list  # each is a list of words: a program and its arguments
    output: str
    files: dict  # option without dashes: file, as in {"trace": "x.h5"}
    table: Table

    @property
    def written(self):
        return [self.output, *self.files.values()]

    @property
    def programs(self):
        return list(dict.fromkeys(words[0] for words in self.commands))


@dataclass(frozen=True)
class Figure:
    name: str
    script: str
    minutes: float
    description: str
    results: list  # the files it reads, in the order of its arguments
    stored: list  # what the committed image was drawn from; empty if there is none


@dataclass(frozen=True)
class PageTables:
    """Tables of the stored file `results`, made by texts_of(path) of a module of scripts/gridloom.
    `prefix` is prepended to their names."""

    results: str
    module: str
    prefix: str = ""


@dataclass(frozen=True)
class Artifact:
    name: str
    title: str
    runs: list
    figures: list
    tables: list


def read_run(name, data, words, experiments):
    what = f"[runs.{name}]"
    run = keys_of(data, what, commands=REQUIRED, each=[], output=REQUIRED, files={}, table={})
    for file in [run["output"], *run["files"].values()]:
        if not isinstance(file, str) or Path(file).name != file:
            raise DeclarationError(f"{what}: expected the name of a file, got {file!r}")
    lines = list(command_lines(run["commands"], run["each"], words, experiments, what))
    if run["files"] and len(lines) > 1:
        raise DeclarationError(f"{what}: 'files' goes with one command, there are {len(lines)}")
    commands = [[*shlex.split(line), "--quiet"] for line in lines]
    table = keys_of(
        run["table"], f"{what}: table", group=[], values=[], per_second=None, rows="runs"
    )
    return Run(name, commands, run["output"], run["files"], Table(**table))


def read_runs(data):
    known = data.get("words", {}), read_experiments(data)
    runs = [read_run(name, table, *known) for name, table in named(data, "runs")]
    if not runs:
        raise DeclarationError("no [runs]")
    written = [file for run in runs for file in run.written]
    for file in written:
        if written.count(file) > 1:
            raise DeclarationError(f"two runs write '{file}'")
    return runs


def read_figure(name, data, runs, artifact):
    what = f"[figures.{name}]"
    own = f"{artifact}_"
    stem = name.removeprefix(own) if name.startswith(own) else name.partition("_")[2]
    given = keys_of(
        data, what, script=f"scripts/plots/{artifact}/{stem}.py", minutes=1,
        description=REQUIRED, results=runs[0].output if len(runs) == 1 else REQUIRED, stored="",
    )  # fmt: skip
    given |= {key: as_list(given[key]) for key in ("results", "stored")}
    figure = Figure(name=name, **given)
    for file in figure.results or ([] if figure.stored else [""]):
        if not any(file in run.written for run in runs):
            raise DeclarationError(f"{what}: no run writes '{file}'")
    for file in figure.stored:
        if not isinstance(file, str) or Path(file).parts[:1] != ("reference",):
            raise DeclarationError(f"{what}: stored: expected a file in reference/, got {file!r}")
    return figure


def read_page_tables(data):
    """Reads the key `tables` of a declaration: {module: {results: prefix}}."""
    return [
        PageTables(results, module, prefix)
        for module, files in named(data, "tables")
        for results, prefix in files.items()
    ]


def read_artifact(path):
    """Raises DeclarationError, in one line that names the file and the table."""
    with declared(path) as data:
        given = keys_of(
            data, "artifact", name=REQUIRED, title=REQUIRED, runs={}, figures={}, tables={},
            claims=[], checks=[], tests={}, words={}, experiments={}, measured={},
        )  # fmt: skip
        name, runs = given["name"], read_runs(data)
        figures = [read_figure(*figure, runs, name) for figure in named(data, "figures")]
        return Artifact(name, given["title"], runs, figures, read_page_tables(data))


def read_all(root=ROOT):
    """Every artifact of the repository, by name."""
    return [read_artifact(path) for path in sorted(Path(root).glob("*/artifact.toml"))]
