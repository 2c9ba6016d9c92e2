"""Budgets of the pages: words per page, words and numbers per sentence, words per table cell.

A page above its budget is a warning with the count, until all pages are rewritten.
"""

import re
import warnings

import pytest

from conftest import ROOT
from gridloom.pages import declarations, pages_of

WORDS_OF_PAGE = {"README.md": 650}  # of the repository; an artifact's README has 1,000
WORDS_OF_README, WORDS_OF_SENTENCE, NUMBERS_OF_SENTENCE, WORDS_OF_CELL = 1000, 25, 2, 15
CODE = re.compile(r"^```.*?^```$|<!--.*?-->|`[^`\n]*`|(?<=\])\([^)\s]*\)", re.S | re.M)
NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*")
PAGES = [path for folder in ["", *declarations()] for path in pages_of(folder)]


def over_budget(text, most_words=None):
    """What is over a budget: (the budget's name, the text)."""
    plain = CODE.sub(" x ", text)
    if most_words and len(plain.split()) > most_words:
        yield "page", f"{len(plain.split())} words"
    lines = plain.splitlines()
    for line in (line for line in lines if line.lstrip().startswith("|")):
        cells = (cell.strip() for cell in line.strip().strip("|").split("|"))
        yield from (("cell", cell) for cell in cells if len(cell.split()) > WORDS_OF_CELL)
    prose = "\n".join("" if line.lstrip().startswith(("|", "#")) else line for line in lines)
    for sentence in re.split(r"(?<=[.!?:;])\s+|\n\s*\n|\n\s*[-*\d]+[.]? ", prose):
        if len(sentence.split()) > WORDS_OF_SENTENCE:
            yield "sentence", " ".join(sentence.split())
        if len(NUMBER.findall(sentence)) > NUMBERS_OF_SENTENCE:
            yield "numbers", " ".join(sentence.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_keeps_its_budgets(page):
    name = str(page.relative_to(ROOT))
    most = WORDS_OF_PAGE.get(name, WORDS_OF_README if page.name == "README.md" else None)
    found = list(over_budget(page.read_text(encoding="utf-8"), most))
    kinds = [kind for kind, _ in found]
    if found:
        counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        warnings.warn(f"{name} is over its budgets: {counts}", stacklevel=1)


def test_what_is_over_a_budget_is_found():
    long = " ".join(["word"] * 26)
    assert list(over_budget(f"A title.\n\n{long}.\n")) == [("sentence", f"{long}.")]
    assert list(over_budget("It takes 1 ms, 2 ms or 3,000 ms. `1 2 3`")) == [
        ("numbers", "It takes 1 ms, 2 ms or 3,000 ms.")
    ]
    assert [kind for kind, _ in over_budget(f"| a | {long} |\n")] == ["cell"]
    assert list(over_budget("Three words here.", 2)) == [("page", "3 words")]
