"""The commands of an artifact's stored results: tables [[measured]] of its artifact.toml.

  output       the file in reference/ that the commands write, without a folder
  commands     a line each, begun by a program of the build or a script of scripts/
  on           "cuda" (unless said) or "host": the backend of programs
  each         values to put in the place of {each}: a command that has it runs once for each
  times        processes of each command, 1 unless said
  environment  variables of the commands
  ends_with    the exit code of each command, 0 unless said: 1 where a rival is known to be wrong
  prepare      what makes an input that is not there: {"random.h5" = "make_dag random --tasks 9"}

{word} in a command is what the table [words] of the declaration says, {data} the folder of the data
sets. Commands run in the folder of their results. Programs get `--backend`, `--quiet`, `--append`
and `--output`; scripts the last two, and their own programs (behind `--`) the first two.
"""

import shlex
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from gridloom.artifacts import REQUIRED, DeclarationError, keys_of
from gridloom.paths import ROOT

BACKENDS = ("cuda", "host")
MOST_TURNS = 8  # of words that stand for words


@dataclass(frozen=True)
class Command:
    """One command of a stored file; `text` is as declared, filled in but for {data}."""

    output: str
    text: str
    on: str
    environment: dict
    prepare: dict
    ends_with: int = 0
    process: int = 1  # of as many as run it

    @property
    def name(self):
        return self.text if self.process == 1 else f"{self.text} (process {self.process})"

    def line(self, folder, data):
        """The words to run, with programs from `folder`."""
        first, *rest = shlex.split(self.text.replace("{data}", str(data)))
        if (script := ROOT / "scripts" / first).is_file():
            rest = behind_dashes(rest, folder, self.on)
            return [*run_by(script), *own_output(self.output), *rest]
        return [*program(first, folder, self.on), *rest, *own_output(self.output)]


def run_by(script):
    """By the Python that runs this one, which has the scripts' packages."""
    return [sys.executable, str(script)]


def own_output(file):
    return ["--append", "--output", file]


def program(name, folder, on):
    return [str(folder / name), "--backend", on, "--quiet"]


def behind_dashes(words, folder, on):
    if "--" not in words:
        return words
    place = words.index("--") + 1
    return [*words[:place], *program(words[place], folder, on), *words[place + 1 :]]


def filled(text, words, what):
    """The text with each {word} replaced, also those in the words themselves."""
    for _ in range(MOST_TURNS):
        before = text
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        if text == before:
            break
    if unknown := [part for part in text.split("{")[1:] if not part.startswith(("data}", "each}"))]:
        raise DeclarationError(f"{what}: no word {{{unknown[0].split('}')[0]}}}")
    return text


def commands_of(table, words, what):
    given = keys_of(
        table, what, output=REQUIRED, commands=REQUIRED, on="cuda", each=[], times=1,
        environment={}, prepare={}, ends_with=0,
    )  # fmt: skip
    output, on = given["output"], given["on"]
    if not isinstance(output, str) or Path(output).name != output:
        raise DeclarationError(f"{what}: expected the name of a file, got {output!r}")
    if on not in BACKENDS:
        raise DeclarationError(f"{what}: on: expected one of {', '.join(BACKENDS)}, got {on!r}")
    if not isinstance(given["commands"], list) or not given["commands"]:
        raise DeclarationError(f"{what}: commands: expected an array of them")
    for key, least in (("times", 1), ("ends_with", 0)):
        if not isinstance(given[key], int) or given[key] < least:
            raise DeclarationError(f"{what}: {key}: expected a number, got {given[key]!r}")
    prepare = {file: filled(text, words, what) for file, text in given["prepare"].items()}
    for number, value in enumerate(given["each"] or [""]):
        for text in given["commands"]:
            line = filled(text, words, what)
            if number and "{each}" not in line:
                continue
            line = line.replace("{each}", str(value))
            if not line.split():
                raise DeclarationError(f"{what}: expected a command, got {text!r}")
            for process in range(given["times"]):
                yield Command(
                    output, line, on, given["environment"], prepare, given["ends_with"], process + 1
                )


def read_measured(folder):
    """All commands of an artifact in order; raises DeclarationError in one line."""
    path = folder / "artifact.toml"
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
        words = data.get("words", {})
        found = []
        for number, table in enumerate(data.get("measured", []), 1):
            found += commands_of(table, words, f"[[measured]] {number}")
        return found
    except (tomllib.TOMLDecodeError, DeclarationError) as error:
        raise DeclarationError(f"{path}: {error}") from error
