#!/usr/bin/env python3
"""Counts the entries in the blocks of matrices, without and with orders, for figure 8.1.

    rcm_patterns.py MATRIX ORDER... [MATRIX ORDER...]... --names NAME... --output FILE.h5

A matrix is a CSR file (HDF5, from mhive-rcm --pattern) or Matrix Market. Its orders follow it (from
mhive-rcm --order, one row number per line), as many as there are names. The output is a thousand
times smaller than the matrices. scripts/plots/thesis_mhive/fig8_1.py draws it."""

import gridloom.environment  # noqa: F401 (continues in .venv if packages are missing)

# isort: split
import sys
from pathlib import Path

from gridloom.command_line import Parser, exit_code
from gridloom.results import PlotError
from gridloom.results_file import collect_meta
from gridloom.thesis_mhive.patterns import columns_of, write_patterns
from gridloom_datasets.files import require_different_files


def run(arguments):
    parser = Parser(prog="rcm_patterns.py", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help="matrices and their orders")
    parser.add_argument("--names", nargs="+", required=True, metavar="NAME", help="of the orders")
    parser.add_results(append=False)
    options = parser.parse_args(arguments)
    require_different_files([("--output", options.output)], inputs=options.files)
    columns = columns_of(options.files)
    for column in columns:
        if len(column) != 1 + len(options.names):
            told = f"expected {len(options.names)} orders, got {len(column) - 1}"
            raise PlotError(f"{column[0].matrix}: {told}")
    names = [Path(word).name if Path(word).is_file() else word for word in arguments]
    meta = collect_meta("rcm_patterns", "rcm_patterns.py", names)
    write_patterns(options.output, columns, options.names, meta)
    return 0


if __name__ == "__main__":
    sys.exit(exit_code("rcm_patterns", run, None))
