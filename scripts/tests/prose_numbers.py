"""Finds the numbers of a page that no marker ties to a stored file or to the paper.

A number counts if a unit follows it (500 ns, 195 M tasks/s, 2 GB, 30 %) or if it is a ratio (5.8 ×,
3 times, twice as fast). It is in order between `<!-- table NAME -->`, `<!-- value NAME -->` or
`<!-- paper -->` and `<!-- end -->`. In a table typed by hand, the unit may stand in the head of the
column; only columns of minutes are free, which tell a reader how long a command takes.
"""

import re
from dataclasses import dataclass

WORDS = "two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand"
NUMBER = (
    r"(?<![\w.,-])[-+−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?:\s?[·×]\s?10[⁰¹²³⁴-⁹⁻]+)?"
)
TIME = r"ns|[µμu]s|ms|s|nanoseconds?|microseconds?|milliseconds?|seconds?|min|minutes?|h|hours?"
SIZE = r"(?:[kKMGT]i?)?B|bytes?|[KMG]i?bytes?|[kKMGT]?bit/s"
COUNT = r"[kMGT]|[kMGT]?(?:flops?|FLOPS?)|[kMG]?Hz|W|tasks/s|per\s?cent|percent|%|‰"
UNIT = rf"(?:{TIME}|{SIZE}|{COUNT})(?:/\w+)?"
RATIO = r"×(?!\s*[\d`(])|times\b|-?fold\b|x(?![\w-])"
MEASURED = re.compile(rf"{NUMBER}(?:[\s-]?(?:{UNIT})(?![\w(])|\s?(?:{RATIO}))")
SPELT = re.compile(
    rf"\b(?:twice|thrice|(?:{WORDS})\s+times|half)\s+(?:as\b|the speed|faster|slower)"
)
# Names of methods, not results.
NAMES = re.compile(r"95 % interval|95 % confidence|METG\(\d+ %\)")

HEAD_UNIT = re.compile(rf"(?:^|[\s(,]){UNIT}(?:$|[\s),])|×$|speedup|ratio", re.I)
FREE_HEAD = re.compile(r"minutes", re.I)
GENERATED = [
    re.compile(r"<!-- table \S+ -->\n.*?<!-- end -->", re.S),
    re.compile(r"<!-- (?:value \S+|paper) -->.*?<!-- end -->", re.S),
    re.compile(r"<!--.*?-->", re.S),
]
FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,}).*?^\1\2[ \t]*$", re.S | re.M)
SILENT = [re.compile(r"`[^`\n]*`"), re.compile(r"\]\([^)\s]*\)"), re.compile(r"https?://\S+")]


@dataclass(frozen=True)
class Found:
    line: int
    text: str

    def __str__(self):
        return f"line {self.line}: {self.text}"


def blanked(text, pattern, by=" "):
    """The text without what matches, but with its lines, so that places stay what they are."""
    return pattern.sub(lambda match: by + "\n" * match[0].count("\n"), text)


def prose_of(page):
    """The page without code, links' addresses and what markers tie to a source."""
    page = blanked(page, FENCE)
    for pattern in GENERATED:
        page = blanked(page, pattern, "\x00")
    for pattern in SILENT:
        page = blanked(page, pattern, "\x00")
    return page


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def bare_numbers(prose):
    """Cells of numbers alone below a head that has a unit."""
    heads, before = [], ""
    for number, line in enumerate(prose.splitlines(), 1):
        if not line.lstrip().startswith("|"):
            heads = []
        elif re.fullmatch(r"\s*\|[\s|:-]+\|\s*", line):
            heads = cells_of(before)
        elif heads:
            for head, cell in zip(heads, cells_of(line), strict=False):
                unit = HEAD_UNIT.search(head) and not FREE_HEAD.search(head)
                if unit and re.search(NUMBER, cell):
                    yield Found(number, f"{cell} below '{head}'")
        before = line


def numbers_in(page):
    """Every number of the page that needs a marker and has none."""
    prose = prose_of(page)
    named = blanked(prose, NAMES)
    found = [
        Found(named.count("\n", 0, match.start()) + 1, " ".join(match[0].split()))
        for pattern in (MEASURED, SPELT)
        for match in pattern.finditer(named)
    ]
    return sorted([*found, *bare_numbers(named)], key=lambda one: one.line)
