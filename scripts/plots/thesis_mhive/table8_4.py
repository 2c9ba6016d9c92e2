#!/usr/bin/env python3
"""Table 8.4 of the MHive thesis: the systems of the Jacobi method beside those of the thesis."""

from gridloom.figure import main
from gridloom.thesis_mhive import inputs

if __name__ == "__main__":
    title = "Jacobi method: systems (table 8.4)"
    main("mhive_table8_4", __doc__, lambda runs: inputs.draw(runs, "8.4", title))
