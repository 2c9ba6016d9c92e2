#!/usr/bin/env python3
"""Fig. 4.1 of the MHive thesis: tables are built with phases, and when the tasks ran."""

from gridloom.thesis_mhive.traces import main

if __name__ == "__main__":
    main("mhive_fig4_1", __doc__, "MHive: building tables (Fig. 4.1)", "fig4.1")
