#!/usr/bin/env python3
"""Prints the tables that a module of scripts/gridloom makes of a results file.

    scripts/tables/module.py MODULE RESULTS.h5 [--prefix NAME-]

MODULE is juggler.metg, for example: the module's function texts_of(path) returns {name: text}.
"""

import gridloom_datasets.endings  # noqa: F401

import importlib
import sys

from gridloom.readme import main
from gridloom_datasets.errors import say


def function_of(name):
    """Raises ImportError or AttributeError without such a module and function."""
    return importlib.import_module(f"gridloom.{name}").texts_of


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        say(__doc__)
        sys.exit(0 if len(sys.argv) > 1 else 2)
    try:
        texts_of = function_of(sys.argv[1])
    except (ImportError, AttributeError):
        say(
            f"tables: {sys.argv[1]}: expected a module of scripts/gridloom with texts_of",
            sys.stderr,
        )
        sys.exit(2)
    del sys.argv[1]
    sys.exit(main(__doc__, texts_of))
