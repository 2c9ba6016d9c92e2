#!/usr/bin/env python3
"""Tables of tiled-tasks: the general scheduler's clients beside their rivals."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.readme import main
from gridloom.tiled_qr.task_tables import texts_of

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
