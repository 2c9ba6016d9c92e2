#!/usr/bin/env python3
"""Tables of the misses of the L2 cache by policy, of stored profiles."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.juggler.misses import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
