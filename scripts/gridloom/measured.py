"""The commands behind an artifact's stored results: tables [[measured.FILE]] of its artifact.toml,
or of the page.toml of a folder that is no artifact. FILE is in reference/; the commands write it.

  commands     one line each, begun by a program, an experiment, or a script of scripts/
  on           backend of the programs: "cuda" (the default) or "host"
  each         values for {each}: a command with {each} runs once for each value
  times        processes for each command, by default 1
  environment  variables of the commands
  ends_with    the exit code of each command, by default 0; 1 if a rival is known to be wrong
  seconds      forecast for all commands on the machine of the stored results
  prepare      how to make an input that is missing: {"random.h5" = "gridloom-graph chain:tasks=9"}

gridloom.experiments explains how lines are expanded. Commands run in the folder of their results.
Programs get `--backend`, `--quiet`, `--append` and `--output`. Scripts get the last two, and the
programs that they call (after `--`) the first two."""

import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from gridloom.declarations import REQUIRED, DeclarationError, declared, keys_of, named
from gridloom.experiments import (
    backend_of,
    command_lines,
    filled,
    joined,
    read_experiments,
    with_options,
)
from gridloom.paths import ROOT

DATA = "data"  # name of the link to the data sets in the folder of the results


@dataclass(frozen=True)
class Command:
    """One command of a stored file; `text` is complete except for {data}."""

    output: str
    text: str
    on: str
    environment: dict
    prepare: dict
    ends_with: int = 0
    process: int = 1  # the number of the process, from 1
    seconds: float = 0

    @property
    def name(self):
        on = " (on the host)" if self.on == "host" else ""
        return self.text + on + (f" (process {self.process})" if self.process > 1 else "")

    def line(self, folder, data):
        """The words of the command, with programs from `folder`."""
        first, *rest = shlex.split(self.text.replace("{data}", str(data)))
        output = ["--append", "--output", self.output]
        if (script := ROOT / "scripts" / first).is_file():
            if "--" in rest:  # a program that the script calls
                place = rest.index("--") + 1
                rest[place : place + 1] = program(rest[place], folder, self.on)
            # The Python of this process has the scripts' packages.
            return [sys.executable, str(script), *output, *rest]
        return [*program(first, folder, self.on), *rest, *output]


def program(name, folder, on):
    return [str(Path(folder) / name), "--backend", on, "--quiet"]


def prepared_by(file, text, folder, data=DATA):
    """The words that make the input `file` by a script, or by a program of `folder`."""
    name, *rest = shlex.split(text.replace("{data}", data))
    script = ROOT / "scripts" / name
    words = [str(Path(folder) / name)]
    if script.is_file():
        words = [sys.executable, str(script)]
    return [*words, *rest, "--output", file]


def needs_data(commands, folder=None):
    """Whether a command needs the data sets, or an input that is not yet in the folder does."""
    texts = [command.text for command in commands]
    for file, text in (item for command in commands for item in command.prepare.items()):
        texts += [] if folder and (folder / file).exists() else [text]
    return any("{data}" in text for text in texts)


def shell_lines(commands, folder):
    """The commands as lines of a shell script, which runs in the folder of the results."""
    lines, inputs = [], {}
    if needs_data(commands):
        lines.append(f'ln -sfn "$GRIDLOOM_DATA_DIR" {DATA}')
    for number, command in enumerate(commands):
        if number == 0 or command.output != commands[number - 1].output:
            lines.append(f"# {command.output}")
        for file, text in command.prepare.items():
            if inputs.setdefault(file, command) is command:
                made = without_python(prepared_by(file, text, folder))
                lines.append(f"test -e {file} || {joined(made)}")
        environment = [f"{name}={value}" for name, value in command.environment.items()]
        line = joined([*environment, *without_python(command.line(folder, DATA))])
        lines.append(f"{line} || test $? = {command.ends_with}" if command.ends_with else line)
    return lines


def without_python(words):
    return words[1:] if words[0] == sys.executable else words


def commands_of(output, table, words, experiments, what):
    given = keys_of(
        table, what, commands=REQUIRED, on="cuda", each=[], times=1, environment={}, prepare={},
        ends_with=0, seconds=0,
    )  # fmt: skip
    on = backend_of(given, what)
    if Path(output).name != output:
        raise DeclarationError(f"{what}: expected the name of a file, got {output!r}")
    for key, least in (("times", 1), ("ends_with", 0)):
        if not isinstance(given[key], int) or given[key] < least:
            raise DeclarationError(f"{what}: {key}: expected a number, got {given[key]!r}")
    prepare = {file: filled(text, words, what) for file, text in given["prepare"].items()}
    lines = list(command_lines(given["commands"], given["each"], words, experiments, what))
    seconds = given["seconds"] / (len(lines) * given["times"])
    for line in lines:
        for process in range(given["times"]):
            yield Command(output, line, on, given["environment"], prepare, given["ends_with"],
                          process + 1, seconds)  # fmt: skip


def declaration_of(folder):
    page = folder / "page.toml"
    return page if page.is_file() else folder / "artifact.toml"


def read_measured(folder):
    """All commands of an artifact in order. Raises DeclarationError with one line."""
    with declared(declaration_of(folder)) as data:
        words, experiments, found = data.get("words", {}), read_experiments(data), []
        for output, tables in named(data, "measured", list):
            for number, table in enumerate(tables, 1):
                what = f"[[measured.{output}]] {number}"
                found += commands_of(output, table, words, experiments, what)
        return found


def read_named(folder):
    """Returns {name: (Experiment, [Command])}. An experiment writes NAME.h5."""
    with declared(declaration_of(folder)) as data:
        return {
            name: (one, [Command(f"{name}.h5", line, one.on, {}, {}) for line in one.lines])
            for name, one in read_experiments(data).items()
        }


def changed(command, more):
    """The command with further options. Commands of scripts stay unchanged."""
    if not more or (ROOT / "scripts" / command.text.split()[0]).is_file():
        return command
    text = with_options(command.text, more)
    return replace(command, text=text)
