#!/usr/bin/env python3
"""Tables of the study of published task graphs: how far schedules are from the optimum or bound."""

import gridloom_datasets.endings  # noqa: F401

import sys

from gridloom.pets.workflows import texts_of
from gridloom.readme import main

if __name__ == "__main__":
    sys.exit(main(__doc__, texts_of))
