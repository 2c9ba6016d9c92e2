"""What a page names exists: the targets of its links, and the files in code that it speaks of."""

import re
import subprocess
from fnmatch import fnmatchcase

import pytest

from conftest import ROOT
from gridloom.pages import declarations, pages_of

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^([ \t]*)```.*?^\1```[ \t]*$", re.S | re.M)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```[ \t]*$", re.S | re.M)
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"[\w.<>*-]+(?:/[\w.<>*-]+)*(?:/|\.(?:hpp|cpp|cuh|cu|py|md|toml|cmake|lock|cff))")
FOLDER = re.compile(r"[\w.<>*-]+(?:/[\w.<>*-]+)+")
# Made by commands, or by the reader.
MADE = (".venv/", "results/", "figures/", "build/", "dist/", "../saga/", "ours/my_queue.hpp")

PAGES = [path for folder in ["", *declarations()] for path in pages_of(folder)]
# Those of datasets speak of the user's data folder.
CHECKED = [page for page in PAGES if "datasets" not in page.parts]


def name_of(path):
    return str(path.relative_to(ROOT))


def tracked():
    """All files of the working tree that git would commit, or all but those built."""
    command = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode == 0:
        return done.stdout.splitlines()
    return [name_of(path) for path in ROOT.rglob("*") if path.is_file()]


@pytest.fixture(scope="module")
def known():
    files = tracked()
    folders = {name[:k] for name in files for k, c in enumerate(name) if c == "/"}
    return [*files, *sorted(folders)]


def broken_links(page, text):
    """Relative links whose file is not there, and anchors that no heading of the target has."""
    for target in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists() or (
            anchor and anchor not in anchors_of(file.read_text(encoding="utf-8"))
        ):
            yield target


def anchors_of(text):
    heads = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def unknown_files(text, known):
    """Files and folders in code that are no file of the repository, nor the end of one's path."""
    pictures = [block for language, block in BLOCK.findall(text) if not language]
    codes = [*CODE.findall(FENCE.sub("", text)), *pictures]
    for word in dict.fromkeys(word for code in codes for word in code.split()):
        word = word.removeprefix("./").rstrip(",;:").split(":")[0]
        if not (FILE.fullmatch(word) or FOLDER.fullmatch(word)):
            continue
        if word.startswith(MADE):
            continue
        pattern = re.sub(r"<\w+>|\.\.\.", "*", word).rstrip("/")
        if not any(fnmatchcase(k, pattern) or fnmatchcase(k, f"*/{pattern}") for k in known):
            yield word


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_of_a_page_lead_somewhere(page):
    assert not list(broken_links(page, page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", CHECKED, ids=name_of)
def test_files_that_a_page_names_exist(page, known):
    assert not list(unknown_files(page.read_text(encoding="utf-8"), known))


def test_a_wrong_name_is_found(known):
    text = "`scripts/none.py` `wavefront/scanning.hpp` `<artifact>/artifact.toml` `--rows` `a/b/`\n"
    text += "```\n|--> x.hpp\n```\n```sh\ny.hpp\n```\n"
    assert list(unknown_files(text, known)) == ["scripts/none.py", "a/b/", "x.hpp"]
    page = ROOT / "README.md"
    text = "[a](none.md) [b](LICENSE) [c](https://x.org) [d](README.md#none) [e](README.md#licence)"
    assert list(broken_links(page, text)) == ["none.md", "README.md#none"]


RULE = re.compile(r"^// (?:[A-Z]+\.)?[A-Z]\d+\. ", re.M)


def test_the_architecture_lists_every_header_of_numbered_rules():
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    headers = [ROOT / name for name in tracked() if name.endswith(".hpp")]
    ruled = [path for path in headers if RULE.search(path.read_text(encoding="utf-8"))]
    # A page names a header as it is included, or from the root of its artifact.
    missing = [name_of(path) for path in ruled if f"{path.parent.name}/{path.name}`" not in page]
    assert ruled and not missing
