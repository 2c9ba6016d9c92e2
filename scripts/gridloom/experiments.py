"""The command lines of an artifact.toml, and its named experiments.

`[experiments.NAME]` is a set of command lines. `scripts/measure --only`, [runs] and commands of
[measured] use its name.

  commands  one line each: a program of the build and its options, without output and backend
  each      values for {each}: a command with {each} becomes one command for each value
  on        "cuda" (the default) or "host"
  about     one sentence for the reader of the list

{word} stands for the value of that word in the table [words], {data} for the folder of the data
sets; values of `each` may have words, too. Wherever a declaration has commands, a line may begin
with the name of an experiment. It then stands for all commands of that experiment, and its options
replace theirs."""

import re
import shlex
from dataclasses import dataclass

from gridloom.declarations import REQUIRED, DeclarationError, keys_of, named

BACKENDS = ("cuda", "host")
# Words may stand for other words. They are replaced at most so many times.
MOST_TURNS = 8


@dataclass(frozen=True)
class Experiment:
    name: str
    lines: list
    on: str
    about: str


def filled(text, words, what):
    """The text with each {word} replaced, even inside the replacements."""
    for _ in range(MOST_TURNS):
        before = text
        for name, value in words.items():
            text = text.replace(f"{{{name}}}", value)
        if text == before:
            break
    if unknown := [part for part in text.split("{")[1:] if not part.startswith(("data}", "each}"))]:
        raise DeclarationError(f"{what}: no word {{{unknown[0].split('}')[0]}}}")
    return text


def joined(words):
    """Like shlex.join, but {data} stays as it is."""
    return " ".join(word if re.fullmatch(r"[\w@%+=:,./{}-]+", word) else shlex.quote(word)
                    for word in words)  # fmt: skip


def options_of(words):
    """{option: [option, values...]}; a value is a word that does not begin like an option."""
    found, own = {}, []
    for word in words:
        if re.match(r"--?[a-z]", word):
            own = found.setdefault(word.split("=")[0], [])
        own.append(word)
    return found


def with_options(line, more):
    """The command line with further options; an option given again replaces the first one."""
    program, *rest = shlex.split(line)
    if not more:
        return line
    if not all(re.match(r"--?[a-z]", word) for word in (*rest[:1], *more[:1])):
        raise DeclarationError(f"expected options, got {joined([*rest[:1], *more[:1]])}")
    replaced = options_of(rest) | options_of(more)
    return joined([program, *(word for own in replaced.values() for word in own)])


def command_lines(commands, each, words, experiments, what):
    """The lines with words filled in, {each} replaced by each value, and experiments by their
    commands."""
    if not isinstance(commands, list) or not commands:
        raise DeclarationError(f"{what}: commands: expected an array of them")
    for number, value in enumerate(each or [""]):
        for text in commands:
            line = filled(text, words, what)
            if number and "{each}" not in line:
                continue
            line = filled(line.replace("{each}", str(value)), words, what)
            if not line.split():
                raise DeclarationError(f"{what}: expected a command, got {text!r}")
            first, *rest = shlex.split(line)
            own = experiments[first].lines if first in experiments else None
            yield from [line] if own is None else (with_options(one, rest) for one in own)


def backend_of(given, what):
    if given["on"] not in BACKENDS:
        raise DeclarationError(
            f"{what}: on: expected one of {', '.join(BACKENDS)}, got {given['on']!r}"
        )
    return given["on"]


def read_experiments(data):
    """Returns {name: Experiment}. An experiment may use those above it."""
    found = {}
    for name, table in named(data, "experiments"):
        what = f"[experiments.{name}]"
        given = keys_of(table, what, commands=REQUIRED, each=[], on="cuda", about="")
        if not re.fullmatch(r"[\w-]+", name):
            raise DeclarationError(f"{what}: expected a name of letters, digits and -")
        words = data.get("words", {})
        lines = list(command_lines(given["commands"], given["each"], words, found, what))
        found[name] = Experiment(name, lines, backend_of(given, what), given["about"])
    return found
