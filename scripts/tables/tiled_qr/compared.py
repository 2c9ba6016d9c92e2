#!/usr/bin/env python3
"""Tables of tiled-qr's batches, of runs with explicit Q, and of matrices of given condition."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.readme import main
from gridloom.tiled_qr.compared import texts_of

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
