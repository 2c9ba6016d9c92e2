"""Tables of tiled-qr's runs with explicit Q, made of known rows."""

import numpy as np
import pytest

from conftest import write_results
from gridloom.tiled_qr.compared import texts_of

# One row of /runs.
RUN = {
    "arm": "cusolver", "method": "cusolver", "input": "conditioned", "precision": "double",
    "rows": 1000, "cols": 64, "batch": 1, "q": "formed", "former": "", "condition": 1e4,
    "backend": "cuda", "blocks": 1, "tile": 0, "elapsed_ms": 8.0, "end_to_end_ms": 9.0,
    "orthogonality": 0.5, "status": "ok", "verified": "yes", "process": 0,
}  # fmt: skip


def runs(method, ms, **values):
    return [RUN | {"arm": method, "method": method, "elapsed_ms": ms} | values for _ in range(3)]


@pytest.fixture
def path(tmp_path):
    of_rival = {"verified": "no", "orthogonality": np.inf}
    rows = [
        *runs("cusolver", 8.0),
        *runs("cholesky_panels", 2.0),
        *runs("cholesky_qr2", 1.0),
        *runs("cusolver", 8.0, condition=1e16),
        *runs("cholesky_panels", 4.0, condition=1e16),
        *runs("cholesky_qr2", 1.0, condition=1e16, **of_rival),
        *runs("cusolver", 8.0, condition=np.nan, input="random"),
        *runs("cholesky_panels", 1.0, condition=np.nan, input="random"),
        *runs("cholesky_qr2", 2.0, condition=np.nan, input="random"),
        *runs("cusolver", 8.0, condition=np.nan, input="kahan"),
        *runs("cholesky_panels", 4.0, condition=np.nan, input="kahan"),
        *runs("cholesky_qr2", 1.0, condition=np.nan, input="kahan", **of_rival),
    ]
    return write_results(tmp_path / "r.h5", rows, RUN)


def test_a_rival_with_a_wrong_q_has_no_time(path):
    texts = texts_of(path)
    lines = texts["times-double"].splitlines()
    good, bad = (next(line for line in lines if f"| {of} |" in line) for of in ("10000", "1e+16"))
    assert "no Q" not in good and bad.count("no Q") == 1
    assert "no Q" in next(line for line in texts["families-double"].splitlines() if "kahan" in line)


def test_a_rival_with_a_wrong_q_has_no_ratio(path):
    texts = texts_of(path)
    assert texts["over-cholesky_qr2-double-1000-64-10000"] == "0.5 ×"
    assert texts["over-cholesky_qr2-double-1000-64-1e+16"] == "no Q"
    assert texts["over-cusolver-double-1000-64-1e+16"] == "2 ×"


def test_a_range_over_families_is_that_of_the_fastest_of_ours(path):
    assert texts_of(path)["families-over-cusolver-double-1000-64"] == "2 to 8 ×"
