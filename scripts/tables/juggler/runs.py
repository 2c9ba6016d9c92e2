#!/usr/bin/env python3
"""Tables of juggler's applications: times, speed, overhead, loads and the best known ways."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.juggler.tables import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
