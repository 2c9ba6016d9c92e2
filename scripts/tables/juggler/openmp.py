#!/usr/bin/env python3
"""Tables of OpenMP sources: translated by juggler-cc, compiled by GCC, and written by hand."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.juggler.openmp import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
