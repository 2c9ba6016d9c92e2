#!/usr/bin/env python3
"""Tables of the schedulers' efficiency against the length of tasks, and their METG(50 %)."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.juggler.metg import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
