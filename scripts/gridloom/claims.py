"""The claims of a document, our verdicts, and the numbers behind them.

An artifact.toml declares `[[claims]]` with `text`, `section` of the document, `verdict` in the
document's own regime, `today` (the verdict against the rivals of today, only if it differs), `why`
(required unless the claim is reproduced in both), and `values`. One function computes each value
from stored reference results and from results of this machine. `value` is the function's name
among the QUANTITIES of gridloom.<artifact>.claims. `regime` says which verdict a value belongs to:
"paper" or "today"; without it, to both. Values of the same `name` share a row of the claims table.
`reference` (files under the artifact's reference/) and `here` (files that its runs write) stand in
the claim for all its values, or in one value."""

import importlib
import operator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gridloom.declarations import REQUIRED, DeclarationError, as_list, declared, keys_of
from gridloom.stamps import digest
from gridloom.text import NONE, number, si, table

VERDICTS = ("reproduced", "in part", "not reproduced", "not tried")
# What is added to a value's name, by its regime. An empty regime stands for both.
REGIMES = {"": "", "paper": ", in the paper's regime", "today": ", today"}
COMPARISONS = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


@dataclass(frozen=True)
class Quantity:
    """A number that the document gives, or that decides over its claim."""

    name: str
    value: str  # key of QUANTITIES
    paper: str  # the document's number as text; empty if it has none
    # The condition under which the claim holds, as in "> 1". May be empty.
    holds: str
    reference: list  # names of files under reference/
    here: list  # names of files that the runs write
    regime: str = ""  # key of REGIMES

    @property
    def full_name(self):
        return self.name + REGIMES[self.regime]

    def held_by(self, number):
        sign, limit = self.holds.split()
        return COMPARISONS[sign](number, float(limit))


@dataclass(frozen=True)
class Claim:
    text: str
    verdict: str  # in the document's own regime
    why: str
    values: list
    section: str = ""
    today: str = ""  # the verdict today if it differs

    def verdict_in(self, regime):
        return self.today or self.verdict if regime == "today" else self.verdict


@dataclass(frozen=True)
class Value:
    """A number from results files: (middle, low, high), and the machine that it was measured on."""

    numbers: tuple
    unit: str
    input: str

    @property
    def written(self):
        return list(map(si if self.unit.endswith("/s") else number, self.numbers))

    @property
    def short_text(self):
        """The text without the interval, for use in a sentence."""
        return f"{self.written[0]} {self.unit}".rstrip()

    @property
    def text(self):
        middle, low, high = self.written
        interval = f" [{low}, {high}]" if (low, high) != (middle, middle) else ""
        return self.short_text + interval


class Source:
    """Results files, read once for all values that are computed from them."""

    def __init__(self, paths):
        self.paths = [Path(path) for path in paths]
        self.made = {}

    @cached_property
    def runs(self):
        from gridloom.results import read_files  # imports pandas, which takes a second

        return read_files(self.paths)

    def of(self, make):
        """Returns `make(self)`, which is called only once."""
        if make not in self.made:
            self.made[make] = make(self)
        return self.made[make]


class Sources:
    """Computes values. Each Source is read once, and `kept` (Stamps) has values of earlier
    calls."""

    def __init__(self, kept):
        self.kept = kept
        self.known = {}
        package = Path(__file__).parent
        code = [file for file in package.rglob("*.py") if package / "report" not in file.parents]
        self.code = digest(*sorted(code))
        self.hashes = {}

    def value(self, artifact, quantity, paths):
        """The Value, or None if the files do not have it."""
        paths = tuple(paths)
        for path in paths:
            self.hashes.setdefault(path, digest(path))
        key = digest(self.code, *(self.hashes[path] for path in paths))
        name = " ".join(map(str, [artifact, quantity.value, *paths]))
        if not self.kept.holds(name, key):
            value = self.computed(artifact, quantity, paths)
            self.kept.set(name, key, [], value=value and [value.numbers, value.unit, value.input])
        found = self.kept.get(name)["value"]
        return found and Value(*found)

    def computed(self, artifact, quantity, paths):
        from gridloom.results import PlotError

        source = self.known.setdefault(paths, Source(paths))
        try:
            return quantities_of(artifact)[quantity.value](source)
        except PlotError:
            return None


def quantities_of(artifact):
    """{name in declarations: function of a Source}; empty for a new artifact."""
    try:
        return importlib.import_module(f"gridloom.{artifact}.claims").QUANTITIES
    except ModuleNotFoundError as error:
        if not error.name.startswith(f"gridloom.{artifact}"):
            raise
        return {}


def read_quantity(data, claim, what):
    given = keys_of(
        data, what, name=REQUIRED, value=REQUIRED, paper="", holds="",
        reference=claim["reference"], here=claim["here"], regime="",
    )  # fmt: skip
    if given["regime"] not in REGIMES:
        raise DeclarationError(f"{what}: regime: expected paper or today, got '{given['regime']}'")
    given |= {name: as_list(given[name]) for name in ("reference", "here")}
    if given["holds"]:
        sign, _, limit = given["holds"].partition(" ")
        if sign not in COMPARISONS or not limit.replace(".", "", 1).isdecimal():
            raise DeclarationError(f"{what}: holds: expected as in '> 1', got '{given['holds']}'")
    return Quantity(**given)


def read_claim(data, what):
    given = keys_of(
        data, what, text=REQUIRED, verdict=REQUIRED, today="", section="", why="", values=[],
        reference=None, here=None,
    )  # fmt: skip
    verdict, today = given["verdict"], given["today"]
    for key in ("verdict", *(("today",) if today else ())):
        if given[key] not in VERDICTS:
            expected = ", ".join(VERDICTS)
            raise DeclarationError(f"{what}: {key}: expected {expected}, got '{given[key]}'")
    if today == verdict:
        raise DeclarationError(f"{what}: today: the same as the verdict; leave it out")
    least = max(verdict, today or verdict, key=VERDICTS.index)
    if least != VERDICTS[0] and not given["why"]:
        raise DeclarationError(f"{what}: '{least}' wants a key 'why'")
    defaults = {name: given[name] or [] for name in ("reference", "here")}
    values = [
        read_quantity(value, defaults, f"{what}: value {number}")
        for number, value in enumerate(given["values"], 1)
    ]
    return Claim(given["text"], verdict, given["why"], values, given["section"], today)


def read_claims(folder):
    """The claims of an artifact. read_artifact must have accepted its artifact.toml."""
    with declared(Path(folder) / "artifact.toml") as data:
        tables = enumerate(data.get("claims", []), 1)
        return [read_claim(table, f"[[claims]] {number}") for number, table in tables]


def claims_table(claims, text_of):
    """Markdown of all claims and, after the table, of the reasons. A claim has a row for each name
    among its values; the first has the verdicts. `text_of` gives the text of a Quantity."""
    rows, reasons = [], []
    for place, claim in enumerate(claims, 1):
        verdict = f"**{claim.verdict}**" + (f"; today {claim.today}" if claim.today else "")
        first = [f"{place}. {claim.text}", claim.section or NONE], verdict
        for name in dict.fromkeys(one.name for one in claim.values):
            own = [one for one in claim.values if one.name == name]
            cells = [next((one.paper for one in own if one.paper), NONE)]
            for regime in ("paper", "today"):
                there = [text_of(one) for one in own if one.regime in ("", regime)]
                cells.append(", ".join(there) or NONE)
            (about, section), last = first or (["", ""], "")
            rows.append([f"{about} *{name}*".strip(), section, *cells, last])
            first = None
        if first:
            rows.append([*first[0], "", "", "", verdict])
        if claim.why:
            reasons.append(f"- {place}: {claim.why}")
    heads = ["claim", "section", "paper", "ours, in its regime", "ours, today", "verdict"]
    return "\n".join([table(heads, rows, left=2), *(["", *reasons] if reasons else [])])
