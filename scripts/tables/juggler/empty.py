#!/usr/bin/env python3
"""Table of the rates at which juggler's schedulers run tasks that do nothing."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.juggler.empty import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
