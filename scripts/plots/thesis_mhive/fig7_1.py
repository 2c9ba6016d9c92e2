#!/usr/bin/env python3
"""Fig. 7.1 of the MHive thesis: an execution tree and when its tasks ran."""

import sys

from gridloom.thesis_mhive.traces import main

if __name__ == "__main__":
    sys.exit(main("mhive_fig7_1", __doc__, "MHive: generic test (Fig. 7.1)", "fig7.1"))
