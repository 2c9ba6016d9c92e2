"""Bandwidths that the SuiteSparse collection records for its own reverse Cuthill-McKee order.

They come from the collection's index (ss_index.csv), which is not part of this repository, or, for
the matrices of the thesis, from datasets/manifest.toml. Files that are not named as the collection
names their matrix are found by the table of a README.md beside the index: | `file` | Group/Name |.
"""

import csv
import re
from pathlib import Path

from gridloom.results import PlotError
from gridloom_datasets.manifest import read_manifest

ALIAS = re.compile(r"^\| `([^`]+)` \| ([^|/ ]+/[^| ]+) \|")
COLUMNS = ["Group", "Name", "nrows", "nentries", "rcm_lowerbandwidth", "rcm_upperbandwidth"]


class Collection:
    """Looks up by name and size: a matrix of another size is another one."""

    def __init__(self, index=None):
        self.by_name = {}  # name: [(id, rows, entries, lower, upper)]
        self.aliases = {}
        for matrix in read_manifest().values():
            if matrix.rcm_bandwidth is not None:  # all of them are symmetric
                band = (matrix.rcm_bandwidth, matrix.rcm_bandwidth)
                row = (matrix.title, matrix.n, matrix.entries, *band)
                self.by_name.setdefault(matrix.name, []).append(row)
        if index:
            self.by_name = {}
            self.read(Path(index))

    def read(self, index):
        try:
            with open(index, newline="", encoding="utf-8") as file:
                for line in csv.DictReader(file):
                    group, name, *numbers = (line[column] for column in COLUMNS)
                    row = (f"{group}/{name}", *(int(float(number)) for number in numbers))
                    self.by_name.setdefault(name, []).append(row)
        except OSError as error:
            raise PlotError(f"{index}: cannot be read ({error.strerror})") from error
        except (KeyError, TypeError, ValueError, csv.Error) as error:
            raise PlotError(f"{index}: not the collection's index ({error!r})") from error
        readme = index.parent / "README.md"
        if readme.is_file():
            for line in readme.read_text(encoding="utf-8", errors="replace").splitlines():
                if found := ALIAS.match(line):
                    self.aliases[found[1]] = found[2]

    def find(self, name, rows, entries):
        """(lower, upper) bandwidth after the collection's order, or None.

        `entries` decides only between matrices of one name: a file may leave out the diagonal.
        """
        wanted = self.aliases.get(name)
        candidates = self.by_name.get(wanted.split("/")[1] if wanted else name, [])
        candidates = [c for c in candidates if c[1] == rows and wanted in (None, c[0])]
        if len(candidates) > 1:
            candidates = [c for c in candidates if c[2] == entries]
        return candidates[0][3:] if len(candidates) == 1 else None
