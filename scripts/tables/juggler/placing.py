#!/usr/bin/env python3
"""Table of juggler's runs whose workers are numbered in several ways (--placing)."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.juggler.placing import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
