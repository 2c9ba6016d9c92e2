#!/usr/bin/env python3
"""Fig. 7.2 of the MHive thesis: an execution tree and when its tasks ran."""

from gridloom.thesis_mhive.traces import main

if __name__ == "__main__":
    main("mhive_fig7_2", __doc__, "MHive: generic test (Fig. 7.2)", "fig7.2")
