"""A share of the byte floor of mhive-jacobi is shown only where its rate was measured."""

import pytest

import jacobi_rows
from gridloom.thesis_mhive.tables import jacobi as jacobi_tables


@pytest.mark.parametrize("meta", [{}, {"floor_read_gbs": "3950"}], ids=["unknown", "measured"])
def test_shares_of_the_byte_floor_need_a_rate_of_the_same_run(tmp_path, meta):
    path = jacobi_rows.write(tmp_path / "r.h5", jacobi_rows.sample_rows(), **meta)
    texts = jacobi_tables.texts_of(path)
    assert ("80 %" in texts["baselines"]) == ("80 %" in texts["best"]) == bool(meta)
    assert ("byte floor at 3.95 TB/s" in texts["baselines"]) == bool(meta)
