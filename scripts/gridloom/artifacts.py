"""Reads the declarations <artifact>/artifact.toml that plug artifacts into the scripts.

A declaration names the artifact's smoke runs and figures. One program with one run is `program`
and `[smoke]`; more are tables `[[runs]]`, each with its program. A figure reads the output of the
only run, or the file or the array of files that its key `results` names; `stored` names the files
in the artifact's folder that its image in reference/figures is drawn from. A figure of no results
([]) needs more than a run, such as counters of the hardware, and is drawn from stored files alone.
`[[tables]]` names the scripts that make the tables of the artifact's pages from its stored results
(gridloom.pages), `[[claims]]` says what its document claims (gridloom.claims), and `[[measured]]`
what the stored results come from (gridloom.measured).
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from gridloom.paths import ROOT


class DeclarationError(Exception):
    """What is wrong with an artifact.toml, naming the file."""


@dataclass(frozen=True)
class Table:
    """The medians that the report shows of a run."""

    group: list  # columns; one row of the report for each combination
    values: list  # columns whose medians are shown
    per_second: str | None = None  # column shown divided by elapsed_ms as well
    rows: str = "runs"  # table of the results file


@dataclass(frozen=True)
class Run:
    """A program and what it writes; `output` and `files` are names without a folder."""

    name: str
    program: str
    arguments: list
    output: str
    files: dict  # option without dashes: file, as in {"trace": "x.h5"}
    table: Table

    @property
    def written(self):
        return [self.output, *self.files.values()]


@dataclass(frozen=True)
class Figure:
    name: str
    script: str
    minutes: float
    description: str
    results: str | list  # the file it reads, or several in the order of its arguments
    stored: str | list = ""  # the same of the committed image; empty where there is none

    @property
    def read(self):
        return as_list(self.results)

    @property
    def read_stored(self):
        return as_list(self.stored)


def as_list(value):
    return value if isinstance(value, list) else [value] if value else []


@dataclass(frozen=True)
class PageTables:
    """scripts/tables/<script>.py makes tables of the file `results` in the artifact's folder."""

    script: str
    results: str
    prefix: str = ""  # stands before the names of its tables
    arguments: list = field(default_factory=list)  # further words of the command line


@dataclass(frozen=True)
class Artifact:
    name: str
    title: str
    runs: list
    figures: list
    tables: list


REQUIRED = object()


def keys_of(table, what, /, **defaults):
    """The values of the keys that a table may have; those that are REQUIRED must be there."""
    if not isinstance(table, dict):
        raise DeclarationError(f"{what}: expected a table")
    for key in table:
        if key not in defaults:
            raise DeclarationError(f"{what}: unknown key '{key}'")
    for key, default in defaults.items():
        if default is REQUIRED and key not in table:
            raise DeclarationError(f"{what}: no key '{key}'")
        value = table.get(key, default)
        for kind, word in ((list, "an array"), (dict, "a table")):
            if isinstance(default, kind) and not isinstance(value, kind):
                raise DeclarationError(f"{what}: {key}: expected {word}, got {value!r}")
    return defaults | table


def read_table(data, what):
    return Table(**keys_of(data, what, group=[], values=[], per_second=None, rows="runs"))


def read_run(data, what):
    run = keys_of(
        data, what, name=REQUIRED, program=REQUIRED, arguments=[], output=REQUIRED,
        files={}, table={},
    )  # fmt: skip
    for file in [run["output"], *run["files"].values()]:
        if not isinstance(file, str) or Path(file).name != file:
            raise DeclarationError(f"{what}: expected the name of a file, got {file!r}")
    arguments = [str(argument) for argument in run["arguments"]]
    table = read_table(run["table"], f"{what}: table")
    return Run(**run | {"arguments": arguments, "table": table})


def read_runs(data):
    """[smoke] is the first run; the tables [[runs]] follow."""
    runs = []
    if "smoke" in data:
        given = keys_of(data["smoke"], "[smoke]", arguments=[], output=REQUIRED)
        if "program" not in data:
            raise DeclarationError("no key 'program', which goes with [smoke]")
        run = {"name": "smoke", "program": data["program"], "table": data.get("table", {})}
        runs.append(read_run(given | run, "[smoke]"))
    for key in ("program", "table"):
        if key in data and "smoke" not in data:
            raise DeclarationError(f"'{key}' goes with [smoke]; each of [[runs]] has its own")
    for number, table in enumerate(data.get("runs", []), 1):
        runs.append(read_run(table, f"[[runs]] {number}"))
    if not runs:
        raise DeclarationError("no run: neither [smoke] nor [[runs]]")
    for kind, names in (
        ("runs are named", [run.name for run in runs]),
        ("runs write", [file for run in runs for file in run.written]),
    ):
        for name in names:
            if names.count(name) > 1:
                raise DeclarationError(f"two {kind} '{name}'")
    return runs


def read_figure(data, runs, what):
    figure = Figure(
        **keys_of(
            data, what, name=REQUIRED, script=REQUIRED, minutes=REQUIRED, description=REQUIRED,
            results=runs[0].output if len(runs) == 1 else REQUIRED, stored="",
        )
    )  # fmt: skip
    for file in figure.read or ([] if figure.stored else [""]):
        if not any(file in run.written for run in runs):
            raise DeclarationError(f"{what}: no run writes '{file}'")
    for file in figure.read_stored:
        if not isinstance(file, str) or Path(file).parts[:1] != ("reference",):
            raise DeclarationError(f"{what}: stored: expected a file in reference/, got {file!r}")
    return figure


def read_page_tables(tables):
    """Those of the key `tables` of a declaration."""
    return [
        PageTables(
            **keys_of(
                table, f"[[tables]] {number}", script=REQUIRED, results=REQUIRED, prefix="",
                arguments=[],
            )
        )
        for number, table in enumerate(tables, 1)
    ]  # fmt: skip


def read_artifact(path):
    """Raises DeclarationError, in one line that names the file and the table."""
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
        given = keys_of(
            data, "artifact", name=REQUIRED, title=REQUIRED, program=None, smoke={}, table={},
            runs=[], figures=[], tables=[], claims=[], checks=[], words={}, measured=[],
        )  # fmt: skip
        runs = read_runs(data)
        figures = [
            read_figure(figure, runs, f"[[figures]] {number}")
            for number, figure in enumerate(given["figures"], 1)
        ]
        tables = read_page_tables(given["tables"])
        return Artifact(given["name"], given["title"], runs, figures, tables)
    except (tomllib.TOMLDecodeError, DeclarationError) as error:
        raise DeclarationError(f"{path}: {error}") from error


def read_all(root=ROOT):
    """Every artifact of the repository, by name."""
    return [read_artifact(path) for path in sorted(Path(root).glob("*/artifact.toml"))]
