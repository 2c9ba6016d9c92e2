"""Listings on pages are lines of their sources."""

import re

import pytest

from conftest import ROOT
from gridloom.pages import declarations, pages_of

LISTING = re.compile(r"<!-- listing: (\S+) -->\n```cpp\n(.*?)```", re.S)


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def missing(listing, source):
    """The first line that does not follow the earlier lines in the source, or None."""
    rest = iter(lines_of(source))
    return next((line for line in lines_of(listing) if line not in rest), None)


LISTINGS = [
    pytest.param(ROOT / folder / name, text, id=f"{folder}/{name}")
    for folder in declarations()
    for page in pages_of(folder)
    for name, text in LISTING.findall(page.read_text())
]


@pytest.mark.parametrize(("source", "listing"), LISTINGS)
def test_a_listing_is_what_the_source_says(source, listing):
    assert missing(listing, source.read_text()) is None
