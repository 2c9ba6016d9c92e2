#!/usr/bin/env python3
"""Tables of tiled-qr's schedulers: times, numbers of workers, orders and weights of tasks."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.readme import main
from gridloom.tiled_qr.scheduler_tables import texts_of

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
