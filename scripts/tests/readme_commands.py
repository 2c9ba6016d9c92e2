"""Shell commands in README files: the fenced ```sh blocks, taken apart."""

import re
import shlex
from dataclasses import dataclass, field

# Blocks after this line are run by the tests; those that say slow, by scripts/test --full.
MARK = re.compile(r"<!-- test: (run|run slow) -->")
SEPARATORS = {"&&", "||", ";", "|", "&"}
# Programs that run another one given after their own options.
WRAPPERS = {"ncu", "compute-sanitizer", "nsys", "srun", "sudo", "time", "env", "setarch"}


@dataclass
class Block:
    place: str  # "README.md:12"
    text: str
    run: str | None  # the mark of the block: "run" or "run slow"
    commands: list = field(default_factory=list)


@dataclass
class Command:
    place: str
    words: list  # without leading assignments and redirections

    def __str__(self):
        return f"{self.place}: {shlex.join(self.words)}"


def blocks_of(text, name):
    """All sh blocks. The mark stands on the line before the fence; blank lines do not matter."""
    found, fence, before, start, lines = [], None, "", 0, []
    for number, line in enumerate(text.splitlines(), start=1):
        if fence is None:
            if opened := re.match(r"\s*(`{3,})\s*(\w*)", line):
                fence, start, lines = (opened[1], opened[2]), number, []
            elif line.strip():
                before = line.strip()
        elif line.strip() == fence[0]:
            if fence[1] == "sh":
                mark = MARK.fullmatch(before)
                block = Block(f"{name}:{start}", "\n".join(lines) + "\n", mark and mark[1])
                block.commands = list(commands_of(lines, name, start))
                found.append(block)
            fence, before = None, ""
        else:
            lines.append(line)
    if fence is not None:
        raise ValueError(f"{name}:{start}: the block is not closed")
    return found


def commands_of(lines, name, start):
    text, first = "", 0
    for number, line in enumerate(lines, start=start + 1):
        first = first if text else number
        text += line
        if text.endswith("\\"):
            text = text[:-1] + " "
            continue
        lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        yield from split_words(list(lexer), f"{name}:{first}")
        text = ""


def split_words(words, place):
    command = []
    for word in [*words, ";"]:
        if word not in SEPARATORS:
            command.append(word)
            continue
        while command and (command[0] == "$" or re.match(r"\w+=", command[0])):
            command = command[1:]
        if ">" in command:
            command = command[: command.index(">")]
        if command:
            yield Command(place, command)
        command = []
