"""Bandwidths that the SuiteSparse collection records for its own reverse Cuthill-McKee order.

They are rows of the collection's index (ss_index.csv). thesis_mhive/reference/collection.csv has
those of the measured matrices, and datasets/manifest.toml those of the thesis. The additional
column `file` has the name of a matrix's file if it differs from the collection's name."""

import csv

from gridloom.paths import ROOT
from gridloom_datasets.manifest import read_manifest

MEASURED = ROOT / "thesis_mhive/reference/collection.csv"
NUMBERS = ["nrows", "nentries", "rcm_lowerbandwidth", "rcm_upperbandwidth"]


class Collection:
    """Finds matrices by name and size, because a matrix of another size is another matrix."""

    def __init__(self):
        self.by_name = {}  # name: {id: (rows, entries, lower, upper)}
        for matrix in read_manifest().values():
            if matrix.rcm_bandwidth is not None:  # all of them are symmetric
                band = (matrix.rcm_bandwidth, matrix.rcm_bandwidth)
                self.add(matrix.name, matrix.title, (matrix.n, matrix.entries, *band))
        self.read(MEASURED)

    def add(self, name, title, numbers):
        self.by_name.setdefault(name, {})[title] = numbers

    def read(self, index):
        with index.open(encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file):
                numbers = tuple(int(float(line[column])) for column in NUMBERS)
                name = line["file"] or line["Name"]
                self.add(name, f"{line['Group']}/{line['Name']}", numbers)

    def row(self, name, rows, entries):
        """(Group/Name, its numbers), or None.

        `entries` only decides between matrices of one name, because a file may leave out the
        diagonal."""
        found = [item for item in self.by_name.get(name, {}).items() if item[1][0] == rows]
        if len(found) > 1:
            found = [item for item in found if item[1][1] == entries]
        return found[0] if len(found) == 1 else None
