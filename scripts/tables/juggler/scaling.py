#!/usr/bin/env python3
"""Tables of JACOBI's time against its number of tasks, and the lines through it."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.juggler.scaling import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
