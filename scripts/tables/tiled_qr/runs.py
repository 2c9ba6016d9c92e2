#!/usr/bin/env python3
"""Tables of tiled-qr's runs: times by size and method, kernels, and how far from the rival."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.readme import main
from gridloom.tiled_qr.tables import texts_of

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
