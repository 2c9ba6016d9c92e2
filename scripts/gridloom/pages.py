"""The pages of the repository, and the tables and values that are generated in them.

The key `[tables]` of an artifact.toml names the modules that make the tables and values of the
artifact from stored results. The table `claims` has all [[claims]], and the value `claim-NAME` is
one of theirs, as the report shows it.
Every marker `<!-- table NAME -->` or `<!-- value NAME -->` of a page must name one of these texts.
The repository's own pages may show those of every artifact."""

import importlib
import re

from gridloom.artifacts import read_page_tables
from gridloom.claims import Source, claims_table, quantities_of, read_claims
from gridloom.declarations import declared
from gridloom.paths import ROOT
from gridloom.results import PlotError, made_of
from gridloom.stored_files import NoHistory, stale_banner, stored_files_table
from gridloom_datasets.errors import InputError

# A marker that follows a backquote is only mentioned.
MARKER = re.compile(r"(?<!`)<!-- (?:table|value) (\S+) -->")
PLACE = re.compile(r"(?<!`)(<!-- (table|value) (\S+) -->).*?<!-- end -->", re.DOTALL)
CLAIMS = "claims"
STORED_FILES = "stored-files"
STALE = "stale-files"  # a sentence near the top of the pages that use stale files


class PageError(InputError):
    """A page or its declaration is wrong."""


def declarations():
    """{folder: its tables} of all artifacts, and of folders that have a page of the repository."""
    found = {}
    for path in sorted([*ROOT.glob("*/artifact.toml"), *ROOT.glob("*/page.toml")]):
        with declared(path) as data:
            found[path.parent.name] = read_page_tables(data)
    return found


def pages_of(folder=""):
    """The Markdown pages for readers in a folder; without a folder, those of the repository
    itself."""
    place = ROOT / folder
    names = ("README.md", "CONTRIBUTING.md", "docs/*.md")
    return [path for name in names for path in sorted(place.glob(name))]


def texts_of(folder, tables):
    """{name: text} of all tables and values of a folder."""
    texts = {}
    for one in tables:
        path = ROOT / folder / one.results
        try:
            with made_of(path):
                found = table_module(one.module).texts_of(path)
        except (InputError, OSError) as error:
            raise PageError(f"{folder}: {error}") from error
        for name, text in found.items():
            if texts.setdefault(one.prefix + name, text) != text:
                raise PageError(f"{folder}: two texts are named '{one.prefix + name}'")
    return texts


def claim_texts(folder):
    """The table of claims and {claim-NAME: text} of their values, as far as the folder's pages show
    them."""
    shown = {name for path in pages_of(folder) for name in MARKER.findall(path.read_text())}
    claims, sources = read_claims(ROOT / folder), {}

    def text_of(one):
        paths = tuple(ROOT / folder / "reference" / file for file in one.reference)
        source = sources.setdefault(paths, Source(paths))
        try:
            return quantities_of(folder)[one.value](source).short_text
        except PlotError as error:
            raise PageError(f"{folder}: claim-{one.value}: {error}") from error

    quantities = {f"claim-{one.value}": one for claim in claims for one in claim.values}
    texts = {name: text_of(quantities[name]) for name in sorted(shown & quantities.keys())}
    return texts | ({CLAIMS: claims_table(claims, text_of)} if CLAIMS in shown else {})


def table_module(name):
    """Imports the module of scripts/gridloom, such as juggler.tables, that makes tables by
    texts_of(path). Raises InputError if there is none."""
    try:
        module = importlib.import_module(f"gridloom.{name}")
    except ModuleNotFoundError:
        module = None
    if not hasattr(module, "texts_of"):
        raise InputError(f"{name}: expected a module of scripts/gridloom with texts_of")
    return module


def filled(page, texts):
    """The page with each text put between the markers of its name. A table stands on lines of its
    own, a value in the line of its markers."""

    def put(place):
        end = "\n" if place[2] == "table" else ""
        return (
            f"{place[1]}{end}{texts[place[3]]}{end}<!-- end -->" if place[3] in texts else place[0]
        )

    return PLACE.sub(put, page)


class Repository:
    """The pages of the chosen folders (by default all) and of the repository itself."""

    def __init__(self, chosen=()):
        declared = declarations()
        for folder in chosen:
            if folder not in declared:
                raise PageError(f"{folder}: no artifact.toml")
        self.complete = not chosen
        self.texts, self.no_history = {}, None
        for folder in chosen or declared:
            self.texts[folder] = texts_of(folder, declared[folder])
            if (ROOT / folder / "artifact.toml").is_file():
                self.texts[folder] |= claim_texts(folder)
            try:
                if stored := stored_files_table(folder):
                    self.texts[folder][STORED_FILES] = stored
                    self.texts[folder][STALE] = stale_banner(folder)
            except NoHistory as why:
                self.no_history = str(why)

    def texts_for_all(self):
        """The texts that the repository's own pages may show. A name that two folders have is left
        out."""
        every = [item for texts in self.texts.values() for item in texts.items()]
        names = [name for name, _ in every]
        return {name: text for name, text in every if names.count(name) == 1}

    def texts_for(self, folder):
        return self.texts[folder] if folder else self.texts_for_all()

    def filled(self, folder, path):
        """The contents that the page at `path`, which belongs to `folder`, should have."""
        return filled(path.read_text(encoding="utf-8"), self.texts_for(folder))

    def missing(self, folder, path):
        """The names of the page's markers for which no stored results have a text."""
        if not folder and not self.complete:
            return []
        known = {*self.texts_for(folder), *((STORED_FILES, STALE) if self.no_history else ())}
        names = MARKER.findall(path.read_text(encoding="utf-8"))
        return [name for name in dict.fromkeys(names) if name not in known]

    def pages(self):
        """(folder, path) of every page."""
        return [(f, path) for f in ["", *self.texts] for path in pages_of(f)]
