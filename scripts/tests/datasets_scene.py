"""A data folder, a manifest of small matrices, a server and a stand-in for gridloom-matrix."""

import gzip
import io
import json
import os
import random
import subprocess
import sys
import tarfile
from pathlib import Path

from gridloom_datasets import cli, download, manifest
from program_under_test import write_program

FAKE = Path(__file__).with_name("fake_gridloom_matrix.py")

# The entry of the manifest, and the file: a symmetric arrow with n rows.
ENTRY = """
[[matrix]]
name = "{name}"
group = "G"
kind = "arrow"
n = {rows}
entries = {entries}
nonzeros = {nonzeros}
components = 1
lower_bandwidth = {band}
upper_bandwidth = {band}
rcm_bandwidth = 1
url = "https://sparse.tamu.edu/MM/G/{name}.tar.gz"
missing = "made up"
sets = ["{set}"]
tables = ["8.1"]
"""
GENERATED = """
[[matrix]]
name = "A3"
kind = "made"
n = 3
entries = 3
generate = "A3"
sets = ["jacobi"]
tables = ["8.4"]
"""


def arrow(n):
    lines = [f"{i} {i} 2.5" for i in range(1, n + 1)] + [f"{i} 1 1" for i in range(2, n + 1)]
    head = f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(lines)}\n"
    return (head + "\n".join(lines) + "\n").encode()


def archive(members):
    """A .tar.gz of (name or TarInfo, bytes) pairs."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for member, data in members:
            if isinstance(member, str):
                member = tarfile.TarInfo(member)
            member.size = len(data) if member.isreg() else 0
            tar.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def noise(size):
    """Bytes that cannot be compressed, to make a download long."""
    return random.Random(5).randbytes(size)


class Scene:
    def __init__(self, tmp_path, monkeypatch, server):
        self.data, self.server, self.monkeypatch = tmp_path / "data", server, monkeypatch
        self.manifest = tmp_path / "manifest.toml"
        self.committed = tmp_path / "committed.lock"
        self.bin = tmp_path / "bin"
        program = self.bin / "gridloom-matrix"
        write_program(program, f'#!/bin/sh\nexec {sys.executable} -S -E {FAKE} "$@"\n')
        self.manifest.write_text(GENERATED)
        monkeypatch.setattr(manifest, "MANIFEST", self.manifest)
        monkeypatch.setattr("gridloom_datasets.checksums.COMMITTED", self.committed)
        monkeypatch.setattr(download, "PAUSE_S", 0.001)
        monkeypatch.setenv("GRIDLOOM_BIN_DIR", str(self.bin))
        monkeypatch.setenv("GRIDLOOM_DATA_DIR", str(self.data))
        monkeypatch.setenv("GRIDLOOM_MATRIX_MIRROR", server.url)

    def add(self, name, n=4, extra=(), set="rcm", members=None, **facts):
        """Adds a matrix to manifest and server. `facts` replace right entries of the manifest."""
        entries = 3 * n - 2
        right = {"rows": n, "entries": entries, "nonzeros": entries, "band": n - 1, "set": set}
        with open(self.manifest, "a") as file:
            file.write(ENTRY.format(name=name, **(right | facts)))
        members = members or [(f"{name}/{name}.mtx", arrow(n))]
        self.server.files[self.path(name)] = archive([*extra, *members])
        return self

    def path(self, name):
        return f"/MM/G/{name}.tar.gz"

    def put_local(self, name, n):
        (self.data / "matrices").mkdir(parents=True, exist_ok=True)
        (self.data / "matrices" / f"{name}.mtx.gz").write_bytes(gzip.compress(arrow(n)))

    def run(self, *arguments):
        """The exit code of the command line, in this process."""
        try:
            return cli.main([*map(str, arguments)])
        except SystemExit as left:
            return left.code

    def start(self, *arguments):
        """Runs the command line in a new process."""
        code = (
            "import sys\n"
            "from pathlib import Path; from gridloom_datasets import cli, manifest\n"
            f"manifest.MANIFEST = Path({str(self.manifest)!r})\n"
            "sys.exit(cli.main(sys.argv[1:]))"
        )
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments], env=os.environ | {"COLUMNS": "80"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def facts(self, name):
        """The facts that the stand-in wrote to csr/NAME.h5."""
        return json.loads((self.data / "csr" / f"{name}.h5").read_text())

    def files(self):
        """Every file of the data folder except lock files."""
        found = (path for path in self.data.rglob("*") if path.is_file())
        return sorted(
            str(path.relative_to(self.data)) for path in found if path.parent.name != "locks"
        )
