#!/usr/bin/env python3
"""Fills the tables and values of the pages from stored results, or checks them.

    scripts/tables/pages.py [--check] [ARTIFACT...]

The pages are README.md and docs/*.md of the artifacts (of all, unless some are named) and of the
repository. Their tables are declared in <artifact>/artifact.toml:

    [tables."juggler.tables"]     # texts_of(path) of scripts/gridloom/juggler/tables.py
    "reference/gpu.h5" = "gpu-"   # a file in its folder, and what stands before the names

`stored-files` is a table of every artifact: its reference files, and whether its kernels have
changed since. Exit code 1: a page differs (--check) or has a marker that nothing fills.
"""

import sys

from gridloom.pages import Repository
from gridloom.paths import ROOT
from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.errors import InputError, say
from gridloom_datasets.files import write_text


def main():
    parser = StrictParser(description=__doc__.split("\n")[0])
    parser.add_argument("artifacts", nargs="*", metavar="ARTIFACT", help="default: all")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if one differs")
    options = parser.parse_args()
    try:
        repository = Repository(options.artifacts)
    except InputError as error:
        say(f"pages: {error}", sys.stderr)
        return 2
    if repository.no_history:
        print(f"pages: {repository.no_history}: stored-files is left as it is", file=sys.stderr)
    wrong = 0
    for folder, path in repository.pages():
        name = path.relative_to(ROOT)
        for missing in repository.missing(folder, path):
            print(f"pages: {name}: no stored results give '{missing}'", file=sys.stderr)
            wrong += 1
        new = repository.filled(folder, path)
        if new == path.read_text(encoding="utf-8"):
            continue
        if options.check:
            print(f"pages: {name} differs from the stored results", file=sys.stderr)
            wrong += 1
        else:
            write_text(path, new)
            print(name)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
