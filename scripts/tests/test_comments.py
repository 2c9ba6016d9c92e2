"""No comment of the code opens with "Of" or "Who", and prefixes of rules are unique."""

import re
import subprocess

import pytest

from conftest import ROOT

SLASHES = (".cpp", ".hpp", ".cu", ".cuh")
HASHES = (".py", ".cmake", ".toml", ".txt", ".sh")
FIRST = {"/": re.compile(r"//[/!<]*\s*(\w+)"), "#": re.compile(r"(?:^|\s)#+!?\s*(\w+)")}
DOCSTRING = re.compile(r'"""\s*(\w+)')
RULE = re.compile(r"\b([A-Z]{2})\.R\d")
FIRST_RULE = re.compile(r"^ *// +([A-Z]{2})\.R1\. ", re.MULTILINE)  # opens a list of rules
WORDS = {"Of", "Who", "Whose", "Whoever"}


def files():
    command = ["git", "-C", ROOT, "ls-files"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.skip("no git checkout")
    for name in done.stdout.splitlines():
        path = ROOT / name
        if not path.is_file() or "seeds/" in name:
            continue
        if path.suffix in (*SLASHES, *HASHES) or (not path.suffix and is_script(path)):
            yield name, path.read_text(encoding="utf-8", errors="replace")


def is_script(path):
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def opened_badly(name, text):
    """The lines whose comment or docstring begins with one of the words."""
    mark = "/" if name.endswith(SLASHES) else "#"
    inside = False  # a comment, so that this line goes on with a sentence
    for number, line in enumerate(text.splitlines(), 1):
        alone = line.lstrip().startswith("//" if mark == "/" else "#")
        found = FIRST[mark].search(line) or (DOCSTRING.search(line) if mark == "#" else None)
        if found and found[1] in WORDS and not (alone and inside):
            yield f"{name}:{number}: {line.strip()}"
        inside = alone


def test_comments_open_with_what_they_are_about():
    found = [line for name, text in files() for line in opened_badly(name, text)]
    assert not found, "\n".join(found)


def test_each_prefix_of_rules_belongs_to_one_file():
    texts = [text for name, text in files() if name.endswith(SLASHES)]
    owners = [prefix for text in texts for prefix in set(FIRST_RULE.findall(text))]
    cited = {prefix for text in texts for prefix in RULE.findall(text)}
    assert not {prefix for prefix in cited if owners.count(prefix) != 1}
