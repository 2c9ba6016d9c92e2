#!/usr/bin/env python3
"""Prints the tables that a module of scripts/gridloom makes from a results file.

    scripts/tables/module.py MODULE RESULTS.h5 [--prefix NAME-] [OPTION...]

MODULE is a name such as juggler.tables. Its function texts_of(path) returns {name: text}. Some
modules have options, which -h after MODULE lists."""

import argparse
import sys

from gridloom.pages import table_module
from gridloom.results import made_of
from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.errors import InputError, say


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        say(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    try:
        module = table_module(sys.argv[1])
        parser = StrictParser(
            prog=f"module.py {sys.argv[1]}", description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        parser.add_argument("results", metavar="RESULTS.h5")
        parser.add_argument("--prefix", default="", help="put before the names of the tables")
        for name, settings in getattr(module, "OPTIONS", {}).items():
            parser.add_argument(f"--{name}", **settings)
        options = vars(parser.parse_args(sys.argv[2:]))
        path, prefix = options.pop("results"), options.pop("prefix")
        with made_of(path):
            found = module.texts_of(path, **options)
    except (InputError, OSError) as error:
        say(f"tables: {error}", sys.stderr)
        return 2
    for name, text in found.items():
        for line in f"<!-- table {prefix + name} -->\n{text}\n<!-- end -->\n".split("\n"):
            say(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
