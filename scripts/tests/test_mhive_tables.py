"""The tables of MHive's pages say what they are made from."""

import os

import numpy as np
import pytest

import jacobi_rows
from conftest import ROOT, write_results
from gridloom.results import read_runs
from gridloom.thesis_mhive import rcm
from gridloom.thesis_mhive.tables import headlines
from gridloom.thesis_mhive.tables import jacobi as jacobi_tables

REFERENCE = ROOT / "thesis_mhive/reference"
MATRIX = "usroads.mtx.gz"


@pytest.fixture
def stored(tmp_path):
    """The stored results, in a folder that takes more files."""
    for path in REFERENCE.glob("nvidia-h200*.h5"):
        (tmp_path / path.name).symlink_to(path)
    return tmp_path / "nvidia-h200.h5"


def test_what_is_published_stands_before_what_goes_beyond(stored):
    table = headlines.texts_of(stored)["mhive-headlines"]
    published, beyond = table.split("**beyond the thesis**")
    for text in ("RCM by PDC", "best of TSK, MK and PDC", "CUDA graph", "(TSK)"):
        assert text in published
    assert "levels`, no MHive" in beyond and "levels`, no MHive" not in published
    assert "equal work" in beyond


def test_a_file_of_a_public_program_adds_it_as_a_rival(stored):
    runs = rcm.prepared(read_runs(REFERENCE / "nvidia-h200-rcm.h5"))
    ours = np.median(rcm.samples(runs, MATRIX, "levels", "order_ms"))
    row = {"arm": "batch-rcm", "backend": "cuda", "matrix": MATRIX, "rows": 9, "order_ms": 3 * ours}
    rows = [row | {"status": "ok"}, row | {"order_ms": 0.0, "status": "timeout"}]
    peer = stored.with_name("nvidia-h200-rcm-peer.h5")
    beside = stored.with_name("nvidia-h200-rcm-beside-peer.h5")
    for link in (peer, beside):
        link.unlink(missing_ok=True)
    write_results(peer, rows, rows[0])
    beside.symlink_to(REFERENCE / "nvidia-h200-rcm.h5")
    table = headlines.texts_of(stored)["mhive-headlines"]
    line = next(x for x in table.splitlines() if "by `levels`, the ordering alone" in x)
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[1] == "`batch-rcm`" and cells[2].startswith("3 [") and cells[3] == "–"


def test_an_index_of_the_collection_is_a_regular_file(tmp_path, run_script):
    os.mkfifo(tmp_path / "pipe")
    words = ["thesis_mhive.tables.rcm", REFERENCE / "nvidia-h200-rcm.h5"]
    done = run_script("scripts/tables/module.py", *words, "--collection", tmp_path / "pipe")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "pipe: expected a regular file, got a pipe" in done.stderr


@pytest.mark.parametrize("meta", [{}, {"floor_read_gbs": "3950"}], ids=["unknown", "measured"])
def test_shares_of_the_byte_floor_need_a_rate_of_the_same_run(tmp_path, meta):
    path = jacobi_rows.write(tmp_path / "r.h5", jacobi_rows.sample_rows(), **meta)
    texts = jacobi_tables.texts_of(path)
    assert ("80 %" in texts["baselines"]) == ("80 %" in texts["best"]) == bool(meta)
    assert ("byte floor at 3.95 TB/s" in texts["baselines"]) == bool(meta)
